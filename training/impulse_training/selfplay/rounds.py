"""Rounds of a training: a rollout with its advantages, and an update, perhaps side by side."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Generic, TypeVar

import torch

from impulse_agents.network.agent import PolicyAgent
from impulse_training.run.budget import Budget
from impulse_training.run.learning_rate import LearningRateSchedule
from impulse_training.run.machine.group import Group
from impulse_training.run.machine.randomness import seed_all
from impulse_training.selfplay.critic import hands_of
from impulse_training.selfplay.environment.games import Games
from impulse_training.selfplay.learner import Learner, Sight
from impulse_training.selfplay.rollout import Rollout
from impulse_training.selfplay.train_options import Args
from impulse_training.selfplay.update import update

G = TypeVar("G", bound=Games)
_ALONE: Final = Group()
_RECENT: Final = 1000
"""Number of latest episodes that episode metrics average over."""
PARTS: Final = ("update", "advantages", "policy", "observations", "games")
"""Parts of the loop's time; that of the games contains that of "opponents"."""


class Rounds(Generic[G]):
    """Rollouts and updates, without what a training does between them.

    Args:
        args: The options of the run.
        agent: The agent whose weights are copied.
        env: The games.
        budget: The limits of the run, for the learning rate.
        group: The processes that learn together.

    Attributes:
        learner: The network that learns.
        rollout: The decisions of the latest rollout.
        watch: Times each of `PARTS`.
        rate: The learning rate.
        steps: Decisions of the learner so far, of all processes.
        updates: Number of updates so far.
        episodes: Descriptions of the latest episodes, see `environment.games.report`.
    """

    def __init__(
        self, args: Args, agent: PolicyAgent, env: G, budget: Budget, group: Group = _ALONE
    ) -> None:
        seed_all(group.seed(args.seed))
        self.args, self.env, self.budget, self.group = args, env, budget, group
        self.watch = env.watch
        self.learner = Learner(args, agent)
        group.share(weights for module in self.learner.modules for weights in module.parameters())
        self.rate = LearningRateSchedule(args.learning_rate, budget, args.final_learning_rate)
        self.rollout = Rollout(args, self.learner.device)
        self._spare = Rollout(args, self.learner.device) if args.is_overlapping else None
        self.steps = self.updates = 0
        self.episodes: deque[dict[str, Any]] = deque(maxlen=_RECENT)

    def round(self, after_step: Callable[[], None] = lambda: None) -> dict[str, float]:
        """Play a rollout and learn from one; return the metrics of `update.update`.

        With the option `overlap`, it learns from the rollout of the round before, meanwhile. The
        first round then only plays, and returns no metrics.

        Args:
            after_step: Called after every step of the games, possibly in another thread.
        """
        with self.watch.timed("policy"):
            self.learner.prepare()
        if self._spare is None:
            self._collect(self.rollout, self.rollout, after_step)
            return self._update(self._learning_rate())
        if len(self.rollout.learned) == 0:
            self._collect(self.rollout, self.rollout, after_step)
            return {}
        rate = self._learning_rate()  # before steps are counted in the other thread
        with ThreadPoolExecutor(1) as beside:
            played = beside.submit(self._collect, self._spare, self.rollout, after_step)
            metrics = self._update(rate)
            played.result()
        self.rollout, self._spare = self._spare, self.rollout
        return metrics

    def finish(self) -> dict[str, float]:
        """Learn from a rollout that waits for it, and return the metrics, if there are any."""
        if self._spare is None or len(self.rollout.learned) == 0:
            return {}
        metrics = self._update(self._learning_rate())
        self.rollout.learned = self.rollout.learned[:0]
        return metrics

    def _collect(self, rollout: Rollout, before: Rollout, after_step: Callable[[], None]) -> None:
        """Play a rollout after another one, and compute its advantages."""
        rollout.begin(before)
        self.env.begin()
        for _ in range(self.args.rollout_steps):
            with self.watch.timed("observations"):
                sight, decisions = self._sight(), self.env.decisions
            with self.watch.timed("policy"):
                choices = self.learner.choose(sight)
                rollout.add(sight, decisions, choices)
            with self.watch.timed("games"):
                is_on_host = self.args.games == "host"
                actions = choices.actions.cpu().numpy() if is_on_host else choices.actions
                self.episodes.extend(self.env.step(actions))
            self.steps += len(actions) * self.group.size
            after_step()
        self.episodes.extend(self.env.end())
        with self.watch.timed("advantages"):
            values = self.learner.values_of(self._sight())
            rollout.finish(self.env.steps, self.env.decisions, values)

    def _sight(self) -> Sight:
        """Return what the network and the critic see of the decisions to make."""
        env, players = self.env, self.args.players
        observations, masks = env.observations(), env.action_masks()
        if self.args.critic == "own":
            hands = torch.zeros((len(masks), 0), dtype=torch.uint8)
        else:
            seats = torch.as_tensor(env.decisions.seats) % players
            hands = hands_of(torch.as_tensor(env.hands()), seats, players)
        seen = (observations, masks, hands)
        return Sight(*(torch.as_tensor(each, device=self.learner.device) for each in seen))

    def _learning_rate(self) -> float:
        return self.group.first(self.rate())

    def _update(self, rate: float) -> dict[str, float]:
        """Learn from the rollout."""
        self.updates += 1
        with self.watch.timed("update"):
            return update(self.learner, self.rollout, self.args, rate, self.updates, self.group)
