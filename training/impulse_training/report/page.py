"""The report of a tournament: printed tables, files of numbers, and a page with pictures."""

import csv
import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from io import StringIO
from math import isinf
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from rich.console import Console

import impulse_env
from impulse_agents.identity import Identity
from impulse_env.files import write_atomically
from impulse_env.outcomes import SOURCE_NAMES, SOURCES
from impulse_training.report import plots, tournament_tables
from impulse_training.report.notable import notable
from impulse_training.report.printing import print_table
from impulse_training.report.replays import links
from impulse_training.report.table import Table
from impulse_training.statistics.elo import ELO, PRIOR_SD, SEED
from impulse_training.statistics.game_results import GameResult
from impulse_training.statistics.intervals import Share
from impulse_training.statistics.luck_adjusted import JudgedLuck
from impulse_training.statistics.summary import Statistics, summarise
from impulse_training.tournament.settings import TournamentError
from impulse_training.tournament.store import Store

Row = tuple[str | float | int | None, ...]

_IN_TABLES: Final = ("rows", "identities")
"""Settings shown in separate tables."""
_SHARE: Final = ("games", "wins", "share", "low", "high", "par")
_FAILURES_SHOWN: Final = 50
_DIGITS: Final = 6


def print_tables(console: Console, statistics: Statistics) -> None:
    """Print the statistics as tables."""
    if not statistics.games:
        console.print("No game has finished yet.")
        return
    for table in tournament_tables.tables(statistics):
        print_table(console, table)


def write(
    folder: Path,
    settings: dict[str, Any],
    results: Sequence[GameResult],
    anchor: str | None = None,
    identities: Sequence[Identity] = (),
    luck: JudgedLuck | None = None,
) -> Statistics:
    """Write the report of a tournament and return its statistics.

    The same games give byte-identical ``ratings.csv``, ``matrix.csv``, ``points.csv``,
    ``seats.csv``, ``lengths.csv``, ``summary.json`` and, with luck, ``luck.csv``. ``thinking.csv``
    and ``report.html`` also hold measured times. An infinite end of a rating's interval is ``inf``
    in the CSV files and null in JSON.

    Args:
        folder: The folder to write to; created if it does not exist.
        settings: The settings of the tournament to show, as JSON values.
        results: The games, at least one, in any order.
        anchor: The agent with rating 0; by default the mean of all agents is 0.
        identities: The identities of the agents in these games.
        luck: The luck of each side; None leaves luck out of the report.

    Raises:
        TournamentError: `results` is empty.
        AnchorError: The anchor plays in none of the games.
    """
    if not results:
        raise TournamentError("the tournament has no finished game to report")
    statistics = summarise(results, anchor, luck=luck)
    for name, (header, rows) in _files(statistics).items():
        lines = StringIO(newline="")
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([_rounded(cell) for cell in row] for row in rows)
        write_atomically(folder / name, lines.getvalue())
    summary = json.dumps(_summary(statistics), indent=1, ensure_ascii=False, allow_nan=False)
    write_atomically(folder / "summary.json", summary + "\n")
    tables = tournament_tables.tables(statistics)
    if identities:
        tables.append(tournament_tables.identities(identities))
    html = _page(settings, statistics, tables, results, links(folder, results))
    write_atomically(folder / "report.html", html)
    return statistics


def _files(statistics: Statistics) -> dict[str, tuple[tuple[str, ...], Iterable[Row]]]:
    """Return the header and the rows of every CSV file."""
    rows = statistics.agents
    names = [row.name for row in rows]
    files = _luck_file(statistics) if statistics.adjusted else {}
    return files | {
        "ratings.csv": (
            ("agent", "rating", "rating_low", "rating_high", *_SHARE, "failures", "decisions"),
            [
                (
                    *(row.name, row.rating.rating, row.rating.low, row.rating.high),
                    *(*_cells(row.won), row.failures, row.decisions),
                )
                for row in rows
            ],
        ),
        "matrix.csv": (
            ("agent", "opponent", *_SHARE),
            [
                (name, other, *_cells(share))
                for name, shares in zip(names, statistics.matrix, strict=True)
                for other, share in zip(names, shares, strict=True)
                if name != other
            ],
        ),
        "points.csv": (
            ("agent", *SOURCE_NAMES),
            [(row.name, *(row.points or [None] * len(SOURCE_NAMES))) for row in rows],
        ),
        "seats.csv": (
            ("seat", *_SHARE),
            [(seat, *_cells(share)) for seat, share in enumerate(statistics.seats)],
        ),
        "lengths.csv": (("rounds", "games"), statistics.games_by_rounds.items()),
        "thinking.csv": (
            ("agent", "ms_per_decision", "game_median", "game_5_percent", "game_95_percent"),
            [
                (row.name, row.mean, *((s.median, s.low, s.high) if s else [None] * 3))
                for row in statistics.thinking
                for s in [row.per_game]
            ],
        ),
    }


