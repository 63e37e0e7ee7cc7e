"""A uniformly random player of `Game`, for tests and playthroughs."""

import numpy as np

from impulse_env.game import Game
from impulse_env.replay.transcript import Choose


def random_choice(seed: int) -> Choose:
    """Return a player that takes uniform legal actions; equal seeds give equal players."""
    rng = np.random.default_rng(seed)

    def choose(game: Game) -> int:
        legal = game.legal_actions()
        return legal[int(rng.integers(len(legal)))]

    return choose
