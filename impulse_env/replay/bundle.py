"""All data of a replay page, for JSON.

Each text and each fragment of the drawing is stored once; other data refer to its number. The
drawing of a step consists of the parts that changed since the previous step.
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
from impulse_env.replay.analysis import Analysis, page_data
from impulse_env.replay.steps import Step, Viewer, steps

NOTHING = -1
"""Used instead of the number of a text, a seat or a choice if there is none."""


class Texts:
    """Distinct texts, in the order of their first use."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the number of a text; a new text gets the next number."""
        return self._numbers.setdefault(text, len(self._numbers))

    def all(self) -> list[str]:
        """Return all texts by their numbers."""
        return list(self._numbers)


def bundle(
    record: Record, viewers: Sequence[Viewer], analysis: Analysis | None = None
) -> dict[str, Any]:
    """Return the data of a page.

    ``steps`` is the number of decisions; lists by step have one more entry, for the end. ``texts``
    and ``fragments`` hold the contents that numbers elsewhere refer to. ``points`` lists ``[step,
    seat, source, gained]``. ``eyes`` has an entry for each viewer, with lists by step:

        changes  the drawing: pairs of a part's and a fragment's number
        log      kind, seat, text
        prompts  the prompt
        choices  name, text, and the probability in thousandths if recorded
        chosen   index of the choice that was made
        notes    agent, chance to win, seconds

    Args:
        record: The game.
        viewers: The viewers; the data contain only what at least one of them may know.
        analysis: The analysis of the game, for viewers that see everything.
    """
    texts, fragments = Texts(), Texts()
    views = [_view(record, by, texts, fragments) for by in viewers]
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
        "eyes": views,
        "analysis": None
        if analysis is None
        else page_data(analysis, seats, header.options.players, header.options.team_count),
    }


def _public(record: Record) -> dict[str, Any]:
    """Return the public data of each step."""
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


def _view(record: Record, by: Viewer, texts: Texts, fragments: Texts) -> dict[str, Any]:
    """Return a viewer's data of each step."""
    view: dict[str, Any] = {
        "name": _name_of(by),
        "seat": by if isinstance(by, Seat) else NOTHING,
        **{key: [] for key in ("changes", "log", "prompts", "choices", "chosen", "notes")},
    }
    previous: dict[str, str] = {}
    style = group(element("style", style_sheet(has_dark=True)), id="part-style")
    for step in steps(record, by):
        parts = drawing.parts(step.state, by) | {"style": style}
        if not previous:
            view["parts"] = list(parts)
            view["size"] = drawing.size(step.state, by)
        view["changes"].append(
            [
                number
                for part, (name, fragment) in enumerate(parts.items())
                if previous.get(name) != fragment
                for number in (part, fragments.number(fragment))
            ]
        )
        previous = parts
        _add_words(view, step, texts)
    return view


def _add_words(view: dict[str, Any], step: Step, texts: Texts) -> None:
    view["log"].append(
        [
            [texts.number(event.kind), NOTHING if event.seat is None else event.seat,
             texts.number(event.text)]
            for event in step.happened
        ]
    )  # fmt: skip
    view["prompts"].append(texts.number(step.decision.prompt))
    view["choices"].append(
        [
            [texts.number(choice.name), texts.number(choice.text)]
            + ([] if choice.probability is None else [round(1000 * choice.probability)])
            for choice in step.choices
        ]
    )
    names = [choice.name for choice in step.choices]
    view["chosen"].append(NOTHING if step.chosen is None else names.index(step.chosen))
    note = step.note
    view["notes"].append(None if note is None else [texts.number(note.by), note.wins, note.seconds])
