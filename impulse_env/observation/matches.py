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
# Unsigned, and a byte: an index that needs no test for negative ones, in a table of one cache line.
KIND: Final = (COLOR_BY_CARD * SIZES + SIZE_BY_CARD - 1).astype(np.uint8)
"""Where the flag of a card's colour and size stands among those of a seat."""
KIND.setflags(write=False)


@jit_internal
def encode_matches(
    state: State, seat: Seat, starts: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    """Write what matches the cards in front of every seat, and the icons of the own ones laid.

    Which cards of the own hand match is written with the hand, by `board.encode_cards`.
    """
    flags = starts[Part.MATCHED]
    players = int(state["players"])
    is_shared = state["teams"] >= players
    if is_shared:  # a single Impulse, which everybody matches
        for slot in range(int(state["impulse_count"][0])):
            at = flags + int(KIND[state["impulse"][0, slot]])
            for place in range(players):
                out[at + place * KINDS] = 1
    for place in range(players):
        seen = out[flags + place * KINDS : flags + (place + 1) * KINDS]
        who = seat_at(place, seat, players)
        if not is_shared:
            row = impulse_of(state, who)
            for slot in range(int(state["impulse_count"][row])):
                seen[KIND[state["impulse"][row, slot]]] = 1
        for slot in range(int(state["plan_count"][who]) + int(state["next_plan_count"][who])):
            seen[KIND[state["plan"][who, slot]]] = 1
        for slot in range(TECHS):
            card = int(state["techs"][who, slot])
            seen[KIND[max(card, 0)]] |= np.uint8(card >= 0)
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
