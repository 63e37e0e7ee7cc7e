"""How fast the environment is, each figure beside the one that it has to reach.

`impulse bench` measures speed, memory, compilation and copying; with `--peers` (what `make bench`
does) it also runs other environments and prints each of ours as a ratio. Ours and the peer take
turns, so that a busy machine slows down both; a value is the median of their ratios.
"""

import tempfile
import threading
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import ObservationBatch
from impulse_agents.heuristics.random_agent import RandomAgent
from impulse_agents.rng import RngStreams
from impulse_env import impulse_v0
from impulse_env.batch import GameBatch, copy_games, play_at_random
from impulse_env.compiled.shipped_code import levels
from impulse_env.engine.state import STATE
from impulse_env.options import Options
from impulse_training.bench import peers
from impulse_training.bench.batched import aec_decisions, self_play_rate, vector_env_rate
from impulse_training.bench.first_step import Start, starts
from impulse_training.statistics.intervals import median_interval

PLAYERS: Final = 2
SEED: Final = 7
RANDOM_GAMES: Final = 200  # played at random between two looks at the clock
BATCHES: Final = (1, 64, 1024)
DECISIONS_RECORDED: Final = 40_000  # by a batch before its replay is timed, at least 40 each
COPIED_GAMES: Final = 256
MANY_GAMES: Final = 100_000

ENGINE_TARGET: Final = 15.0
BATCH_TARGET: Final = 6.0
SELF_PLAY_TARGET: Final = 5.0
VECTOR_TARGET: Final = 5.0
AEC_TARGET: Final = 5.0
TWO_CORES_TARGET: Final = 1.7
FALLING_TARGET: Final = 0.9  # "not falling": within the noise of a shared machine
COPY_TARGET_US: Final = 1.0
START_TARGETS_S: Final = {"cold": 30.0, "warm": 1.0, "wheel": 5.0}
STARTS: Final = {
    "cold": "processor seconds to compile and take a first step",
    "warm": "seconds to a first step, compiled before",
    "wheel": "seconds to a first step, with a wheel's code",
}
MEMORY_TARGET_MB: Final = 400.0


@dataclass(frozen=True)
class Result:
    """One line of the report."""

    what: str
    ours: str
    peer: str
    value: float  # what is compared with the target
    target: float
    at_least: bool = True  # otherwise at most
    low: float | None = None  # lower end of the value's 95 % interval; None without one
    high: float | None = None  # upper end
    rate: float | None = None  # ours, decisions a second
    rate_low: float | None = None  # lower end of its 95 % interval
    rate_high: float | None = None  # upper end
    peer_rate: float | None = None  # what stands beside it, decisions a second
    unit: str = "x"  # of the value: a ratio

    @classmethod
    def of_rates(cls, what: str, rates: list[float], target: float) -> "Result":
        """Return the line of our rates, with nothing beside them."""
        ends = median_interval(rates) or (None, None)
        low, high = (None if end is None else end / 1e6 for end in ends)
        middle = median(rates)
        return cls(
            what,
            f"{middle:,.0f}/s",
            "millions a second",
            middle / 1e6,
            target / 1e6,
            unit="M",
            low=low,
            high=high,
            rate=middle,
            rate_low=ends[0],
            rate_high=ends[1],
        )

    @classmethod
    def of_turns(
        cls, what: str, ours: list[float], theirs: list[float], beside: str, target: float
    ) -> "Result":
        """Return the line of our rates and of those measured in turns with them, named `beside`."""
        ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
        low, high = median_interval(ratios) or (None, None)
        rate_low, rate_high = median_interval(ours) or (None, None)
        return cls(
            what,
            f"{median(ours):,.0f}/s",
            f"{beside} {median(theirs):,.0f}/s".strip(),
            median(ratios),
            target,
            low=low,
            high=high,
            rate=median(ours),
            rate_low=rate_low,
            rate_high=rate_high,
            peer_rate=median(theirs),
        )

    @property
    def has_passed(self) -> bool:
        """Whether the target is reached."""
        return self.value >= self.target if self.at_least else self.value <= self.target


# --- What is timed: each function returns decisions a second, or seconds -------------------------


