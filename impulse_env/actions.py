"""Stable names of actions in absolute coordinates, for people, records and tests.

``pass``, ``use``, ``card 57``, ``cell 5``, ``gate 5-10``, ``ships 2``, ``color red``, ``tech 0``,
``seat 1``, ``race ariek``, ``basic command``, ``copy 2``. The name of a card is its lowest printed
number; every number of the same face is accepted.
"""

from typing import Any, Final

from numpy.typing import NDArray

from impulse_env.arguments import checked_integer, integer_of, shown
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
from impulse_env.errors import IllegalActionError, ImpulseError
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

CARD_NUMBERS: Final = "1 to 109 without 21"
"""The numbers printed on cards."""
_SPECIAL_WORDS: Final = {
    "card": CARD_NUMBERS,
    "gate": "two cells that touch, the lower one first, such as 5-10",
}
"""The rest of a name after its first word, if that is not a plain range or list."""

NAMES: Final = tuple(
    f"{block.name} {word}".strip() for block in BLOCKS for word in _WORDS[block.name]
)
"""The name of every action."""
_ACTION_BY_NAME: Final = {name: action for action, name in enumerate(NAMES)} | {
    f"card {number}": CARD_0 + card for number, card in CARD_BY_NUMBER.items()
}


class UnknownActionError(ImpulseError, ValueError):
    """No action has this name or number."""


def checked_action(action: Any, name: str = "action") -> int:
    """Return an action, legal or not, as a Python integer; see `arguments.integer_of`.

    Args:
        action: The caller's value.
        name: The argument's name, for the message.

    Raises:
        IllegalActionError: The action is not an integer.
    """
    number = integer_of(action)
    if number is None:
        raise IllegalActionError(
            f"{name} must be an integer from 0 to {SIZE - 1}, not {shown(action)}"
        )
    return number


def is_legal(mask: NDArray[Any], number: int) -> bool:
    """Return whether an integer is a legal action of a mask, shape ``(N_ACTIONS,)``."""
    return 0 <= number < SIZE and bool(mask[number])


def with_name(number: int) -> str:
    """Return an integer with the name of its action, or with the allowed range."""
    if 0 <= number < SIZE:
        return f"{number} ({NAMES[number]})"
    return f"{shown(number)} (not from 0 to {SIZE - 1})"


def name_of(action: AbsoluteAction) -> str:
    """Return the stable name of an action; raises `UnknownActionError`."""
    return NAMES[checked_integer("action", action, 0, SIZE - 1, UnknownActionError)]


def action_of(name: str) -> AbsoluteAction:
    """Return the action with a stable name; raises `UnknownActionError`."""
    action = _ACTION_BY_NAME.get(name) if isinstance(name, str) else None
    if action is None:
        raise UnknownActionError(f"unknown action {shown(name)}; {_names_like(name)}")
    return action


def _names_like(name: Any) -> str:
    """Return what may follow the first word of a name, or all first words if that is unknown."""
    block = name.split(" ")[0] if isinstance(name, str) else ""
    if block not in _WORDS:
        blocks = ", ".join(f"{b.name} …" if b.size > 1 else b.name for b in BLOCKS)
        return f"actions are named {blocks}"
    words = _WORDS[block]
    if words == ("",):
        return f"nothing follows {block!r}"
    is_range = words[0].isdecimal()
    allowed = f"{words[0]} to {words[-1]}" if is_range else ", ".join(words)
    return f"{block!r} is followed by {_SPECIAL_WORDS.get(block, allowed)}"
