"""Values of claims that are in cards and standings, not in the file of claims."""

import json
import re
from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from impulse_agents import checkpoints, standings
from impulse_env.errors import ImpulseError
from impulse_training.evaluation.claims.estimate import Estimate
from impulse_training.report.table import PER_CENT
from impulse_training.statistics.intervals import wilson

_NOTHING: Final = object()


class SourceError(ImpulseError, ValueError):
    """A value does not exist; the message names the missing part."""


def resolve(source: Sequence[str], games: int | None) -> Estimate:
    """Return the value that a source names.

    Args:
        source: The kind of the source, then its arguments:

            - ``card NAME ROW COLUMN``: a cell of a table on the card of a trained agent,
              ``agents/impulse_agents/checkpoints/NAME.md``. ROW is the text of a row's first
              cell.
            - ``standing AGENT TABLE FIELD``: ``agents/impulse_agents/standings.json``. TABLE is a
              number of players, or "4x2" for four players in teams of two. FIELD is rating, won,
              adjusted or milliseconds.
            - ``agent NAME won OPPONENT`` and ``agent NAME decisions_per_second``:
              ``agents/impulse_agents/agent_cards.json``.
        games: Number of games of the match, for the interval of a share without one in its source.

    Raises:
        SourceError: The value does not exist.
    """
    kind, *words = source
    if kind not in _KINDS:
        raise SourceError(f"a source is one of {', '.join(_KINDS)}, not {kind!r}")
    reader, counts = _KINDS[kind]
    if len(words) not in counts:
        raise SourceError(f"a source {kind!r} takes {counts[-1]} words, not {words}")
    return reader(words, games)


def _card(words: Sequence[str], _games: int | None) -> Estimate:
    name, row, column = words
    if name not in checkpoints.shipped():
        raise SourceError(
            f"there is no card of {name}; there are {', '.join(checkpoints.shipped())}"
        )
    path = checkpoints.FOLDER / f"{name}.md"
    columns: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [
            cell.strip().replace(PER_CENT, ", %") for cell in line.strip().strip("|").split("|")
        ]
        if not line.startswith("|"):
            columns = []
        elif not columns:
            columns = cells
        elif cells[0] == row and column in columns[1:]:
            found = Estimate.parse(cells[columns.index(column)])
            if found is not None:
                return found
    raise SourceError(f"{path.name} has no number in the row {row!r} and the column {column!r}")


def _standing(words: Sequence[str], _games: int | None) -> Estimate:
    agent, table, field = words
    size = re.fullmatch(r"(\d+)(?:x(\d+))?", table)
    if size is None:
        raise SourceError(f"a table is written as 3 or 4x2, not {table!r}")
    played = int(size[1]), int(size[2]) if size[2] else None
    row = next((one for one in standings.read() if (one.agent, one.table) == (agent, played)), None)
    if row is None:
        raise SourceError(f"there is no standing of {agent} at the table {table}")
    if field == "rating":
        low, high = (-inf if row.low is None else row.low), (inf if row.high is None else row.high)
        return Estimate(row.rating, low, high)
    if field == "won":
        return Estimate(row.won, *wilson(row.won * row.games, row.games)).scaled(100)
    if field == "adjusted":
        return Estimate(row.adjusted, row.adjusted_low, row.adjusted_high).scaled(100)
    if field == "milliseconds":
        return Estimate(row.milliseconds)
    raise SourceError(f"a standing has rating, won, adjusted and milliseconds, not {field!r}")


def rows_of_standings() -> list[dict[str, object]]:
    """Return, for each row of the standings, the fields that a claim about it needs."""
    return [
        {
            "agent": row.agent,
            "seats": f"{row.players}{f'x{row.team_size}' if row.team_size else ''}",
            "games": row.games,
            "command": row.command,
        }
        for row in standings.read()
    ]


def _agent(words: Sequence[str], games: int | None) -> Estimate:
    name, field, *more = words
    card = next((card for card in standings.cards() if card.agent == name), None)
    if card is None:
        raise SourceError(f"there is no card of {name}")
    if field == "decisions_per_second" and not more and card.decisions_per_second is not None:
        return Estimate(card.decisions_per_second)
    if field == "won" and more and more[0] in card.won:
        won = card.won[more[0]]
        if games is None:
            return Estimate(won)
        return Estimate(won, *(100 * end for end in wilson(round(won * games / 100), games)))
    raise SourceError(f"the card of {name} has no {' '.join(words[1:])}")


_KINDS: Final[dict[str, tuple[Callable[[Sequence[str], int | None], Estimate], Sequence[int]]]] = {
    "card": (_card, (3,)),
    "standing": (_standing, (3,)),
    "agent": (_agent, (2, 3)),
}


def at(value: object, path: str) -> object:
    """Return the value at a path in JSON, such as "rows/0/won/share".

    A step is a field of an object, an index of a list from 0, or ``name=text`` for the first object
    in a list whose field ``name`` is that text.

    Raises:
        SourceError: The path does not exist; the message names the step.
    """
    for step in path.split("/") if path else ():
        found: object = _NOTHING
        name, is_search, text = step.partition("=")
        if isinstance(value, dict):
            found = value.get(step, _NOTHING)
        elif isinstance(value, list) and is_search:
            rows = (one for one in value if isinstance(one, dict))
            found = next((one for one in rows if str(one.get(name)) == text), _NOTHING)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            found = value[int(step)]
        if found is _NOTHING:
            raise SourceError(f"the result has nothing at {step!r} of the path {path!r}")
        value = found
    return value


def estimate_in(text: str, value_at: str, low_at: str, high_at: str, factor: float) -> Estimate:
    """Return the estimate that a command printed as JSON.

    Args:
        text: The printed JSON.
        value_at: Path of the value; a text such as "51.9 [48.8, 55.0]" includes its interval.
        low_at: Path of the lower end; empty for no interval, or for that of the text.
        high_at: Path of the upper end.
        factor: Factor of the value and of both ends.

    Raises:
        SourceError: The text is not JSON, or a path holds no number.
    """
    try:
        result = json.loads(text)
    except ValueError as error:
        raise SourceError("the command did not print JSON") from error
    value = at(result, value_at)
    if isinstance(value, str):
        found = Estimate.parse(value)
        if found is None:
            raise SourceError(f"{value_at!r} holds {value!r}, not a number")
        return found.scaled(factor)
    found = Estimate(_as_number(value, value_at))
    if low_at:
        low, high = at(result, low_at), at(result, high_at)
        # JSON has no infinity.
        low = -inf if low is None else _as_number(low, low_at)
        high = inf if high is None else _as_number(high, high_at)
        found = Estimate(found.value, low, high)
    return found.scaled(factor)


def _as_number(value: object, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SourceError(f"{path!r} holds {value!r}, not a number")
    return float(value)
