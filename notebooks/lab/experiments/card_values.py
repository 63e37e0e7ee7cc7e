"""The value of each card: the same position with each of them, continued for several turns."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.heuristics.agent import RuleAgent
from impulse_agents.heuristics.styles import STYLE_NAMES
from impulse_agents.luck.values import Values, shares_or_results
from impulse_agents.playing.continuations import dealt, play_on, played_until, stopped_at
from impulse_agents.playing.interventions import hidden_slots, swapped
from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import NOBODY, take_games
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.constants import FACES, Op, Race
from impulse_env.options import RACE_NAMES, Options
from lab.experiments.interventions import with_planned, with_race, with_tech

Change = Callable[[np.ndarray], tuple[np.ndarray, NDArray[np.bool_]]]
"""Returns positions with something changed, and where that could be done."""
UNCHANGED: Final = 0
"""Instead of a card's number: the position as it was."""


def starts(options: Options, deals: NDArray[np.int64]) -> tuple[np.ndarray, NDArray[np.int64]]:
    """Return deals at their first decision, and a seat in each: by turns who begins and who not."""
    states = dealt(options, deals)
    return states, (states["start_seat"] + np.arange(len(states))) % options.players


def turn_begins(
    options: Options, deals: NDArray[np.int64], agent: Agent, turn: int, seed: int = 0
) -> tuple[np.ndarray, NDArray[np.int64], NDArray[np.int64]]:
    """Return deals that were played until a turn begins.

    Args:
        options: The options of all games.
        deals: Their seeds.
        agent: Who plays all seats.
        turn: How many turns are completed.
        seed: Of the agents' chance.

    Returns:
        The positions in which a card is to be added to the Impulse, who is to add it, and of which
        of the deals they are; games that were over by then are left out.
    """
    states, games = played_until(options, dealt(options, deals), [agent], turn, seed=seed)
    some = np.flatnonzero((states["phase"] == Op.ADD_IMPULSE) & (states["stack_count"] == 0))
    found = take_games(states, some)
    return found, found["active"].astype(np.int64), deals[games[some]]


def hand_swaps(
    states: np.ndarray, seats: NDArray[np.int64], rng: np.random.Generator
) -> dict[int, Change]:
    """Return the changes that replace one hidden card of a hand with each card.

    Args:
        states: The positions that will be changed.
        seats: Whose hand.
        rng: Draws which card of the hand is exchanged, and with which copy in the deck.

    Returns:
        A change for each card, by its number. Nothing can be done where a hand has no hidden card.
    """
    slots = hidden_slots(states, seats, rng)

    def swap(positions: np.ndarray, face: int) -> tuple[np.ndarray, NDArray[np.bool_]]:
        changed, can = swapped(positions, seats, np.maximum(slots, 0), face, rng)
        return changed, can & (slots >= 0)

    return {NUMBER_BY_CARD[face]: partial(swap, face=face) for face in range(FACES)}


def tech_changes(
    seats: NDArray[np.int64], slots: NDArray[np.int64], rng: np.random.Generator
) -> dict[int, Change]:
    """Return the changes that give a seat each card as a Tech, and none; see `with_tech`."""
    changes = {
        NUMBER_BY_CARD[face]: partial(with_tech, seats=seats, slots=slots, face=face, rng=rng)
        for face in range(FACES)
    }
    return {UNCHANGED: as_it_is, **changes}


def plan_changes(seats: NDArray[np.int64], rng: np.random.Generator) -> dict[int, Change]:
    """Return the changes that put each card into a seat's Plan, and none; see `with_planned`."""
    changes = {
        NUMBER_BY_CARD[face]: partial(with_planned, seats=seats, face=face, rng=rng)
        for face in range(FACES)
    }
    return {UNCHANGED: as_it_is, **changes}


def race_changes(seats: NDArray[np.int64]) -> dict[str, Change]:
    """Return the changes that make a seat be of each race, by the race's name."""
    return {RACE_NAMES[race]: partial(with_race, seats=seats, race=race) for race in Race}


