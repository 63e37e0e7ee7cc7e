"""Options, status, active seat, phase and cursor, and the setup before the first turn."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import (
    BASIC_TECH,
    CARDS_DRAWN,
    CELLS,
    CORE,
    LEAST_HAND_LIMIT,
    LEAST_SHIPS,
    LOOSE_CARDS,
    MAX_ACTIVATIONS,
    MAX_HAND,
    MAX_IMPULSES,
    MAX_PLAYERS,
    MAX_SHIPS,
    MIN_PLAYERS,
    MOST_TARGET_SCORE,
    MOST_TURNS,
    NO_SEAT,
    RUNNING,
    START_CRUISERS,
    START_HAND,
    START_TRANSPORTS,
    TECHS,
    TRUNCATED,
    WON_BY_ELIMINATION,
    Op,
    State,
)
from impulse_env.engine.deck import impulse_of
from impulse_env.engine.effects.build import home_of
from impulse_env.engine.sector_map import START_GATE_OF_CELL
from impulse_env.engine.state import STACK_DEPTH
from impulse_env.engine.validity.faults import Field, Reason, is_in_range, is_within, refuse


@jit_internal
def are_options_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether the options are possible results of `Options`, with a known start player."""
    players = int(state["players"])
    if state["rng"] == 0:
        return refuse(fault, Field.RNG, 0, 0, Reason.RANGE)
    start = int(state["start_seat"])
    if not is_in_range(fault, Field.PLAYERS, players, MIN_PLAYERS, MAX_PLAYERS):
        return False
    if not is_within(fault, Field.START_SEAT, 0, start, 0, players - 1, Reason.SEAT):
        return False
    teams = int(state["teams"])
    is_team_game = (players == 4 and teams == 2) or (players == 6 and 2 <= teams <= 3)
    if teams != players and not is_team_game:
        return refuse(fault, Field.TEAMS, 0, teams, Reason.RANGE)
    hand = state["hand_limit"]
    activations = state["max_activations"]
    return (
        is_in_range(fault, Field.TARGET_SCORE, state["target_score"], 1, MOST_TARGET_SCORE)
        and is_in_range(fault, Field.MAX_TURNS, state["max_turns"], 1, MOST_TURNS)
        and is_in_range(fault, Field.HAND_LIMIT, hand, LEAST_HAND_LIMIT, MAX_HAND)
        and is_in_range(fault, Field.SHIPS, state["ships"], LEAST_SHIPS, MAX_SHIPS)
        and is_in_range(fault, Field.MAX_ACTIVATIONS, activations, 0, MAX_ACTIVATIONS)
        and is_in_range(fault, Field.AUTO_FORCED, state["auto_forced"], 0, 1)
        and is_in_range(fault, Field.DRAFT, state["draft"], 0, 1)
    )


@jit_internal
def is_status_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether status, winner, turn and the active seat agree."""
    status = int(state["status"])
    if not is_in_range(fault, Field.STATUS, status, RUNNING, TRUNCATED):
        return False
    has_winner = status != RUNNING and status != TRUNCATED
    lowest = 0 if has_winner else NO_SEAT
    highest = int(state["teams"]) - 1 if has_winner else NO_SEAT
    if not is_within(fault, Field.WINNER, 0, state["winner"], lowest, highest, Reason.STATUS):
        return False
    end = int(state["max_turns"])
    first = end if status == TRUNCATED else 0
    last = end if status == TRUNCATED else end - 1
    active = state["active"]
    last_seat = int(state["players"]) - 1
    most = int(state["max_activations"])
    return (
        is_within(fault, Field.TURN, 0, state["turn"], first, last, Reason.STATUS)
        and is_within(fault, Field.ACTIVE, 0, active, 0, last_seat, Reason.SEAT)
        and is_in_range(fault, Field.ACTIVATIONS, state["activations"], 0, most)
        and is_in_range(fault, Field.STACK_COUNT, state["stack_count"], 0, STACK_DEPTH)
    )


@jit_internal
def is_phase_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether the game can stop in this phase, with or without current effects."""
    phase = int(state["phase"])
    status = int(state["status"])
    is_under_way = state["stack_count"] > 0
    is_used = phase == Op.USE_TECH or phase == Op.USE_IMPULSE or phase == Op.USE_PLAN_CARD
    if status == TRUNCATED:
        is_sound = phase == Op.END_TURN and not is_under_way
    elif status != RUNNING:
        is_scoring = phase == Op.DRAW_CARDS and not is_under_way and status != WON_BY_ELIMINATION
        is_sound = is_used or is_scoring
    elif is_under_way:
        is_sound = is_used or phase == Op.DRAW_CARDS
    else:
        is_sound = Op.DRAFT_RACE <= phase <= Op.USE_PLAN_CARD
    return is_sound or refuse(fault, Field.PHASE, 0, phase, Reason.PHASE)