def engine_at_random(seconds: float) -> float:
    """Return the decisions a second of whole random games in compiled code, on one core.

    Making the records and dealing them is on the clock. Choices with one legal answer are made by
    the engine and do not count.
    """
    rng = np.random.default_rng(SEED)
    options = Options(players=PLAYERS)
    decisions, elapsed = 0, 0.0
    while elapsed < seconds:
        randomness = rng.integers(1, 2**63, RANDOM_GAMES).astype(np.uint64)
        seeds = rng.integers(2**63, size=RANDOM_GAMES)
        began = perf_counter()
        decisions += int(play_at_random(options.new_states(seeds), randomness).sum())
        elapsed += perf_counter() - began
    return decisions / elapsed


@dataclass(frozen=True)
class Recording:
    """Random play of a batch, to be repeated with nothing on the clock but `step` and `restart`.

    Attributes:
        start: The batch before the first step.
        moves: For each step its actions, then the games that were over and their new seeds.
        decisions: How many actions were played.
    """

    start: GameBatch
    moves: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]
    decisions: int

    @classmethod
    def of_random_play(cls, size: int, seed: int = SEED) -> "Recording":
        """Record uniformly random play, once the games of the batch have drifted apart."""
        rng = np.random.default_rng(seed)
        agent, streams = RandomAgent(), RngStreams.from_generator(rng, size)
        batch = GameBatch(Options(players=PLAYERS), rng.integers(2**63, size=size))
        steps = max(40, DECISIONS_RECORDED // size)
        start = batch
        moves: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]] = []
        for step in range(200 + steps):
            if step == 200:
                start, moves = deepcopy(batch), []
            actions = agent.act(ObservationBatch.from_batch(batch), streams)
            batch.step(actions)
            over = np.flatnonzero(batch.seats < 0)
            seeds = rng.integers(2**63, size=len(over))
            if len(over):
                batch.restart(over, seeds)
            moves.append((actions, over, seeds))
        return cls(start, moves, steps * size)

    def play(self) -> tuple[int, float]:
        """Play it again; return decisions and seconds.

        On the clock: the rules, the observation of the seat that decides next, its mask, and new
        games for those that are over.
        """
        batch = deepcopy(self.start)
        began = perf_counter()
        for actions, over, seeds in self.moves:
            batch.step(actions)
            if len(over):
                batch.restart(over, seeds)
        return self.decisions, perf_counter() - began

    def rate(self, seconds: float) -> float:
        """Return the decisions a second on one core."""
        decisions, elapsed = 0, 0.0
        while elapsed < seconds:
            count, took = self.play()
            decisions += count
            elapsed += took
        return decisions / elapsed


def two_threads(recordings: tuple[Recording, Recording], seconds: float) -> float:
    """Return the decisions a second of two batches, each in a thread of its own."""
    rates = [0.0, 0.0]
    ready = threading.Barrier(2)

    def work(index: int) -> None:
        ready.wait()
        rates[index] = recordings[index].rate(seconds)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(rates)


def aec_loop(seconds: float) -> float:
    """Return the decisions a second of `env()` in the loop of PettingZoo's documentation."""
    decisions, elapsed = aec_decisions(impulse_v0.env(players=PLAYERS), seconds)
    return decisions / elapsed


def copy_seconds() -> float:
    """Return the seconds that copying one game takes, in a batch of `COPIED_GAMES`."""
    states = GameBatch(Options(players=PLAYERS), range(COPIED_GAMES)).states
    times = []
    for _ in range(500):
        began = perf_counter()
        copied = copy_games(states)
        times.append(perf_counter() - began)
        del copied
    return median(times) / COPIED_GAMES


# --- The report ----------------------------------------------------------------------------------


def take_turns(*measured: Callable[[], float], repeats: int) -> list[list[float]]:
    """Measure each in turn, `repeats` times, after one round that does not count.

    Returns:
        The rates of each, in the order of the rounds. Rates of the same round were measured under
        about the same load.
    """
    rounds = [[measure() for measure in measured] for _ in range(repeats + 1)][1:]
    return [list(column) for column in zip(*rounds, strict=True)]


def compare_with(
    what: str,
    ours: Callable[[], float],
    peer_name: str,
    peer: Callable[[], float],
    target: float,
    repeats: int,
) -> Result:
    """Measure ours and a peer in turns and compare them."""
    mine, theirs = take_turns(ours, peer, repeats=repeats)
    return Result.of_turns(what, mine, theirs, peer_name, target)


