"""How well a game was played: what an agent found out about its decisions, as a page shows it.

A chance is that of the deciding seat's side to win, 0 to 1. What a decision gave away is the chance
after the best choice less the chance after the one that was taken, and it has a name from
`MARKS` if it is larger than chance explains, see `mark_of`.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, Self

from impulse_env.engine.constants import Seat

MARKS: Final = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""The least that was given away, and what it is called; the worst first."""
ERRORS: Final = 2.0
"""Standard errors that a loss must exceed to be called anything."""
LUCK: Final = 0.05
"""Least change of a side's chance by what was drawn for it to be told."""
_SOFTNESS: Final = 0.10
"""Given away, it makes the accuracy of a decision 1/e."""


@dataclass(frozen=True)
class Judged:
    """What was found out about a decision with more than one legal action.

    Attributes:
        chances: The chance after each legal action, by its stable name.
        best: The action with the largest one.
        loss: What the action that was taken gave away, 0 or more.
        error: The standard error of the loss.
        line: What may follow the best action, one sentence for each decision, in one of the worlds
            that the seat could not tell apart.
    """

    chances: dict[str, float]
    best: str
    loss: float
    error: float
    line: tuple[str, ...] = ()


@dataclass(frozen=True)
class Analysis:
    """What was found out about a game.

    Attributes:
        by: The agent that was asked.
        wins: By decision, the chance of the deciding seat before it.
        judged: By decision; None where there was nothing to choose.
        luck: By decision, what each side's chance gained by what was drawn then, beyond what it
            could expect; empty where nothing was drawn.
        deal: The same of the deal, by side; empty if the record begins later.
    """

    by: str
    wins: tuple[float, ...]
    judged: tuple[Judged | None, ...]
    luck: tuple[tuple[float, ...], ...]
    deal: tuple[float, ...] = ()

    @classmethod
    def of_parts(cls, parts: Iterable[Self]) -> Self:
        """Return what parts of a game, one after another, make together; there is at least one."""
        found = list(parts)
        return cls(
            found[0].by,
            tuple(chain.from_iterable(part.wins for part in found)),
            tuple(chain.from_iterable(part.judged for part in found)),
            tuple(chain.from_iterable(part.luck for part in found)),
            next((part.deal for part in found if part.deal), ()),
        )


def mark_of(judged: Judged) -> str:
    """Return what a decision is called: a word of `MARKS`, or empty."""
    if judged.loss <= ERRORS * judged.error:
        return ""
    return next((word for least, word in MARKS if judged.loss >= least), "")


def accuracy(judged: Sequence[Judged | None], seats: Sequence[Seat], seat: Seat) -> float | None:
    """Return how well a seat decided, 0 to 1; None if it never had a choice.

    It is the mean over its decisions with a choice of ``exp(-loss / 0.1)``: 1 if nothing was given
    away, and 0.37 for a decision that gave away a chance of 10 points in a hundred.
    """
    losses = [one.loss for one, who in zip(judged, seats, strict=True) if one and who == seat]
    if not losses:
        return None
    return sum(math.exp(-loss / _SOFTNESS) for loss in losses) / len(losses)


def given_away(judged: Sequence[Judged | None], seats: Sequence[Seat], seat: Seat) -> float:
    """Return what a seat's decisions gave away in all: chances add up, and can exceed 1."""
    return sum(one.loss for one, who in zip(judged, seats, strict=True) if one and who == seat)


def fortune(analysis: Analysis, sides: int, seat: Seat) -> float:
    """Return what the side of a seat gained by chance in all, the deal included."""
    events = [*analysis.luck, analysis.deal]
    return sum(luck[seat % sides] for luck in events if luck)


def told(analysis: Analysis, seats: Sequence[Seat], players: int, sides: int) -> dict[str, Any]:
    """Return what a page shows of it, JSON-able; chances in thousandths.

    Args:
        analysis: Of the game.
        seats: Who took each decision.
        players: Of the game.
        sides: Teams, or players where there are none.
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
        "judged": [None if one is None else _judged(one) for one in analysis.judged],
        "accuracy": [accuracy(analysis.judged, seats, seat) for seat in range(players)],
        "given": [
            _thousandths(given_away(analysis.judged, seats, seat)) for seat in range(players)
        ],
        "fortune": [_thousandths(fortune(analysis, sides, seat)) for seat in range(players)],
        "marks": {word: _thousandths(least) for least, word in MARKS},
    }


def _judged(one: Judged) -> dict[str, Any]:
    return {
        "chances": {name: _thousandths(chance) for name, chance in one.chances.items()},
        "best": one.best,
        "loss": _thousandths(one.loss),
        "error": _thousandths(one.error),
        "mark": mark_of(one),
        "line": list(one.line),
    }


def _thousandths(share: float) -> int:
    return round(1000 * share)
