"""Games as tables: what was decided, turn by turn, from records; needs pandas (extra `analysis`).

    from impulse_env import analysis

    found = analysis.tables(analysis.records("runs/games"))
    print(found.seats.groupby("agent")[["won", "points_battle"]].mean())

What each column means stands in `COLUMNS`, as text in `column_table`, and on the analysis page of
the documentation. The tables hold what was hidden during the game.

decision_log    many games played again side by side, and how each stood at every decision
battles         the battles of some games
odds            what the Cruisers alone are worth in a battle
offers          which cards could have been added to the Impulse
columns         every column: its name, its type and what it means
tables          the tables of games, seats, turns, decisions and battles
parquet         the tables as files
"""

try:
    import pandas  # noqa: F401
except ImportError as missing:
    raise ImportError(
        'the analysis of games needs pandas: pip install "impulse-env[analysis]"'
    ) from missing

from impulse_env.analysis.columns import COLUMNS, Column, column_table
from impulse_env.analysis.odds import chance_to_win
from impulse_env.analysis.offers import offers
from impulse_env.analysis.parquet import TableError, load, save
from impulse_env.analysis.tables import Tables, cards, stream, tables
from impulse_env.records.recorded_games import RecordedGame, records

__all__ = [
    "COLUMNS",
    "Column",
    "RecordedGame",
    "TableError",
    "Tables",
    "cards",
    "chance_to_win",
    "column_table",
    "load",
    "offers",
    "records",
    "save",
    "stream",
    "tables",
]
