"""What the seats of many games are paid, as arrays: for training and trained values."""

from typing import Any, Final

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
    return outcome_rewards(states, seats).astype(np.float32)


def outcome_rewards(states: np.ndarray, seats: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the same unrounded; games and seats may have any shapes that broadcast.

    ``outcome_rewards(states[:, None], np.arange(players))`` is that of every seat.
    """
    winners = states["players"] // states["teams"]  # as many as a team has members
    has_won = states["winner"] == seats % states["teams"]
    has_lost = (states["winner"] >= 0) & ~has_won
    share = winners / (states["players"] - winners)
    return np.where(has_won, 1.0, np.where(has_lost, -share, 0.0))


def score_margins(states: np.ndarray, seats: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return own points minus the mean of the opponents', over the target, shape ``(n,)``."""
    players, teams = int(states["players"][0]), int(states["teams"][0])
    margins = score_rewards(states["score"][:, :players], teams, states["target_score"])
    return margins[np.arange(len(states)), seats].astype(np.float32)


def score_rewards(
    gains: NDArray[np.integer[Any]], teams: int, target_scores: NDArray[np.integer[Any]]
) -> NDArray[np.float64]:
    """Return what points pay to each seat: its own minus the mean of its opponents', in targets.

    The result adds up to 0 in every game. Of a whole score it is the margin, of the points of one
    decision what ``reward="score"`` pays for that.

    Args:
        gains: Points by seat, shape ``(n, players)``.
        teams: Number of teams; without teams every seat is one.
        target_scores: Points that win each game, shape ``(n,)``.
    """
    players = gains.shape[1]
    gained = gains.astype(np.int64)
    own = gained.reshape(-1, players // teams, teams).sum(1)
    others = gained.sum(1, keepdims=True) - np.tile(own, players // teams)
    opponents = players - players // teams
    return (gained - others / opponents) / target_scores[:, None]


def returns_of(
    wins: NDArray[np.float32], score_returns: NDArray[np.float32], reward: str
) -> NDArray[np.float32]:
    """Return what an environment with that reward pays from decisions on, shape ``(n,)``.

    Args:
        wins: What the ends of their games pay to who decides, shape ``(n,)``.
        score_returns: What the points from there on pay, shape ``(n,)``.
        reward: One of `REWARDS`.
    """
    return wins + score_returns if reward == "score" else wins
