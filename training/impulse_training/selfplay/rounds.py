"""Rounds of a training: a rollout with its advantages, and an update."""

import random
from collections import deque
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from impulse_agents.network.agent import PolicyAgent
from impulse_env.observation import size
from impulse_training.run.budget import Budget
from impulse_training.run.learning_rate import LearningRateSchedule
from impulse_training.selfplay.critic import hands_of
from impulse_training.selfplay.environment.games import Games
from impulse_training.selfplay.group import Group
from impulse_training.selfplay.learner import Learner, Sight
from impulse_training.selfplay.rollout import Rollout
from impulse_training.selfplay.train_options import STATS_WINDOW, Args
from impulse_training.selfplay.update import UpdateFigures, update

_ALONE: Final = Group()
PARTS: Final = ("update", "advantages", "policy", "observations", "games")
"""Parts of the loop's time; that of the games contains that of "opponents"."""


class Rounds:
    """Rollouts and updates, without what a training does between them.

    Attributes:
        args: The options of the run.
        learner: The network that learns.
        env: The games.
        rollout: The decisions of the latest rollout.
        watch: Times each of `PARTS`.
        group: The processes that learn together.
        rate: The learning rate.
        steps: Decisions of the learner so far, of all processes.
        episodes: Descriptions of the latest episodes, see `SeatGames.step`.
    """

    def __init__(
        self,
        args: Args,
        agent: PolicyAgent,
        env: Games,
        budget: Budget,
        group: Group = _ALONE,
    ) -> None:
        """Seed all generators.

        Args:
            args: The options of the run.
            agent: The agent whose weights are copied.
            env: The games.
            budget: The limits of the run, for the learning rate.
            group: The processes that learn together.
        """
        _seed(group.seed(args.seed))
        self.args, self.group = args, group
        self.env = env
        self.learner = Learner(args, agent)
        group.share(weights for module in self.learner.modules for weights in module.parameters())
        self.rate = LearningRateSchedule(args.learning_rate, budget, args.final_learning_rate)
        room = (args.rollout_steps, args.num_envs, size(args.players))
        self.rollout = Rollout(*room, args, self.learner.device)
        self.watch = env.watch
        self.steps = 0
        self.episodes: deque[dict[str, Any]] = deque(maxlen=STATS_WINDOW)

    def collect(self, after_step: Callable[[], None] = lambda: None) -> None:
        """Play a rollout, and compute its advantages.

        Args:
            after_step: Called after every step of the games.
        """
        with self.watch.timed("policy"):
            self.learner.prepare()
        self.rollout.begin()
        self.env.begin()
        for _ in range(self.args.rollout_steps):
            with self.watch.timed("observations"):
                sight, decisions = self._sight(), self.env.decisions
            with self.watch.timed("policy"):
                choices = self.learner.choose(sight)
                self.rollout.add(sight, decisions, choices)
            with self.watch.timed("games"):
                self.episodes.extend(self.env.step(self._for_games(choices.actions)))
            self.steps += len(choices.actions) * self.group.size
            after_step()
        self.episodes.extend(self.env.end())
        with self.watch.timed("advantages"):
            values = self.learner.values_of(self._sight())
            self.rollout.finish(self.env.steps, self.env.decisions, values)

    def _sight(self) -> Sight:
        """Return what the network and the critic see of the decisions to make."""
        device, env = self.learner.device, self.env
        observations, masks = env.observations(), env.action_masks()
        if self.args.critic == "own":
            hands = torch.zeros((len(masks), 0), dtype=torch.uint8)
        else:
            seats = torch.as_tensor(env.decisions.seats) % self.args.players
            hands = hands_of(torch.as_tensor(env.hands()), seats, self.args.players)
        return Sight(
            *(torch.as_tensor(each, device=device) for each in (observations, masks, hands))
        )

    def _for_games(self, actions: Tensor) -> Any:
        """Return actions as the games take them."""
        return actions if self.args.games == "device" else actions.cpu().numpy()

    def update(self, number: int = 1) -> UpdateFigures:
        """Learn from the rollout in the update of that number, from 1 on."""
        rate = self.group.first(self.rate())
        with self.watch.timed("update"):
            return update(self.learner, self.rollout, self.args, rate, number, self.group)


def _seed(seed: int) -> None:
    """Seed the generators that a training shares with its libraries."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - the generator that shuffles decisions
    torch.manual_seed(seed)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False
