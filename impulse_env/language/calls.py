"""Actions as calls: a verb with typed arguments, such as ``move_fleet(from=8, to=5-9, ships=2)``.

The column ``call`` of `ops.csv` gives the calls of each kind of decision. A call may answer several
decisions in a row, one for each argument: ``move_fleet`` answers choose_fleet, choose_ships and
choose_move. ``pass()`` declines or stops in every kind of decision where that is legal.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from impulse_env.actions import CELL_NAMES, GATE_NAMES
from impulse_env.engine.action_space import (
    BASIC_BUILD,
    BASIC_COMMAND,
    CARD_0,
    COLOR_0,
    COPY_0,
    PASS,
    PLACE_0,
    RACE_0,
    SEAT_0,
    SHIPS_0,
    TECH_0,
    USE,
)
from impulse_env.engine.cards import CARD_BY_NUMBER, NUMBER_BY_CARD
from impulse_env.engine.constants import (
    MAX_COPIES,
    MAX_PLAYERS,
    MAX_SHIPS,
    TECHS,
    Color,
    Race,
    State,
)
from impulse_env.engine.ops import DECISIONS, words
from impulse_env.frame import AbsoluteAction
from impulse_env.game import Game
from impulse_env.text.describe import offered_card, pending

Value = int | str
"""The value of an argument: a number, or a gate, colour, race or mode."""

PASS_VERB: Final = "pass"


class Call(NamedTuple):
    """A verb with its arguments by name, in the order of the reply.

    The value of ``to`` may be a tuple of places, the path of a fleet.
    """

    verb: str
    arguments: dict[str, Any]

    def __str__(self) -> str:
        return written(self.verb, self.arguments)


def written(verb: str, arguments: dict[str, Any]) -> str:
    """Return e.g. ``move_fleet(from=8, to=9>10)``; the values of a tuple follow each other."""
    parts = (
        f"{name}={'>'.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name, value in arguments.items()
    )
    return f"{verb}({', '.join(parts)})"


class Answer(NamedTuple):
    """A way to answer a kind of decision: a verb, and the argument that selects the action.

    Attributes:
        verb: The verb.
        argument: Its argument; empty if there is none.
        is_offer: Whether the action is "use", and the argument only repeats the card on offer.
    """

    verb: str
    argument: str
    is_offer: bool


def _answers(cell: str) -> tuple[Answer, ...]:
    answers = []
    for text in cell.split("/"):
        verb, _, argument = text.removesuffix(")").partition("(")
        is_offer = not argument or argument.endswith("?")
        answers.append(Answer(verb, argument.removesuffix("?"), is_offer))
    return tuple(answers)


ANSWERS: Final = {op: _answers(words("call")[op]) for op in DECISIONS}
"""The answers to each kind of decision, apart from ``pass()``."""
PAGES: Final = words("page")
"""The pages of the rulebook for each kind of decision, e.g. ``p. 13``."""


def _signatures() -> dict[str, tuple[str, ...]]:
    arguments: dict[str, dict[str, None]] = {PASS_VERB: {}}
    for answers in ANSWERS.values():
        for answer in answers:
            own = arguments.setdefault(answer.verb, {})
            if answer.argument:
                own[answer.argument] = None
    return {verb: tuple(own) for verb, own in arguments.items()}


SIGNATURES: Final = _signatures()
"""The arguments of each verb, in the order of the decisions that they answer."""

# --- Values -------------------------------------------------------------------------------------

_PLACES: Final[list[Value]] = [*(int(name) for name in CELL_NAMES), *GATE_NAMES]


def _block(first: int, values: Iterable[Value]) -> dict[Value, AbsoluteAction]:
    return {value: first + index for index, value in enumerate(values)}


_PLACE_ACTIONS: Final = _block(PLACE_0, _PLACES)
ACTIONS: Final[dict[str, dict[Value, AbsoluteAction]]] = {
    "card": {number: CARD_0 + card for number, card in CARD_BY_NUMBER.items()},
    "from": _PLACE_ACTIONS,
    "to": _PLACE_ACTIONS,
    "at": _PLACE_ACTIONS,
    "place": _PLACE_ACTIONS,
    "ships": _block(SHIPS_0 + 1, range(1, MAX_SHIPS + 1)),
    "color": _block(COLOR_0, [color.name.lower() for color in Color]),
    "slot": _block(TECH_0, range(TECHS)),
    "seat": _block(SEAT_0, range(MAX_PLAYERS)),
    "race": _block(RACE_0, [race.name.lower() for race in Race]),
    "mode": {"command": BASIC_COMMAND, "build": BASIC_BUILD},
    "copy": _block(COPY_0 + 1, range(1, MAX_COPIES + 1)),
}
"""The action of each value of each argument."""
TYPES: Final = {
    "card": "the number of a card",
    "from": "a cell or a gate",
    "to": "a cell or a gate, or several in order",
    "at": "a cell",
    "place": "a cell or a gate",
    "ships": f"1 to {MAX_SHIPS}",
    "color": "red, blue, green or yellow",
    "slot": "0 or 1",
    "seat": f"0 to {MAX_PLAYERS - 1}",
    "race": ", ".join(race.name.lower() for race in Race),
    "mode": "command or build",
    "copy": f"1 to {MAX_COPIES}",
}
"""The type of each argument, in words."""
_VALUES: Final = {
    name: {
        action: int(NUMBER_BY_CARD[action - CARD_0]) if name == "card" else value
        for value, action in actions.items()
    }
    for name, actions in ACTIONS.items()
}


# --- Legal answers ------------------------------------------------------------------------------


class Choice(NamedTuple):
    """One verb of a decision with its legal values.

    Attributes:
        verb: The verb.
        argument: The argument that the values belong to; empty if there is none.
        values: The legal values; the card on offer, if the verb uses that; empty without argument.
    """

    verb: str
    argument: str
    values: tuple[Value, ...]

    def __str__(self) -> str:
        if not self.argument:
            return f"{self.verb}()"
        return f"{self.verb}({self.argument}={'|'.join(map(str, self.values))})"


def choices(state: State, actions: list[AbsoluteAction]) -> list[Choice]:
    """Return the legal answers to the pending decision.

    Args:
        state: A record with a pending decision, full or a view of the deciding seat.
        actions: The legal actions, ascending.
    """
    found = []
    for answer in ANSWERS[pending(state)[0]]:
        if answer.is_offer:
            if USE in actions:
                card = (int(NUMBER_BY_CARD[offered_card(state)]),) if answer.argument else ()
                found.append(Choice(answer.verb, answer.argument, card))
            continue
        values = _VALUES[answer.argument]
        legal = tuple(values[action] for action in actions if action in values)
        if legal:
            found.append(Choice(answer.verb, answer.argument, legal))
    if PASS in actions:
        found.append(Choice(PASS_VERB, "", ()))
    return found


def legal_calls(game: Game) -> list[str]:
    """Return the legal answers of a game's decision, each verb with all its legal values.

    E.g. ``["trade(card=11|16)", "pass()"]``; empty if the game is over.
    """
    if game.seat is None:
        return []
    return [str(choice) for choice in choices(game.state, game.legal_actions())]
