"""The kinds of network by name and how large one may be; apart, so that this takes no torch."""

from typing import Final

KINDS: Final = ("flat", "cards", "pointers")
"""Networks, from the plainest to the one made for this game."""
WIDEST: Final = 1 << 14
"""Units that a layer, or an embedding, may have."""
MOST_LAYERS: Final = 64
"""Hidden layers that a head may have."""
