"""Analysis of a game: an agent's judgement of its decisions, as a page shows it.

A chance is the chance of the deciding seat's side to win, 0 to 1. The loss of a decision is the
chance after the best action minus the chance after the action that was taken. It gets a name from
`MARKS` if it is larger than chance explains, see `mark_of`.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, Self

from impulse_env.engine.constants import Seat
from impulse_env.replay.explanation import LANGUAGES, Explanation

MARKS: Final = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""The lowest loss of each mark, and the mark's name; the worst first."""
ERRORS: Final = 2.0
"""Number of standard errors that a loss must exceed to get a mark."""
AS_GOOD: Final = 0.02
"""The loss up to which an answer to a puzzle is still right."""
LUCK: Final = 0.05
"""The smallest change of a side's chance by a draw that a page shows."""
_SOFTNESS: Final = 0.10
"""The loss at which the accuracy of a decision is 1/e."""


@dataclass(frozen=True)
class Judged:
    """The judgement of a decision with more than one legal action.

    Attributes:
        chances: The chance after each legal action, by its stable name.
        best: The action with the highest chance.
        loss: The loss of the action that was taken, 0 or more.
        error: The standard error of the loss.
        line: A possible continuation after the best action, one sentence for each decision, in one
            of the worlds that fit the seat's view.
        later: The loss after a further round of play in other worlds; None if it was not played.
        later_error: The standard error of that.
        why: The cause of the loss; None if none is certain.
    """

    chances: dict[str, float]
    best: str
    loss: float
    error: float
    line: tuple[str, ...] = ()
    later: float | None = None
    later_error: float = 0.0
    why: Explanation | None = None


@dataclass(frozen=True)
class Analysis:
    """The analysis of a game.

    Attributes:
        by: The agent that analysed the game.
        wins: The chance of the deciding seat before each decision.
        judged: The judgement of each decision; None for decisions with one legal action.
        luck: For each decision, the unexpected change of each side's chance by the following
            draws; empty without draws.
        deal: The same for the deal, by side; empty if the record begins later.
    """

    by: str
    wins: tuple[float, ...]
    judged: tuple[Judged | None, ...]
    luck: tuple[tuple[float, ...], ...]
    deal: tuple[float, ...] = ()

    @classmethod
    def of_parts(cls, parts: Iterable[Self]) -> Self:
        """Join the analyses of consecutive parts of a game; there must be at least one."""
        pieces = list(parts)
        return cls(
            pieces[0].by,
            tuple(chain.from_iterable(part.wins for part in pieces)),
            tuple(chain.from_iterable(part.judged for part in pieces)),
            tuple(chain.from_iterable(part.luck for part in pieces)),
            next((part.deal for part in pieces if part.deal), ()),
        )


def mark_of(judged: Judged) -> str:
    """Return the mark of a decision: a word of `MARKS`, or an empty string.

    A loss that is not left after a further round, see `Judged.later`, gets none.
    """
    if judged.loss <= ERRORS * judged.error:
        return ""
    if judged.later is not None and judged.later <= judged.later_error:
        return ""
    return next((word for least, word in MARKS if judged.loss >= least), "")


def accuracy_of(loss: float) -> float:
    """Return the accuracy of a decision, 0 to 1: ``exp(-loss / 0.1)``."""
    return math.exp(-loss / _SOFTNESS)


def accuracy(judged: Sequence[Judged | None], seats: Sequence[Seat], seat: Seat) -> float | None:
    """Return the accuracy of a seat's decisions, 0 to 1; None if it never had a choice.

    The accuracy is the mean of `accuracy_of` over its decisions with a choice: 1 for a loss of 0,
    and 0.37 for a loss of 10 percentage points.
    """
    losses = [one.loss for one, who in zip(judged, seats, strict=True) if one and who == seat]
    if not losses:
        return None
    return sum(map(accuracy_of, losses)) / len(losses)


def given_away(judged: Sequence[Judged | None], seats: Sequence[Seat], seat: Seat) -> float:
    """Return the sum of a seat's losses, which can exceed 1."""
    return sum(one.loss for one, who in zip(judged, seats, strict=True) if one and who == seat)


def fortune(analysis: Analysis, sides: int, seat: Seat) -> float:
    """Return the sum of the changes of a side's chance by luck, including the deal."""
    events = [*analysis.luck, analysis.deal]
    return sum(luck[seat % sides] for luck in events if luck)


def page_data(
    analysis: Analysis, seats: Sequence[Seat], players: int, sides: int
) -> dict[str, Any]:
    """Return the analysis as a page shows it, JSON-able, with chances in thousandths.

    Args:
        analysis: The analysis of the game.
        seats: The seat that took each decision.
        players: Number of players.
        sides: Number of teams; without teams, of players.
    """
    of_seat = [seat % sides for seat in range(players)]
    return {
        "by": analysis.by,
        "wins": [_thousandths(wins) for wins in analysis.wins],
        "luck": [
            [_thousandths(luck[side]) for side in of_seat]
            if any(abs(change) >= LUCK for change in luck)
            else None
            for luck in analysis.luck
        ],
        "judged": [None if one is None else judged_data(one) for one in analysis.judged],
        "accuracy": [accuracy(analysis.judged, seats, seat) for seat in range(players)],
        "given": [
            _thousandths(given_away(analysis.judged, seats, seat)) for seat in range(players)
        ],
        "fortune": [_thousandths(fortune(analysis, sides, seat)) for seat in range(players)],
        "marks": {word: _thousandths(least) for least, word in MARKS},
        "as_good": _thousandths(AS_GOOD),
    }


def judged_data(one: Judged) -> dict[str, Any]:
    """Return the judgement of a decision as a page shows it, JSON-able, in thousandths."""
    return {
        "chances": {name: _thousandths(chance) for name, chance in one.chances.items()},
        "best": one.best,
        "loss": _thousandths(one.loss),
        "error": _thousandths(one.error),
        "mark": mark_of(one),
        "line": list(one.line),
    } | _later(one)


def _later(one: Judged) -> dict[str, Any]:
    """Return what further play showed of a costly decision, with its cause in every language."""
    if one.later is None or not mark_of(one):
        return {}
    later = {"later": _thousandths(one.later), "later_error": _thousandths(one.later_error)}
    if one.why is None:
        return later
    return later | {"why": {language: one.why.sentences(language) for language in LANGUAGES}}


def _thousandths(share: float) -> int:
    return round(1000 * share)
