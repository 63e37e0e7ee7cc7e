"""Validation of records from outside; one sentence says what is wrong with an invalid one."""

from typing import Final

import numpy as np

from impulse_env.compiled.compilation import call
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.constants import State
from impulse_env.engine.state import STATE
from impulse_env.engine.validity.check import find_faults
from impulse_env.engine.validity.faults import (
    FAULT_NUMBERS,
    FIELD,
    NO_FAULT,
    Field,
    Reason,
)

_WHY: Final = {
    Reason.RANGE: "",
    Reason.UNUSED: "entries past the count are empty",
    Reason.SUM: "it is stored for speed and must equal the sum that it stands for",
    Reason.COPIES: "every card is in one place",
    Reason.ORDER: "cards in hand ascend",
    Reason.KNOWN: "a known card of a hand is in that hand or was laid from it",
    Reason.SETUP: "in setup nothing has happened yet",
    Reason.PHASE: "it agrees with the phase, at a decision or an end",
    Reason.STATUS: "it agrees with the status of the game",
    Reason.SEAT: "it agrees with the seats of the game",
    Reason.SHIPS: "it agrees with the ships on the map",
    Reason.MAP: "a card lies on every cell but the Sector Core and one whose card is in hand",
    Reason.HAND: "hands are within their limit",
    Reason.FRAME: "the current card and step allow nothing else",
    Reason.STACKING: "an effect lies on another effect only if that one started it",
    Reason.TABLE: "the cards on the table are those of the current effects",
    Reason.MOVEMENT: "fleets and path are those of the current Command",
    Reason.BATTLE: "the battle is that of the moving fleets",
    Reason.DECK: "an empty deck is refilled at once",
    Reason.ALONE: "it occurs only once",
    Reason.ENDLESS: "a game must reach a decision or its end",
    Reason.CHOICE: "the seat that decides must have a choice",
}
"""The second half of the sentence, by reason."""


def fault_in(state: State, at_decision: bool = True) -> str | None:
    """Return what is wrong with a record, or None if the record can be a game.

    Args:
        state: Any record of dtype `STATE`.
        at_decision: Whether the game must be at a decision or over. If False, an empty deck may
            still have to be refilled.
    """
    states = np.zeros(1, STATE)
    states[0] = state
    faults = np.zeros((1, FAULT_NUMBERS), np.int64)
    call(find_faults, states, at_decision, faults)
    return None if faults[0, FIELD] == NO_FAULT else sentence_of(faults[0])


def sentence_of(fault: np.ndarray) -> str:
    """Return a fault in words: the element, its value, the allowed values and the reason."""
    field, position, value, lowest, highest, reason = (int(number) for number in fault)
    why = _WHY[Reason(reason)]
    if field == Field.COPIES:
        name = f"the number of cards {NUMBER_BY_CARD[position]}"
    else:
        name = _element(Field(field).name.lower(), position)
    if highest < lowest:
        return f"{name} cannot be {value}" + (f": {why}" if why else "")
    allowed = str(lowest) if lowest == highest else f"from {lowest} to {highest}"
    return f"{name} must be {allowed}, not {value}" + (f": {why}" if why else "")


def _element(field: str, position: int) -> str:
    shape = STATE[field].shape
    return field + "".join(
        f"[{index}]" for index in np.unravel_index(position, shape or (1,))[: len(shape)]
    )