def as_it_is(states: np.ndarray) -> tuple[np.ndarray, NDArray[np.bool_]]:
    """Return positions without a change."""
    return states, np.ones(len(states), np.bool_)


def followed(
    options: Options,
    states: np.ndarray,
    seats: NDArray[np.int64],
    changes: Mapping[int, Change] | Mapping[str, Change],
    agent: Agent,
    *,
    values: Values | None = None,
    until: Sequence[int] = (),
    to_end: bool = False,
    deals: NDArray[np.int64] | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Play positions on with each of some changes, and tell how the seat then stands.

    Args:
        options: The options of all games.
        states: Full records, shape ``(n,)``; they stay as they are.
        seats: Whose outcome is told, shape ``(n,)``.
        changes: By name.
        agent: Who plays all seats.
        values: Says the chances where a game still runs.
        until: After how many completed turns of the game it is asked, ascending; 0 at once.
        to_end: Whether the games are played to their ends, too.
        deals: What to call the positions, shape ``(n,)``; 0, 1, … if not given.
        seed: Of the agents' chance.

    Returns:
        A row for each position and change that could be made: ``deal``, ``change``, the chance
        ``after_4`` and so on for each number in `until` (1 or 0 where the game is over), and
        ``won`` if they were played to their ends.

    Raises:
        ValueError: Chances are asked for, but there are no values.
    """
    if until and values is None:
        raise ValueError("somebody has to say the chances: values")
    names = np.arange(len(states)) if deals is None else deals
    positions, which, made = [], [], []
    for name, change in changes.items():
        changed, can = change(states)
        some = np.flatnonzero(can)
        positions.append(take_games(changed, some))
        which.append(some)
        made.extend([name] * len(some))
    now, at = np.concatenate(positions), np.concatenate(which)
    found: dict[str, object] = {"deal": names[at], "change": made}
    own = (np.arange(len(at)), seats[at])
    for turn in until:
        is_running = np.ones(len(now), np.bool_)
        if turn:
            now, is_running = stopped_at(options, now, [agent], turn, seed=seed)
        deciding = np.where(is_running, seats[at], NOBODY).astype(np.int8)
        assert values is not None
        shares = shares_or_results(values, now, deciding, options.team_count)
        found[f"after_{turn}"] = shares[own[0], own[1] % options.team_count]
    if to_end:
        ended = play_on(options, now, [agent], seed=seed, numbers=at)
        found["won"] = ended.won[own].astype(float)
    return pd.DataFrame(found)


def preferences(states: np.ndarray, seats: NDArray[np.int64], seed: int = 0) -> pd.DataFrame:
    """Return how early each style of play would add each card to the Impulse, if it had them all.

    It is asked again without the card that it took, until none is left. A style adds the card that
    brings most when it is used now, less what its icons are worth if it is kept.

    Args:
        states: Full records in which a card is to be added to the Impulse, shape ``(n,)``.
        seats: Who is to add it, shape ``(n,)``.
        seed: Of the lots between cards that are alike to it.

    Returns:
        A row for each card, by its lowest printed number, and a column for each style: 1 for a card
        that it would always take first, 0 for one that it would always take last.
    """
    rng = np.random.default_rng(seed)
    observations = np.empty((len(states), 0), np.uint8)
    who = seats.astype(np.int8)
    rows = np.arange(len(states))
    found = {}
    for style in STYLE_NAMES:
        agent = RuleAgent(style)
        streams = RngStreams.from_generator(rng, len(states))
        masks = np.zeros((len(states), N_ACTIONS), np.int8)
        masks[:, CARD_0 : CARD_0 + FACES] = 1
        early = np.zeros(FACES)
        for place in range(FACES):
            taken = agent.act(ObservationBatch(observations, masks, who, states), streams)
            masks[rows, taken] = 0
            np.add.at(early, taken - CARD_0, 1 - place / (FACES - 1))
        found[style] = early / len(states)
    return pd.DataFrame(found, index=pd.Index(NUMBER_BY_CARD, name="card"))
