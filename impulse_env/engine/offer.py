"""The card on offer in the pending decision."""

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import NO_CARD, Card, Op, State
from impulse_env.engine.state import CARD, OP, A


@jit_internal
def card_on_offer(state: State) -> Card:
    """Return the face on offer in the pending decision, NO_CARD if there is none.

    Past the last card of the Impulse or the Plan there is none, too.
    """
    # It calls no compiled functions, so that Python can use the `plain` function, too.
    top = int(state["stack_count"]) - 1
    if top < 0:
        seat = int(state["active"])
        cursor = int(state["cursor"])
        if state["phase"] == Op.USE_IMPULSE:
            row = seat % int(state["teams"]) if state["teams"] < state["players"] else 0
            if cursor < state["impulse_count"][row]:
                return int(state["impulse"][row, cursor])
        elif state["phase"] == Op.USE_PLAN_CARD and cursor < state["plan_count"][seat]:
            return int(state["plan"][seat, cursor])
        return NO_CARD
    op = int(state["stack"][top, OP])
    if op == Op.KEEP_REVEALED or op == Op.USE_EXECUTED or op == Op.RESEARCH_SLOT:
        return int(state["table"][int(state["table_count"]) - 1])
    if op == Op.USE_RESEARCHED:
        return int(state["stack"][top, CARD])
    if op == Op.CHOOSE_COPY:
        return int(state["stack"][top, A])
    cell = int(state["stack"][top, A])
    # It is always face-up, because an activated card was explored.
    if op == Op.ACTIVATE and state["cell_face_up"][cell]:
        return int(state["cell_card"][cell])
    return NO_CARD
