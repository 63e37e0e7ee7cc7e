"""The cost of a decision in a training, part by part.

The training loop runs on the environment and, in turns with it, on one that costs nothing and hands
out the same arrays. The ratio of their steps a second is what is left of the loop's own speed.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn

from impulse_training.bench.bench_options import TrainingArgs
from impulse_training.run.budget import Budget
from impulse_training.run.machine.allocator import keep_freed_memory
from impulse_training.run.warm_start import inherit_network
from impulse_training.selfplay.environment.batched_vec_env import WholeVecEnv
from impulse_training.selfplay.environment.seat_vec_env import Decisions, SeatVecEnv, Step
from impulse_training.selfplay.ppo import NetworkPolicy, make_ppo
from impulse_training.selfplay.train import make_env, make_learner
from impulse_training.selfplay.train_options import Args as TrainArgs

TARGET: Final = 0.7
WARMING: Final = 100
"""Steps of every game before anything is recorded: the games have drifted apart by then."""


class FreeVecEnv(WholeVecEnv):
    """Hands out what another environment has handed out, again and again.

    Attributes:
        steps: What happened, as of `SeatVecEnv`.

    Args:
        env: Played by a learner at random until there are enough steps recorded.
        steps: How many.
        seed: Of the learner.
    """

    def __init__(self, env: SeatVecEnv, steps: int, seed: int) -> None:
        super().__init__(env.num_envs, env.observation_space, env.action_space)
        rng = np.random.default_rng(seed)
        self.steps: list[Step] = []
        self._recorded: list[tuple[VecEnvStepReturn, NDArray[np.bool_], Step, Decisions]] = []
        masks = env.action_masks()
        for step in range(WARMING + steps):
            noise = rng.random(masks.shape)
            env.step_async(np.where(masks, noise, -1).argmax(1))
            returned = env.step_wait()
            masks = env.action_masks()
            if step >= WARMING:
                self._recorded.append((returned, masks, env.steps[-1], env.decisions))
        self._next = 0

    @property
    def decisions(self) -> Decisions:
        """The decisions to make next, as recorded."""
        return self._recorded[self._next][3]

    def reset(self) -> VecEnvObs:
        """Return what was seen at first."""
        return self._recorded[self._next][0][0]

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Ignore the actions."""

    def step_wait(self) -> VecEnvStepReturn:
        """Return the next of the recorded steps."""
        self._next = (self._next + 1) % len(self._recorded)
        (observations, rewards, dones, infos), _, step, _ = self._recorded[self._next]
        self.steps.append(step)
        return observations, rewards.copy(), dones, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the masks that were recorded with the latest step."""
        return self._recorded[self._next][1]


class _AsInTraining(BaseCallback):
    """Does before every rollout what a training does."""

    def _on_rollout_start(self) -> None:
        policy = self.model.policy
        assert isinstance(policy, NetworkPolicy)
        policy.precompute()

    def _on_step(self) -> bool:
        return True


@dataclass(frozen=True)
class Parts:
    """Microseconds that a decision costs a training.

    Attributes:
        update: Learning from it.
        games: Stepping the games, and what describes them.
        opponents: The choices on the other seats.
        policy: The policy's own choice, and the rest of the loop.
    """

    update: float
    games: float
    opponents: float
    policy: float

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return 1e6 / (self.update + self.games + self.opponents + self.policy)


class Loop:
    """The training loop on some environment.

    Args:
        args: Of the training.
        env: The games.
        updates: Of a measurement.
    """

    def __init__(self, args: TrainArgs, env: SeatVecEnv | FreeVecEnv, updates: int) -> None:
        learner = make_learner(args)
        self._env, self._updates, self._update_seconds = env, updates, 0.0
        self._model = make_ppo(args, env, learner, Budget(None, 10**9))
        self._callback = _AsInTraining()
        self._train = self._model.train
        self._model.train = self._timed_train  # type: ignore[method-assign]
        self._model.learn(1, self._callback)
        self._steps = updates * args.num_envs * args.rollout_steps

    def _timed_train(self) -> None:
        began = perf_counter()
        self._train()
        self._update_seconds += perf_counter() - began

    def measure(self) -> Parts:
        """Train for the updates."""
        model, seconds = self._model, getattr(self._env, "seconds", np.zeros(2)).copy()
        before, self._update_seconds, began = model.num_timesteps, 0.0, perf_counter()
        model.learn(self._steps, self._callback, reset_num_timesteps=False)
        whole, update = perf_counter() - began, self._update_seconds
        step, opponents = getattr(self._env, "seconds", np.zeros(2)) - seconds
        parts = np.array([update, step - opponents, opponents, whole - update - step])
        return Parts(*(parts * 1e6 / (model.num_timesteps - before)).tolist())


def measure(args: TrainingArgs, num_envs: int) -> list[tuple[Parts, Parts]]:
    """Return what a decision costs the training, and the loop alone, in each of the rounds."""
    torch.set_num_threads(args.threads)
    keep_freed_memory()
    train = inherit_network(
        args.warm_start,
        TrainArgs(
            players=args.players,
            num_envs=num_envs,
            epochs=args.epochs,
            threads=args.threads,
            warm_start=args.warm_start,
            seed=args.seed,
            timesteps=1,
        ),
    )
    env = make_env(train)
    for number in range(train.snapshots):
        # As in the midst of a training, whose past plays too.
        env.opponent_pool.add_snapshot(make_learner(train).network.state_dict(), f"past {number}")
    env.opponent_pool.resample_snapshots()
    other = make_env(replace(train, self_fraction=0, snapshot_fraction=0))
    loops = [
        Loop(train, one, args.updates) for one in (env, FreeVecEnv(other, train.rollout_steps, 1))
    ]
    ours, alone = loops
    return [(ours.measure(), alone.measure()) for _ in range(args.repeats)]


def middle(rounds: Iterable[Parts]) -> Parts:
    """Return the round of the median speed."""
    ordered = sorted(rounds, key=lambda parts: parts.rate)
    return ordered[len(ordered) // 2]
