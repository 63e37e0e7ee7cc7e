"""A turn: its six steps in order (pp. 10-13)."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import CARD_0, PASS, TECH_0, USE
from impulse_env.engine.boost import boost_of
from impulse_env.engine.constants import (
    ANY_COLOR,
    CARDS_DRAWN,
    CORE,
    IMPULSE_KEPT,
    NO_CARD,
    PLAN_MUST_BE_USED,
    RUNNING,
    TECHS,
    TRUNCATED,
    Action,
    Op,
    PointSource,
    State,
)
from impulse_env.engine.deck import (
    NO_CARDS_LEFT,
    WAIT_FOR_DISCARDS,
    add_to_discard,
    add_to_hand,
    draw,
    hand_options,
    impulse_of,
    is_hand_full,
    take_from_hand,
)
from impulse_env.engine.effects.execute import use_card_options
from impulse_env.engine.effects.start import can_use_tech, push_effect, push_tech
from impulse_env.engine.offer import card_on_offer
from impulse_env.engine.scoring import score
from impulse_env.engine.sector_map import GATE_COUNT_OF_CELL, GATES_OF_CELL


@jit_internal
def go_to(state: State, phase: int) -> None:
    """Begin a phase."""
    state["phase"] = phase
    state["cursor"] = 0


# --- 1. Add a card to the Impulse -------------------------------------------------------------


@jit_internal
def add_impulse_options(state: State, options: NDArray[np.int16]) -> int:
    """List the hand: the step is mandatory and skipped only with an empty hand (p. 12)."""
    return hand_options(state, int(state["active"]), ANY_COLOR, 1, 3, options, 0)


@jit_internal
def apply_add_impulse(state: State, action: Action) -> None:
    """Put the card at the end of the (team's) Impulse."""
    if action != PASS:
        seat = int(state["active"])
        row = impulse_of(state, seat)
        take_from_hand(state, seat, action - CARD_0)
        state["impulse"][row, int(state["impulse_count"][row])] = action - CARD_0
        state["impulse_count"][row] += 1
    go_to(state, Op.USE_TECH)


# --- 2. Use one of the two Techs --------------------------------------------------------------


@jit_internal
def use_tech_options(state: State, options: NDArray[np.int16]) -> int:
    """List the Techs that have an effect, and pass; nothing after one was used."""
    if state["cursor"] > 0:
        return 0
    options[0] = PASS
    count = 1
    for slot in range(TECHS):
        if can_use_tech(state, slot, options, count):
            options[count] = TECH_0 + slot
            count += 1
    return count


@jit_internal
def apply_use_tech(state: State, action: Action) -> None:
    """Use the Tech, or continue with the Impulse."""
    if action == PASS:
        go_to(state, Op.USE_IMPULSE)
    else:
        state["cursor"] = 1
        push_tech(state, action - TECH_0, 0)


# --- 3. Use the Impulse, 4. use or delay the Plan ---------------------------------------------


@jit_internal
def use_next_card_options(state: State, options: NDArray[np.int16]) -> int:
    """Offer the card at the cursor; nothing past the end."""
    card = card_on_offer(state)
    return 0 if card == NO_CARD else use_card_options(state, card, options)


@jit_internal
def apply_use_next_card(state: State, action: Action) -> None:
    """Use or skip the card at the cursor; past the end leave the phase."""
    card = card_on_offer(state)
    if card == NO_CARD:
        if state["phase"] == Op.USE_IMPULSE:
            go_to(state, Op.USE_PLAN)
        else:
            discard_used_plan(state)
            go_to(state, Op.SCORE_CORE)
        return
    # R7: the card in use stays in its place; the cursor is one past it.
    state["cursor"] += 1
    if action == USE:
        push_effect(state, card, boost_of(state, int(state["active"]), card, 0), 0)


@jit_internal
def use_plan_options(state: State, options: NDArray[np.int16]) -> int:
    """Offer to use the Plan or, below four cards, to delay it (p. 13)."""
    planned = state["plan_count"][int(state["active"])]
    if planned == 0:
        return 0
    options[0] = USE
    if planned >= PLAN_MUST_BE_USED:
        return 1
    options[1] = PASS
    return 2


@jit_internal
def apply_use_plan(state: State, action: Action) -> None:
    """Use the Plan from its first card on, or continue with scoring."""
    go_to(state, Op.USE_PLAN_CARD if action == USE else Op.SCORE_CORE)


@jit_internal
def discard_used_plan(state: State) -> None:
    """Discard the whole Plan; the next Plan becomes the Plan (p. 37)."""
    seat = int(state["active"])
    used = int(state["plan_count"][seat])
    grown = int(state["next_plan_count"][seat])
    for slot in range(used):
        add_to_discard(state, int(state["plan"][seat, slot]))
    for slot in range(grown):
        state["plan"][seat, slot] = state["plan"][seat, used + slot]
    for slot in range(grown, used + grown):
        state["plan"][seat, slot] = NO_CARD
    state["plan_count"][seat] = grown
    state["next_plan_count"][seat] = 0


# --- 5. Score the Sector Core, 6. draw and trim -----------------------------------------------


@jit_internal
def run_score_core(state: State) -> None:
    """Score a point for each gate of the Sector Core with own Cruisers (p. 13)."""
    seat = int(state["active"])
    gates = 0
    for k in range(GATE_COUNT_OF_CELL[CORE]):
        gates += state["gate_owner"][GATES_OF_CELL[CORE, k]] == seat
    if gates > 0:
        score(state, seat, gates, PointSource.CORE_PATROL)
    go_to(state, Op.DRAW_CARDS)


@jit_internal
def run_draw_cards(state: State) -> None:
    """Draw the next of two cards, if the hand limit allows it (p. 17)."""
    seat = int(state["active"])
    if state["cursor"] == CARDS_DRAWN or is_hand_full(state, seat):
        go_to(state, Op.END_TURN)
        return
    card = draw(state)
    if card == WAIT_FOR_DISCARDS:
        return
    if card == NO_CARDS_LEFT:
        go_to(state, Op.END_TURN)
        return
    add_to_hand(state, seat, card)
    state["cursor"] += 1


@jit_internal
def run_end_turn(state: State) -> None:
    """Trim the Impulse to three cards and pass the turn (p. 13)."""
    seat = int(state["active"])
    row = impulse_of(state, seat)
    count = int(state["impulse_count"][row])
    while count > IMPULSE_KEPT:
        add_to_discard(state, int(state["impulse"][row, 0]))
        count -= 1
        for slot in range(count):
            state["impulse"][row, slot] = state["impulse"][row, slot + 1]
        state["impulse"][row, count] = NO_CARD
    state["impulse_count"][row] = count
    state["activations"] = 0
    state["turn"] += 1
    if state["turn"] >= state["max_turns"] and state["status"] == RUNNING:
        state["status"] = TRUNCATED
        return
    seat = (seat + 1) % int(state["players"])
    while state["eliminated"][seat]:
        seat = (seat + 1) % int(state["players"])
    state["active"] = seat
    go_to(state, Op.ADD_IMPULSE)
