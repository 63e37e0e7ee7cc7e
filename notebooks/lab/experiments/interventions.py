"""The same position with one thing changed: a gift, a Tech, a Plan, a race, who begins or plays.

Cards come from the deck, whose other cards stay in their order. They cover a Basic Tech, which is
not a card. So every card stays in one place. `impulse_agents.playing.interventions`
exchanges the card of a hand.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_agents.playing.continuations import (
    Ended,
    dealt,
    play_on,
    stopped_at,
    worlds_of,
)
from impulse_agents.playing.interventions import places_in_deck
from impulse_env.batch import copy_games
from impulse_env.engine.constants import BASIC_TECH, CORE, NO_CARD, NO_SEAT, Cell, Op, PointSource
from impulse_env.engine.sector_map import CELLS_OF_GATE, HOMES
from impulse_env.information import decider
from impulse_env.options import RACE_NAMES, Options

THINGS: Final = ("card", "transport", "cruiser", "core_cruiser", "point")
"""The possible gifts: the top card of the deck, a Transport or a Cruiser at home, a Cruiser on a
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
        its set-up is not over (`lab.experiments.first_choices.set_up` ends it).

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


def with_tech(
    states: np.ndarray,
    seats: NDArray[np.int64],
    slots: NDArray[np.int64],
    face: int,
    rng: np.random.Generator | None = None,
) -> tuple[np.ndarray, NDArray[np.bool_]]:
    """Return positions in which a seat has a card of the deck as a Tech, instead of a Basic one.

    Args:
        states: Full records at the start of a turn, shape ``(n,)``; they stay as they are.
        seats: Whose Tech, shape ``(n,)``.
        slots: Which of the two it covers, 0 for the common one and 1 for the race's, ``(n,)``.
        face: The card.
        rng: Draws which of several copies leaves the deck.

    Returns:
        The positions, and where that could be done: elsewhere the deck held none, or nothing else,
        or another card was researched already.
    """
    changed = copy_games(np.ascontiguousarray(states))
    rows = np.arange(len(states))
    can = _takes_from_deck(changed, face, states["techs"][rows, seats, slots] == BASIC_TECH, rng)
    some = rows[can]
    changed["techs"][some, seats[can], slots[can]] = face
    return changed, can


def with_planned(
    states: np.ndarray,
    seats: NDArray[np.int64],
    face: int,
    rng: np.random.Generator | None = None,
) -> tuple[np.ndarray, NDArray[np.bool_]]:
    """Return positions in which a seat has a card of the deck behind the others in its Plan.

    Args:
        states: Full records at the start of a turn, shape ``(n,)``; they stay as they are.
        seats: Whose Plan, shape ``(n,)``.
        face: The card.
        rng: Draws which of several copies leaves the deck.

    Returns:
        The positions, and where that could be done: elsewhere the deck held none, or nothing else.
    """
    changed = copy_games(np.ascontiguousarray(states))
    can = _takes_from_deck(changed, face, np.ones(len(states), np.bool_), rng)
    some = np.flatnonzero(can)
    who = seats[can]
    changed["plan"][some, who, changed["plan_count"][some, who]] = face
    changed["plan_count"][some, who] += 1
    return changed, can


def with_race(
    states: np.ndarray, seats: NDArray[np.int64], race: int
) -> tuple[np.ndarray, NDArray[np.bool_]]:
    """Return positions in which a seat is of another race.

    Args:
        states: Full records, shape ``(n,)``; they stay as they are.
        seats: Whose race, shape ``(n,)``.
        race: An `impulse_env.engine.constants.Race`.

    Returns:
        The positions, and where that could be done: elsewhere somebody else is of that race.
    """
    changed = copy_games(np.ascontiguousarray(states))
    rows = np.arange(len(states))
    is_taken = states["race"] == race
    is_taken[rows, seats] = False
    can = ~is_taken.any(axis=1)
    changed["race"][rows[can], seats[can]] = race
    return changed, can


def _takes_from_deck(
    states: np.ndarray,
    face: int,
    may: NDArray[np.bool_],
    rng: np.random.Generator | None,
) -> NDArray[np.bool_]:
    """Take a card out of the decks, the others in their order; return where that was done.

    Into its place comes the card that would have been drawn last, so all that is drawn before stays
    what it is. The last card of a deck is not taken: an empty deck would be reshuffled at once.
    """
    places, is_there = places_in_deck(states, face, rng)
    can = may & is_there & (states["deck_count"] > 1)
    some = np.flatnonzero(can)
    states["deck"][some, places[can]] = states["deck"][some, 0]
    states["deck"][some, :-1] = states["deck"][some, 1:]
    states["deck_count"][some] -= 1
    states["deck"][some, states["deck_count"][some]] = NO_CARD
    return can


