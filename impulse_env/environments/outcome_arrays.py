"""What the info of environments tells of games that ended, as arrays with a row for each game."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.outcomes import END_BY_STATUS

ILLEGAL_END: Final = "illegal"
"""An illegal action ended the episode."""
ENDS: Final = ("", *END_BY_STATUS.values(), ILLEGAL_END)
"""How episodes end, by their number in the info; 0 before the end."""
_NUMBER_BY_STATUS: Final = np.array(
    [ENDS.index(END_BY_STATUS.get(status, "")) for status in range(1 + max(END_BY_STATUS))], np.int8
)


def no_outcomes(games: int, players: int) -> dict[str, NDArray[Any]]:
    """Return what is told of games that have not ended: all 0, see `outcomes`."""
    return {
        "end": np.zeros(games, np.int8),
        "winners": np.zeros((games, players), np.int8),
        "scores": np.zeros((games, players), np.int16),
        "turns": np.zeros(games, np.int16),
    }


def outcomes(states: np.ndarray, refused: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
    """Return how games ended.

    Args:
        states: Games, shape ``(n,)``, n at least 1.
        refused: Where an illegal action ended it, whatever the game says, shape ``(n,)``.

    Returns:
        ``end``, index into `ENDS`, shape ``(n,)``; ``winners``, 1 for each seat that won, and
        ``scores``, points by seat, shape ``(n, players)``; ``turns``, player turns completed,
        shape ``(n,)``.
    """
    players, teams = int(states["players"][0]), int(states["teams"][0])
    ends = np.where(refused, ENDS.index(ILLEGAL_END), _NUMBER_BY_STATUS[states["status"]])
    has_won = states["winner"][:, None] == np.arange(players) % teams
    return {
        "end": ends.astype(np.int8),
        "winners": (has_won & ~refused[:, None]).astype(np.int8),
        "scores": states["score"][:, :players].astype(np.int16),
        "turns": states["turn"].astype(np.int16),
    }
