"""The tables as Parquet files, one per table, which other programs can read."""

from dataclasses import fields
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from impulse_env.analysis.columns import COLUMNS, frame
from impulse_env.analysis.tables import Tables
from impulse_env.errors import ImpulseError
from impulse_env.files import replacing

_NAMES: Final = tuple(field.name for field in fields(Tables))


class TableError(ImpulseError, ValueError):
    """A file does not contain its table; the message names the file and the columns."""


def save(tables: Tables, folder: str | Path) -> None:
    """Write ``games.parquet`` and so on into a folder; existing files are replaced.

    Columns keep their types; tuples become lists. Needs pyarrow.

    Raises:
        ImportError: pyarrow is not installed.
    """
    _require_pyarrow()
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in _NAMES:
        with replacing(folder / f"{name}.parquet") as file:
            getattr(tables, name).to_parquet(file)


def load(folder: str | Path) -> Tables:
    """Return the tables that `save` wrote, with the same types.

    Raises:
        FileNotFoundError: One of the files is missing.
        TableError: A file does not have the columns of its table.
        ImportError: pyarrow is not installed.
    """
    _require_pyarrow()
    return Tables(*(_read(name, Path(folder) / f"{name}.parquet") for name in _NAMES))


def _read(table: str, path: Path) -> pd.DataFrame:
    data = pd.read_parquet(path)
    expected = [column.name for column in COLUMNS[table]]
    if sorted(data) != sorted(expected):
        missing = ", ".join(name for name in expected if name not in data) or "none"
        other = ", ".join(name for name in data if name not in expected) or "none"
        raise TableError(
            f"{path} is not a table of {table}: missing columns are {missing}; unknown are {other}"
        )
    return frame(table, {name: _with_tuples(data[name]) for name in expected})


def _with_tuples(column: pd.Series) -> pd.Series | list[tuple[object, ...]]:
    """Return a column with the lists of Parquet converted to tuples."""
    if column.dtype != np.dtype(object):
        return column
    return [tuple(row.tolist()) for row in column]


def _require_pyarrow() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as missing:
        raise ImportError(
            'Parquet files need pyarrow: pip install "impulse-env[data]"'
        ) from missing