def begun_by_each_seat(
    agent: Agent, options: Options, deals: Sequence[int] | NDArray[np.int64], *, seed: int = 0
) -> pd.DataFrame:
    """Let an agent play itself on deals, each begun by every seat once.

    The games of a deal have the same cards on the map, in the hands and in the deck, the same
    races, and the same chance for the agents. So what seats, hands and races do is the same for
    every place, and a difference between places in turn order is the order's alone.

    Args:
        agent: Plays all seats.
        options: Of the games; their start player does not matter.
        deals: Seeds of the deals.
        seed: Of the agent's chance.

    Returns:
        A row for each seat of each game: ``agent``, ``players``, ``deal``, ``start`` (the seat that
        began), ``seat``, ``place`` (in turn order, 1 is the first player), ``race``, ``won``,
        ``score`` and ``rounds``.

    Raises:
        AgentError: The agent does not play such games.
    """
    numbers, players = np.asarray(deals, np.int64), options.players
    found = []
    for start in range(players):
        begun = replace(options, start_player=start)
        ended = play_on(begun, dealt(begun, numbers), [agent], seed=seed, numbers=numbers)
        seats = np.tile(np.arange(players), len(numbers))
        rows = {
            "agent": agent.name,
            "players": players,
            "deal": np.repeat(numbers, players),
            "start": start,
            "seat": seats,
            "place": (seats - start) % players + 1,
            "race": np.array(RACE_NAMES)[ended.states["race"][:, :players].ravel()],
            "won": ended.won.ravel(),
            "score": ended.states["score"][:, :players].ravel().astype(np.int64),
            "rounds": np.repeat(ended.rounds, players),
        }
        found.append(pd.DataFrame(rows))
    return pd.concat(found, ignore_index=True)


def turn_by_another(
    options: Options,
    states: np.ndarray,
    strong: Agent,
    other: Agent,
    opponent: Agent,
    worlds: int,
    *,
    seed: int = 0,
) -> pd.DataFrame:
    """Play positions on, their turn by the one agent or by the other, and all else the same.

    The position is sampled many times from the seat's knowledge. So a choice is judged by the
    information of the seat and not by the actual cards of the deck. The strong agent plays each of
    these worlds to the end, once alone and once after one turn of the other agent, with the same
    random numbers.

    Args:
        options: Of the games, without teams.
        states: Full records at the start of a turn, at a decision of whose turn it is, shape
            ``(n,)``; of the same turn and the same seat in all.
        strong: Plays that seat from the next turn on, and in half of the games this turn, too.
        other: Plays this turn in the other half.
        opponent: Plays all other seats.
        worlds: How many games are drawn from what the seat knows in each position; each is played
            twice.
        seed: Of the worlds and of the agents' chance.

    Returns:
        A row for each game: ``position`` (0 to n - 1), ``world``, ``by`` ("strong" or "other": who
        played the turn) and ``won``.

    Raises:
        AgentError: An agent does not play such games.
        ValueError: The positions are of several turns or seats.
    """
    seat, turn = decider(states[0]), int(states[0]["turn"])
    if any(decider(state) != seat or state["turn"] != turn for state in states):
        raise ValueError("the positions are to be of the same turn and seat")
    numbers = np.arange(len(states) * worlds)
    seeds = np.random.default_rng(seed).integers(1, 1 << 63, len(numbers)).astype(np.uint64)
    drawn = worlds_of(np.repeat(states, worlds), np.full(len(numbers), seat, np.int64), seeds)
    seats = np.arange(options.players)
    by_seat = (seats != seat).astype(np.int64)
    own = play_on(options, drawn, [strong, opponent], by_seat, seed=seed, numbers=numbers)
    table = [other if seat == one else opponent for one in seats]
    stopped, is_running = stopped_at(options, drawn, table, turn + 1, seed=seed)
    won = Ended(stopped, options.players).won.copy()
    games = np.flatnonzero(is_running)
    later = play_on(options, stopped[games], [strong, opponent], by_seat, seed=seed, numbers=games)
    won[games] = later.won
    return pd.DataFrame(
        {
            "position": np.tile(numbers // worlds, 2),
            "world": np.tile(numbers % worlds, 2),
            "by": np.repeat(["strong", "other"], len(numbers)),
            "won": np.concatenate([own.won[:, seat], won[:, seat]]),
        }
    )
