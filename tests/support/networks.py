"""Small networks to be tried, and observations to try them on."""

import numpy as np
import torch

import impulse_agents
from impulse_agents.base import ObservationBatch
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_own
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch
from impulse_env.options import Options

NETWORK = {"width": 16, "policy": (16,), "value": (16,), "card_dim": 4}
TINY = {"width": 8, "policy": (), "value": (), "card_dim": 2}
"""Sizes of a network that takes no time."""


def untrained(players=2, sizes=TINY, seed=0, is_stochastic=False, **told):
    """Return an agent with a new network; other arguments go into its config."""
    torch.manual_seed(seed)
    network, config = PolicyNetwork(players, **sizes), checkpoint_config(players, sizes, **told)
    return PolicyAgent(network, config, "policy:made", is_stochastic)


def observations(players, decisions=150, games=8):
    """Return observations from random games, a decision of every game in turn."""
    batch = GameBatch(Options(players=players), range(games))
    streams, agent = RngStreams.from_seeds(range(games)), impulse_agents.make("random")
    seen = []
    for _ in range(decisions):
        seen.append(batch.observations.copy())
        batch.step(agent.act(ObservationBatch.from_batch(batch), streams))
    return torch.from_numpy(np.concatenate(seen))


def network(players, seed=0, parts=None, **changes):
    """A small network none of whose weights is 0, so that none can be left out unnoticed."""
    torch.manual_seed(seed)
    made = build_own(players, {**NETWORK, **changes}, parts)
    for weight in made.parameters():
        torch.nn.init.normal_(weight, std=0.2)
    if made.kind == "map":  # layer upon layer it would grow beyond what single precision tells
        for weight in made.map.parameters():
            weight.data /= 2
    return made
