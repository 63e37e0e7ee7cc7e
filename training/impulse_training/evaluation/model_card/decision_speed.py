"""How fast a trained agent decides."""

from itertools import count
from time import perf_counter
from typing import Final

import numpy as np
import torch

from impulse_agents.base import ObservationBatch
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch
from impulse_env.options import Options

GAMES: Final = 256
SECONDS: Final = 2.0


def decisions_per_second(agent: PolicyAgent, games: int = GAMES, seconds: float = SECONDS) -> float:
    """Return how many decisions an agent makes in a second on one core, in its own games.

    Args:
        agent: It plays all seats.
        games: How many side by side; one shows how long a single decision takes.
        seconds: How long it is measured; observing and stepping are not on the clock.
    """
    torch.set_num_threads(1)
    options = Options(agent.config["players"])
    batch, streams = GameBatch(options, range(games)), RngStreams.from_seeds(range(games))
    decisions, elapsed = 0, 0.0
    for deal in count(games):
        seen = ObservationBatch.from_batch(batch)
        began = perf_counter()
        actions = agent.act(seen, streams)
        elapsed += perf_counter() - began
        decisions += games
        if elapsed >= seconds:
            return decisions / elapsed
        batch.step(actions)
        over = np.flatnonzero(batch.seats < 0)
        if len(over):
            batch.restart(over, range(deal, deal + len(over)))
    raise AssertionError("endless")
