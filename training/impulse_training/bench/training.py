"""The cost of a decision in a training, part by part.

The training loop runs on the environment and, in turns with it, on one that costs nothing and hands
out the same arrays. The ratio of their steps a second is what is left of the loop's own speed.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from impulse_training.bench.bench_options import TrainingArgs
from impulse_training.run.budget import Budget
from impulse_training.run.machine.allocator import keep_freed_memory
from impulse_training.run.warm_start import inherit_network
from impulse_training.selfplay.environment.seat_games import Decisions, SeatGames, Step
from impulse_training.selfplay.rounds import Rounds
from impulse_training.selfplay.train import make_agent, make_env
from impulse_training.selfplay.train_options import Args as TrainArgs

TARGET: Final = 0.7
WARMING: Final = 100
"""Steps of every game before anything is recorded: the games have drifted apart by then."""


class FreeGames:
    """Hands out what other games have handed out, again and again.

    Attributes:
        steps: The steps, as of `SeatGames`.
        seconds: As of `SeatGames`: 0.

    Args:
        games: Played by a learner at random until there are enough steps recorded.
        steps: How many.
        seed: Of the learner.
    """

    def __init__(self, games: SeatGames, steps: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.steps: list[Step] = []
        self.seconds = np.zeros(2)
        self._recorded: list[tuple[NDArray[np.uint8], NDArray[np.bool_], Step, Decisions]] = []
        masks = games.action_masks()
        for step in range(WARMING + steps):
            noise = rng.random(masks.shape)
            games.step(np.where(masks, noise, -1).argmax(1))
            masks = games.action_masks()
            if step >= WARMING:
                seen = games.observations()
                self._recorded.append((seen, masks, games.steps[-1], games.decisions))
        self._next = 0

    def begin(self) -> None:
        """Begin a rollout."""
        self.steps.clear()

    def end(self) -> list[dict[str, Any]]:
        """End a rollout."""
        return []

    @property
    def decisions(self) -> Decisions:
        """The decisions to make next, as recorded."""
        return self._recorded[self._next][3]

    def step(self, actions: NDArray[np.int64]) -> list[dict[str, Any]]:
        """Move to the next of the recorded steps; the actions are ignored."""
        self._next = (self._next + 1) % len(self._recorded)
        self.steps.append(self._recorded[self._next][2])
        return []

    def observations(self) -> NDArray[np.uint8]:
        """Return the observations that were recorded with the latest step."""
        return self._recorded[self._next][0]

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the masks that were recorded with the latest step."""
        return self._recorded[self._next][1]

    def hands(self) -> NDArray[np.int8]:
        """Return empty hands, as no critic here sees them."""
        return np.zeros((len(self.action_masks()), 0), np.int8)


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
    """The training loop on some games.

    Args:
        args: Of the training.
        games: The games.
        updates: Of a measurement.
    """

    def __init__(self, args: TrainArgs, games: SeatGames | FreeGames, updates: int) -> None:
        self._games, self._updates = games, updates
        self._rounds = Rounds(args, make_agent(args), games, Budget(None, 10**9))
        self._round()

    def _round(self) -> float:
        """Train for one update; return its seconds."""
        self._rounds.collect()
        began = perf_counter()
        self._rounds.update()
        return perf_counter() - began

    def measure(self) -> Parts:
        """Train for the updates."""
        seconds, before, began = self._games.seconds.copy(), self._rounds.steps, perf_counter()
        update = sum(self._round() for _ in range(self._updates))
        whole = perf_counter() - began
        step, opponents = self._games.seconds - seconds
        parts = np.array([update, step - opponents, opponents, whole - update - step])
        return Parts(*(parts * 1e6 / (self._rounds.steps - before)).tolist())


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
        env.opponent_pool.add_snapshot(make_agent(train).network.state_dict(), f"past {number}")
    env.opponent_pool.resample_snapshots()
    other = make_env(replace(train, self_fraction=0, snapshot_fraction=0))
    loops = [
        Loop(train, one, args.updates) for one in (env, FreeGames(other, train.rollout_steps, 1))
    ]
    ours, alone = loops
    return [(ours.measure(), alone.measure()) for _ in range(args.repeats)]


def middle(rounds: Iterable[Parts]) -> Parts:
    """Return the round of the median speed."""
    ordered = sorted(rounds, key=lambda parts: parts.rate)
    return ordered[len(ordered) // 2]
