"""How fast games on a GPU are, beside the cores of the same machine and beside Pgx.

`impulse bench --gpu` prints it. Ours and the others take turns; a ratio is the median of the turns.
A step of ours is a decision with its mask, its observation, the rewards of all seats and, where a
game ended, a new game. Drawing the random actions is on the clock.
"""

import importlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from time import perf_counter
from typing import Any, Final

from impulse_training.bench.batched import SEED, self_play_rate
from impulse_training.bench.environment import Result, engine_at_random
from impulse_training.bench.peers import MissingPeerError
from impulse_training.run.machine.hardware import usable_cores

STEP_TARGET: Final = 60e6
"""Steps a second with observations, for two players; it was set for an H100."""
PLAY_TARGET: Final = 80e6
"""Random decisions a second, for two players; it was set for an H100."""
MOST_BYTES: Final = 3_700
"""Bytes of device memory for a game of two players; record, observation and mask take 3,568."""
PGX_GAMES: Final = ("kuhn_poker", "leduc_holdem", "backgammon", "sparrow_mahjong")
"""Pgx's card and dice games that need no further data."""
SIZES: Final = (1 << 14, 1 << 16, 1 << 18, 1 << 20)
"""Numbers of games that are measured."""
_CORE_BATCH: Final = 1024
_WARM_UP: Final = 200
"""Decisions after which the games have drifted apart."""


