"""The cost of a decision in a training, part by part.

The training loop runs on the environment and, in turns with it, on one that costs nothing and hands
out the same arrays. The ratio of their steps a second is what is left of the loop's own speed.
"""

from collections.abc import Iterable
from dataclasses import astuple, dataclass, replace
from time import perf_counter
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from impulse_training.bench.bench_options import TrainingArgs
from impulse_training.run.budget import Budget
from impulse_training.run.machine.allocator import keep_freed_memory
from impulse_training.run.machine.stopwatch import Stopwatch
from impulse_training.run.warm_start import inherit_network
from impulse_training.selfplay.environment.device_games import DeviceGames
from impulse_training.selfplay.environment.games import Decisions, Games, Step
from impulse_training.selfplay.environment.make import make_env
from impulse_training.selfplay.environment.seat_games import SeatGames
from impulse_training.selfplay.option_checks import check_args
from impulse_training.selfplay.rounds import PARTS, Rounds
from impulse_training.selfplay.train import make_agent
from impulse_training.selfplay.train_options import Args as TrainArgs

TARGET: Final = 0.7
WARMING: Final = 100
"""Steps of every game before anything is recorded: the games have drifted apart by then."""


class FreeGames:
    """Hands out what other games have handed out, again and again.

    Args:
        games: Played by a learner at random until there are enough steps recorded.
        steps: How many.
        seed: Of the learner.
    """

    def __init__(self, games: SeatGames, steps: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.steps: list[Step] = []
        self.watch = Stopwatch(torch.device("cpu"))
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
        advantages: Its part of the advantages.
        policy: The policy's own choice.
        observations: What the policy sees, taken from the games.
        opponents: The choices on the other seats.
        games: Stepping the games, and the descriptions of those that end.
        rest: The rest of the loop; below 0 if parts overlap.
    """

    update: float
    advantages: float
    policy: float
    observations: float
    opponents: float
    games: float
    rest: float

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return 1e6 / sum(astuple(self))


class Loop:
    """The training loop on some games.

    Args:
        args: Of the training.
        games: The games.
        updates: Of a measurement.
    """

    def __init__(self, args: TrainArgs, games: Games, updates: int) -> None:
        self._updates = updates
        self._rounds = Rounds(args, make_agent(args), games, Budget(None, 10**9))
        self._rounds.watch.waits = True
        self._rounds.round()

    def measure(self) -> Parts:
        """Train for the updates."""
        rounds, parts = self._rounds, (*PARTS, "opponents")
        seconds = rounds.watch.seconds
        before, steps, began = {part: seconds[part] for part in parts}, rounds.steps, perf_counter()
        for _ in range(self._updates):
            self._rounds.round()
        whole = perf_counter() - began
        spent = {part: seconds[part] - before[part] for part in parts}
        spent["games"] -= spent["opponents"]
        spent["rest"] = whole - sum(spent.values())
        count = rounds.steps - steps
        return Parts(**{name: each * 1e6 / count for name, each in spent.items()})


def measure(args: TrainingArgs, num_envs: int) -> list[tuple[Parts, Parts | None]]:
    """Return what a decision costs the training, and the loop alone, in each of the rounds.

    With games on a device there is no loop alone.
    """
    torch.set_num_threads(args.threads)
    keep_freed_memory()
    train = inherit_network(
        args.warm_start,
        TrainArgs(
            players=args.players,
            num_envs=num_envs,
            epochs=args.epochs,
            minibatch_size=args.minibatch_size,
            learn_share=args.learn_share,
            overlap=args.overlap,
            threads=args.threads,
            warm_start=args.warm_start,
            seed=args.seed,
            device=args.device,
            games=args.games,
            bfloat16=args.bfloat16,
            opponents=args.opponents,
            timesteps=1,
        ),
    )
    check_args(train)
    env = make_env(train)
    for number in range(train.snapshots):
        # As in the midst of a training, whose past plays too.
        env.opponent_pool.add_snapshot(make_agent(train).network.state_dict(), f"past {number}")
    env.opponent_pool.resample_snapshots()
    ours = Loop(train, env, args.updates)
    if isinstance(env, DeviceGames):
        return [(ours.measure(), None) for _ in range(args.repeats)]
    other = make_env(replace(train, self_fraction=0, snapshot_fraction=0))
    assert isinstance(other, SeatGames)
    alone = Loop(train, FreeGames(other, train.rollout_steps, 1), args.updates)
    return [(ours.measure(), alone.measure()) for _ in range(args.repeats)]


def middle(rounds: Iterable[Parts]) -> Parts:
    """Return the round of the median speed."""
    ordered = sorted(rounds, key=lambda parts: parts.rate)
    return ordered[len(ordered) // 2]
