"""Ships, scores, races and elimination of every seat; unused seats are empty."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import (
    BASIC_TECH,
    CELLS,
    FACES,
    GATES,
    MAX_PLAYERS,
    MAX_SHIPS,
    MIN_PLAYERS,
    NO_RACE,
    NO_SEAT,
    RACE_COUNT,
    RUNNING,
    TECHS,
    WON_BY_ELIMINATION,
    WON_BY_SCORE,
    Op,
    PointSource,
    State,
)
from impulse_env.engine.validity.faults import Field, Reason, is_within, refuse

SOURCES = len(PointSource)


@jit_internal
def are_ships_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether the ships on the map are possible and add up."""
    players = int(state["players"])
    total = np.zeros(MAX_PLAYERS, np.int64)
    for gate in range(GATES):
        owner = int(state["gate_owner"][gate])
        ships = int(state["gate_ships"][gate])
        if not is_within(fault, Field.GATE_OWNER, gate, owner, NO_SEAT, players - 1, Reason.SEAT):
            return False
        lowest = 0 if owner == NO_SEAT else 1
        highest = 0 if owner == NO_SEAT else MAX_SHIPS
        if not is_within(fault, Field.GATE_SHIPS, gate, ships, lowest, highest, Reason.SHIPS):
            return False
        if owner != NO_SEAT:
            total[owner] += ships
    for seat in range(MAX_PLAYERS):
        most = MAX_SHIPS if seat < players else 0
        for cell in range(CELLS):
            ships = int(state["transports"][seat, cell])
            if ships != 0:
                at = seat * CELLS + cell
                if not is_within(fault, Field.TRANSPORTS, at, ships, 0, most, Reason.SHIPS):
                    return False
                total[seat] += ships
        sums = total[seat]
        ships = int(state["ships_on_map"][seat])
        if not is_within(fault, Field.SHIPS_ON_MAP, seat, ships, sums, sums, Reason.SUM):
            return False
        most = int(state["ships"])
        if not is_within(fault, Field.SHIPS_ON_MAP, seat, ships, 0, most, Reason.SHIPS):
            return False
    return True


@jit_internal
def are_scores_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether scores are sums of points, and only a winner has enough points to win."""
    players = int(state["players"])
    target = int(state["target_score"])
    best = -1
    for seat in range(MAX_PLAYERS):
        total = 0
        for source in range(SOURCES):
            points = int(state["points"][seat, source])
            most = np.iinfo(np.int16).max if seat < players else 0
            at = seat * SOURCES + source
            if not is_within(fault, Field.POINTS, at, points, 0, most, Reason.RANGE):
                return False
            total += points
        score = int(state["score"][seat])
        if not is_within(fault, Field.SCORE, seat, score, total, total, Reason.SUM):
            return False
        if score < target:
            continue
        is_winner = state["status"] == WON_BY_SCORE and best == -1
        if not is_winner or state["winner"] != seat % int(state["teams"]):
            return is_within(fault, Field.SCORE, seat, score, 0, target - 1, Reason.STATUS)
        best = seat
    if state["status"] == WON_BY_SCORE and best == -1:
        return refuse(fault, Field.STATUS, 0, WON_BY_SCORE, Reason.STATUS)
    return True


@jit_internal
def are_races_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether every seat has its own race; in a draft, every seat that has chosen."""
    players = int(state["players"])
    start = int(state["start_seat"])
    drafted = players
    if state["phase"] == Op.DRAFT_RACE:
        drafted = (int(state["active"]) - start) % players
    taken = 0
    for seat in range(MAX_PLAYERS):
        race = int(state["race"][seat])
        has_race = seat < players and (seat - start) % players < drafted
        lowest = 0 if has_race else NO_RACE
        highest = RACE_COUNT - 1 if has_race else NO_RACE
        if not is_within(fault, Field.RACE, seat, race, lowest, highest, Reason.SEAT):
            return False
        if has_race:
            if (taken >> race) & 1:
                return refuse(fault, Field.RACE, seat, race, Reason.ALONE)
            taken |= 1 << race
    return True


@jit_internal
def is_elimination_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether seats without ships are out, and a running game has two sides left."""
    teams = int(state["teams"])
    status = int(state["status"])
    is_setup = state["phase"] == Op.DRAFT_RACE or state["phase"] == Op.PLACE_HOME
    alive = 0
    for seat in range(MAX_PLAYERS):
        out = int(state["eliminated"][seat])
        has_ships = state["ships_on_map"][seat] > 0
        # A victory in mid-action may leave a player without ships in the game.
        may_stay = has_ships or is_setup or status == WON_BY_SCORE
        is_seat = seat < state["players"]
        lowest = 0 if may_stay or not is_seat else 1
        highest = 0 if has_ships or is_setup or not is_seat else 1
        if not is_within(fault, Field.ELIMINATED, seat, out, lowest, highest, Reason.SHIPS):
            return False
        if (out or not is_seat) and not has_nothing(state, fault, seat):
            return False
        if is_seat and not out:
            alive |= 1 << (seat % teams)
    sides = 0
    for team in range(teams):
        sides += (alive >> team) & 1
    if status == WON_BY_ELIMINATION:
        if alive != 1 << int(state["winner"]):
            return refuse(fault, Field.STATUS, 0, status, Reason.STATUS)
    elif sides < MIN_PLAYERS and status != WON_BY_SCORE:
        return refuse(fault, Field.STATUS, 0, status, Reason.STATUS)
    active = int(state["active"])
    if status == RUNNING and state["eliminated"][active]:
        return refuse(fault, Field.ACTIVE, 0, active, Reason.STATUS)
    return True


@jit_internal
def has_nothing(state: State, fault: NDArray[np.int64], seat: int) -> bool:
    """Return whether an unused or eliminated seat has no cards."""
    for slot in range(TECHS):
        at = seat * TECHS + slot
        tech = int(state["techs"][seat, slot])
        if not is_within(fault, Field.TECHS, at, tech, BASIC_TECH, BASIC_TECH, Reason.SEAT):
            return False
    for face in range(FACES):
        minerals = int(state["minerals"][seat, face])
        at = seat * FACES + face
        if not is_within(fault, Field.MINERALS, at, minerals, 0, 0, Reason.SEAT):
            return False
    planned = int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])
    return (
        is_within(fault, Field.HAND_COUNT, seat, state["hand_count"][seat], 0, 0, Reason.SEAT)
        and is_within(fault, Field.KNOWN_COUNT, seat, state["known_count"][seat], 0, 0, Reason.SEAT)
        and is_within(fault, Field.PLAN_COUNT, seat, planned, 0, 0, Reason.SEAT)
    )
