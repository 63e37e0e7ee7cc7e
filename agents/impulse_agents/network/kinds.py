"""The kinds of network by name; apart, so that naming them takes no torch."""

from typing import Final

KINDS: Final = ("flat", "cards", "pointers")
"""Networks, from the plainest to the one made for this game."""
