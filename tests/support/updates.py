"""Decisions at random, and learners of a small network, for tests of updates."""

from types import SimpleNamespace

import torch

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_env.actions import N_ACTIONS
from impulse_training.selfplay.learner import Learner, Sight
from impulse_training.selfplay.rollout import Minibatch
from impulse_training.selfplay.train_options import Args
from networks import NETWORK, network, observations

SIZES = {"width": 16, "policy_layers": (16,), "value_layers": (16,), "card_dim": 4}


def learner_of(**options):
    agent = PolicyAgent(network(2), checkpoint_config(2, NETWORK), "made")
    return Learner(Args(**SIZES, **options), agent)


def minibatch(count=200):
    """Return decisions at random."""
    rng = torch.Generator().manual_seed(3)
    seen = observations(2)
    seen = seen[torch.arange(count) % len(seen)]
    masks = torch.rand(count, N_ACTIONS, generator=rng) < 0.1
    masks[:, 0] = True
    values, advantages = torch.randn(2, count, generator=rng)
    return Minibatch(
        sight=Sight(seen, masks, torch.zeros((count, 0), dtype=torch.uint8)),
        actions=torch.multinomial(masks.float(), 1, generator=rng)[:, 0],
        log_probs=torch.rand(count, generator=rng).log(),
        policies=masks.float().log().clamp(min=-60_000).half(),
        advantages=advantages,
        returns=values + advantages,
    )


def rows_of(then, rows):
    """Return some of the decisions."""
    return Minibatch(
        Sight(*(column[rows] for column in then.sight)), *(column[rows] for column in then[1:])
    )


class OneMinibatch:
    """A rollout of one minibatch, for either implementation."""

    def __init__(self, then):
        self.then = then
        self.learned = torch.arange(len(then.actions))
        self.advantages, self.returns = then.advantages, then.returns

    def minibatch_count(self, size):
        return 1

    def minibatches(self, number):
        yield self.then

    def get(self, size):
        then = self.then
        yield SimpleNamespace(
            observations=then.sight.observations,
            actions=then.actions,
            action_masks=then.sight.masks,
            old_values=then.returns - then.advantages,
            old_log_prob=then.log_probs,
            advantages=then.advantages,
            returns=then.returns,
        )