class Games:
    """Games on a device in the middle of their play, with what is timed.

    Attributes:
        bytes_each: Bytes of device memory for each game.
    """

    def __init__(self, device: str, players: int, count: int) -> None:
        """Deal the games and play them at random until they have drifted apart."""
        import torch

        from impulse_env.gpu import GpuBatch

        self._torch = torch
        before = self._allocated(device)
        self.batch = GpuBatch(count, players, seed=SEED, device=device)
        self.bytes_each = (self._allocated(device) - before) / count
        self.randomness = torch.arange(1, count + 1, device=self.batch.device) * 2654435761
        self.play(_WARM_UP)

    def _allocated(self, device: str) -> int:
        return self._torch.cuda.memory_allocated(device) if device != "cpu" else 0

    def play(self, steps: int) -> None:
        """Take random decisions, without masks and observations but for the last one."""
        self.batch.play_at_random(steps, self.randomness)

    def step(self) -> None:
        """Take one random decision in every game, through its mask."""
        self.batch.step(self.batch.random_actions(self.randomness))

    def wait(self) -> None:
        """Wait for the device."""
        if self.batch.device.type == "cuda":
            self._torch.cuda.synchronize(self.batch.device)

    def seconds_of(self, run: Callable[[], object], seconds: float) -> float:
        """Return the seconds of one call; calls are repeated for about `seconds`."""
        calls = 1
        while True:
            self.wait()
            began = perf_counter()
            for _ in range(calls):
                run()
            self.wait()
            took = perf_counter() - began
            if took >= seconds / 2:
                return took / calls
            calls = max(2 * calls, int(calls * seconds / took) if took else 0)

    def step_rate(self, seconds: float) -> float:
        """Return the steps a second."""
        return len(self.batch) / self.seconds_of(self.step, seconds)

    def play_rate(self, seconds: float, steps: int = 16) -> float:
        """Return the random decisions a second."""
        return steps * len(self.batch) / self.seconds_of(lambda: self.play(steps), seconds)

    def recorded(self) -> Callable[[], None]:
        """Return a function that replays a step recorded as a CUDA graph."""
        graph = self._torch.cuda.CUDAGraph()
        self.step()
        self.wait()
        with self._torch.cuda.graph(graph):
            self.step()
        return graph.replay

    def parts(self, seconds: float) -> dict[str, float]:
        """Return the parts of a step in nanoseconds a game, with a copy of what a step must move.

        A step must read and write the record, read it again for the observation, and write the mask
        and the observation. A copy of as many bytes shows what the memory allows.
        """
        batch = self.batch
        moved = 3 * batch.states.numel() + batch.masks.numel() + batch.observations.numel()
        source = self._torch.empty(moved // 2, dtype=self._torch.uint8, device=batch.device)
        target = self._torch.empty_like(source)
        timed: dict[str, Callable[[], object]] = {
            "draw random actions": lambda: batch.random_actions(self.randomness),
            "sort by decision and action": batch._sort,
            "masks and observations": batch._write,
            "whole step": self.step,
            "copy of as many bytes": lambda: target.copy_(source),
        }
        each = 1e9 / len(batch)
        return {what: each * self.seconds_of(run, seconds) for what, run in timed.items()}


def measurements(
    device: str, sizes: tuple[int, ...], seconds: float, repeats: int
) -> Iterator[Callable[[], Result]]:
    """Yield the measurements, in the order of the report.

    Args:
        device: As in `GpuBatch`.
        sizes: Numbers of games, ascending.
        seconds: Seconds of a measurement.
        repeats: Measurements for each median.
    """
    most = sizes[-1]
    yield partial(_memory, device, most)
    for what, rate, target in (
        ("random play", Games.play_rate, PLAY_TARGET),
        ("steps", Games.step_rate, STEP_TARGET),
    ):
        for players, count in (*((2, size) for size in sizes), (4, most), (6, most)):
            aim = target if (players, count) == (2, most) else 0.0
            yield partial(_alone, what, rate, aim, device, players, count, seconds, repeats)
    if device != "cpu":
        yield partial(_recorded, device, sizes[0], seconds, repeats)
    for workers in sorted({1, usable_cores()}):
        beside = (device, most, workers, seconds, repeats)
        yield partial(_beside_cores, "random play", Games.play_rate, engine_at_random, *beside)
        core_steps = partial(self_play_rate, _CORE_BATCH)
        yield partial(_beside_cores, "steps", Games.step_rate, core_steps, *beside)
    for game in PGX_GAMES:
        yield partial(_beside_pgx, game, device, sizes, seconds, repeats)


def _name(what: str, players: int, count: int) -> str:
    return f"{what}, {players} players, {count:,} games"


def _memory(device: str, count: int) -> Result:
    """Measure the device memory of a game."""
    each = Games(device, 2, count).bytes_each
    return Result(
        _name("memory", 2, count), f"{each:,.0f} bytes", "a game", each, MOST_BYTES, at_least=False
    )


def _alone(
    what: str,
    rate: Callable[[Games, float], float],
    target: float,
    device: str,
    players: int,
    count: int,
    seconds: float,
    repeats: int,
) -> Result:
    """Measure a rate with nothing beside it."""
    games = Games(device, players, count)
    rates = [rate(games, seconds) for _ in range(repeats)]
    return Result.of_rates(_name(what, players, count), rates, target)


def _recorded(device: str, count: int, seconds: float, repeats: int) -> Result:
    """Measure a step recorded as a CUDA graph, beside the same step from Python."""
    games = Games(device, 2, count)
    replay = games.recorded()
    ours, plain = [], []
    for _ in range(repeats):
        ours.append(count / games.seconds_of(replay, seconds))
        plain.append(games.step_rate(seconds))
    what = _name("steps as a CUDA graph", 2, count)
    return Result.of_turns(what, ours, plain, "launched by Python", 0.0)


def _beside_cores(
    what: str,
    rate: Callable[[Games, float], float],
    core_rate: Callable[[float], float],
    device: str,
    count: int,
    workers: int,
    seconds: float,
    repeats: int,
) -> Result:
    """Measure a rate beside that of some cores of this machine, a process on each."""
    games = Games(device, 2, count)
    ours, theirs = [], []
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        _core_rates(pool, core_rate, workers, 0.01)  # starts the processes
        for _ in range(repeats):
            ours.append(rate(games, seconds))
            theirs.append(sum(_core_rates(pool, core_rate, workers, seconds)))
    beside = f"{workers} cores" if workers > 1 else "1 core"
    return Result.of_turns(_name(what, 2, count), ours, theirs, beside, 0.0)


def _core_rates(
    pool: Executor, rate: Callable[[float], float], workers: int, seconds: float
) -> list[float]:
    return list(pool.map(rate, [seconds] * workers))


def _beside_pgx(
    game: str, device: str, sizes: tuple[int, ...], seconds: float, repeats: int
) -> Result:
    """Measure steps beside those of a game of Pgx, with the best of these numbers of games."""
    peers = [PgxGames(game, size) for size in sizes]
    best = max(peers, key=lambda peer: peer.rate(seconds / 4))
    games = Games(device, 2, sizes[-1])
    ours, theirs = [], []
    for _ in range(repeats):
        ours.append(games.step_rate(seconds))
        theirs.append(best.rate(seconds))
    what = _name("steps", 2, sizes[-1])
    return Result.of_turns(what, ours, theirs, f"Pgx {game}, {best.count:,} games", 0.0)


class PgxGames:
    """A game of Pgx under random legal play, in one compiled call a step.

    The call draws the actions, steps with `auto_reset`, and returns the whole state, with the
    observations and the legal actions, as Pgx's documentation shows.

    Attributes:
        count: Number of games.
    """

    def __init__(self, game: str, count: int) -> None:
        """Compile the step of a game; raises `MissingPeerError` without Pgx or JAX."""
        try:
            jax, pgx = importlib.import_module("jax"), importlib.import_module("pgx")
            auto_reset = importlib.import_module("pgx.experimental").auto_reset
        except ImportError as error:
            raise MissingPeerError(f"{error}: `pip install pgx jax[cuda13]` brings it") from error
        self.count, self._wait = count, jax.block_until_ready
        env = pgx.make(game)
        step = auto_reset(env.step, env.init)

        def advance(state: Any, key: Any) -> tuple[Any, Any]:
            key, drawing, stepping = jax.random.split(key, 3)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
            actions = jax.random.categorical(drawing, logits)
            return jax.vmap(step)(state, actions, jax.random.split(stepping, count)), key

        self._advance = jax.jit(advance, donate_argnums=0)
        state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(SEED), count))
        self._state = self._wait(self._advance(state, jax.random.PRNGKey(SEED + 1)))

    def rate(self, seconds: float) -> float:
        """Return the steps a second."""
        calls = 1
        while True:
            began = perf_counter()
            for _ in range(calls):
                self._state = self._advance(*self._state)
            self._wait(self._state)
            took = perf_counter() - began
            if took >= seconds / 2:
                return calls * self.count / took
            calls = max(2 * calls, int(calls * seconds / took))
