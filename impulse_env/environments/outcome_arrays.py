"""What environments tell of games that ended, as arrays with a row for each game."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.batch import NOBODY
from impulse_env.compiled.compilation import jit, jit_internal, plain
from impulse_env.engine.constants import TRUNCATED, State
from impulse_env.observation import encode
from impulse_env.outcomes import END_BY_STATUS

ILLEGAL_END: Final = "illegal"
"""An illegal action ended the episode."""
ENDS: Final = ("", *END_BY_STATUS.values(), ILLEGAL_END)
"""How episodes end, by their number in the info; 0 before the end."""
_ILLEGAL: Final = ENDS.index(ILLEGAL_END)
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


@jit_internal
def _tell(
    state: State,
    refused: bool,
    game: int,
    end: NDArray[np.int8],
    winners: NDArray[np.int8],
    scores: NDArray[np.int16],
    turns: NDArray[np.int16],
) -> None:
    """Write how one game ended into the row `game` of the arrays, see `outcomes`."""
    end[game] = _ILLEGAL if refused else _NUMBER_BY_STATUS[state["status"]]
    turns[game] = state["turn"]
    teams = int(state["teams"])
    for seat in range(int(state["players"])):
        winners[game, seat] = not refused and seat % teams == state["winner"]
        scores[game, seat] = state["score"][seat]


def outcomes(state: np.void, *, refused: bool) -> dict[str, NDArray[Any]]:
    """Return how a game ended.

    Args:
        state: Its record.
        refused: Whether an illegal action ended it, whatever the record says.

    Returns:
        ``end``, index into `ENDS`, shape ``(1,)``; ``winners``, 1 for each seat that won, and
        ``scores``, points by seat, shape ``(1, players)``; ``turns``, player turns completed,
        shape ``(1,)``.
    """
    told = no_outcomes(1, int(state["players"]))
    plain(_tell)(state, refused, 0, *told.values())
    return told


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
    """Write what is told of every game that is over, or whose action was refused.

    Compiled, for a few games end in every step of many, and dozens of numpy's calls for them would
    be a tenth of what the step takes.

    Args:
        states: The games, shape ``(n,)``.
        own: Whose environment it is in each, shape ``(n,)``.
        refused: Where an illegal action ends the episode, whatever the game says, shape ``(n,)``.
        seats: As of `GameBatch`; nobody decides in the games that end.
        masks: As of `GameBatch`; nothing is legal there.
        observations: As of `GameBatch`; there, what the own seat sees.
        end: As `outcomes` tells it; so the next three.
        winners: Who won.
        scores: Their points.
        turns: Turns completed.
        payments: What an end pays, by the winner (in the last row nobody) and the own seat; in the
            last column what an illegal action pays.
        is_over: Filled with what ends, shape ``(n,)``.
        truncations: Filled with what was truncated, shape ``(n,)``.
        rewards: Filled with what the ends pay, shape ``(n,)``, 0 elsewhere.
    """
    for game in range(len(states)):
        is_over[game] = refused[game] or seats[game] == NOBODY
        truncations[game] = False
        rewards[game] = 0.0
        if not is_over[game]:
            continue
        state = states[game]
        _tell(state, refused[game], game, end, winners, scores, turns)
        truncations[game] = not refused[game] and state["status"] == TRUNCATED
        paid = payments[state["winner"]]  # NO_SEAT is -1, the last row
        rewards[game] = paid[len(paid) - 1] if refused[game] else paid[own[game]]
        encode(state, own[game], observations[game])
        seats[game] = NOBODY
        masks[game] = 0
