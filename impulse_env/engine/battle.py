"""Battles: reinforcements, a card for every Cruiser, the winner (pp. 34-35).

Frame from REINFORCE to BATTLE_END:
    A       the side that lays or draws
    LEFT    number of its cards still to draw
    B       first slot of the table that belongs to the battle
"""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import CARD_0, PASS
from impulse_env.engine.cards import COLOR_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import (
    ANY_COLOR,
    CELLS,
    NO_CARD,
    TECHS,
    Action,
    Card,
    Op,
    PointSource,
    Seat,
    State,
)
from impulse_env.engine.deck import (
    NO_CARDS_LEFT,
    WAIT_FOR_DISCARDS,
    add_to_hand,
    discard_table,
    draw,
    forget,
    hand_options,
    impulse_of,
    insert,
    learn,
    put_on_table,
    remove,
)
from impulse_env.engine.effects.command import crossed_cell, last_leg
from impulse_env.engine.scoring import (
    add_cruisers,
    clear_battle,
    destroy_transports,
    eliminate_shipless,
    remove_cruisers,
    score,
)
from impulse_env.engine.stack import pop
from impulse_env.engine.state import ATTACKER, COLORS, DEFENDER, LEFT, OP, SIDES, A, B


@jit_internal
def reinforce_options(state: State, options: NDArray[np.int16]) -> int:
    """List pass and the hand of the side that lays; any card may be laid, also as a bluff."""
    side = int(state["stack"][int(state["stack_count"]) - 1, A])
    options[0] = PASS
    return hand_options(state, int(state["battle_seat"][side]), ANY_COLOR, 1, 3, options, 1)


@jit_internal
def apply_reinforce(state: State, action: Action) -> None:
    """Lay a card face-down; pass lets the attacker lay, or starts the reveal."""
    top = int(state["stack_count"]) - 1
    side = int(state["stack"][top, A])
    if action == PASS:
        if side == DEFENDER:
            state["stack"][top, A] = ATTACKER
        else:
            state["stack"][top, OP] = Op.BATTLE_REVEAL
        return
    seat = int(state["battle_seat"][side])
    card = action - CARD_0
    # Nobody sees the card: the known cards of hand and reinforcements stay the same (R12).
    state["hand_count"][seat] -= remove(state["hand"][seat], int(state["hand_count"][seat]), card)
    insert(state["laid"][side], int(state["laid_count"][side]), card)
    state["laid_count"][side] += 1


@jit_internal
def matches(state: State, seat: Seat, card: Card) -> bool:
    """Return whether a card matches one on the Impulse, in the Plan or as a Tech (p. 34, R7)."""
    color = COLOR_BY_CARD[card]
    size = SIZE_BY_CARD[card]
    row = impulse_of(state, seat)
    for slot in range(int(state["impulse_count"][row])):
        other = int(state["impulse"][row, slot])
        if COLOR_BY_CARD[other] == color and SIZE_BY_CARD[other] == size:
            return True
    for slot in range(int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])):
        other = int(state["plan"][seat, slot])
        if COLOR_BY_CARD[other] == color and SIZE_BY_CARD[other] == size:
            return True
    for slot in range(TECHS):
        other = int(state["techs"][seat, slot])
        if other >= 0 and COLOR_BY_CARD[other] == color and SIZE_BY_CARD[other] == size:
            return True
    return False


@jit_internal
def run_battle_reveal(state: State) -> None:
    """Reveal the reinforcements: those that match fight, bluffs return to hand (p. 34)."""
    for side in range(SIDES):
        seat = int(state["battle_seat"][side])
        count = int(state["laid_count"][side])
        returned = 0
        before = NO_CARD
        for slot in range(count):
            card = int(state["laid"][side, slot])
            state["laid"][side, slot] = NO_CARD
            if matches(state, seat, card):
                put_on_table(state, card)
                forget(state, seat, card)
                state["battle_icons"][side] += SIZE_BY_CARD[card]
                continue
            add_to_hand(state, seat, card)
            # Everybody now knows at least as many copies as were revealed (R12).
            returned = returned + 1 if card == before else 1
            before = card
            known = 0
            for other in range(int(state["known_count"][seat])):
                known += state["known"][seat, other] == card
            if known < returned:
                learn(state, seat, card)
        state["laid_count"][side] = 0
    top = int(state["stack_count"]) - 1
    state["stack"][top, OP] = Op.BATTLE_DRAW
    state["stack"][top, A] = DEFENDER
    state["stack"][top, LEFT] = state["battle_ships"][DEFENDER]


@jit_internal
def run_battle_draw(state: State) -> None:
    """Reveal a card for every Cruiser, first for the defender's (R6)."""
    top = int(state["stack_count"]) - 1
    frame = state["stack"][top]
    side = int(frame[A])
    while frame[LEFT] > 0:
        card = draw(state)
        if card == WAIT_FOR_DISCARDS:
            return
        if card == NO_CARDS_LEFT:
            break
        put_on_table(state, card)
        state["battle_icons"][side] += SIZE_BY_CARD[card]
        frame[LEFT] -= 1
    if side == DEFENDER:
        frame[A] = ATTACKER
        frame[LEFT] = state["battle_ships"][ATTACKER]
    else:
        frame[OP] = Op.BATTLE_END


@jit_internal
def run_battle_end(state: State) -> None:
    """End the battle: more icons win, the defender wins ties; all losing Cruisers go (p. 34)."""
    top = int(state["stack_count"]) - 1
    base = int(state["stack"][top, B])
    several = int(state["stack"][top - 1, COLORS])
    gate = int(state["battle_gate"])
    attacker = int(state["battle_seat"][ATTACKER])
    defender = int(state["battle_seat"][DEFENDER])
    attacker_wins = state["battle_icons"][ATTACKER] > state["battle_icons"][DEFENDER]
    destroyed = int(state["battle_ships"][DEFENDER if attacker_wins else ATTACKER])
    if attacker_wins:
        state["ships_on_map"][defender] -= destroyed
        remove_cruisers(state, gate, destroyed)
    else:
        state["ships_on_map"][attacker] -= destroyed
    for fleet in range(int(state["fleet_count"])):
        leg = last_leg(state, several, fleet)
        ships = int(state["fleet_ships"][fleet])
        if ships == 0 or state["path"][leg] != CELLS + gate:
            continue
        remove_cruisers(state, int(state["fleet_from"][fleet]) - CELLS, ships)
        state["fleet_ships"][fleet] = 0
        if attacker_wins:
            add_cruisers(state, attacker, gate, ships)
            destroyed += destroy_transports(state, attacker, crossed_cell(state, several, leg))
    discard_table(state, base)
    clear_battle(state)
    pop(state)
    winner = attacker if attacker_wins else defender
    score(state, winner, 1, PointSource.BATTLE)
    score(state, winner, destroyed, PointSource.SHIPS)
    eliminate_shipless(state)
