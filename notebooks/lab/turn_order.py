"""The same deals, begun by each seat in turn: who wins from which place in turn order.

Each deal is played once with each seat as the first player, with the same cards on the map, in the
hands and in the deck, the same races, and the same chance for the agents. So what seats, hands and
races do is the same for every place, and a difference between places is the order's alone.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_env.options import RACE_NAMES, Options
from impulse_training.rollout.continuations import dealt, play_on


def begun_by_each_seat(
    agent: Agent, options: Options, deals: Sequence[int] | NDArray[np.int64], *, seed: int = 0
) -> pd.DataFrame:
    """Let an agent play itself on deals, each begun by every seat once.

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
