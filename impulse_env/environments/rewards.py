"""What the seats of many games are paid, as arrays: for training and trained values."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

REWARDS: Final = ("win", "score")
"""What may be paid: the outcome alone, or with it every change of the lead in points."""


def win_rewards(states: np.ndarray, seats: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return what each game's end pays to that seat, 0 while it runs; zero-sum over the seats.

    Winners get 1 and the losers share the loss. A truncated game pays nothing.

    Args:
        states: Games, shape ``(n,)``.
        seats: A seat of each, shape ``(n,)``.
    """
    winners = states["players"] // states["teams"]  # as many as a team has members
    has_won = states["winner"] == seats % states["teams"]
    has_lost = (states["winner"] >= 0) & ~has_won
    share = winners / (states["players"] - winners)
    return np.where(has_won, 1, np.where(has_lost, -share, 0)).astype(np.float32)


def score_margins(states: np.ndarray, seats: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return own points minus the mean of the opponents', over the target, shape ``(n,)``."""
    players = int(states["players"][0])
    scores = states["score"][:, :players]
    enemies = np.arange(players) % states["teams"][:, None] != (seats % states["teams"])[:, None]
    own = scores[np.arange(len(states)), seats]
    return ((own - scores.mean(1, where=enemies)) / states["target_score"]).astype(np.float32)
