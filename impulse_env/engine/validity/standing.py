"""Options, status, whose turn it is, phase and cursor."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import (
    CARDS_DRAWN,
    LEAST_HAND_LIMIT,
    LEAST_SHIPS,
    LOOSE_CARDS,
    MAX_ACTIVATIONS,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_SHIPS,
    MIN_PLAYERS,
    MOST_TARGET_SCORE,
    MOST_TURNS,
    NO_SEAT,
    RUNNING,
    TRUNCATED,
    WON_BY_ELIMINATION,
    Op,
    State,
)
from impulse_env.engine.deck import impulse_of
from impulse_env.engine.state import STACK_DEPTH
from impulse_env.engine.validity.faults import Field, Reason, is_in_range, is_within, refuse


@jit_internal
def are_options_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Whether the options are such as `Options` makes, with the start player known."""
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
    """Whether status, winner, turn and the seat whose turn it is agree."""
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
    """Whether the game can rest in this phase, with or without effects under way."""
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
    """Whether the cursor is within what the phase counts; the counts are sound already."""
    phase = int(state["phase"])
    seat = int(state["active"])
    is_in_use = state["stack_count"] > 0 or state["status"] != RUNNING
    lowest = 1 if is_in_use else 0
    if phase == Op.USE_TECH:
        highest = lowest
    elif phase == Op.USE_IMPULSE:
        highest = int(state["impulse_count"][impulse_of(state, seat)])
    elif phase == Op.USE_PLAN_CARD:
        # A player whose elimination ends the game while the Plan is in use has none any more.
        highest = int(state["plan_count"][seat]) if not state["eliminated"][seat] else LOOSE_CARDS
    else:
        lowest = 0
        highest = CARDS_DRAWN - 1 if phase == Op.DRAW_CARDS and state["status"] == RUNNING else 0
    return is_within(fault, Field.CURSOR, 0, state["cursor"], lowest, highest, Reason.PHASE)
