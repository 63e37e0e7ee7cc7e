"""Random games to draw, at tables of every kind."""

import numpy as np
import pytest

from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.game import Game
from impulse_env.information import determinized

TABLES = [
    {"players": 2},
    {"players": 3, "races": "draft"},
    {"players": 4, "team_size": 2},
    {"players": 5},
    {"players": 6, "team_size": 2},
    {"players": 6, "team_size": 3},
    {"players": 6},
]
EVERY_TABLE = pytest.mark.parametrize("table", TABLES, ids=str)
MANY_STEPS = pytest.mark.skipif(not IS_COMPILED, reason="plays too long for uncompiled code")


def games(table, seed, steps=300, every=1):
    """Play a random game; yield it at every so many decisions, a tenth as many uncompiled."""
    steps = steps if IS_COMPILED or every >= steps else steps // 10
    game = Game(seed=seed, **table)
    rng = np.random.default_rng(seed)
    for step in range(steps):
        if game.is_over:
            break
        if step % every == 0:
            yield game
        game.step(int(rng.choice(game.legal_actions())))
    yield game


def resampled(game, rng):
    """Resample what each seat does not see; yield the state, and who sees no difference."""
    for seat in range(game.players):
        other = determinized(game.state, seat, rng)
        for by in (seat, None):
            yield other, by
