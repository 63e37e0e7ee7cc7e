"""The card that a player lays on its home: every choice of the same hand, played to the end.

At set-up each player, in turn order, takes the card of its home cell into its hand and lays one of
its six cards there (R1). Here every legal card is laid in turn, with all else as it was and the
same chance afterwards: so what a card does at home is not mixed up with who would choose it.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch, take_games
from impulse_env.engine.action_space import CARD_0
from impulse_env.options import Options
from impulse_training.rollout.continuations import play_on


def every_home_card(
    agent: Agent,
    options: Options,
    deals: Sequence[int] | NDArray[np.int64],
    place: int = 1,
    *,
    seed: int = 0,
) -> pd.DataFrame:
    """Lay every card that a seat may lay on its home, and let an agent play on for all seats.

    Args:
        agent: Plays all seats, but for that one choice.
        options: Of the games, in which races are not drafted. Seat 0 begins.
        deals: Seeds of the deals.
        place: In turn order, of the seat whose card is laid; 1 is the first player. Those before it
            have chosen, those after it will.
        seed: Of the agent's chance.

    Returns:
        A row for each deal and card: ``deal``, ``place``, ``card`` (an index of
        `impulse_env.analysis.cards()`), ``is_chosen`` (whether the agent would lay it), ``options``
        (how many different cards there were), ``won``, and ``gain`` (``won`` less the mean of
        ``won`` with the other cards of that hand).

    Raises:
        AgentError: The agent does not play such games.
        ValueError: There is no such place.
    """
    if not 1 <= place <= options.players:
        raise ValueError(f"places are 1 to {options.players}, not {place}")
    options = replace(options, start_player=0)
    numbers = np.asarray(deals, np.int64)
    games, streams = np.arange(len(numbers)), RngStreams.from_seeds(numbers + seed)
    batch = GameBatch(options, numbers)
    for _ in range(place - 1):
        batch.step(agent.act_in_batch(batch, games, streams, games))
    chosen = agent.act_in_batch(batch, games, streams, games)
    at, laid = np.nonzero(batch.masks)
    forced = GameBatch.of_states(options, take_games(batch.states, at))
    forced.step(laid)
    ended = play_on(options, forced.states, [agent], seed=seed, numbers=numbers[at])
    table = pd.DataFrame(
        {
            "deal": numbers[at],
            "place": place,
            "card": forced.absolute_actions(laid) - CARD_0,
            "is_chosen": laid == chosen[at],
            "won": ended.won[:, place - 1],
        }
    )
    by_deal = table.groupby("deal").won
    table["options"] = by_deal.transform("size")
    others = (by_deal.transform("sum") - table.won) / (table.options - 1)
    return table.assign(gain=table.won - others)


def set_up(
    agent: Agent, options: Options, deals: Sequence[int] | NDArray[np.int64], *, seed: int = 0
) -> np.ndarray:
    """Return deals after set-up, when the first turn begins, shape ``(n,)``.

    Args:
        agent: Lays the cards on all homes.
        options: Of the games, in which races are not drafted.
        deals: Seeds of the deals.
        seed: Of the agent's chance.
    """
    numbers = np.asarray(deals, np.int64)
    games, streams = np.arange(len(numbers)), RngStreams.from_seeds(numbers + seed)
    batch = GameBatch(options, numbers)
    for _ in range(options.players):
        batch.step(agent.act_in_batch(batch, games, streams, games))
    return batch.states


def gain_of_rule(table: pd.DataFrame, values: pd.Series, by: str) -> pd.DataFrame:
    """Return what a rule for the home card brings against a card of the hand drawn at random.

    Args:
        table: What `every_home_card` returned, with a column `by`. Measure the rule on other deals
            than those that `values` were found on.
        values: What the rule prefers, by the values of that column; what is missing it likes least.
        by: The column.

    Returns:
        A row for each deal: ``deal`` and ``gain``, in games won. Of cards that the rule likes the
        same the mean counts.
    """
    liked = table[by].map(values).fillna(-np.inf)
    is_best = liked == liked.groupby(table.deal).transform("max")
    means = table.won.groupby(table.deal).mean()
    rule = table[is_best].groupby("deal").won.mean()
    return (rule - means).rename("gain").reset_index()
