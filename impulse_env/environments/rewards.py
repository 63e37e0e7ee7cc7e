"""Rewards of the seats of many games, as arrays, for training and value targets."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine.constants import NO_SEAT
from impulse_env.options import Options

REWARDS: Final = ("win", "score")
"""The kinds of reward: the outcome only, or also every change of the lead in points."""


def win_rewards(states: np.ndarray, seats: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the reward of a seat at each game's end, 0 while it runs; zero-sum over the seats.

    Each winner gets 1, and the losers share the opposite. A truncated game gives 0.

    Args:
        states: Games, shape ``(n,)``.
        seats: A seat of each, shape ``(n,)``.

    Returns:
        Shape ``(n,)``, float32.
    """
    return outcome_rewards(states, seats).astype(np.float32)


def outcome_rewards(states: np.ndarray, seats: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the rewards of `win_rewards` as float64; games and seats are broadcast.

    ``outcome_rewards(states[:, None], np.arange(players))`` gives the reward of every seat.
    """
    winners = states["players"] // states["teams"]  # the members of a team
    has_won = states["winner"] == seats % states["teams"]
    has_lost = (states["winner"] >= 0) & ~has_won
    share = winners / (states["players"] - winners)
    return np.where(has_won, 1.0, np.where(has_lost, -share, 0.0))


def coalition_rewards(states: np.ndarray, targets: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the reward of every seat of a coalition at each game's end, 0 while it runs.

    The coalition is all seats but the target, in a game without teams. It is paid like a team: each
    of its seats gets 1 if any of them wins. If the target wins, each pays its share of the target's
    1. A truncated game gives 0.

    Args:
        states: Games, shape ``(n,)``.
        targets: The target's seat in each, shape ``(n,)``.

    Returns:
        Shape ``(n,)``, float32.
    """
    winners = states["winner"]
    lost = np.where(winners == targets, -1 / (states["players"] - 1), 1.0)
    return np.where(winners == NO_SEAT, 0.0, lost).astype(np.float32)


def payments(options: Options) -> NDArray[np.float64]:
    """Return the reward of every seat for each way in which a game can end.

    Args:
        options: The options of the game.

    Returns:
        A row for each team (without teams: each seat) that wins, and a last row for no winner, as
        `NO_SEAT` is -1; shape ``(teams + 1, players)``.
    """
    winners = (*range(options.team_count), NO_SEAT)
    ends = options.new_states([0] * len(winners))
    ends["winner"] = winners
    return outcome_rewards(ends[:, None], np.arange(options.players))


def score_margins(states: np.ndarray, seats: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return a seat's points minus its opponents' mean, divided by the target, shape ``(n,)``."""
    players, teams = int(states["players"][0]), int(states["teams"][0])
    margins = score_rewards(states["score"][:, :players], teams, states["target_score"])
    return margins[np.arange(len(states)), seats].astype(np.float32)


def score_rewards(
    gains: NDArray[np.integer[Any]], teams: int, target_scores: NDArray[np.integer[Any]]
) -> NDArray[np.float64]:
    """Return the reward of points: a seat's own minus its opponents' mean, divided by the target.

    The rewards of a game add up to 0. For whole scores the result is the margin; for the points of
    one decision it is the reward of ``reward="score"``.

    Args:
        gains: Points by seat, shape ``(n, players)``.
        teams: Number of teams; without teams, the number of players.
        target_scores: Points needed to win each game, shape ``(n,)``.

    Returns:
        Shape ``(n, players)``, float64.
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
    """Return the returns of decisions in an environment with a kind of reward, shape ``(n,)``.

    Args:
        wins: The reward of each game's end for the seat that decides, shape ``(n,)``.
        score_returns: The rewards of the points after each decision, shape ``(n,)``.
        reward: One of `REWARDS`.
    """
    return wins + score_returns if reward == "score" else wins
