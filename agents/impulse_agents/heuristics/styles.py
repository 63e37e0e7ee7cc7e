"""The weights of the rules of thumb for each style of play, in points.

The machine code of `@jit` functions contains these constants, so this is a compiled source, too.
"""

from typing import Final

import numpy as np

WEIGHTS: Final = (
    "core_gate",  # the first own Cruiser on a gate of the Sector Core
    "core_guard",  # each further Cruiser there
    "approach",  # a move nearer to the Sector Core with Cruisers
    "core_visit",  # a point for activating the Sector Core
    "fight",  # a point won in battle, including ships destroyed
    "boldness",  # added to the own icons when considering a battle
    "hunt",  # a move nearer to the enemies' ships with Cruisers
    "raid",  # an enemy Transport destroyed
    "sabotage",  # a bomb
    "trade",  # a point from trading
    "refine",  # a point from refining
    "mine",  # an icon mined
    "keep",  # an icon kept in hand
    "draw",  # a card drawn
    "cruiser",  # a Cruiser built
    "transport",  # a Transport built
    "plan",  # a card planned
    "research",  # a Tech researched
)
"""The columns of `STYLES`."""
(
    CORE_GATE,
    CORE_GUARD,
    APPROACH,
    CORE_VISIT,
    FIGHT,
    BOLDNESS,
    HUNT,
    RAID,
    SABOTAGE,
    TRADE,
    REFINE,
    MINE,
    KEEP,
    DRAW,
    CRUISER_BUILT,
    TRANSPORT_BUILT,
    PLAN,
    RESEARCH,
) = range(len(WEIGHTS))

_BALANCED: Final = {
    "core_gate": 2.0,
    "core_guard": 0.3,
    "approach": 0.6,
    "core_visit": 1.0,
    "fight": 1.0,
    "boldness": 0.0,
    "hunt": 0.0,
    "raid": 1.0,
    "sabotage": 0.4,
    "trade": 1.0,
    "refine": 1.0,
    "mine": 0.5,
    "keep": 0.35,
    "draw": 0.5,
    "cruiser": 1.4,
    "transport": 0.7,
    "plan": 0.4,
    "research": 0.4,
}
_CHANGES: Final[dict[str, dict[str, float]]] = {
    "balanced": {},
    "core_rush": {
        "core_gate": 5.0,
        "core_guard": 0.8,
        "approach": 1.5,
        "core_visit": 1.5,
        "cruiser": 3.0,
        "trade": 0.7,
        "refine": 0.7,
        "mine": 0.2,
        "plan": 0.2,
    },
    "warrior": {
        "fight": 3.0,
        "boldness": 1.0,
        "hunt": 0.8,
        "raid": 3.0,
        "sabotage": 2.0,
        "cruiser": 3.0,
        "core_gate": 1.0,
        "approach": 0.2,
        "core_visit": 0.6,
        "trade": 0.4,
        "refine": 0.4,
        "mine": 0.2,
    },
    "miner": {
        "mine": 2.0,
        "refine": 2.5,
        "trade": 0.3,
        "core_gate": 1.0,
        "approach": 0.2,
        "core_visit": 1.5,
        "cruiser": 0.6,
        "transport": 1.2,
    },
    "trader": {
        "trade": 3.0,
        "keep": 0.6,
        "draw": 1.5,
        "mine": 0.2,
        "core_gate": 1.0,
        "approach": 0.2,
        "cruiser": 0.6,
        "transport": 1.2,
    },
}


def _table() -> np.ndarray:
    rows = [[{**_BALANCED, **changes}[name] for name in WEIGHTS] for changes in _CHANGES.values()]
    table = np.array(rows, np.float32)
    table.setflags(write=False)
    return table


STYLE_NAMES: Final = tuple(_CHANGES)
STYLES: Final = _table()
"""Shape (styles, weights), float32."""
BALANCED: Final = STYLE_NAMES.index("balanced")
