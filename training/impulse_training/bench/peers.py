"""How fast other game environments run, for `make bench` to compare with ours.

Each function measures one peer on wall time and says exactly what it counts. A measurement takes
about `seconds`, after a warm-up a quarter as long; the median of `repeats` counts, slowest and
fastest show how busy the machine was. `impulse bench --peers` prints them.
"""

import importlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from impulse_env.errors import ImpulseError

GAMES_A_ROUND = 100  # OpenSpiel games between two looks at the clock
SEED = 7


class MissingPeerError(ImpulseError, ImportError):
    """A peer to compare with is not installed."""


@dataclass(frozen=True)
class Rate:
    """The speed of one peer; the numbers are per second."""

    peer: str
    unit: str
    per_second: float  # the median
    slowest: float
    fastest: float
    choice_share: float = 0.0  # time spent choosing actions, not counted, as a part of the rest


def openspiel_gin_rummy(seconds: float, repeats: int = 5, fresh: bool = False) -> Rate:
    """Measure OpenSpiel's random games of gin rummy, played in C++ from the deal to the end.

    `evaluate_bots` plays a game of two `UniformRandomBot`s; Python calls it once a game. `MCTSBot`
    with a `RandomRolloutEvaluator` is as fast, but cannot start at the deal and hides the count.

    Counted are the players' decisions, exactly, from the finished histories (off the clock), with
    the forced ones (1 in 100). The about 48 chance nodes of a game take time and count as none.

    `fresh` games start with `new_initial_state()`, as in OpenSpiel's own `benchmark_game`. That
    call takes about twice as long as the game that follows; the others clone one initial state.
    """
    pyspiel = _load("pyspiel")
    game = pyspiel.load_game("gin_rummy")
    start = game.new_initial_state if fresh else game.new_initial_state().clone
    bots = [pyspiel.make_uniform_random_bot(seat, SEED + seat) for seat in range(2)]
    seeds = iter(range(SEED, 2**31))

    def measure(limit: float) -> tuple[int, float]:
        decisions, elapsed = 0, 0.0
        while elapsed < limit:
            began = perf_counter()
            games = [start() for _ in range(GAMES_A_ROUND)]
            for state in games:
                pyspiel.evaluate_bots(state, bots, next(seeds))
            elapsed += perf_counter() - began
            decisions += sum(move.player >= 0 for state in games for move in state.full_history())
        return decisions, elapsed

    name = f"OpenSpiel gin_rummy, {'new' if fresh else 'cloned'} initial states"
    return Rate(name, "decisions", *_summary(measure, seconds, repeats))


def envpool_backgammon(batch: int, threads: int, seconds: float, repeats: int = 5) -> Rate:
    """Measure EnvPool's Backgammon-v1 under uniformly random legal play.

    On the clock is `step(actions)` alone, which returns the observation, the reward, the two ends
    and, in `info`, the mask of legal actions. Choosing the actions, vectorised over the masks, is
    timed apart. Counted are the steps that play: the step after a game's end only resets it,
    takes time and does not count.

    `threads` are EnvPool's workers. The process is held to as many cores, where the system allows,
    to the peer's advantage: worker and Python take turns, and waking each other across cores
    costs a batch of 1 two thirds of its speed.
    """
    envpool = _load("envpool")
    rng = np.random.default_rng(SEED)
    shares = []
    with _held_to_cores(threads):  # before `make`: new threads inherit it
        env = envpool.make(
            "Backgammon-v1", env_type="gymnasium", num_envs=batch, num_threads=threads, seed=SEED
        )
        mask = env.reset()[1]["legal_action_mask"]

        def measure(limit: float) -> tuple[int, float]:
            nonlocal mask
            steps, choosing, stepping = 0, 0.0, 0.0
            while choosing + stepping < limit:
                began = perf_counter()
                # Legal actions draw from [1, 2), the others from [0, 1).
                draws = rng.random(mask.shape, dtype=np.float32) + mask
                actions = draws.argmax(axis=1).astype(np.int32)
                chosen = perf_counter()
                info = env.step(actions)[4]
                stepping += perf_counter() - chosen
                choosing += chosen - began
                mask = info["legal_action_mask"]
                steps += int(np.count_nonzero(info["elapsed_step"]))
            shares.append(choosing / stepping)
            return steps, stepping

        summary = _summary(measure, seconds, repeats)
        env.close()
    name = f"EnvPool Backgammon-v1, batch {batch}, threads {threads}"
    return Rate(name, "steps", *summary, choice_share=median(shares))


def pettingzoo_connect_four(seconds: float, repeats: int = 5) -> Rate:
    """Measure PettingZoo's connect_four in the loop that its documentation shows.

    `last()`, a random legal action from `action_space(agent).sample(mask)`, `step`, on `env()`
    with its three wrappers. Counted are the actions played; resets and the two `step(None)` after
    a game's end take time and do not count.
    """
    # pygame greets on standard output, in the middle of the table.
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    # Not `connect_four_v3`, which only adds a warning that `make` (same wrappers) replaces it.
    env = _load("pettingzoo.classic.connect_four.connect_four").env()
    env.reset(seed=SEED)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(SEED + number)

    def measure(limit: float) -> tuple[int, float]:
        decisions, elapsed, began = 0, 0.0, perf_counter()
        while elapsed < limit:
            env.reset()
            for agent in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    env.step(env.action_space(agent).sample(observation["action_mask"]))
                    decisions += 1
            elapsed = perf_counter() - began
        return decisions, elapsed

    return Rate("PettingZoo connect_four env()", "decisions", *_summary(measure, seconds, repeats))


def _load(module: str) -> Any:
    """Import a peer, or say which extra brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingPeerError(f"{error}: `pip install impulse-env[bench]` brings it") from error


def _summary(
    measure: Callable[[float], tuple[int, float]], seconds: float, repeats: int
) -> tuple[float, float, float]:
    """Median, lowest and highest count a second; `measure(limit)` gives a count and its seconds."""
    measure(seconds / 4)
    rates = [count / elapsed for count, elapsed in (measure(seconds) for _ in range(repeats))]
    return median(rates), min(rates), max(rates)


@contextmanager
def _held_to_cores(count: int) -> Iterator[None]:
    """Hold this thread, and those it starts, to the last `count` of its cores (Linux only)."""
    if hasattr(os, "sched_setaffinity"):
        allowed = os.sched_getaffinity(0)
        os.sched_setaffinity(0, sorted(allowed)[-count:])
    try:
        yield
    finally:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, allowed)


def main(seconds: float = 1.0, repeats: int = 5) -> None:
    """Measure every peer and print a table."""
    print(f"{'peer':<46}{'median/s':>10}{'slowest':>10}{'fastest':>10}  unit")
    for measured in (
        partial(openspiel_gin_rummy, seconds, repeats),
        partial(openspiel_gin_rummy, seconds, repeats, fresh=True),
        *(partial(envpool_backgammon, size, 1, seconds, repeats) for size in (1, 64, 1024)),
        partial(pettingzoo_connect_four, seconds, repeats),
    ):
        try:
            rate = measured()
        except MissingPeerError as error:
            print(error)
            continue
        figures = f"{rate.per_second:>10,.0f}{rate.slowest:>10,.0f}{rate.fastest:>10,.0f}"
        note = f" (choosing: {rate.choice_share:.0%} more time)" if rate.choice_share else ""
        print(f"{rate.peer:<46}{figures}  {rate.unit}{note}")


if __name__ == "__main__":
    main()
