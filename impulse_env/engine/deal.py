"""Setup: shuffle, deal the map and the hands, races, start player, home cards (pp. 4-5)."""

import numpy as np

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import CARD_0, RACE_0
from impulse_env.engine.cards import COPIES_BY_CARD
from impulse_env.engine.constants import (
    CARDS,
    CORE,
    FACES,
    LOOSE_CARDS,
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
def _cell_at(slot: int) -> int:
    """Return the cell of a slot that is not in the deck; the last slot is the first cell."""
    cell = CARDS - 1 - slot
    return cell if cell < CORE else cell + 1


@jit_internal
def _card_at(state: State, slot: int) -> int:
    """Return the card of a slot: first those of the deck, then those of the map."""
    if slot < LOOSE_CARDS:
        return int(state["deck"][slot])
    return int(state["cell_card"][_cell_at(slot)])


@jit_internal
def _put_at(state: State, slot: int, card: int) -> None:
    """Put a card into a slot of `_card_at`."""
    if slot < LOOSE_CARDS:
        state["deck"][slot] = card
    else:
        state["cell_card"][_cell_at(slot)] = card


@jit_internal
def run_start_game(state: State) -> None:
    """Deal an undealt record; races and start player are random unless the options set them."""
    # All cards are shuffled where they lie: the first ones in the deck, the others on the map.
    count = 0
    for card in range(FACES):
        for _ in range(COPIES_BY_CARD[card]):
            _put_at(state, count, card)
            count += 1
    for slot in range(CARDS - 1, 0, -1):
        other = random_below(state, slot + 1)
        card = _card_at(state, slot)
        _put_at(state, slot, _card_at(state, other))
        _put_at(state, other, card)
    count = LOOSE_CARDS
    state["cell_face_up"][CORE] = 1
    players = int(state["players"])
    for _ in range(START_HAND):
        for seat in range(players):
            count -= 1
            add_to_hand(state, seat, int(state["deck"][count]))
            state["deck"][count] = NO_CARD
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
    left = 0  # the remaining races, four bits for each
    count = 0
    for race in range(RACE_COUNT):
        if not (taken >> race) & 1:
            left |= race << (4 * count)
            count += 1
    for seat in range(int(state["players"])):
        if state["race"][seat] == NO_RACE:
            pick = random_below(state, count)
            race = (left >> (4 * pick)) & 15
            state["race"][seat] = race
            count -= 1
            last = (left >> (4 * count)) & 15
            left += (last - race) << (4 * pick)  # the last one moves to the free place


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
