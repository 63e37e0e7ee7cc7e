"""The names of the kinds of network, and limits of their sizes; this module needs no torch."""

from typing import Final

KINDS: Final = ("pointers", "map")
"""The kinds, the simplest first; each contains the earlier ones, and may start from their weights.
"""
DEFAULT: Final = "pointers"
"""The default kind of a training: in a few minutes it learns from more decisions than the other."""
WIDEST: Final = 1 << 14
"""Largest number of units of a layer or an embedding."""
MOST_LAYERS: Final = 64
"""Largest number of hidden layers of a head."""
