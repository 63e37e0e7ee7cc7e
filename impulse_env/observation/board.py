"""The encoder's first half: cards, map, seats, and the status of the game."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.cards import SIZE_BY_CARD
from impulse_env.engine.constants import (
    CELLS,
    COLOR_COUNT,
    CORE,
    FACES,
    GATES,
    NO_RACE,
    NO_SEAT,
    TECHS,
    Op,
    Seat,
    State,
)
from impulse_env.engine.deck import impulse_of
from impulse_env.engine.sector_map import HOMES, TURNED_CELL, TURNED_GATE
from impulse_env.information import unseen_counts
from impulse_env.observation.layout import (
    AXES,
    CODE_CORE,
    CODE_FACE_DOWN,
    MAX_SCORE,
    MAX_TURNS_SHOWN,
    PHASES,
    PLAN_SHOWN,
    TABLE_SHOWN,
    Part,
    own_seat,
    place_code,
    seat_at,
    seat_code,
    tech_code,
)
from impulse_env.observation.matches import KIND, KINDS

_INDEX_OF_PHASE: Final = np.array([PHASES.index(op) if op in PHASES else -1 for op in Op])
_INDEX_OF_PHASE.setflags(write=False)
_HAND_SLOTS: Final = AXES["hand slot"]
_IMPULSE_SLOTS: Final = AXES["impulse slot"]
# With unsigned indices the compiled loops need no test for negative ones.
_CELL: Final = TURNED_CELL.astype(np.uint8)
_CELL.setflags(write=False)
_GATE: Final = TURNED_GATE.astype(np.uint8)
_GATE.setflags(write=False)


@jit_internal
def _copy(counts: NDArray[np.int8], out: NDArray[np.uint8]) -> None:
    """Copy the count of every face; ten times as fast as a loop of constant length with offsets."""
    for face in range(len(counts)):
        out[face] = counts[face]


@jit_internal
def encode_cards(
    state: State, seat: Seat, starts: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    """Write hand, unseen cards, deck, discard pile, table, Impulses and the next Plan."""
    at, matching = starts[Part.OWN_HAND], starts[Part.MATCHING]
    own = out[starts[Part.MATCHED] : starts[Part.MATCHED] + KINDS]
    icons = 0
    for slot in range(int(state["hand_count"][seat])):
        card = int(state["hand"][seat, slot])
        if card >= 0:  # in another seat's view it is HIDDEN
            out[at + card] += 1
            # Without a branch: processors cannot predict matches, and mispredictions cost more.
            fights = own[KIND[card]]
            out[matching + card] += fights
            icons += int(SIZE_BY_CARD[card]) * int(fights)
    out[starts[Part.MATCHING_ICONS]] = icons
    at = starts[Part.UNSEEN]
    unseen_counts(state, seat, out[at : at + FACES])
    at = starts[Part.DISCARD]
    _copy(state["discard"], out[at : at + FACES])
    out[starts[Part.DECK_SIZE]] = state["deck_count"]
    count = int(state["table_count"])
    out[starts[Part.TABLE_SIZE]] = count
    at = starts[Part.TABLE]
    for slot in range(min(count, TABLE_SHOWN)):
        out[at + slot] = int(state["table"][count - 1 - slot]) + 1
    own_row = impulse_of(state, seat)
    rows = int(state["teams"]) if state["teams"] < state["players"] else 1
    for k in range(rows):
        row = (own_row + k) % rows
        at = starts[Part.IMPULSE] + k * _IMPULSE_SLOTS
        for slot in range(int(state["impulse_count"][row])):
            out[at + slot] = int(state["impulse"][row, slot]) + 1
    active = int(state["active"])
    planned = int(state["plan_count"][active])
    count = int(state["next_plan_count"][active])
    out[starts[Part.NEXT_PLAN_SIZE]] = count
    at = starts[Part.NEXT_PLAN]
    for slot in range(min(count, PLAN_SHOWN)):
        out[at + slot] = int(state["plan"][active, planned + slot]) + 1


@jit_internal
def encode_map(
    state: State, seat: Seat, turns: int, starts: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    """Write the cards and the ships on the map."""
    players = int(state["players"])
    at = starts[Part.CELL_CARD]
    cards = out[at : at + CELLS]
    for cell in range(CELLS):
        code = int(state["cell_card"][cell]) + 1  # 0 for no card
        if code != 0 and state["cell_face_up"][cell] == 0:
            code = CODE_FACE_DOWN
        cards[_CELL[turns, cell]] = code
    cards[CORE] = CODE_CORE
    at = starts[Part.TRANSPORTS]
    for k in range(players):
        other = seat_at(k, seat, players)
        ships = out[at : at + CELLS]
        for cell in range(CELLS):
            ships[_CELL[turns, cell]] = state["transports"][other, cell]
        at += CELLS
    at = starts[Part.CRUISERS]
    ships = out[at : at + players * GATES]
    for gate in range(GATES):
        # Without a branch, which would be mispredicted: gates without an owner have 0 ships.
        k = own_seat(int(state["gate_owner"][gate]), seat, players)
        ships[k * GATES + _GATE[turns, gate]] = state["gate_ships"][gate]


@jit_internal
def encode_seats(
    state: State, seat: Seat, turns: int, starts: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    """Write the properties of each seat."""
    players = int(state["players"])
    target = int(state["target_score"])
    for k in range(players):
        other = seat_at(k, seat, players)
        score = int(state["score"][other])
        planned = int(state["plan_count"][other])
        if state["race"][other] != NO_RACE:
            out[starts[Part.SEAT_RACE] + k] = int(state["race"][other]) + 1
        out[starts[Part.HOME] + k] = place_code(int(HOMES[players, other]), turns)
        out[starts[Part.ALLY] + k] = k % int(state["teams"]) == 0
        out[starts[Part.ELIMINATED] + k] = state["eliminated"][other]
        out[starts[Part.SCORE] + k] = min(score, MAX_SCORE)
        out[starts[Part.POINTS_NEEDED] + k] = min(max(target - score, 0), MAX_SCORE)
        out[starts[Part.SHIPS_LEFT] + k] = int(state["ships"]) - int(state["ships_on_map"][other])
        out[starts[Part.HAND_SIZE] + k] = state["hand_count"][other]
        out[starts[Part.PLAN_SIZE] + k] = planned
        at = starts[Part.KNOWN] + k * _HAND_SLOTS
        for slot in range(int(state["known_count"][other])):
            out[at + slot] = int(state["known"][other, slot]) + 1
        at = starts[Part.TECH] + k * TECHS
        for slot in range(TECHS):
            out[at + slot] = tech_code(int(state["techs"][other, slot]), slot)
        at = starts[Part.PLAN] + k * PLAN_SHOWN
        for slot in range(min(planned, PLAN_SHOWN)):
            out[at + slot] = int(state["plan"][other, slot]) + 1
        at = starts[Part.GEMS] + k * COLOR_COUNT
        for color in range(COLOR_COUNT):
            out[at + color] = state["gems"][other, color]
        at = starts[Part.MINERALS] + k * FACES
        _copy(state["minerals"][other], out[at : at + FACES])


@jit_internal
def encode_standing(
    state: State, seat: Seat, starts: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    """Write the options and the status of the game."""
    players = int(state["players"])
    teams = int(state["teams"])
    turn = int(state["turn"])
    out[starts[Part.STATUS]] = state["status"]
    if state["winner"] != NO_SEAT:
        for k in range(players):
            out[starts[Part.WINNER] + k] = (seat + k) % players % teams == state["winner"]
    at = starts[Part.OPTION]
    out[at] = min(int(state["target_score"]), MAX_SCORE)
    out[at + 1] = state["hand_limit"]
    out[at + 2] = state["ships"]
    out[at + 3] = state["max_activations"]
    out[at + 4] = teams
    out[at + 5] = state["auto_forced"]
    out[at + 6] = state["draft"]
    out[starts[Part.START]] = seat_code(int(state["start_seat"]), seat, players)
    out[starts[Part.TURN]] = min(turn, MAX_TURNS_SHOWN)
    out[starts[Part.TURNS_LEFT]] = min(max(int(state["max_turns"]) - turn, 0), MAX_TURNS_SHOWN)
    out[starts[Part.ACTIVE] + own_seat(int(state["active"]), seat, players)] = 1
    phase = _INDEX_OF_PHASE[int(state["phase"])]
    if phase >= 0:
        out[starts[Part.PHASE] + phase] = 1
    out[starts[Part.CURSOR]] = state["cursor"]
    left = int(state["max_activations"]) - int(state["activations"])
    out[starts[Part.ACTIVATIONS_LEFT]] = left
