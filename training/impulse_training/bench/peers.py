"""How fast other game environments run, for `impulse bench --peers` to compare with ours.

Each function measures one peer on wall time and says exactly what it counts, a second. A
measurement takes about `seconds`, after a warm-up a quarter as long.
"""

import importlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from impulse_env.errors import ImpulseError
from impulse_training.bench.batched import aec_decisions

GAMES_A_ROUND = 100  # OpenSpiel games between two looks at the clock
SEED = 7


class MissingPeerError(ImpulseError, ImportError):
    """A peer to compare with is not installed."""


def openspiel_gin_rummy(seconds: float, fresh: bool = False) -> float:
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

    return _rate(measure, seconds)


def envpool_backgammon(batch: int, threads: int, seconds: float) -> float:
    """Measure EnvPool's Backgammon-v1 under uniformly random legal play.

    On the clock is `step(actions)` alone, which returns the observation, the reward, the two ends
    and, in `info`, the mask of legal actions; choosing the actions is not. Counted are the steps
    that play: the step after a game's end only resets it, takes time and does not count.

    `threads` are EnvPool's workers. Where the system allows, the process is limited to as many
    cores, to the peer's advantage. Worker and Python take turns, and waking each other across cores
    costs a batch of 1 two thirds of its speed.
    """
    envpool = _load("envpool")
    rng = np.random.default_rng(SEED)
    with _held_to_cores(threads):  # before `make`: new threads inherit it
        env = envpool.make(
            "Backgammon-v1", env_type="gymnasium", num_envs=batch, num_threads=threads, seed=SEED
        )
        mask = env.reset()[1]["legal_action_mask"]

        def measure(limit: float) -> tuple[int, float]:
            nonlocal mask
            steps, stepping, end = 0, 0.0, perf_counter() + limit
            while perf_counter() < end:
                # Legal actions draw from [1, 2), the others from [0, 1).
                draws = rng.random(mask.shape, dtype=np.float32) + mask
                actions = draws.argmax(axis=1).astype(np.int32)
                began = perf_counter()
                info = env.step(actions)[4]
                stepping += perf_counter() - began
                mask = info["legal_action_mask"]
                steps += int(np.count_nonzero(info["elapsed_step"]))
            return steps, stepping

        rate = _rate(measure, seconds)
        env.close()
    return rate


def pettingzoo_connect_four(seconds: float) -> float:
    """Measure PettingZoo's connect_four in the loop that its documentation shows.

    It runs on `env()` with its three wrappers; `aec_decisions` says what is counted.
    """
    # pygame greets on standard output, in the middle of the table.
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    # Not `connect_four_v3`, which only adds a warning that `make` (same wrappers) replaces it.
    env = _load("pettingzoo.classic.connect_four.connect_four").env()
    return _rate(partial(aec_decisions, env), seconds)


def _load(module: str) -> Any:
    """Import a peer, or say which extra brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingPeerError(f"{error}: `pip install impulse-env[bench]` brings it") from error


def _rate(measure: Callable[[float], tuple[int, float]], seconds: float) -> float:
    """Return the count a second; `measure(limit)` gives a count and its seconds."""
    measure(seconds / 4)
    count, elapsed = measure(seconds)
    return count / elapsed


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
