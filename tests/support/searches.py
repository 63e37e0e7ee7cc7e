"""Searches with small networks, and positions to search in."""

import numpy as np
import pytest

from impulse_agents.base import ObservationBatch
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_agents.network.weights_file import weights_digest
from impulse_agents.rng import RngStreams
from impulse_agents.search.agent import Budget, settings
from impulse_agents.search.network_agent import PolicySearchAgent
from impulse_agents.search.simulation import BY_NETWORK
from impulse_env.batch import GameBatch
from impulse_env.options import Options
from networks import NETWORK, network

GAMES = 6
BOTH = pytest.mark.parametrize("by_torch", [False, True], ids=["compiled", "torch"])


class TorchAgent(PolicyAgent):
    """Evaluates as the network of another author does: all leaves at once, in Python."""

    compiled = None


def agent_of(budget, players=2, by_torch=False, reward="win", **config):
    made = network(players)
    fitted = {"slope": 1.5, "cubic": 0.4, "progress": 0.7, "bias": -0.3}
    calibration = {"weights": weights_digest(made.state_dict()), **fitted}
    description = checkpoint_config(
        players, NETWORK, calibration=calibration, trained={"reward": reward}
    )
    kind = TorchAgent if by_torch else PolicyAgent
    policy = kind(made, description, "policy:made", is_stochastic=True)
    return PolicySearchAgent(
        policy, Budget.read(budget), settings(BY_NETWORK, 2, exploration=1.0, **config)
    )


def seen_by(players=2, decisions=30, **options):
    """Return observations from the middle of games, and a generator for each."""
    batch, streams = (
        GameBatch(Options(players=players, **options), range(GAMES)),
        RngStreams.from_seeds([1] * GAMES),
    )
    policy = agent_of("1", players).policy
    for _ in range(decisions):
        batch.step(policy.act(ObservationBatch.from_batch(batch), streams))
    return ObservationBatch.from_batch(batch, np.arange(GAMES), with_views=True), streams
