"""Frames: the current effects. Every frame is a row of small integers, see `state.py`.

A frame contains all that its action needs, including boosted numbers: the action continues as it
began even if its own card is replaced, moved or discarded (R11).
"""

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import State
from impulse_env.engine.state import CARD, FRAME_FIELDS, OP


@jit_internal
def push(state: State, op: int, card: int) -> int:
    """Put a frame on the stack, with its other fields 0, and return its index."""
    top = int(state["stack_count"])
    state["stack"][top, OP] = op
    state["stack"][top, CARD] = card
    state["stack_count"] = top + 1
    return top


@jit_internal
def pop(state: State) -> None:
    """Remove the top frame, leaving zeros."""
    top = int(state["stack_count"]) - 1
    for field in range(FRAME_FIELDS):
        state["stack"][top, field] = 0
    state["stack_count"] = top


@jit_internal
def current_op(state: State) -> int:
    """Return the next `Op`: the top frame's, or the phase."""
    top = int(state["stack_count"]) - 1
    return int(state["stack"][top, OP]) if top >= 0 else int(state["phase"])
