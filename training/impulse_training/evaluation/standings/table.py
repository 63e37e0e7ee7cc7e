"""The standings as one table: a row for each kind of agent, a column for each kind of table."""

from collections.abc import Sequence
from typing import Final

from impulse_agents.checkpoints import checkpoint_for, checkpoint_in
from impulse_agents.standings import Standing
from impulse_training.evaluation.standings.protocol import PANEL, TABLES, trained_for
from impulse_training.report.table import EMPTY, Table, percent, with_ends
from impulse_training.statistics.intervals import wilson

_HEADS: Final[dict[tuple[int, int | None], str]] = {
    (4, 2): "4 in teams",
    (6, 2): "6 in twos",
    (6, 3): "6 in threes",
}
_NOTE: Final = (
    "Elo points with 95 % intervals, and milliseconds of processor time per decision. 0 is the "
    f"mean of the panel at that table ({', '.join(PANEL)}); 400 points are odds of ten to one. "
    "PLAYERS stands for the checkpoint of that table."
)


def standings_table(rows: Sequence[Standing]) -> Table:
    """Return the rows as a table, the strongest at most tables first."""
    tables = sorted({row.table for row in rows}, key=_place)
    families: dict[str, dict[tuple[int, int | None], Standing]] = {}
    for row in rows:
        families.setdefault(family_of(row), {})[row.table] = row
    best = sorted(families, key=lambda name: -_mean(families[name]))
    return Table(
        "Strength of the agents",
        ("Agent", *(_HEADS.get(table, f"{table[0]} players") for table in tables), "ms"),
        tuple(
            (name, *(_cell(families[name].get(table)) for table in tables), _time(families[name]))
            for name in best
        ),
        _NOTE,
    )


def shares_table(rows: Sequence[Standing]) -> Table:
    """Return each agent's share won at each table, plain and luck-adjusted, in %."""
    ordered = sorted(rows, key=lambda row: (_place(row.table), -row.rating))
    return Table(
        "Games won against the panel",
        ("Table", "Agent", "games", "par", "won", "luck-adjusted"),
        tuple(
            (
                word_of(row.table),
                row.agent,
                f"{row.games:,}",
                percent(row.par),
                with_ends(row.won, wilson(row.won * row.games, row.games)),
                with_ends(row.adjusted, (row.adjusted_low, row.adjusted_high)),
            )
            for row in ordered
        ),
        "Games won, %, with 95 % intervals, over every line-up with the panel. Agents of the panel "
        "play one another. The rule-based evaluation estimates the luck.",
    )


def family_of(row: Standing) -> str:
    """Return an agent's name, with PLAYERS for the shipped checkpoint of its table."""
    trained = trained_for(row.table)
    if trained is None or checkpoint_in(row.agent) != trained:
        return row.agent
    kind, _, rest = row.agent.partition(":")
    return f"{kind}:PLAYERS{rest.removeprefix(trained)}"


def _place(table: tuple[int, int | None]) -> tuple[int, int]:
    return (TABLES.index(table), 0) if table in TABLES else (len(TABLES), table[0])


def _mean(rows: dict[tuple[int, int | None], Standing]) -> float:
    return sum(row.rating for row in rows.values()) / len(rows)


def _cell(row: Standing | None) -> str:
    if row is None:
        return EMPTY
    low = "-∞" if row.low is None else f"{row.low:z.0f}"
    high = "∞" if row.high is None else f"{row.high:z.0f}"
    return f"{row.rating:z.0f} [{low}, {high}]"


def _time(rows: dict[tuple[int, int | None], Standing]) -> str:
    times = [row.milliseconds for row in rows.values()]
    low, high = (f"{time:.2g}" for time in (min(times), max(times)))
    return low if low == high else f"{low} to {high}"


def word_of(table: tuple[int, int | None]) -> str:
    """Return a kind of table in words, for a heading."""
    return _HEADS.get(table, f"{table[0]} players") if table in TABLES else checkpoint_for(*table)
