"""Games as tables: CSV files, one for each kind of row."""

from pathlib import Path
from typing import Final

from impulse_env import analysis
from impulse_env.files import replacing
from impulse_training.tournament.games_for_analysis import games_in

BETWEEN: Final = ";"
"""The separator of values in a cell; names of agents may contain spaces."""
REPORTED: Final = ("wins", "probability", "seconds")
"""The columns of ``decisions.csv`` with agents' probabilities, which most records lack."""


def write_tables(games: Path, out: Path) -> tuple[list[Path], list[str]]:
    """Write the tables of some games into a folder.

    Args:
        games: A record, a folder of records, or that of a tournament.
        out: The folder.

    Returns:
        The files, and the columns of `REPORTED` without a value in any game.

    Raises:
        RecordError, TournamentError: The games cannot be read.
        OSError: There are no games, or a file cannot be written.
    """
    tables = analysis.tables(games_in(games))
    written = []
    for name, columns in analysis.COLUMNS.items():
        table = getattr(tables, name)
        lists = [column.name for column in columns if column.dtype == "object"]
        flat = {name: [BETWEEN.join(map(str, cell)) for cell in table[name]] for name in lists}
        written.append(out / f"{name}.csv")
        with replacing(written[-1]) as file:
            table.assign(**flat).to_csv(file, index=False)
    return written, [name for name in REPORTED if tables.decisions[name].isna().all()]
