"""The same position with something more in a seat's possession: a card, a ship, a point."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_env.batch import copy_games
from impulse_env.engine.constants import CORE, NO_CARD, NO_SEAT, Cell, Op, PointSource
from impulse_env.engine.sector_map import CELLS_OF_GATE, HOMES
from impulse_env.options import Options
from impulse_training.rollout.continuations import play_on

THINGS: Final = ("card", "transport", "cruiser", "core_cruiser", "point")
"""What can be given: the top card of the deck, a Transport or a Cruiser at home, a Cruiser on a
gate of the Sector Core, a point."""

_SETUP: Final = (Op.DRAFT_RACE, Op.TAKE_HOME_CARD, Op.PLACE_HOME)


def given(
    states: np.ndarray, seats: NDArray[np.int64], thing: str, count: int = 1
) -> tuple[np.ndarray, NDArray[np.bool_]]:
    """Return positions in which a seat has more.

    A card is the one that would be drawn next, unseen by all others. A Transport stands on the
    home's cell, a Cruiser on the gate of the home, or of the Sector Core, that holds most of the
    seat's Cruisers already, else on a free one.

    Args:
        states: Full records at the start of a turn, shape ``(n,)``; they stay as they are.
        seats: Who gets it, shape ``(n,)``.
        thing: One of `THINGS`.
        count: How many of it.

    Returns:
        The positions, and where the rules allow what was given: elsewhere the deck was empty, the
        hand or the fleet full, no gate free, the seat out of the game, the game would be won, or
        its set-up is not over (`lab.home_cards.set_up` ends it).

    Raises:
        ValueError: There is no such thing to give.
    """
    give = _GIVERS.get(thing)
    if give is None:
        raise ValueError(f"what can be given is {', '.join(THINGS)}; not {thing!r}")
    changed = copy_games(np.ascontiguousarray(states))
    can = np.ones(len(states), np.bool_)
    for row, seat in enumerate(seats.tolist()):
        for _ in range(count):
            is_in = not changed["eliminated"][row, seat] and changed["phase"][row] not in _SETUP
            can[row] &= is_in and give(changed, row, seat)
    return changed, can


def gains_of(
    options: Options,
    agent: Agent,
    states: np.ndarray,
    numbers: NDArray[np.int64],
    things: Sequence[str] = THINGS,
) -> pd.DataFrame:
    """Return what some things gain for whose turn it is, in games won.

    Args:
        options: Of the games.
        agent: Plays all seats.
        states: Full records at the start of a turn, shape ``(n,)``; they stay as they are.
        numbers: Of the games, shape ``(n,)``: with the gift and without it they have the same
            chance.
        things: Some of `THINGS`.

    Returns:
        A row for each thing and position where it can be given: ``thing``, ``deal`` (the number)
        and ``gain`` (the game won with it, less the game won without it).

    Raises:
        AgentError: The agent does not play such games.
    """
    seats = states["active"].astype(np.int64)
    rows = np.arange(len(states))
    without = play_on(options, states, [agent], numbers=numbers).won[rows, seats]
    found = []
    for thing in things:
        changed, can = given(states, seats, thing)
        some = rows[can]
        won = play_on(options, changed[can], [agent], numbers=numbers[can]).won
        gain = won[np.arange(len(some)), seats[can]].astype(float) - without[can]
        found.append(pd.DataFrame({"thing": thing, "deal": numbers[can], "gain": gain}))
    return pd.concat(found, ignore_index=True)


def _give_card(states: np.ndarray, row: int, seat: int) -> bool:
    held = int(states["hand_count"][row, seat])
    left = int(states["deck_count"][row])
    if left == 0 or held >= states["hand_limit"][row]:
        return False
    card = states["deck"][row, left - 1]
    states["deck"][row, left - 1] = NO_CARD
    states["deck_count"][row] -= 1
    # A hand is ascending, with its empty slots last.
    hand = np.append(states["hand"][row, seat, :held], card)
    states["hand"][row, seat, : held + 1] = np.sort(hand)
    states["hand_count"][row, seat] += 1
    return True


def _give_transport(states: np.ndarray, row: int, seat: int) -> bool:
    if states["ships_on_map"][row, seat] >= states["ships"][row]:
        return False
    states["transports"][row, seat, HOMES[states["players"][row], seat]] += 1
    states["ships_on_map"][row, seat] += 1
    return True


def _give_cruiser(states: np.ndarray, row: int, seat: int) -> bool:
    return _give_cruiser_at(states, row, seat, HOMES[states["players"][row], seat])


def _give_core_cruiser(states: np.ndarray, row: int, seat: int) -> bool:
    return _give_cruiser_at(states, row, seat, CORE)


def _give_cruiser_at(states: np.ndarray, row: int, seat: int, cell: Cell) -> bool:
    if states["ships_on_map"][row, seat] >= states["ships"][row]:
        return False
    gates = np.flatnonzero((CELLS_OF_GATE == cell).any(axis=1))
    owners = states["gate_owner"][row, gates]
    own = gates[owners == seat]
    free = own if len(own) else gates[owners == NO_SEAT]
    if not len(free):
        return False
    gate = free[np.argmax(states["gate_ships"][row, free])]
    states["gate_owner"][row, gate] = seat
    states["gate_ships"][row, gate] += 1
    states["ships_on_map"][row, seat] += 1
    return True


def _give_point(states: np.ndarray, row: int, seat: int) -> bool:
    if states["score"][row, seat] + 1 >= states["target_score"][row]:
        return False
    states["score"][row, seat] += 1
    states["points"][row, seat, PointSource.GIVEN] += 1
    return True


_GIVERS: Final = {
    "card": _give_card,
    "transport": _give_transport,
    "cruiser": _give_cruiser,
    "core_cruiser": _give_core_cruiser,
    "point": _give_point,
}
