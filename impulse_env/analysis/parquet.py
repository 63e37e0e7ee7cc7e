"""The tables as Parquet files, one for each, which other readers of Parquet take."""

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
    """A file holds another table; the message names the file and the columns."""


def save(found: Tables, folder: str | Path) -> None:
    """Write ``games.parquet`` and so on into a folder, in place of those that are there.

    Columns keep their types; tuples become lists. Needs pyarrow.

    Raises:
        ImportError: pyarrow is not installed.
    """
    _require_pyarrow()
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in _NAMES:
        with replacing(folder / f"{name}.parquet") as file:
            getattr(found, name).to_parquet(file)


def load(folder: str | Path) -> Tables:
    """Return the tables that `save` wrote, with every type as it was.

    Raises:
        FileNotFoundError: One of the files is not there.
        TableError: A file has not the columns of its table.
        ImportError: pyarrow is not installed.
    """
    _require_pyarrow()
    return Tables(*(_read(name, Path(folder) / f"{name}.parquet") for name in _NAMES))


def _read(table: str, path: Path) -> pd.DataFrame:
    found = pd.read_parquet(path)
    wanted = [column.name for column in COLUMNS[table]]
    if sorted(found) != sorted(wanted):
        missing = ", ".join(name for name in wanted if name not in found) or "none"
        other = ", ".join(name for name in found if name not in wanted) or "none"
        raise TableError(
            f"{path} is no table of {table}: missing columns are {missing}; unknown are {other}"
        )
    return frame(table, {name: _as_it_was(found[name]) for name in wanted})


def _as_it_was(column: pd.Series) -> pd.Series | list[tuple[object, ...]]:
    """Return a column with tuples where Parquet holds lists."""
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