def peer_results(
    recordings: dict[int, Recording], seconds: float, repeats: int
) -> Iterator[Callable[[], Result]]:
    """Yield what compares us with other environments."""

    def against_gin_rummy(fresh: bool) -> Result:
        return compare_with(
            "engine, random play, 1 core",
            lambda: engine_at_random(seconds),
            f"OpenSpiel gin_rummy, {'fresh' if fresh else 'cloned'}",
            partial(peers.openspiel_gin_rummy, seconds, fresh),
            ENGINE_TARGET,
            repeats,
        )

    def against_backgammon(what: str, ours: Callable[[], float], target: float) -> Result:
        return compare_with(
            what,
            ours,
            f"EnvPool Backgammon-v1, batch {BATCHES[-1]}",
            partial(peers.envpool_backgammon, BATCHES[-1], 1, seconds),
            target,
            repeats,
        )

    for fresh in (False, True):
        yield partial(against_gin_rummy, fresh)
    for size, recording in recordings.items():
        yield partial(
            against_backgammon,
            f"step, observation, mask: batch {size}, 1 core",
            partial(recording.rate, seconds),
            BATCH_TARGET if size == BATCHES[-1] else 0.0,
        )
    yield partial(
        against_backgammon,
        f"every seat, rewards, new games: batch {BATCHES[-1]}",
        lambda: self_play_rate(BATCHES[-1], seconds),
        SELF_PLAY_TARGET,
    )
    yield partial(
        against_backgammon,
        f"make_vec, one seat against random: batch {BATCHES[-1]}",
        lambda: vector_env_rate(BATCHES[-1], seconds),
        VECTOR_TARGET,
    )
    yield lambda: compare_with(
        "AEC loop: last, sample, step",
        lambda: aec_loop(seconds),
        "PettingZoo connect_four",
        partial(peers.pettingzoo_connect_four, seconds),
        AEC_TARGET,
        repeats,
    )


def speed_results(
    recordings: dict[int, Recording], seconds: float, repeats: int
) -> Iterator[Callable[[], Result]]:
    """Yield what compares us with ourselves."""

    def not_falling() -> Result:
        *smaller, largest = take_turns(
            *(lambda r=r: r.rate(seconds) for r in recordings.values()), repeats=repeats
        )
        what = "batch 1024 against the best of 1 and 64"
        return Result.of_turns(what, largest, max(smaller, key=median), "", FALLING_TARGET)

    def on_two_cores() -> Result:
        largest = recordings[BATCHES[-1]]
        pair = largest, Recording.of_random_play(BATCHES[-1], SEED + 1)
        one, two = take_turns(
            lambda: largest.rate(seconds), lambda: two_threads(pair, seconds), repeats=repeats
        )
        what = "two batches of 1024 in two threads against one"
        return Result.of_turns(what, two, one, "", TWO_CORES_TARGET)

    yield not_falling
    yield on_two_cores


def cost_results(with_starts: bool) -> Iterator[Callable[[], Result]]:
    """Yield what may cost at most so much."""

    def copying() -> Result:
        value = copy_seconds() * 1e6
        return Result(
            f"copying a game, batch of {COPIED_GAMES}, µs", "", "", value, COPY_TARGET_US, False
        )

    def memory() -> Result:
        value = Options(players=PLAYERS).new_states(range(MANY_GAMES)).nbytes / 1e6
        each = f"{STATE.itemsize:,} bytes each"
        return Result(f"{MANY_GAMES:,} games, MB", each, "", value, MEMORY_TARGET_MB, False)

    def first_step(measured: Iterator[Start]) -> Result:
        start = next(measured)
        value = start.processor if start.how == "cold" else start.seconds
        return Result(STARTS[start.how], "", "", value, START_TARGETS_S[start.how], False)

    yield copying
    yield memory
    if with_starts:
        with tempfile.TemporaryDirectory() as folder:
            measured = starts(Path(folder))
            for _ in STARTS if levels() else ("cold", "warm"):
                yield partial(first_step, measured)


def measurements(
    with_peers: bool, with_starts: bool, seconds: float, repeats: int
) -> Iterator[Callable[[], Result]]:
    """Yield everything that is measured, one after the other; each has to be called at once.

    Args:
        with_peers: Whether other environments are measured too; `MissingPeerError` is raised by
            what is yielded if one is not installed.
        with_starts: Whether a first step is timed in fresh processes.
        seconds: Length of one measurement.
        repeats: Measurements for each median.
    """
    recordings = {size: Recording.of_random_play(size) for size in BATCHES}
    if with_peers:
        yield from peer_results(recordings, seconds, repeats)
    yield from speed_results(recordings, seconds, repeats)
    yield from cost_results(with_starts)
