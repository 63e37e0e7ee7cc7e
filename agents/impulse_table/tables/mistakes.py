"""Costly decisions of a finished game, kept as puzzles, and a profile of all decisions.

A puzzle asks the seat again what it would choose. It comes back after a gap in days that grows with
each right answer in a row; see `GAPS`. An answer is right if it gives away at most `AS_GOOD`.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from impulse_env.engine.constants import Seat
from impulse_env.records.record import Record
from impulse_env.replay.analysis import AS_GOOD, Analysis, accuracy_of, judged_data, mark_of
from impulse_env.schema import SchemaError, checked
from impulse_env.text.describe import kind_of, topic_of
from impulse_table.tables.protocol import SeatNumber

VERSION: Final = 1
GAPS: Final = (1, 3, 7, 21, 60)
"""Days until a puzzle comes back, by the number of right answers in a row; then the last one."""


_Count = Annotated[int, Meta(ge=0)]
_Sum = Annotated[float, Meta(ge=0)]
_Chance = Annotated[int, Meta(ge=0, le=1000)]


class Judgement(Struct):
    """The fields of `judged_data` that a puzzle needs, in thousandths; there may be more."""

    chances: dict[str, _Chance]
    best: str
    loss: _Count
    error: _Count
    mark: str


class Mistake(Struct, forbid_unknown_fields=True):
    """A costly decision, and how well the seat knows better by now.

    Attributes:
        step: Number of earlier decisions of the game.
        seat: The seat that decided.
        topic: The topic of the decision, see `topic_of`.
        taken: The action that was taken.
        judged: The judgement, as `judged_data` gives it.
        right: Number of right answers in a row.
        due: The first day on which the puzzle is asked again; None: it was never answered.
        answered: The last answer, an action; None: there is none.
    """

    step: _Count
    seat: SeatNumber
    topic: str
    taken: str
    judged: dict[str, Any]
    right: _Count = 0
    due: date | None = None
    answered: str | None = None

    def __post_init__(self) -> None:
        """Check the judgement; raises `ValueError`."""
        try:
            chances = self.judgement.chances
        except SchemaError as error:
            raise ValueError(str(error)) from None
        for action in (self.judgement.best, self.taken):
            if action not in chances:
                raise ValueError("an action has no chance")

    @property
    def judgement(self) -> Judgement:
        """The judgement as checked data."""
        return checked(self.judged, Judgement, "judged", is_secret=True)

    def is_due(self, today: date) -> bool:
        """Whether the puzzle is asked on a day."""
        return self.due is None or self.due <= today

    def cost_of(self, action: str) -> int:
        """Return what an action gives away, in thousandths; raises KeyError if it is not legal."""
        judgement = self.judgement
        return judgement.chances[judgement.best] - judgement.chances[action]

    def answer(self, action: str, today: date) -> bool:
        """Take an answer and set the next day; return whether it is right.

        Raises:
            KeyError: The action is not legal.
        """
        is_right = self.cost_of(action) <= round(1000 * AS_GOOD)
        self.right = self.right + 1 if is_right else 0
        gap = GAPS[min(max(self.right, 1), len(GAPS)) - 1]
        self.due, self.answered = today + timedelta(days=gap), action
        return is_right


class Tally(Struct, forbid_unknown_fields=True):
    """Sums over the decisions of a seat on one topic that had a choice.

    Attributes:
        seat: The seat.
        topic: The topic.
        decisions: Number of decisions.
        mistakes: Number of those with a mark.
        loss: Sum of the losses, each 0 to 1.
        squares: Sum of their squares.
        accuracy: Sum of their accuracies, each 0 to 1.
    """

    seat: SeatNumber
    topic: str
    decisions: _Count = 0
    mistakes: _Count = 0
    loss: _Sum = 0.0
    squares: _Sum = 0.0
    accuracy: _Sum = 0.0


class SavedMistakes(Struct, forbid_unknown_fields=True):
    """The findings in a game, as in its file.

    Attributes:
        by: The agent that analysed the game.
        steps: Number of decisions of the game.
        tallies: Sums by seat and topic.
        mistakes: The costly decisions of all seats, in the order of the game.
        version: The version of the format.
    """

    by: str
    steps: _Count
    tallies: list[Tally]
    mistakes: list[Mistake]
    version: Annotated[int, Meta(ge=VERSION, le=VERSION)] = VERSION

    def __post_init__(self) -> None:
        """Check the steps; raises `ValueError`."""
        if any(mistake.step >= self.steps for mistake in self.mistakes):
            raise ValueError("a mistake is after the end of the game")


def found_in(record: Record, analysis: Analysis) -> SavedMistakes:
    """Return the costly decisions of a game, and the sums over all; replays the game.

    Args:
        record: The game.
        analysis: Its analysis, of every decision.
    """
    tallies: dict[tuple[Seat, str], Tally] = {}
    mistakes = []
    rows = zip(record.moves, analysis.judged, record.games(), strict=False)
    for step, (move, judged, game) in enumerate(rows):
        if judged is None:
            continue
        topic = topic_of(kind_of(game.state))
        tally = tallies.setdefault((move.seat, topic), Tally(move.seat, topic))
        tally.decisions += 1
        tally.loss += judged.loss
        tally.squares += judged.loss**2
        tally.accuracy += accuracy_of(judged.loss)
        if mark_of(judged):
            tally.mistakes += 1
            mistakes.append(Mistake(step, move.seat, topic, move.action, judged_data(judged)))
    return SavedMistakes(analysis.by, len(record.moves), list(tallies.values()), mistakes)


# --- Profile -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A line of a profile.

    Attributes:
        decisions: Number of decisions with a choice.
        mistakes: Number of those with a mark.
        loss: The mean loss of a decision, 0 to 1.
        error: Its standard error; None with fewer than two decisions.
        accuracy: The mean accuracy, 0 to 1.
    """

    decisions: int
    mistakes: int
    loss: float
    error: float | None
    accuracy: float


def line_of(tallies: Iterable[Tally]) -> Line | None:
    """Return the means over some tallies; None without a decision."""
    known = list(tallies)
    count = sum(tally.decisions for tally in known)
    if not count:
        return None
    loss = sum(tally.loss for tally in known) / count
    error = None
    if count > 1:
        variance = max(sum(tally.squares for tally in known) / count - loss**2, 0.0)
        error = math.sqrt(variance / (count - 1))
    mistakes = sum(tally.mistakes for tally in known)
    return Line(count, mistakes, loss, error, sum(tally.accuracy for tally in known) / count)
