"""The columns of the tables, from ``columns.csv``: name, type and meaning, in one place.

Columns of the file: the table; the column's name; its pandas type; what it means. ``{ends}`` and
``{plans}`` stand for the words of these columns.
"""

import csv
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from impulse_env.actions import NAMES
from impulse_env.engine.ops import KINDS
from impulse_env.options import RACE_NAMES
from impulse_env.outcomes import ENDS, SOURCE_NAMES

POINTS: Final = tuple(f"points_{source}" for source in SOURCE_NAMES)
PLANS: Final = ("none", "delayed", "used", "forced")
NO_RACE_YET: Final = "none"
CATEGORIES: Final[dict[str, tuple[str, ...]]] = {
    "kind": ("over", *KINDS),
    "action": NAMES,
    "end": ENDS,
    "plan": PLANS,
    "race": (*RACE_NAMES, NO_RACE_YET),
}
"""The values of each column of the type "category", by its name."""


class Column(NamedTuple):
    """A column: its name, its pandas type, and what it means, with its unit or range."""

    name: str
    dtype: str
    meaning: str


def _read() -> dict[str, tuple[Column, ...]]:
    text = (files("impulse_env.analysis") / "columns.csv").read_text(encoding="utf-8")
    words = {"ends": ", ".join(ENDS), "plans": ", ".join(PLANS)}
    found: dict[str, tuple[Column, ...]] = {}
    for row in csv.DictReader(text.splitlines()):
        column = Column(row["column"], row["type"], row["meaning"].format(**words))
        found[row["table"]] = (*found.get(row["table"], ()), column)
    return found


COLUMNS: Final = _read()
"""The columns of each table, in order."""


def frame(table: str, data: dict[str, Any]) -> pd.DataFrame:
    """Return a table with exactly its columns, in order and of their types."""
    made = {}
    for column in COLUMNS[table]:
        values = data.pop(column.name)
        if column.dtype == "category":
            values = pd.Categorical(values, categories=CATEGORIES[column.name])
        elif column.dtype == "object":
            values = _objects(values)
        elif column.dtype == "UInt64":
            values = pd.array(values, dtype=column.dtype)  # a Series would round large ones
        made[column.name] = pd.Series(values).astype(column.dtype)
    assert not data, f"no columns of {table}: {', '.join(data)}"
    return pd.DataFrame(made)


def no_rows(table: str) -> pd.DataFrame:
    """Return a table with its columns and nothing in it."""
    return frame(table, {column.name: [] for column in COLUMNS[table]})


def _objects(values: Any) -> np.ndarray:
    """Return values as an array of objects: numpy would take tuples for rows."""
    held = np.empty(len(values), object)
    held[:] = values
    return held


def column_table(table: str) -> str:
    """Return the columns of a table as Markdown."""
    lines = ["| Column | Type | Meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {dtype} | {meaning} |" for name, dtype, meaning in COLUMNS[table]]
    return "\n".join(lines)
