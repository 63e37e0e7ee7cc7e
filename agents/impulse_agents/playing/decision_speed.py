"""An agent's time for a decision, on one core."""

from time import perf_counter, process_time
from typing import Final

import numpy as np

from impulse_agents.asking.ask import ask_in_batch
from impulse_agents.base import Agent
from impulse_agents.rng import RngStreams
from impulse_env.batch import NOBODY, GameBatch
from impulse_env.options import Options

SECONDS: Final = 3.0
_LEAST: Final = 30
"""Least number of decisions, however long they take."""


def decision_seconds(
    agent: Agent, options: Options, games: int = 1, seconds: float = SECONDS
) -> float:
    """Return an agent's mean processor time for a decision in games with itself, in seconds.

    The time does not include stepping, nor the first call, which may compile something. Decisions
    with only one legal action do not count.

    Args:
        agent: The agent, which plays all seats.
        options: Options of the games.
        games: Number of parallel games; the agent is asked about all of them at once.
        seconds: Duration of the measurement, which covers at least 30 decisions.
    """
    batch, streams = GameBatch(options, range(games)), RngStreams.from_seeds(range(games))
    rows, decisions, spent, deal = np.arange(games), 0, 0.0, games
    end = perf_counter() + seconds
    actions = ask_in_batch(agent, batch, rows, streams, rows)
    while decisions < _LEAST or perf_counter() < end:
        batch.step(actions)
        over = np.flatnonzero(batch.seats == NOBODY)
        if len(over):
            batch.restart(over, range(deal, deal + len(over)))
            deal += len(over)
        choices = int((batch.masks.sum(axis=1, dtype=np.int64) > 1).sum())
        began = process_time()
        actions = ask_in_batch(agent, batch, rows, streams, rows)
        spent += (process_time() - began) * choices / games
        decisions += choices
    return spent / decisions
