"""Setup: shuffle, deal the map and the hands, races, start player, home cards (pp. 4-5)."""

import numpy as np

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import CARD_0, RACE_0
from impulse_env.engine.cards import COPIES_BY_CARD
from impulse_env.engine.constants import (
    CARDS,
    CELLS,
    CORE,
    FACES,
    NO_CARD,
    NO_RACE,
    NO_SEAT,
    RACE_COUNT,
    START_CRUISERS,
    START_HAND,
    START_TRANSPORTS,
    Action,
    Op,
    State,
)
from impulse_env.engine.deck import add_to_hand, take_from_hand
from impulse_env.engine.effects.build import home_of
from impulse_env.engine.rng import random_below
from impulse_env.engine.scoring import add_cruisers
from impulse_env.engine.sector_map import START_GATE_OF_CELL


@jit_internal
def run_start_game(state: State) -> None:
    """Deal an undealt record; races and start player are random unless the options set them."""
    cards = np.empty(CARDS, np.int8)
    count = 0
    for card in range(FACES):
        for _ in range(COPIES_BY_CARD[card]):
            cards[count] = card
            count += 1
    for slot in range(CARDS - 1, 0, -1):
        other = random_below(state, slot + 1)
        cards[slot], cards[other] = cards[other], cards[slot]
    for cell in range(CELLS):
        if cell != CORE:
            count -= 1
            state["cell_card"][cell] = cards[count]
    state["cell_face_up"][CORE] = 1
    players = int(state["players"])
    for _ in range(START_HAND):
        for seat in range(players):
            count -= 1
            add_to_hand(state, seat, int(cards[count]))
    for index in range(count):  # the error of a slice would need numba's library of strings
        state["deck"][index] = cards[index]
    state["deck_count"] = count
    if not state["draft"]:
        _deal_races(state)
    if state["start_seat"] == NO_SEAT:
        state["start_seat"] = random_below(state, players)
    state["active"] = state["start_seat"]
    state["phase"] = Op.DRAFT_RACE if state["draft"] else Op.TAKE_HOME_CARD


@jit_internal
def _deal_races(state: State) -> None:
    """Give every seat without a race a random one of the remaining races."""
    taken = 0
    for seat in range(int(state["players"])):
        if state["race"][seat] != NO_RACE:
            taken |= 1 << int(state["race"][seat])
    left = np.empty(RACE_COUNT, np.int8)
    count = 0
    for race in range(RACE_COUNT):
        if not (taken >> race) & 1:
            left[count] = race
            count += 1
    for seat in range(int(state["players"])):
        if state["race"][seat] == NO_RACE:
            pick = random_below(state, count)
            state["race"][seat] = left[pick]
            count -= 1
            left[pick] = left[count]


@jit_internal
def draft_race_options(state: State, options: np.ndarray) -> int:
    """List the remaining races."""
    taken = 0
    for seat in range(int(state["players"])):
        if state["race"][seat] != NO_RACE:
            taken |= 1 << int(state["race"][seat])
    count = 0
    for race in range(RACE_COUNT):
        if not (taken >> race) & 1:
            options[count] = RACE_0 + race
            count += 1
    return count


@jit_internal
def next_to_set_up(state: State) -> bool:
    """Go to the next seat in turn order; return whether the round is complete."""
    state["active"] = (int(state["active"]) + 1) % int(state["players"])
    return bool(state["active"] == state["start_seat"])


@jit_internal
def apply_draft_race(state: State, action: Action) -> None:
    """Take the race."""
    state["race"][int(state["active"])] = action - RACE_0
    if next_to_set_up(state):
        state["phase"] = Op.TAKE_HOME_CARD


@jit_internal
def run_take_home_card(state: State) -> None:
    """Take the card of the seat's home cell into its hand (R1)."""
    seat = int(state["active"])
    home = home_of(state, seat)
    add_to_hand(state, seat, int(state["cell_card"][home]))
    state["cell_card"][home] = NO_CARD
    state["phase"] = Op.PLACE_HOME


@jit_internal
def apply_place_home(state: State, action: Action) -> None:
    """Place a card on the home cell, then two Transports and a Cruiser (R1)."""
    seat = int(state["active"])
    home = home_of(state, seat)
    take_from_hand(state, seat, action - CARD_0)
    state["cell_card"][home] = action - CARD_0
    state["cell_face_up"][home] = 1
    state["transports"][seat, home] = START_TRANSPORTS
    add_cruisers(state, seat, START_GATE_OF_CELL[home], START_CRUISERS)
    state["ships_on_map"][seat] = START_TRANSPORTS + START_CRUISERS
    state["phase"] = Op.ADD_IMPULSE if next_to_set_up(state) else Op.TAKE_HOME_CARD
