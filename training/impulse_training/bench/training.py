"""What a decision costs a training, part by part: `impulse bench training`.

The training loop runs on the environment and, in turns with it, on one that costs nothing and hands
out the same arrays. The ratio of their steps a second is what is left of the loop's own speed.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from statistics import median
from time import perf_counter
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from rich.table import Table
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn

from impulse_env.options import check_least
from impulse_training.bench.bench_options import TrainingArgs
from impulse_training.run.allocator import keep_freed_memory
from impulse_training.run.budget import Budget
from impulse_training.run.screen import Screen
from impulse_training.run.warm_start import inherit_network
from impulse_training.selfplay.batched_vec_env import WholeVecEnv
from impulse_training.selfplay.ppo import NetworkPolicy, make_ppo
from impulse_training.selfplay.seat_vec_env import Decisions, SeatVecEnv, Step
from impulse_training.selfplay.train import make_env, make_learner
from impulse_training.selfplay.train_options import Args as TrainArgs
from impulse_training.statistics.intervals import median_interval

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


def main(args: TrainingArgs) -> dict[str, Any]:
    """Measure and print; each number of decisions as soon as it is there."""
    check_least(args, 1, "num_envs", "updates", "repeats", "epochs", "threads")
    check_least(args, 0, "seed")
    print("Compiling and playing to the middle of games first", flush=True)
    cores = "one core" if args.threads == 1 else f"{args.threads} threads"
    table = Table(title=f"Training with {args.players} players, {cores}, µs a decision")
    for heading in ("a step", "update", "policy", "opponents", "games", "decisions/s"):
        table.add_column(heading, justify="right")
    for heading in ("without games", "ratio", "target", "games alone"):
        table.add_column(heading, justify="right")
    found = []
    for num_envs in args.num_envs:
        rounds = measure(args, num_envs)
        ours, alone = (middle(column) for column in zip(*rounds, strict=True))
        ends = median_interval([mine.rate for mine, _ in rounds]) or (None, None)
        ratios = [mine.rate / free.rate for mine, free in rounds]
        ratio_ends = median_interval(ratios) or (None, None)
        games_alone = 1e6 / (ours.games + ours.opponents)
        found.append(
            {
                "num_envs": num_envs,
                **asdict(ours),
                "steps_per_second": ours.rate,
                "interval": ends,
                "ratio": median(ratios),
                "ratio_interval": ratio_ends,
                "without_games": alone.rate,
                "games_alone": games_alone,
            }
        )
        parts = (ours.update, ours.policy, ours.opponents, ours.games)
        table.add_row(
            f"{num_envs:,}",
            *(f"{part:.0f}" for part in parts),
            f"{ours.rate:,.0f}",
            f"{alone.rate:,.0f}",
            f"{median(ratios):.2f}",
            f"≥ {TARGET}",
            f"{games_alone:,.0f}",
        )
    # Without a terminal the columns would be cut to fit eighty characters.
    console = Screen(soft_wrap=False)
    console.width = max(console.width, 110)
    console.print(table)
    print(
        "The ratio is to the same loop on recorded steps that cost nothing. Games alone, with "
        "their opponents, is what these threads allow where the policy and the update cost "
        "nothing, as an accelerator would nearly have it."
    )
    return {"target": TARGET, "measured": found}
