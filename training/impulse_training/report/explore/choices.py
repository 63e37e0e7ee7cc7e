"""What a choice is called in the tree, the same from every seat and in every deal.

Two choices are the same if they were made in the same turn of the seat and read the same: cards by
what is printed on them, so that copies of a face are one, or by their action alone; cells and gates
as the seat counts them, its home being on the left; other seats by how many places they sit further
on. What else lies on the map or in a hand makes no difference.
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
"""Of home cells and the Impulse the part of the turn says enough."""
_FACE: Final = re.compile(r"card \d+ \((\w+), \w+ \d\)")
_SEAT_OR_PLACE: Final = re.compile(r"\b(?:cell|gate|seat) \d+(?:-\d+)?")


class Choice(NamedTuple):
    """What lines share.

    Attributes:
        turn: Which turn of the seat, from 1; 0 in setup.
        step: The part of the turn.
        begins: Whether it begins a move: the choices within an effect go on with one.
        text: What it means.
    """

    turn: int
    step: str
    begins: bool
    text: str


def choice_of(state: State, action: Action, seat: Seat, cards: Cards = "face") -> Choice:
    """Return what a legal action of a seat is called.

    Args:
        state: The game at the decision; not changed.
        action: Absolute.
        seat: Who decides.
        cards: What tells cards apart.
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
    """Return what a seat calls a cell, a gate or a seat."""
    own = to_own(action_of(name), players, seat)
    return f"seat +{own - SEAT_0}" if name.startswith("seat") else NAMES[own]
