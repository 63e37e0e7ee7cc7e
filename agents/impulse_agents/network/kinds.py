"""The kinds of network by name, and how large one may be; apart, so that this takes no torch."""

from typing import Final

KINDS: Final = ("pointers", "map")
"""Networks, the plainest first; each has what those before have, and may begin as one of them."""
DEFAULT: Final = "pointers"
"""What is trained if nothing else is asked for: it learns from most decisions in a few minutes."""
WIDEST: Final = 1 << 14
"""Units that a layer, or an embedding, may have."""
MOST_LAYERS: Final = 64
"""Hidden layers that a head may have."""
