"""Settings that must be in place before numba is imported for the first time."""

import os

import numpy as np
import pytest

# Outside a field of a record lies the next field: without these checks a wrong
# index changes something else and raises nothing. Uncompiled code checks by itself.
if os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0"):
    os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")


def pytest_configure(config: pytest.Config) -> None:
    """Compile once, before several workers would all do so."""
    is_worker = hasattr(config, "workerinput")
    if is_worker or not config.getoption("numprocesses", None):
        return
    from impulse_env import observation
    from impulse_env.game import Game

    game = Game(seed=0)
    game.determinize(0, np.random.default_rng(0))
    observation.observe(game, 0)
    Game.from_bytes(game.to_bytes())
