"""What the games cost a training: `impulse bench-training`.

The training loop runs on the environment and, in turns with it, on one that costs nothing and hands
out the same arrays. The ratio of their steps a second is what is left of the loop's own speed.
"""

from collections.abc import Callable
from dataclasses import replace
from statistics import median
from time import perf_counter
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn

from impulse_agents.network.agent import PolicyAgent
from impulse_env.options import check_least
from impulse_training.bench.config import TrainingArgs
from impulse_training.run.allocator import keep_freed_memory
from impulse_training.run.budget import Budget
from impulse_training.run.warm_start import inherit_network
from impulse_training.selfplay.batched_vec_env import WholeVecEnv
from impulse_training.selfplay.config import Args as TrainArgs
from impulse_training.selfplay.ppo import NetworkPolicy, make_ppo
from impulse_training.selfplay.seat_vec_env import Decisions, SeatVecEnv, Step
from impulse_training.selfplay.train import make_learner, make_opponent_pool

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
        """Who decided next when it was recorded."""
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

    def __init__(self, current: PolicyAgent) -> None:
        super().__init__()
        self.current = current

    def _on_rollout_start(self) -> None:
        policy = self.model.policy
        assert isinstance(policy, NetworkPolicy)
        self.current.set_weights(policy.network.state_dict())
        policy.precompute()

    def _on_step(self) -> bool:
        return True


def loop(args: TrainArgs, env: VecEnv, updates: int) -> Callable[[], float]:
    """Return a function that trains for some updates and returns its steps a second."""
    learner = make_learner(args)
    model = make_ppo(args, env, learner, Budget(None, 10**9))
    callback = _AsInTraining(learner)
    model.learn(1, callback)

    def measure() -> float:
        steps = updates * args.num_envs * args.rollout_steps
        before, began = model.num_timesteps, perf_counter()
        model.learn(steps, callback, reset_num_timesteps=False)
        return (model.num_timesteps - before) / (perf_counter() - began)

    return measure


def rates(args: TrainingArgs, games: int) -> tuple[float, float]:
    """Return the steps a second of the training and of the loop alone, medians."""
    torch.set_num_threads(1)
    keep_freed_memory()
    train = inherit_network(
        args.warm_start,
        TrainArgs(
            players=args.players,
            num_envs=games,
            warm_start=args.warm_start,
            seed=args.seed,
            timesteps=1,
        ),
    )
    env = SeatVecEnv(
        train.options, train.num_envs, make_opponent_pool(train), train.reward, train.seed
    )
    for number in range(train.snapshots):
        # As in the midst of a training, whose past plays too.
        env.opponent_pool.add_snapshot(make_learner(train).network.state_dict(), f"past {number}")
    env.opponent_pool.resample_snapshots()
    other = SeatVecEnv(
        train.options,
        train.num_envs,
        make_opponent_pool(replace(train, self_fraction=0, snapshot_fraction=0)),
        seed=train.seed,
    )
    free = FreeVecEnv(other, train.rollout_steps, args.seed)
    measured = [loop(train, one, args.updates) for one in (env, free)]
    rounds = [[measure() for measure in measured] for _ in range(args.repeats)]
    ours, alone = (median(column) for column in zip(*rounds, strict=True))
    return ours, alone


def main(args: TrainingArgs) -> dict[str, Any]:
    """Measure and print; each number of games as soon as it is there."""
    check_least(args, 1, "num_envs", "updates", "repeats")
    check_least(args, 0, "seed")
    table = Table(title=f"Training with {args.players} players, one core")
    for heading in ("games", "steps/s", "on an environment of no cost", "ratio", "target"):
        table.add_column(heading, justify="right")
    found = []
    for games in args.num_envs:
        ours, alone = rates(args, games)
        found.append({"num_envs": games, "steps_per_second": ours, "without_cost": alone})
        row = (f"{games:,}", f"{ours:,.0f}", f"{alone:,.0f}", f"{ours / alone:.2f}")
        table.add_row(*row, f"≥ {TARGET}")
    Console(highlight=False).print(table)
    return {"target": TARGET, "measured": found}
