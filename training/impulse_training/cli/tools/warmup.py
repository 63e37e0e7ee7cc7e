"""The command `impulse tools warmup`: compiles everything in advance."""

import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import wait
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

import impulse_agents
import impulse_env
from impulse_agents import registry
from impulse_agents.network.compiled import NO_NETWORK, evaluate_rows
from impulse_env import observation, random_playouts
from impulse_env.batch import NOBODY, GameBatch
from impulse_env.cache import cache_info
from impulse_env.environments.vector import ImpulseVectorEnv
from impulse_env.game import Game
from impulse_env.information import determinized, view_of
from impulse_env.options import Options
from impulse_env.validation import fault_in
from impulse_training.cli.framework.command import Command
from impulse_training.run.machine.hardware import usable_cores
from impulse_training.run.machine.processes import ProcessPool

COMMAND = Command(examples=("impulse tools warmup",), has_json=True)
_BAR: Final = 30
"""Width of the bar in characters."""
_PAUSE: Final = 0.25
"""Seconds between two updates of the bar."""


@dataclass(frozen=True)
class Args:
    """Compile everything now, once per version and machine, for a quick start of later commands."""


# --- The steps ------------------------------------------------------------------------------------


def _games() -> None:
    random_playouts(2, seed=0)
    batch = GameBatch(Options(), [0, 1])
    batch.step(batch.masks.argmax(axis=1))
    batch.restart(np.arange(1), [2])


def _bytes_of_games() -> None:
    fault_in(Options().new_states([0])[0])


def _views() -> None:
    states = Options().new_states([0])
    view_of(states[0], 0)
    determinized(states[0], 0, np.random.default_rng(0))
    observation.observe_all(states, np.full(1, NOBODY))


def _many_ends() -> None:
    environment = ImpulseVectorEnv(1)
    environment.reset(seed=0)
    environment.step(np.zeros(1, np.int64))


def _agents() -> None:
    for name in ("core_rush", "greedy", "ismcts:2"):
        registry.make(name).act_in_game(Game(seed=0), np.random.default_rng(0))


def _networks() -> None:
    evaluate_rows(
        NO_NETWORK, np.zeros((0, 1), np.uint8), np.zeros((0, 1), np.int8), needs_values=False
    )


def _kernels() -> None:
    from impulse_env.gpu.stored import store_all  # it needs torch

    store_all()


_KERNELS: Final = "kernels for the GPU"
STEPS: Final[dict[str, Callable[[], None]]] = {
    _KERNELS: _kernels,
    "many games at once": _games,
    "bytes of games": _bytes_of_games,
    "views and observations": _views,
    "networks of trained agents": _networks,
}
"""Functions that trigger compilation, by purpose; the slowest come first."""
LATER_STEPS: Final[dict[str, Callable[[], None]]] = {
    "ends of many games": _many_ends,
    "rule-based and searching agents": _agents,
}
"""Steps that play games: they run after `STEPS`, whose compiled code they use."""


# --- On all cores ---------------------------------------------------------------------------------


def main(args: Args) -> dict[str, Any]:
    """Compile on all cores, and print the time of each step."""
    # If no cache folder is writable, this makes a temporary one that the other processes find.
    for package in (impulse_env, impulse_agents):
        cache_info(Path(package.__path__[0]))
    first = [what for what in STEPS if what != _KERNELS or _has_gpu()]
    bar = _Bar(len(first) + len(LATER_STEPS))
    seconds: dict[str, float] = {}
    # Each step runs in its own process: numba numbers functions in the order of compilation, and
    # equal sources must give equal bytes.
    with ProcessPool(usable_cores(), max_tasks_per_child=1) as pool:
        for steps in (first, LATER_STEPS):
            seconds |= _run(steps, pool, bar)
    bar.clear()
    print(f"Everything is compiled, in {bar.seconds:.1f} s.")
    return {"seconds": seconds, "elapsed": bar.seconds}


def _has_gpu() -> bool:
    """Return whether torch is installed and finds a GPU."""
    if find_spec("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()


def _run(steps: Iterable[str], pool: ProcessPool, bar: "_Bar") -> dict[str, float]:
    """Run steps in parallel; return the seconds of each."""
    running = {pool.submit(_timed, what): what for what in steps}
    seconds, waiting = {}, set(running)
    while waiting:
        done, waiting = wait(waiting, timeout=_PAUSE)
        for future in done:
            seconds[running[future]] = future.result()
            bar.report(f"{running[future]}: {future.result():.1f} s")
        bar.show()
    return seconds


def _timed(what: str) -> float:
    """Run a step in this process; return its seconds."""
    began = time.perf_counter()
    (STEPS | LATER_STEPS)[what]()
    return time.perf_counter() - began


class _Bar:
    """A progress bar below the printed lines; invisible without a terminal."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0
        self._began = time.perf_counter()

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._began

    def report(self, sentence: str) -> None:
        """Count a finished step and print a line."""
        self._done += 1
        self.clear()
        print(sentence, flush=True)

    def show(self) -> None:
        if sys.stdout.isatty():
            full = _BAR * self._done // self._total
            bar = "#" * full + "-" * (_BAR - full)
            text = f"\r[{bar}] {self._done} of {self._total}, {self.seconds:.0f} s"
            print(text, end="", flush=True)

    def clear(self) -> None:
        if sys.stdout.isatty():
            print("\r\x1b[K", end="", flush=True)
