"""Recorded games as tables of decisions, turns and results; needs pandas (extra `analysis`).

    from impulse_env import analysis

    tables = analysis.tables(analysis.records("runs/games"))
    print(tables.seats.groupby("agent")[["won", "points_battle"]].mean())

`COLUMNS` gives the meaning of each column; `column_table` and the analysis page of the
documentation show it as text. The tables contain information that was hidden during the game.

decision_log    replay of many games, with the state of each at every decision
battles         the battles of some games
odds            the chance to win a battle with Cruisers only
offers          the cards that could have been added to the Impulse
columns         every column: its name, type and meaning
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