@jit_internal
def is_cursor_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether the cursor is within the phase's range; the counts are already sound."""
    phase = int(state["phase"])
    seat = int(state["active"])
    is_in_use = state["stack_count"] > 0 or state["status"] != RUNNING
    lowest = 1 if is_in_use else 0
    if phase == Op.USE_TECH:
        highest = lowest
    elif phase == Op.USE_IMPULSE:
        highest = int(state["impulse_count"][impulse_of(state, seat)])
    elif phase == Op.USE_PLAN_CARD:
        # A player whose elimination ends the game while the Plan is in use no longer has a Plan.
        highest = int(state["plan_count"][seat]) if not state["eliminated"][seat] else LOOSE_CARDS
    else:
        lowest = 0
        highest = CARDS_DRAWN - 1 if phase == Op.DRAW_CARDS and state["status"] == RUNNING else 0
    return is_within(fault, Field.CURSOR, 0, state["cursor"], lowest, highest, Reason.PHASE)


@jit_internal
def has_placed_home(state: State, seat: int) -> bool:
    """Return whether the setup of that seat is over."""
    phase = int(state["phase"])
    if phase == Op.DRAFT_RACE:
        return False
    players = int(state["players"])
    start = int(state["start_seat"])
    placed = (int(state["active"]) - start) % players
    return phase != Op.PLACE_HOME or (seat - start) % players < placed


@jit_internal
def is_setup_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether only the setup has changed the record; always true after the setup."""
    phase = int(state["phase"])
    if phase != Op.DRAFT_RACE and phase != Op.PLACE_HOME:
        return True
    if (
        not is_within(fault, Field.TURN, 0, state["turn"], 0, 0, Reason.SETUP)
        or not is_within(fault, Field.ACTIVATIONS, 0, state["activations"], 0, 0, Reason.SETUP)
        or not is_within(fault, Field.DISCARD_COUNT, 0, state["discard_count"], 0, 0, Reason.SETUP)
    ):
        return False
    for row in range(MAX_IMPULSES):
        count = int(state["impulse_count"][row])
        if not is_within(fault, Field.IMPULSE_COUNT, row, count, 0, 0, Reason.SETUP):
            return False
    homes = 1 << CORE
    for seat in range(int(state["players"])):
        if not is_seat_set_up(state, fault, seat):
            return False
        if has_placed_home(state, seat):
            homes |= 1 << home_of(state, seat)
    for cell in range(CELLS):
        up = (homes >> cell) & 1
        value = int(state["cell_face_up"][cell])
        if not is_within(fault, Field.CELL_FACE_UP, cell, value, up, up, Reason.SETUP):
            return False
    return True


@jit_internal
def is_seat_set_up(state: State, fault: NDArray[np.int64], seat: int) -> bool:
    """Return whether a seat has its first hand and, with its home placed, its first ships."""
    home = home_of(state, seat)
    has_home_card = state["phase"] == Op.PLACE_HOME and seat == state["active"]
    hand = START_HAND + 1 if has_home_card else START_HAND
    planned = int(state["plan_count"][seat])
    known = int(state["known_count"][seat])
    score = int(state["score"][seat])
    if (
        not is_within(fault, Field.SCORE, seat, score, 0, 0, Reason.SETUP)
        or not is_within(
            fault, Field.HAND_COUNT, seat, state["hand_count"][seat], hand, hand, Reason.SETUP
        )
        or not is_within(fault, Field.KNOWN_COUNT, seat, known, 0, 0, Reason.SETUP)
        or not is_within(fault, Field.PLAN_COUNT, seat, planned, 0, 0, Reason.SETUP)
    ):
        return False
    for slot in range(TECHS):
        tech = int(state["techs"][seat, slot])
        at = seat * TECHS + slot
        if not is_within(fault, Field.TECHS, at, tech, BASIC_TECH, BASIC_TECH, Reason.SETUP):
            return False
    gems = 0
    for count in state["gems"][seat]:
        gems += count
    if not is_within(fault, Field.GEMS, seat * len(state["gems"][seat]), gems, 0, 0, Reason.SETUP):
        return False
    is_placed = has_placed_home(state, seat)
    transports = START_TRANSPORTS if is_placed else 0
    ships = START_TRANSPORTS + START_CRUISERS if is_placed else 0
    there = int(state["transports"][seat, home])
    at = seat * CELLS + home
    if not is_within(
        fault, Field.TRANSPORTS, at, there, transports, transports, Reason.SETUP
    ) or not is_within(
        fault, Field.SHIPS_ON_MAP, seat, state["ships_on_map"][seat], ships, ships, Reason.SETUP
    ):
        return False
    gate = int(START_GATE_OF_CELL[home])
    owner = seat if is_placed else -1
    return is_within(
        fault, Field.GATE_OWNER, gate, state["gate_owner"][gate], owner, owner, Reason.SETUP
    )
