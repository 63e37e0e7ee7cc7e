"""Compiles everything before it is needed: `impulse warmup`."""

from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

import numpy as np

from impulse_agents import registry
from impulse_agents.network.compiled import evaluate_rows
from impulse_agents.network.compiled_weights import NO_NETWORK
from impulse_env import observation, random_playouts
from impulse_env.batch import GameBatch
from impulse_env.environments.rewards import score_margins, win_rewards
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_training.bench.config import WarmupArgs


def _games() -> None:
    random_playouts(2, seed=0)
    batch = GameBatch(Options(), [0, 1])
    batch.step(batch.masks.argmax(axis=1))
    batch.restart(np.arange(1), [2])


def _one_game() -> None:
    game = Game(seed=0)
    game.determinize(0, np.random.default_rng(0))
    observation.observe(game, 0)
    Game.from_bytes(game.to_bytes())


def _rewards() -> None:
    states, seats = GameBatch(Options(), [0]).states, np.zeros(1, np.int64)
    win_rewards(states, seats)
    score_margins(states, seats)


def _agents() -> None:
    for name in ("core_rush", "greedy", "ismcts:2"):
        registry.make(name).act_in_game(Game(seed=0), np.random.default_rng(0))


def _networks() -> None:
    evaluate_rows(
        NO_NETWORK, np.zeros((0, 1), np.uint8), np.zeros((0, 1), np.int8), needs_values=False
    )


STEPS: Final[dict[str, Callable[[], None]]] = {
    "many games at once": _games,
    "one game, its views, observations and bytes": _one_game,
    "rewards": _rewards,
    "rule-based and searching agents": _agents,
    "networks of trained agents": _networks,
}
"""What is compiled, by what it is for."""


def main(args: WarmupArgs) -> dict[str, Any]:
    """Compile, and print what took how long."""
    seconds = {}
    for number, (what, step) in enumerate(STEPS.items(), 1):
        print(f"{number} of {len(STEPS)}: {what} …", end="", flush=True)
        began = perf_counter()
        step()
        seconds[what] = perf_counter() - began
        print(f" {seconds[what]:.1f} s")
    return {"seconds": seconds}
