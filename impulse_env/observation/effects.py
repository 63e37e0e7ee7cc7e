"""The encoder's second half: the decision, the effects under way, movement and battle."""

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
    NO_CARD,
    NO_SEAT,
    RUNNING,
    TECHS,
    Op,
    Seat,
    State,
)
from impulse_env.engine.decisions import deciding_seat
from impulse_env.engine.effects.build import EACH, home_of
from impulse_env.engine.sector_map import TURNED_CELL
from impulse_env.engine.stack import current_op
from impulse_env.engine.state import CARD, COLORS, DONE, HIGH, LEFT, LOW, OP, SIDES, A, B
from impulse_env.engine.turn import card_at_cursor
from impulse_env.observation.layout import (
    CODE_CORE,
    DECISIONS,
    FRAMES_SHOWN,
    WAITING_SHOWN,
    Part,
    card_code,
    own_seat,
    place_code,
    seat_code,
)

_FIRST_DECISION: Final = DECISIONS[0]


@jit_internal
def encode_decision(
    state: State, seat: Seat, starts: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    """Write who decides what, and on which card."""
    op = current_op(state)
    if state["status"] != RUNNING or op >= FIRST_AUTOMATIC:
        return
    decider = own_seat(deciding_seat(state), seat, int(state["players"]))
    out[starts[Part.DECIDER] + decider] = 1
    out[starts[Part.DECISION] + op - _FIRST_DECISION] = 1
    card = NO_CARD
    arrived = 0
    top = int(state["stack_count"]) - 1
    if op == Op.USE_IMPULSE or op == Op.USE_PLAN_CARD:
        card = card_at_cursor(state)
    elif op == Op.KEEP_REVEALED or op == Op.USE_EXECUTED or op == Op.RESEARCH_SLOT:
        card = int(state["table"][int(state["table_count"]) - 1])
    elif op == Op.USE_RESEARCHED:
        card = int(state["stack"][top, CARD])
    elif op == Op.CHOOSE_COPY:
        card = int(state["stack"][top, A])
    elif op == Op.ACTIVATE:
        cell = int(state["stack"][top, A])
        arrived = int(state["stack"][top, B])
        if cell == CORE:
            out[starts[Part.OFFERED]] = CODE_CORE
        elif state["cell_face_up"][cell]:  # it always is: what is activated was explored
            card = int(state["cell_card"][cell])
    if card >= 0:
        out[starts[Part.OFFERED]] = card + 1
        boost = boost_of(state, int(state["active"]), card, arrived)
        out[starts[Part.OFFERED_BOOST]] = boost


@jit_internal
def encode_effects(
    state: State, seat: Seat, turns: int, starts: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    """Write the stack: its two top frames, and whose cards wait below them."""
    depth = int(state["stack_count"])
    out[starts[Part.DEPTH]] = depth
    for shown in range(min(depth, FRAMES_SHOWN)):
        _encode_frame(state, seat, turns, starts, out, shown)
    at = starts[Part.WAITING]
    for shown in range(min(depth - FRAMES_SHOWN, WAITING_SHOWN)):
        out[at + shown] = card_code(int(state["stack"][depth - 1 - FRAMES_SHOWN - shown, CARD]))
    if depth == 0 or state["stack"][depth - 1, OP] != Op.BUILD_SHIP:
        return
    frame = state["stack"][depth - 1]
    if frame[HIGH] != EACH:
        return
    # As `run_next_build_location` will find them.
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
    shown: int,
) -> None:
    """Write the frame that lies `shown` below the top.

    Its fields mean different things by op, as said beside the code of each. Here numbers go to
    LOW, HIGH, NUMBER and MODE, and what names a place or a seat is brought into the own frame.
    """
    frame = state["stack"][int(state["stack_count"]) - 1 - shown]
    players = int(state["players"])
    op = int(frame[OP])
    a = int(frame[A])
    b = int(frame[B])
    done = int(frame[DONE])
    colors = int(frame[COLORS])
    size_high = int(frame[HIGH])
    types = 0
    place = -1
    who = NO_SEAT
    mode = 0
    number = 0
    if op <= Op.CHOOSE_MOVE or (op >= Op.MOVE and op <= Op.FIGHT):
        types = a
        mode = b  # must end at the Sector Core; must cross a face-down card
        number = colors  # 1: several fleets to the same card
        colors = 0
    elif op == Op.PLACE_EXPLORED or op == Op.EXPLORE:
        place = a
    elif op == Op.ACTIVATE:
        place = a
        number = b  # Transports that arrived
    elif op == Op.REINFORCE or (op >= Op.BATTLE_REVEAL and op <= Op.BATTLE_END):
        mode = a  # the side that lays or draws
        number = b  # table cards from before the battle
    elif op <= Op.RESEARCH_CARD:
        mode = a  # all of different colours; used at once
    elif op == Op.RESEARCH_SLOT or op == Op.USE_RESEARCHED:
        mode = a  # used at once
        number = b  # the slot
    elif op == Op.REVEAL or op == Op.REVEAL_NEXT or op == Op.KEEP_REVEALED:
        out[starts[Part.FRAME_PURPOSE] + shown] = a + 1
        mode = b  # the stage
    elif op == Op.REFINE_CARD:
        number = a  # points
        mode = b  # for the card, not for each gem
    elif op == Op.EXECUTE:
        mode = a  # from hand or deck
        at = starts[Part.FRAME_CHAIN] + shown * TECHS
        for slot in range(TECHS):
            out[at + slot] = (b >> slot) & 1
    elif op == Op.BUILD_LOCATION or op == Op.BUILD_SHIP or op == Op.NEXT_BUILD_LOCATION:
        types = a
        mode = size_high  # once, each location, beside a face-down card
        size_high = 0
        place = b if op == Op.BUILD_SHIP else -1
        done = 0 if mode == EACH else done  # there it counts cells: see BUILD_TO_COME
    elif op == Op.SABOTAGE_FLEET:
        types = a
    elif op == Op.SABOTAGE_OWNER:
        place = a
    elif op == Op.BOMB:
        place = a
        who = b
    elif op == Op.DISCARD_FOR_DECK or op == Op.NEXT_TO_DISCARD:
        who = a
    out[starts[Part.FRAME_OP] + shown] = op
    out[starts[Part.FRAME_CARD] + shown] = card_code(int(frame[CARD]))
    out[starts[Part.FRAME_LEFT] + shown] = frame[LEFT]
    out[starts[Part.FRAME_DONE] + shown] = done
    out[starts[Part.FRAME_LOW] + shown] = frame[LOW]
    out[starts[Part.FRAME_HIGH] + shown] = size_high
    out[starts[Part.FRAME_PLACE] + shown] = place_code(place, turns)
    out[starts[Part.FRAME_SEAT] + shown] = seat_code(who, seat, players)
    out[starts[Part.FRAME_MODE] + shown] = mode
    out[starts[Part.FRAME_NUMBER] + shown] = number
    at = starts[Part.FRAME_COLOR] + shown * COLOR_COUNT
    for color in range(COLOR_COUNT):
        out[at + color] = (colors >> color) & 1
    at = starts[Part.FRAME_SHIP_TYPE] + shown * 2
    out[at] = types & 1
    out[at + 1] = (types >> 1) & 1


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
