"""The encoder's first part: which cards would fight as reinforcements in a battle now."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.cards import COLOR_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import COLOR_COUNT, TECHS, Seat, State
from impulse_env.engine.deck import impulse_of
from impulse_env.engine.state import SIDES
from impulse_env.observation.layout import SIZES, Part, seat_at

KINDS: Final = COLOR_COUNT * SIZES
# Unsigned bytes: the index needs no test for negative values, and the table fits one cache line.
KIND: Final = (COLOR_BY_CARD * SIZES + SIZE_BY_CARD - 1).astype(np.uint8)
"""The index of the flag of a card's colour and size among the flags of a seat."""
KIND.setflags(write=False)


@jit_internal
def encode_matches(
    state: State, seat: Seat, starts: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    """Write the matching colours and sizes of every seat, and the icons of the own laid cards.

    `board.encode_cards` writes which cards of the own hand match.
    """
    flags = starts[Part.MATCHED]
    players = int(state["players"])
    is_shared = state["teams"] >= players
    if is_shared:  # a single Impulse for all seats
        for slot in range(int(state["impulse_count"][0])):
            at = flags + int(KIND[state["impulse"][0, slot]])
            for place in range(players):
                out[at + place * KINDS] = 1
    for place in range(players):
        matched = out[flags + place * KINDS : flags + (place + 1) * KINDS]
        who = seat_at(place, seat, players)
        if not is_shared:
            row = impulse_of(state, who)
            for slot in range(int(state["impulse_count"][row])):
                matched[KIND[state["impulse"][row, slot]]] = 1
        for slot in range(int(state["plan_count"][who]) + int(state["next_plan_count"][who])):
            matched[KIND[state["plan"][who, slot]]] = 1
        for slot in range(TECHS):
            card = int(state["techs"][who, slot])
            matched[KIND[max(card, 0)]] |= np.uint8(card >= 0)
    own = out[flags : flags + KINDS]
    if state["battle_gate"] < 0:
        return
    for side in range(SIDES):
        if state["battle_seat"][side] != seat:
            continue
        icons = 0
        for slot in range(int(state["laid_count"][side])):
            card = int(state["laid"][side, slot])
            if card >= 0 and own[KIND[card]]:
                icons += int(SIZE_BY_CARD[card])
        out[starts[Part.MATCHING_ICONS] + 1] = icons
