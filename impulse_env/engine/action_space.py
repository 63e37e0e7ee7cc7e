"""The action space as numbers: one `Discrete(SIZE)` for every number of players.

The blocks below make up the whole space; no other module may contain an offset. Names for people
are in `impulse_env.actions`, a seat's own frame is in `impulse_env.frame`.
"""

from typing import Final, NamedTuple

from impulse_env.engine.constants import (
    CELLS,
    FACES,
    GATES,
    MAX_COPIES,
    MAX_PLAYERS,
    MAX_SHIPS,
    TECHS,
    Color,
    Race,
)


class Block(NamedTuple):
    """Consecutive actions of the same kind."""

    name: str
    size: int
    meaning: str


BLOCKS: Final = (
    Block("pass", 1, "decline, stop, delay: nothing (more) of what is offered"),
    Block("use", 1, "use, keep, reveal, activate: yes to what is offered"),
    Block("card", FACES, "the printed face, in order of its lowest printed number"),
    Block("cell", CELLS, "a cell of the map, row by row from the top left"),
    Block("gate", GATES, "a gate, in ascending order of its two cells"),
    Block("ships", MAX_SHIPS, "how many ships of the fleet, 1 to 12"),
    Block("color", len(Color), "red, blue, green, yellow"),
    Block("tech", TECHS, "Tech slot: 0 the common one, 1 the race's own"),
    Block("seat", MAX_PLAYERS, "a player, in turn order"),
    Block("race", len(Race), "a race, in the order of the rules"),
    Block("basic", 2, "the common Basic Tech's choice: command or build"),
    Block("copy", MAX_COPIES, "which of several copies in the Plan, oldest first"),
)


def _offset(name: str) -> int:
    names = [block.name for block in BLOCKS]
    return sum(block.size for block in BLOCKS[: names.index(name)])


PASS: Final = _offset("pass")
USE: Final = _offset("use")
CARD_0: Final = _offset("card")
CELL_0: Final = _offset("cell")
GATE_0: Final = _offset("gate")
SHIPS_0: Final = _offset("ships") - 1
"""`SHIPS_0 + n` takes n ships."""
COLOR_0: Final = _offset("color")
TECH_0: Final = _offset("tech")
SEAT_0: Final = _offset("seat")
RACE_0: Final = _offset("race")
BASIC_COMMAND: Final = _offset("basic")
BASIC_BUILD: Final = BASIC_COMMAND + 1
COPY_0: Final = _offset("copy") - 1
"""`COPY_0 + k` takes the k-th copy, 1 the oldest."""
SIZE: Final = sum(block.size for block in BLOCKS)
"""Number of actions."""
PLACE_0: Final = CELL_0
"""Cells and gates are one block of places: `PLACE_0 + place`."""
