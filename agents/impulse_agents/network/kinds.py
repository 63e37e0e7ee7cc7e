"""The kinds of network by name and how large one may be; apart, so that this takes no torch.

`@jit` functions have its constants in their machine code, so it counts as a compiled source.
"""

from typing import Final

KINDS: Final = ("flat", "cards", "pointers", "map")
"""Networks, from the plainest to the one made for this game; each has what those before have."""
DEFAULT: Final = "pointers"
"""What is trained if nothing else is asked for: it learns from most decisions in a few minutes."""
POINTING: Final = ("pointers", "map")
"""Those that score cards and places as actions by what they are."""
MAP_DIM: Final = 32
"""Length of a place's description where the map is read as a graph."""
MAP_ROUNDS: Final = 2
"""How often neighbours there tell each other what they are."""
WIDEST: Final = 1 << 14
"""Units that a layer, or an embedding, may have."""
MOST_LAYERS: Final = 64
"""Hidden layers that a head may have."""
