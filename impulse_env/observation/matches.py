"""The encoder's last part: which cards would fight as reinforcements in a battle now."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine.cards import COLOR_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.compilation import jit_internal
from impulse_env.engine.constants import COLOR_COUNT, TECHS, Seat, State
from impulse_env.engine.deck import impulse_of
from impulse_env.engine.state import SIDES
from impulse_env.observation.layout import SIZES, Part, seat_at

_KINDS: Final = COLOR_COUNT * SIZES


@jit_internal
def _kind(card: int) -> int:
    """Return where the flag of a card's colour and size stands among those of a seat."""
    return int(COLOR_BY_CARD[card]) * SIZES + int(SIZE_BY_CARD[card]) - 1


@jit_internal
def encode_matches(
    state: State, seat: Seat, starts: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    """Write what matches the cards in front of every seat, and which of the own cards do."""
    flags = starts[Part.MATCHED]
    for place in range(int(state["players"])):
        at = flags + place * _KINDS
        who = seat_at(place, seat, int(state["players"]))
        row = impulse_of(state, who)
        for slot in range(int(state["impulse_count"][row])):
            out[at + _kind(int(state["impulse"][row, slot]))] = 1
        for slot in range(int(state["plan_count"][who]) + int(state["next_plan_count"][who])):
            out[at + _kind(int(state["plan"][who, slot]))] = 1
        for slot in range(TECHS):
            card = int(state["techs"][who, slot])
            if card >= 0:
                out[at + _kind(card)] = 1
    in_hand = laid = 0
    for slot in range(int(state["hand_count"][seat])):
        card = int(state["hand"][seat, slot])
        if card >= 0 and out[flags + _kind(card)]:  # in another seat's view it is HIDDEN
            out[starts[Part.MATCHING] + card] += 1
            in_hand += int(SIZE_BY_CARD[card])
    for side in range(SIDES):
        if state["battle_seat"][side] != seat or state["battle_gate"] < 0:
            continue
        for slot in range(int(state["laid_count"][side])):
            card = int(state["laid"][side, slot])
            if card >= 0 and out[flags + _kind(card)]:
                laid += int(SIZE_BY_CARD[card])
    out[starts[Part.MATCHING_ICONS]] = in_hand
    out[starts[Part.MATCHING_ICONS] + 1] = laid
