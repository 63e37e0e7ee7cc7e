"""Research: cover one of the two Techs (p. 35).

Frames: RESEARCH_CARD as in `from_hand.py`. RESEARCH_PLANNED and CHOOSE_COPY: LEFT, DONE; A is the
face whose copy is to be chosen. RESEARCH_SLOT and USE_RESEARCHED: CARD is the face (on the table in
RESEARCH_SLOT); A = 1 if it is executed at once (R9), B is the slot that it covers.
"""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import CARD_0, COPY_0, PASS, TECH_0
from impulse_env.engine.constants import BASIC_TECH, TECHS, Action, Card, Op, State
from impulse_env.engine.deck import (
    add_to_discard,
    put_on_table,
    take_from_hand,
    take_from_plan,
    take_from_table,
)
from impulse_env.engine.stack import pop, push
from impulse_env.engine.state import DONE, LEFT, OP, A, B


@jit_internal
def ask_slot(state: State, card: Card, execute: int) -> None:
    """Lay the card on the table and ask for the Tech that it covers."""
    put_on_table(state, card)
    slot = push(state, Op.RESEARCH_SLOT, card)
    state["stack"][slot, A] = execute


@jit_internal
def apply_research_card(state: State, action: Action) -> None:
    """Take the chosen card from the hand."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    if action == PASS:
        pop(state)
        return
    execute = int(frame[A])
    frame[DONE] += 1
    frame[LEFT] -= 1
    if frame[LEFT] == 0:
        pop(state)
    take_from_hand(state, int(state["active"]), action - CARD_0)
    ask_slot(state, action - CARD_0, execute)


@jit_internal
def slot_options(options: NDArray[np.int16]) -> int:
    """List the two Tech slots."""
    for slot in range(TECHS):
        options[slot] = TECH_0 + slot
    return TECHS


@jit_internal
def apply_research_slot(state: State, action: Action) -> None:
    """Cover the Tech: a researched card there is discarded, a Basic Tech is lost forever."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    seat = int(state["active"])
    slot = action - TECH_0
    covered = int(state["techs"][seat, slot])
    state["techs"][seat, slot] = take_from_table(state)
    if covered != BASIC_TECH:
        add_to_discard(state, covered)
    if frame[A]:
        frame[OP] = Op.USE_RESEARCHED
        frame[B] = slot
    else:
        pop(state)


# --- From the Plan ----------------------------------------------------------------------------


@jit_internal
def planned_in_use(state: State) -> int:
    """Return the slot of the Plan card in use, -1 if the Plan is not in use."""
    return int(state["cursor"]) - 1 if state["phase"] == Op.USE_PLAN_CARD else -1


@jit_internal
def count_planned(state: State, card: Card, before: int) -> int:
    """Count the copies of `card` in the Plan's slots below `before`, without the one in use."""
    seat = int(state["active"])
    in_use = planned_in_use(state)
    copies = 0
    for slot in range(before):
        if slot != in_use and state["plan"][seat, slot] == card:
            copies += 1
    return copies


@jit_internal
def research_planned_options(state: State, options: NDArray[np.int16]) -> int:
    """List the faces of the Plan without the card in use, and pass after one was chosen."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    seat = int(state["active"])
    in_use = planned_in_use(state)
    count = 0
    if frame[DONE] > 0:
        options[0] = PASS
        count = 1
    for slot in range(int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])):
        card = int(state["plan"][seat, slot])
        if slot != in_use and count_planned(state, card, slot) == 0:
            options[count] = CARD_0 + card
            count += 1
    return count


@jit_internal
def research_planned(state: State, card: Card, copy: int) -> None:
    """Take the `copy`-th copy of the face (1: the oldest) from the Plan, and ask for the slot."""
    seat = int(state["active"])
    frame = state["stack"][int(state["stack_count"]) - 1]
    slot = 0
    while count_planned(state, card, slot + 1) < copy:
        slot += 1
    take_from_plan(state, seat, slot)
    frame[DONE] += 1
    frame[LEFT] -= 1
    if frame[LEFT] == 0:
        pop(state)
    ask_slot(state, card, 0)


@jit_internal
def apply_research_planned(state: State, action: Action) -> None:
    """Take the chosen face from the Plan; with several copies, ask for one of them."""
    if action == PASS:
        pop(state)
        return
    frame = state["stack"][int(state["stack_count"]) - 1]
    seat = int(state["active"])
    card = action - CARD_0
    end = int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])
    if count_planned(state, card, end) > 1:
        frame[OP] = Op.CHOOSE_COPY
        frame[A] = card
    else:
        research_planned(state, card, 1)


@jit_internal
def choose_copy_options(state: State, options: NDArray[np.int16]) -> int:
    """List the copies of the face in the Plan; the order of the rest depends on the choice."""
    card = int(state["stack"][int(state["stack_count"]) - 1, A])
    seat = int(state["active"])
    end = int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])
    copies = count_planned(state, card, end)
    for copy in range(copies):
        options[copy] = COPY_0 + 1 + copy
    return copies


@jit_internal
def apply_choose_copy(state: State, action: Action) -> None:
    """Take that copy from the Plan."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    card = int(frame[A])
    frame[OP] = Op.RESEARCH_PLANNED
    frame[A] = 0
    research_planned(state, card, action - COPY_0)
