"""Decisions that come up only where there is something to choose."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import RUNNING, Op, State
from impulse_env.engine.effects.build import build_location_options
from impulse_env.engine.effects.command import choose_fleet_options, choose_move_options
from impulse_env.engine.effects.sabotage import sabotage_fleet_options
from impulse_env.engine.state import FRAME_FIELDS, OP
from impulse_env.engine.validity.faults import Field, Reason, refuse


@jit_internal
def has_choice(state: State, fault: NDArray[np.int64]) -> bool:
    """Whether the innermost frame, if it needs a choice, offers one; all frames are sound."""
    top = int(state["stack_count"]) - 1
    if top < 0 or state["status"] != RUNNING:
        return True
    op = int(state["stack"][top, OP])
    options = np.empty(SIZE, np.int16)
    count = 1
    if op == Op.PLACE_EXPLORED or op == Op.BASIC_DISCARD:
        count = int(state["hand_count"][int(state["active"])])
    elif op == Op.SABOTAGE_FLEET:
        count = sabotage_fleet_options(state, options)
    elif op == Op.BUILD_LOCATION:
        count = build_location_options(state, options)
    elif op == Op.CHOOSE_FLEET:
        count = choose_fleet_options(state, options)
    elif op == Op.CHOOSE_SHIPS or op == Op.CHOOSE_MOVE:
        # A fleet that cannot move is not on offer, so its ships are not counted either.
        count = choose_move_options(state, options)
    return count > 0 or refuse(fault, Field.STACK, top * FRAME_FIELDS + OP, op, Reason.CHOICE)
