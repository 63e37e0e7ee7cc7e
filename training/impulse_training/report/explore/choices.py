"""Names of choices in the tree, independent of the seat and the deal.

Two choices are equal if the seat made them in the same turn of its own and their names are equal.
Cards have the name of their face, so that copies are equal, or of their action alone. Cells and
gates are numbered with the seat's home on the left. Other seats are named by their distance in
turn order. The rest of the map and the hands make no difference.
"""

import re
from functools import cache
from typing import Final, NamedTuple

from impulse_env.actions import NAMES, action_of
from impulse_env.engine.action_space import SEAT_0
from impulse_env.engine.constants import Action, Op, Seat, State
from impulse_env.frame import to_own
from impulse_env.text.describe import describe_action
from impulse_training.report.explore.explore_options import Cards

STEPS: Final = {
    Op.DRAFT_RACE: "race",
    Op.PLACE_HOME: "home",
    Op.ADD_IMPULSE: "add",
    Op.USE_TECH: "tech",
    Op.USE_IMPULSE: "impulse",
    Op.USE_PLAN: "plan",
    Op.USE_PLAN_CARD: "plan",
}
"""The part of a turn, by the phase."""
END: Final = "end"
"""The part of a turn in which the engine scores and draws cards."""
_IN_SETUP: Final = (Op.DRAFT_RACE, Op.PLACE_HOME)
_CARD_OF_STEP: Final = re.compile(r"(?:place|add) (card .*\)) (?:on the home cell|to the Impulse)")
"""Texts whose place is already clear from the part of the turn."""
_FACE: Final = re.compile(r"card \d+ \((\w+), \w+ \d\)")
_SEAT_OR_PLACE: Final = re.compile(r"\b(?:cell|gate|seat) \d+(?:-\d+)?")


class Choice(NamedTuple):
    """A choice that lines can share.

    Attributes:
        turn: The seat's turn, from 1; 0 in setup.
        step: The part of the turn.
        begins: Whether it begins a move; choices within an effect continue a move.
        text: The name of the choice.
    """

    turn: int
    step: str
    begins: bool
    text: str


def choice_of(state: State, action: Action, seat: Seat, cards: Cards = "face") -> Choice:
    """Return the choice for a legal action of a seat.

    Args:
        state: The game at the decision; not changed.
        action: The action in the absolute frame.
        seat: The seat that decides.
        cards: Whether cards are named by face or by action.
    """
    phase, players = Op(int(state["phase"])), int(state["players"])
    text = describe_action(state, action, with_text=False)
    text = _SEAT_OR_PLACE.sub(lambda found: _own_name(found[0], players, seat), text)
    if short := _CARD_OF_STEP.fullmatch(text):
        text = short[1]
    if cards == "action":
        text = _FACE.sub(r"\1", text)
    return Choice(
        0 if phase in _IN_SETUP else int(state["turn"]) // players + 1,
        STEPS.get(phase, END),
        int(state["stack_count"]) == 0,
        text,
    )


@cache
def _own_name(name: str, players: int, seat: Seat) -> str:
    """Return the name of a cell, a gate or a seat from the viewpoint of a seat."""
    own = to_own(action_of(name), players, seat)
    return f"seat +{own - SEAT_0}" if name.startswith("seat") else NAMES[own]
