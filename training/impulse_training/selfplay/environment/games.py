"""The games of a training as its loop sees them, whether their rows are arrays or tensors."""

from typing import Any, ClassVar, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine.constants import NO_SEAT, TRUNCATED
from impulse_training.run.machine.stopwatch import Stopwatch
from impulse_training.selfplay.environment.opponent_pool import OpponentPool

CURRENT: Final = 0
"""Index of the current policy in an opponent pool."""
GAMES_PER_ROW: Final = 2
"""Games per decision of a step: about half of the games wait for opponents."""


class Decisions(NamedTuple):
    """The seats that decide in the rows of a step.

    Attributes:
        seats: Global seat numbers ``game * players + seat``, all different but for `NOBODY` in
            rows of `DeviceGames` without a decision, shape ``(width,)``, int64.
        paid: Return of each seat in its game so far, shape ``(width,)``, float32.
    """

    seats: Any
    paid: Any


class Ends(NamedTuple):
    """The policy's seats in games that ended.

    Attributes:
        seats: Global seat numbers, as in `Decisions`, shape ``(k,)``, int64.
        paid: Return of each seat in its game, shape ``(k,)``, float32.
        is_truncated: Whether the game was truncated, shape ``(k,)``, bool.
    """

    seats: Any
    paid: Any
    is_truncated: Any


class Step(NamedTuple):
    """The decisions of a step, and the games that ended before the next decisions."""

    decisions: Decisions
    ends: list[Ends]


class Games(Protocol):
    """Games from which rollouts come.

    Attributes:
        steps: The steps of the rollout so far.
        watch: Times the choices of the opponents, as "opponents".
    """

    steps: list[Step]
    watch: Stopwatch

    def begin(self) -> None:
        """Begin a rollout: clear `steps`."""

    def end(self) -> list[dict[str, Any]]:
        """End a rollout, and describe the games that ended and `step` did not describe."""

    @property
    def decisions(self) -> Decisions:
        """The seats that decide next."""

    def observations(self) -> Any:
        """Return their observations, shape ``(width, size(players))``, uint8."""

    def action_masks(self) -> Any:
        """Return their legal actions, shape ``(width, N_ACTIONS)``, bool."""

    def hands(self) -> Any:
        """Return the hands of all seats in their games, for a critic alone.

        Shape ``(width, MAX_PLAYERS, HAND_SLOTS)``, int8.
        """

    def step(self, actions: Any) -> list[dict[str, Any]]:
        """Play their actions, shape ``(width,)``; describe games that ended, see `report`."""


class TrainingGames(Games, Protocol):
    """Games that a training can save and continue: `SeatGames`, or `DeviceGames`.

    Attributes:
        opponent_pool: The opponents; the first agent represents the policy and is never asked.
        has_points: Whether the descriptions of games tell the sources of points.
    """

    opponent_pool: OpponentPool
    has_points: ClassVar[bool]

    def state_dict(self) -> dict[str, Any]:
        """Return the complete state of the games, without the opponent pool."""

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from a `state_dict`; raises `ResumeError` if its games have another number."""


class Finished(NamedTuple):
    """Games that ended, with a row for each.

    Attributes:
        status: As in a record.
        winners: The team (without teams: the seat) that won, `NO_SEAT` for none.
        turns: Completed turns; a victory cuts the last one short, which is not among them.
        learners: The learner's seat.
        opponents: Indices into the pool, shape ``(k, players)``.
        lengths: Decisions of the learner.
        returns: The learner's return.
    """

    status: Any
    winners: Any
    turns: Any
    learners: Any
    opponents: Any
    lengths: Any
    returns: Any


def report(
    finished: Finished, sides: NDArray[np.int64], pool: OpponentPool
) -> list[dict[str, Any]]:
    """Report finished games to the pool, and describe each.

    Args:
        finished: The games, as arrays.
        sides: The side of each of their seats, shape ``(k, players)``; seats of a side win
            together.
        pool: The opponents.

    Returns:
        For every game ``is_truncated``, ``has_won``, ``seat``; ``opponents``, their names in turn
        order after the seat; ``return``; ``length``, decisions of the seat; ``rounds``, including
        the last one.
    """
    rows, players = np.arange(len(sides)), sides.shape[1]
    learners, winners = finished.learners, finished.winners
    own_side = sides[rows, learners]
    # A team's number is also one of its seats.
    has_won = (winners != NO_SEAT) & (sides[rows, winners] == own_side)
    is_truncated = finished.status == TRUNCATED
    # In turn order after the learner; -1 marks allies, which are not opponents.
    seats = (np.arange(1, players) + learners[:, None]) % players
    others = np.take_along_axis(finished.opponents, seats, 1)
    is_opponent = np.take_along_axis(sides, seats, 1) != own_side[:, None]
    against = np.where(is_opponent, others, -1)
    pool.record_results(against[~is_truncated], has_won[~is_truncated])
    rounds = -(-(finished.turns.astype(np.int64) + ~is_truncated) // players)
    return [
        {
            "is_truncated": bool(is_truncated[row]),
            "has_won": bool(has_won[row]),
            "seat": int(learners[row]),
            "opponents": tuple(pool.agents[i].name for i in others[row]),
            "return": float(finished.returns[row]),
            "length": int(finished.lengths[row]),
            "rounds": int(rounds[row]),
        }
        for row in rows
    ]
