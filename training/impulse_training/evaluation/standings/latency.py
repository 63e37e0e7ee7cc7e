"""How long an agent takes for a decision, one game at a time on one core."""

from time import perf_counter, process_time
from typing import Final

import numpy as np

from impulse_agents.asking.ask import ask_in_batch
from impulse_agents.base import Agent
from impulse_agents.rng import RngStreams
from impulse_env.batch import NOBODY, GameBatch
from impulse_env.options import Options

_SECONDS: Final = 3.0
_SEED: Final = 5
_LEAST: Final = 30
"""Decisions, however long they take."""


def milliseconds(agent: Agent, options: Options, seconds: float = _SECONDS) -> float:
    """Return the processor time of a decision, in milliseconds: the mean of its own games.

    Decisions with one legal answer, which nobody has to think about, do not count.

    Args:
        agent: It plays all seats.
        options: Of the games.
        seconds: How long it is measured, 30 decisions at least; the first decision, which may
            compile something, is not on the clock.
    """
    batch, streams = GameBatch(options, [_SEED]), RngStreams.from_seeds(range(options.players))
    only = np.arange(1)
    decisions, spent, deal, end = -1, 0.0, _SEED, perf_counter() + seconds
    while decisions < _LEAST or perf_counter() < end:
        if batch.seats[0] == NOBODY:
            deal += 1
            batch.restart(only, [deal])
        rows = batch.seats[:1].astype(np.intp)
        is_choice = batch.masks[0].sum() > 1
        began = process_time()
        actions = ask_in_batch(agent, batch, only, streams, rows)
        if is_choice:
            spent += process_time() - began if decisions >= 0 else 0.0
            decisions += 1
        batch.step(actions)
    return 1000 * spent / decisions
