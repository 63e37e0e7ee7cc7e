"""The command `impulse tools warmup`: compiles everything before it is needed."""

import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import wait
from dataclasses import dataclass
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
"""Characters of the bar."""
_PAUSE: Final = 0.25
"""Seconds between two looks at what is done."""


@dataclass(frozen=True)
class Args:
    """Compile everything now, once for this version and machine, so that nothing waits later."""


# --- What is compiled -----------------------------------------------------------------------------


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


STEPS: Final[dict[str, Callable[[], None]]] = {
    "many games at once": _games,
    "bytes of games": _bytes_of_games,
    "views and observations": _views,
    "networks of trained agents": _networks,
}
"""What is compiled, by what it is for; what takes longest comes first."""
LATER_STEPS: Final[dict[str, Callable[[], None]]] = {
    "ends of many games": _many_ends,
    "rule-based and searching agents": _agents,
}
"""The same for what plays games, so that it finds them compiled."""


# --- On all cores ---------------------------------------------------------------------------------


def main(args: Args) -> dict[str, Any]:
    """Compile on all cores, and print what took how long."""
    # If no folder can be used, a fresh one is made now, which the other processes find.
    for package in (impulse_env, impulse_agents):
        cache_info(Path(package.__path__[0]))
    bar = _Bar(len(STEPS) + len(LATER_STEPS))
    seconds: dict[str, float] = {}
    # Each step in a process of its own: numba's names count what was compiled before, so otherwise
    # equal sources would not give equal bytes.
    with ProcessPool(usable_cores(), max_tasks_per_child=1) as pool:
        for steps in (STEPS, LATER_STEPS):
            seconds |= _run(steps, pool, bar)
    bar.clear()
    print(f"Everything is compiled, in {bar.seconds:.1f} s.")
    return {"seconds": seconds, "elapsed": bar.seconds}


def _run(steps: Iterable[str], pool: ProcessPool, bar: "_Bar") -> dict[str, float]:
    """Compile for those steps side by side; return the seconds of each."""
    running = {pool.submit(_timed, what): what for what in steps}
    seconds, waiting = {}, set(running)
    while waiting:
        done, waiting = wait(waiting, timeout=_PAUSE)
        for future in done:
            seconds[running[future]] = future.result()
            bar.tell(f"{running[future]}: {future.result():.1f} s")
        bar.show()
    return seconds


def _timed(what: str) -> float:
    """Do a step in this process; return its seconds."""
    began = time.perf_counter()
    (STEPS | LATER_STEPS)[what]()
    return time.perf_counter() - began


class _Bar:
    """How many steps are done, on a line of its own below what is told, if there is a terminal."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0
        self._began = time.perf_counter()

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._began

    def tell(self, sentence: str) -> None:
        """Print that a step is done."""
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
