"""Outcomes of finished games in environments, as arrays with a row for each game."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.batch import NOBODY
from impulse_env.compiled.compilation import jit, jit_internal, plain
from impulse_env.engine.constants import TRUNCATED, State
from impulse_env.observation import encode
from impulse_env.outcomes import END_BY_STATUS

ILLEGAL_END: Final = "illegal"
"""The end of an episode with an illegal action."""
ENDS: Final = ("", *END_BY_STATUS.values(), ILLEGAL_END)
"""The ends of episodes, by their number in the info; 0 before the end."""
_ILLEGAL: Final = ENDS.index(ILLEGAL_END)
NUMBER_BY_STATUS: Final = np.array(
    [ENDS.index(END_BY_STATUS.get(status, "")) for status in range(1 + max(END_BY_STATUS))], np.int8
)
"""The end of a game, index into `ENDS`, by the record's ``status``."""


def no_outcomes(games: int, players: int) -> dict[str, NDArray[Any]]:
    """Return the outcome arrays of games that have not ended: all 0, see `outcomes`."""
    return {
        "end": np.zeros(games, np.int8),
        "winners": np.zeros((games, players), np.int8),
        "scores": np.zeros((games, players), np.int16),
        "turns": np.zeros(games, np.int16),
    }


@jit_internal
def _write(
    state: State,
    refused: bool,
    game: int,
    end: NDArray[np.int8],
    winners: NDArray[np.int8],
    scores: NDArray[np.int16],
    turns: NDArray[np.int16],
) -> None:
    """Write the outcome of one game into the row `game` of the arrays, see `outcomes`."""
    end[game] = _ILLEGAL if refused else NUMBER_BY_STATUS[state["status"]]
    turns[game] = state["turn"]
    teams = int(state["teams"])
    for seat in range(int(state["players"])):
        winners[game, seat] = not refused and seat % teams == state["winner"]
        scores[game, seat] = state["score"][seat]


def outcomes(state: np.void, *, refused: bool) -> dict[str, NDArray[Any]]:
    """Return the outcome of a game.

    Args:
        state: Its record.
        refused: Whether an illegal action ended the episode; the record may still be running.

    Returns:
        ``end``, index into `ENDS`, shape ``(1,)``; ``winners``, 1 for each seat that won, and
        ``scores``, points by seat, shape ``(1, players)``; ``turns``, player turns completed,
        shape ``(1,)``.
    """
    outcome = no_outcomes(1, int(state["players"]))
    plain(_write)(state, refused, 0, *outcome.values())
    return outcome


@jit
def end_games(
    states: np.ndarray,
    own: NDArray[np.int64],
    refused: NDArray[np.bool_],
    seats: NDArray[np.int8],
    masks: NDArray[np.int8],
    observations: NDArray[np.uint8],
    end: NDArray[np.int8],
    winners: NDArray[np.int8],
    scores: NDArray[np.int16],
    turns: NDArray[np.int16],
    payments: NDArray[np.float64],
    is_over: NDArray[np.bool_],
    truncations: NDArray[np.bool_],
    rewards: NDArray[np.float64],
) -> None:
    """Write the outcome of every game that is over, or whose action was illegal.

    The function is compiled: a few games end in every step of a large batch, and dozens of numpy
    calls for them would take a tenth of the step's time.

    Args:
        states: The games, shape ``(n,)``.
        own: The own seat in each game, shape ``(n,)``.
        refused: Where an illegal action ends the episode, shape ``(n,)``; the game may still run.
        seats: As in `GameBatch`; set to `NOBODY` where a game ends.
        masks: As in `GameBatch`; set to 0 where a game ends.
        observations: As in `GameBatch`; overwritten with the own seat's where a game ends.
        end: As in `outcomes`, like the next three.
        winners: 1 for each seat that won.
        scores: Points by seat.
        turns: Player turns completed.
        payments: The reward of an end, by the winner (last row: no winner) and the own seat; the
            last column holds the reward of an illegal action.
        is_over: Overwritten with whether each game ends, shape ``(n,)``.
        truncations: Overwritten with whether each game was truncated, shape ``(n,)``.
        rewards: Overwritten with the rewards of the ends, shape ``(n,)``, 0 elsewhere.
    """
    for game in range(len(states)):
        is_over[game] = refused[game] or seats[game] == NOBODY
        truncations[game] = False
        rewards[game] = 0.0
        if not is_over[game]:
            continue
        state = states[game]
        _write(state, refused[game], game, end, winners, scores, turns)
        truncations[game] = not refused[game] and state["status"] == TRUNCATED
        paid = payments[state["winner"]]  # NO_SEAT is -1, the last row
        rewards[game] = paid[len(paid) - 1] if refused[game] else paid[own[game]]
        encode(state, own[game], observations[game])
        seats[game] = NOBODY
        masks[game] = 0
