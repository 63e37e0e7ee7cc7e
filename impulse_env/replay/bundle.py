"""Everything that a replay page shows, as data for JSON.

Texts and fragments of the drawing are told once and then named by their number, and the drawing of
a step is what changed since the step before it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from impulse_env import drawing
from impulse_env.drawing.elements import element, group
from impulse_env.drawing.style import style_sheet
from impulse_env.engine.constants import MAX_PLAYERS, PointSource, Seat
from impulse_env.information import EVERYTHING
from impulse_env.outcomes import END_BY_STATUS, SOURCE_NAMES, turn_number
from impulse_env.records.record import Record
from impulse_env.replay.analysis import Analysis, told
from impulse_env.replay.steps import Step, Viewer, steps

NOTHING = -1
"""Instead of the number of a text, a seat or a choice."""


class Texts:
    """Texts, each once, in the order in which they were met."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the number of a text, a new one if it was not met before."""
        return self._numbers.setdefault(text, len(self._numbers))

    def all(self) -> list[str]:
        """Return all texts by their numbers."""
        return list(self._numbers)


def bundle(
    record: Record, eyes: Sequence[Viewer], analysis: Analysis | None = None
) -> dict[str, Any]:
    """Return what a page shows.

    ``steps`` is the number of decisions; lists by step have one entry more, for the end. ``texts``
    and ``fragments`` are what numbers elsewhere stand for. ``points`` lists ``[step, seat, source,
    gained]``. Each of ``eyes`` has, by step, the drawing as ``changes`` (pairs of a part's and a
    fragment's number), the ``log`` (kind, seat, text), the ``prompts``, the ``choices`` (name,
    text, and the probability in thousandths if an agent gave one), which was ``chosen``, and the
    ``notes`` (by whom, chance to win, seconds).

    Args:
        record: The game.
        eyes: Who looks on; nothing is told that none of them may know.
        analysis: What was found out about the game, for eyes that see everything.
    """
    texts, fragments = Texts(), Texts()
    drawn = [_seen(record, by, texts, fragments) for by in eyes]
    header, result = record.header, record.result
    seats = [move.seat for move in record.moves]
    return {
        **_public(record),
        "agents": [agent.name for agent in header.agents],
        "teams": header.options.team_count,
        "target": header.options.target_score,
        "sources": [name.replace("_activation", " use").replace("_", " ") for name in SOURCE_NAMES],
        "end": NOTHING if result is None else result.end,
        "why": "" if result is None else result.why,
        "is_over": result is not None and result.end in END_BY_STATUS.values(),
        "winners": [] if result is None else list(result.winners),
        "texts": texts.all(),
        "fragments": fragments.all(),
        "eyes": drawn,
        "analysis": None
        if analysis is None
        else told(analysis, seats, header.options.players, header.options.team_count),
    }


def _public(record: Record) -> dict[str, Any]:
    """Return what everybody sees of each step."""
    seats, turns = [], []
    points: list[list[int]] = []
    scored = np.zeros((MAX_PLAYERS, len(PointSource)), np.int64)
    start: list[int] = []
    for number, game in enumerate(record.games()):
        seats.append(NOTHING if game.seat is None else game.seat)
        turns.append(turn_number(game.state))
        now = game.state["points"].astype(np.int64)
        if number == 0:
            start = game.scores
        else:
            points += [
                [number, int(seat), int(source), int(now[seat, source] - scored[seat, source])]
                for seat, source in np.argwhere(now != scored)
            ]
        scored = now
    return {
        "steps": len(record.moves),
        "seats": seats,
        "turns": turns,
        "start": start,
        "points": points,
    }


def _name_of(by: Viewer) -> str:
    if by == EVERYTHING:
        return "Everything"
    return "What everybody sees" if by is None else f"Seat {by}"


def _seen(record: Record, by: Viewer, texts: Texts, fragments: Texts) -> dict[str, Any]:
    """Return what somebody sees of each step."""
    seen: dict[str, Any] = {
        "name": _name_of(by),
        "seat": by if isinstance(by, Seat) else NOTHING,
        **{key: [] for key in ("changes", "log", "prompts", "choices", "chosen", "notes")},
    }
    shown: dict[str, str] = {}
    style = group(element("style", style_sheet(has_dark=True)), id="part-style")
    for step in steps(record, by):
        parts = drawing.parts(step.state, by) | {"style": style}
        if not shown:
            seen["parts"] = list(parts)
            seen["size"] = drawing.size(step.state, by)
        seen["changes"].append(
            [
                number
                for part, (name, fragment) in enumerate(parts.items())
                if shown.get(name) != fragment
                for number in (part, fragments.number(fragment))
            ]
        )
        shown = parts
        _add_words(seen, step, texts)
    return seen


def _add_words(seen: dict[str, Any], step: Step, texts: Texts) -> None:
    seen["log"].append(
        [
            [texts.number(event.kind), NOTHING if event.seat is None else event.seat,
             texts.number(event.text)]
            for event in step.happened
        ]
    )  # fmt: skip
    seen["prompts"].append(texts.number(step.decision.prompt))
    seen["choices"].append(
        [
            [texts.number(choice.name), texts.number(choice.text)]
            + ([] if choice.probability is None else [round(1000 * choice.probability)])
            for choice in step.choices
        ]
    )
    names = [choice.name for choice in step.choices]
    seen["chosen"].append(NOTHING if step.chosen is None else names.index(step.chosen))
    note = step.note
    seen["notes"].append(None if note is None else [texts.number(note.by), note.wins, note.seconds])
