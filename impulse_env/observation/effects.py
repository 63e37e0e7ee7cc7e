"""The encoder's second half: the decision, the current effects, movement and battle."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.boost import boost_of
from impulse_env.engine.cards import COLOR_BY_CARD
from impulse_env.engine.constants import (
    CELLS,
    COLOR_COUNT,
    CORE,
    FIRST_AUTOMATIC,
    RUNNING,
    TECHS,
    Op,
    Seat,
    State,
)
from impulse_env.engine.decisions import deciding_seat
from impulse_env.engine.effects.build import EACH, home_of
from impulse_env.engine.offer import card_on_offer
from impulse_env.engine.ops import DECISIONS, ROLES, Role
from impulse_env.engine.sector_map import TURNED_CELL
from impulse_env.engine.stack import current_op
from impulse_env.engine.state import CARD, COLORS, DONE, FRAME_FIELDS, HIGH, LEFT, OP, SIDES, A, B
from impulse_env.observation.layout import (
    CODE_CORE,
    FRAMES_SHOWN,
    WAITING_SHOWN,
    Part,
    card_code,
    own_seat,
    place_code,
    seat_code,
)

_FIRST_DECISION: Final = DECISIONS[0]
_PART_BY_ROLE: Final = np.zeros(len(Role), np.int64)
"""The section that shows the fields of each role, except `Role.NONE`."""
_BITS_BY_ROLE: Final = np.zeros(len(Role), np.int64)
"""The flags of that section; 0 for a single number."""

for _role in list(Role)[1:]:
    _name = {Role.COLORS: "COLOR", Role.TYPES: "SHIP_TYPE"}.get(_role, _role.name)
    _PART_BY_ROLE[_role] = Part[f"FRAME_{_name}"]
_BITS_BY_ROLE[[Role.COLORS, Role.TYPES, Role.CHAIN]] = COLOR_COUNT, 2, TECHS


@jit_internal
def encode_decision(
    state: State, seat: Seat, starts: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    """Write the deciding seat, the kind of decision, and the card on offer."""
    op = current_op(state)
    if state["status"] != RUNNING or op >= FIRST_AUTOMATIC:
        return
    decider = own_seat(deciding_seat(state), seat, int(state["players"]))
    out[starts[Part.DECIDER] + decider] = 1
    out[starts[Part.DECISION] + op - _FIRST_DECISION] = 1
    card = card_on_offer(state)
    arrived = 0
    if op == Op.ACTIVATE:
        frame = state["stack"][int(state["stack_count"]) - 1]
        arrived = int(frame[B])
        if frame[A] == CORE:
            out[starts[Part.OFFERED]] = CODE_CORE
    if card >= 0:
        out[starts[Part.OFFERED]] = card + 1
        boost = boost_of(state, int(state["active"]), card, arrived)
        out[starts[Part.OFFERED_BOOST]] = boost


@jit_internal
def encode_effects(
    state: State, seat: Seat, turns: int, starts: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    """Write the stack: its two top frames, and the cards of the frames below them."""
    depth = int(state["stack_count"])
    out[starts[Part.DEPTH]] = depth
    for below in range(min(depth, FRAMES_SHOWN)):
        _encode_frame(state, seat, turns, starts, out, below)
    at = starts[Part.WAITING]
    for place in range(min(depth - FRAMES_SHOWN, WAITING_SHOWN)):
        out[at + place] = card_code(int(state["stack"][depth - 1 - FRAMES_SHOWN - place, CARD]))
    if depth == 0 or state["stack"][depth - 1, OP] != Op.BUILD_SHIP:
        return
    frame = state["stack"][depth - 1]
    if frame[HIGH] != EACH:
        return
    # The order in which `run_next_build_location` will visit them.
    builder = int(state["active"])
    home = home_of(state, builder)
    at = starts[Part.BUILD_TO_COME]
    for cell in range(int(frame[DONE]), CELLS):
        if cell == home or cell == CORE or not state["cell_face_up"][cell]:
            continue
        color = COLOR_BY_CARD[state["cell_card"][cell]]
        if state["transports"][builder, cell] > 0 and (frame[COLORS] >> color) & 1:
            out[at + TURNED_CELL[turns, cell]] = 1


@jit_internal
def _encode_frame(
    state: State,
    seat: Seat,
    turns: int,
    starts: NDArray[np.int64],
    out: NDArray[np.uint8],
    below: int,
) -> None:
    """Write the frame that is `below` frames below the top.

    The meaning of its fields depends on the op, see `ops.csv`: numbers go to LOW, HIGH, NUMBER and
    MODE; places and seats are converted to the own frame.
    """
    frame = state["stack"][int(state["stack_count"]) - 1 - below]
    op = int(frame[OP])
    out[starts[Part.FRAME_OP] + below] = op
    out[starts[Part.FRAME_CARD] + below] = card_code(int(frame[CARD]))
    for field in range(LEFT, FRAME_FIELDS):
        value = int(frame[field])
        role = ROLES[op, field]
        if role == Role.NONE:
            continue
        if role == Role.DONE and op == Op.BUILD_SHIP and frame[HIGH] == EACH:
            continue  # it counts cells: see BUILD_TO_COME
        at = starts[_PART_BY_ROLE[role]]
        bits = _BITS_BY_ROLE[role]
        for bit in range(bits):
            out[at + below * bits + bit] = (value >> bit) & 1
        if role == Role.PLACE:
            value = place_code(value, turns)
        elif role == Role.SEAT:
            value = seat_code(value, seat, int(state["players"]))
        elif role == Role.PURPOSE:
            value += 1
        if bits == 0:
            out[at + below] = value


@jit_internal
def encode_movement(
    state: State, seat: Seat, turns: int, starts: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    """Write the fleets and the path declared so far, and the battle."""
    players = int(state["players"])
    at = starts[Part.FLEET_FROM]
    for fleet in range(int(state["fleet_count"])):
        out[at + fleet] = place_code(int(state["fleet_from"][fleet]), turns)
        out[starts[Part.FLEET_SHIPS] + fleet] = state["fleet_ships"][fleet]
    at = starts[Part.PATH]
    for leg in range(int(state["path_count"])):
        out[at + leg] = place_code(int(state["path"][leg]), turns)
    if state["battle_gate"] < 0:
        return
    out[starts[Part.BATTLE_GATE]] = place_code(CELLS + int(state["battle_gate"]), turns)
    for side in range(SIDES):
        who = int(state["battle_seat"][side])
        out[starts[Part.BATTLE_SEAT] + side] = seat_code(who, seat, players)
        out[starts[Part.BATTLE_SHIPS] + side] = state["battle_ships"][side]
        out[starts[Part.BATTLE_ICONS] + side] = state["battle_icons"][side]
        out[starts[Part.LAID_SIZE] + side] = state["laid_count"][side]
        if who == seat:
            at = starts[Part.OWN_LAID]
            for slot in range(int(state["laid_count"][side])):
                out[at + slot] = card_code(int(state["laid"][side, slot]))