def _luck_file(statistics: Statistics) -> dict[str, tuple[tuple[str, ...], Iterable[Row]]]:
    header = ("agent", "adjusted", "low", "high", "plain", "plain_low", "plain_high", "worth")
    rows = [
        (
            *(agent.name, row.share, *(row.interval or (None, None))),
            *(row.plain, *(row.plain_interval or (None, None)), row.factor),
        )
        for agent, row in zip(statistics.agents, statistics.adjusted, strict=True)
    ]
    return {"luck.csv": (header, rows)}


def _cells(share: Share) -> Row:
    return tuple(getattr(share, name) for name in _SHARE)


def _rounded(value: Any) -> Any:
    """Round floats to 6 places, which removes -0.0 and noise; return other values unchanged."""
    return round(value, _DIGITS) + 0.0 if isinstance(value, float) else value


def _summary(statistics: Statistics) -> dict[str, Any]:
    """Return the content of ``summary.json``: the statistics without times."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {str(key): plain(inner) for key, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [plain(inner) for inner in value]
        if isinstance(value, float) and isinf(value):
            return None
        return _rounded(value)

    content = asdict(statistics)
    del content["thinking"]
    scale = {"elo_per_unit": ELO, "prior_sd": PRIOR_SD, "resampling_seed": SEED}
    return plain({**content, "ratings": scale, "sources": [source.name for source in SOURCES]})


def _page(
    settings: dict[str, Any],
    statistics: Statistics,
    tables: Sequence[Table],
    results: Sequence[GameResult],
    replays: Mapping[int, str],
) -> str:
    """Return the page; its only external references are the replay pages next to it."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    failures = sorted((r for r in results if r.ended == "failed"), key=lambda r: r.game)
    drawn = plots.figures(statistics)
    return environment.get_template("report.html.jinja").render(
        title="A tournament of Impulse",
        statistics=statistics,
        tables=tables,
        players=len(results[0].agents),
        notable=notable(results, statistics),
        replays=replays,
        games={result.game: result for result in results},
        pictures={name: b64encode(plots.svg(figure)).decode() for name, figure in drawn.items()},
        failures=failures,
        shown=_FAILURES_SHOWN,
        seed=SEED,
        settings=[
            (key, value if isinstance(value, str) else json.dumps(value, default=str))
            for key, value in settings.items()
        ],
    )


def write_report(
    store: Store,
    results: Sequence[GameResult],
    anchor: str | None = None,
    luck: JudgedLuck | None = None,
) -> Statistics:
    """Write the report of a tournament into its folder, see `write`; return its statistics."""
    settings = {key: value for key, value in store.described().items() if key not in _IN_TABLES}
    playing = [store.identities[row] for row in store.rows.values()]
    versions = {"impulse_env": impulse_env.__version__}
    return write(store.folder, settings | versions, results, anchor, playing, luck)


def report_on(
    folder: Path,
    results: Sequence[GameResult],
    console: Console,
    anchor: str | None = None,
    luck: JudgedLuck | None = None,
) -> dict[str, Any]:
    """Print the tables, write them and the page into the folder; return ``summary.json``.

    Args:
        folder: The folder of the tournament.
        results: The results of `run`.
        console: The console to print to.
        anchor: The agent with rating 0; by default the mean of all agents is 0.
        luck: The luck of each side; None leaves luck out of the report.
    """
    statistics = write_report(Store.read(folder), results, anchor, luck)
    print_tables(console, statistics)
    console.print(f"{len(results)} games, the tables and report.html are in {folder}")
    return {**_summary(statistics), "folder": str(folder)}
