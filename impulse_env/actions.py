"""Stable names of the actions, in absolute coordinates: for people, records and tests.

``pass``, ``use``, ``card 57``, ``cell 5``, ``gate 5-10``, ``ships 2``, ``color red``, ``tech 0``,
``seat 1``, ``race ariek``, ``basic command``, ``copy 2``. Cards are named by their lowest printed
number; any number of the face is understood.
"""

from operator import index
from typing import Any, Final

from impulse_env.engine.action_space import BLOCKS, CARD_0, SIZE
from impulse_env.engine.cards import CARD_BY_NUMBER, NUMBER_BY_CARD
from impulse_env.engine.constants import (
    CELLS,
    MAX_COPIES,
    MAX_PLAYERS,
    MAX_SHIPS,
    Color,
    Race,
)
from impulse_env.engine.sector_map import CELLS_OF_GATE_PAIRS
from impulse_env.errors import ImpulseError
from impulse_env.frame import AbsoluteAction

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


def number_of(given: Any) -> int | None:
    """Return the number of what is given as an action, None if that is no action at all.

    An int, a numpy integer and a numpy array of one integer without axes, such as ``np.array(23)``,
    are all numbers from 0 to ``N_ACTIONS - 1``; a bool and a float are none.
    """
    if isinstance(given, bool):
        return None
    try:
        number = index(given)
    except TypeError:
        return None
    return number if 0 <= number < SIZE else None


def name_of(action: AbsoluteAction) -> str:
    """Return the stable name of an action; raises `UnknownActionError`."""
    if not 0 <= action < SIZE:
        raise UnknownActionError(f"action {action} is not in 0 to {SIZE - 1}")
    return NAMES[action]


def action_of(name: str) -> AbsoluteAction:
    """Return the action of a stable name; raises `UnknownActionError`."""
    action = _ACTION_BY_NAME.get(name)
    if action is None:
        blocks = ", ".join(f"{b.name} …" if b.size > 1 else b.name for b in BLOCKS)
        raise UnknownActionError(f"unknown action {name!r}; actions are named {blocks}")
    return action
