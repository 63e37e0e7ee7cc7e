"""Stable names of the actions, in absolute coordinates: for people, records and tests.

``pass``, ``use``, ``card 57``, ``cell 5``, ``gate 5-10``, ``ships 2``, ``color red``, ``tech 0``,
``seat 1``, ``race ariek``, ``basic command``, ``copy 2``. Cards are named by their lowest printed
number; any number of the face is understood.
"""

from typing import Final

from impulse_env.engine.action_space import BLOCKS, CARD_0, SIZE
from impulse_env.engine.cards import CARD_BY_NUMBER, NUMBER_BY_CARD
from impulse_env.engine.constants import (
    CELLS,
    MAX_COPIES,
    MAX_PLAYERS,
    MAX_SHIPS,
    Action,
    Color,
    Race,
)
from impulse_env.engine.sector_map import CELLS_OF_GATE_PAIRS
from impulse_env.errors import ImpulseError

N_ACTIONS: Final = SIZE
"""Size of the action space, the same for every number of players."""

CELL_NAMES: Final = tuple(str(cell + 1) for cell in range(CELLS))
GATE_NAMES: Final = tuple(f"{a + 1}-{b + 1}" for a, b in CELLS_OF_GATE_PAIRS)

_WORDS: Final = {
    "pass": ("",),
    "use": ("",),
    "card": tuple(map(str, NUMBER_BY_CARD)),
    "cell": CELL_NAMES,
    "gate": GATE_NAMES,
    "ships": tuple(str(n + 1) for n in range(MAX_SHIPS)),
    "color": tuple(color.name.lower() for color in Color),
    "tech": ("0", "1"),
    "seat": tuple(str(seat) for seat in range(MAX_PLAYERS)),
    "race": tuple(race.name.lower() for race in Race),
    "basic": ("command", "build"),
    "copy": tuple(str(n + 1) for n in range(MAX_COPIES)),
}

NAMES: Final = tuple(
    f"{block.name} {word}".strip() for block in BLOCKS for word in _WORDS[block.name]
)
"""The name of every action."""
_ACTION_BY_NAME: Final = {name: action for action, name in enumerate(NAMES)} | {
    f"card {number}": CARD_0 + card for number, card in CARD_BY_NUMBER.items()
}


class UnknownActionError(ImpulseError, ValueError):
    """A name or number that no action has."""


def name_of(action: Action) -> str:
    """Return the stable name of an action; raises `UnknownActionError`."""
    if not 0 <= action < SIZE:
        raise UnknownActionError(f"action {action} is not in 0 to {SIZE - 1}")
    return NAMES[action]


def action_of(name: str) -> Action:
    """Return the action of a stable name; raises `UnknownActionError`."""
    action = _ACTION_BY_NAME.get(name)
    if action is None:
        blocks = ", ".join(f"{b.name} …" if b.size > 1 else b.name for b in BLOCKS)
        raise UnknownActionError(f"unknown action {name!r}; actions are named {blocks}")
    return action
