"""What is said once of every `Op`: `ops.csv` as read-only tables, its words included.

Columns of `ops.csv`, one row for each op but OVER:

op         The member of `Op`; its place in the file has no meaning.
begins     The op with which the effect of a card begins that may come to this one; empty if no
           effect has it.
on         The ops on whose frames its frame may lie, none at the bottom of the stack; empty: at
           the bottom, or on EXECUTED.
ends       "yes" if the game may end within it.
left … b   What the fields of its frame mean, as a `Role`; empty: what the field is called, nothing
           for A and B. Of an effect it is what the card began with, of another op 0, or a mode.
           With ``*`` what it may be is said in `validity`. "counted" in left and done: their sum
           is what the card began with, and something is left.
modes      What the values of the field with the role "mode" mean, from 0 on.
number     What the field with the role "number" counts.
group      What the decision is about.
theme      The same, as a player would call it.
prompt     What is asked. Names in braces, here and below, are `FACTS` of
           `impulse_env.text.describe`.
decline    What passing means; empty: "stop here".
use        What "use" means.
card       What choosing a card means; empty: it is discarded.
place      What choosing a place means; empty: the place.
rule       What limits the choice, where the prompt does not say it all.
"""

import csv
from enum import IntEnum
from importlib.resources import files
from typing import Final

import numpy as np

from impulse_env.engine.constants import FIRST_AUTOMATIC, Op
from impulse_env.engine.state import COLORS, DONE, FRAME_FIELDS, HIGH, LEFT, LOW, A, B


class Role(IntEnum):
    """What a field of a frame means."""

    NONE = 0
    LEFT = 1
    COLORS = 2
    LOW = 3
    HIGH = 4
    DONE = 5
    TYPES = 6
    MODE = 7
    NUMBER = 8
    PLACE = 9
    SEAT = 10
    PURPOSE = 11
    CHAIN = 12


FIELDS: Final = dict(
    zip("left colors low high done a b".split(), (LEFT, COLORS, LOW, HIGH, DONE, A, B), strict=True)
)
"""By column of `ops.csv`, the field of a frame."""


def _read_rows() -> dict[Op, dict[str, str]]:
    text = (files("impulse_env.engine") / "ops.csv").read_text(encoding="utf-8")
    return {Op[row.pop("op").upper()]: row for row in csv.DictReader(text.splitlines())}


_ROWS: Final = _read_rows()
if missing := [op.name.lower() for op in Op if op not in _ROWS and op != Op.OVER]:
    raise ValueError(f"ops.csv has no row of {', '.join(missing)}")


def words(column: str) -> dict[Op, str]:
    """Return what a column of `ops.csv` says, by op."""
    return {op: row[column] for op, row in _ROWS.items()}


MODES: Final = {op: tuple(text.split("/")) for op, text in words("modes").items() if text}
"""By op, what the values of its mode mean."""
DECISIONS: Final = tuple(op for op in Op if Op.OVER < op < FIRST_AUTOMATIC)
"""The ops at which somebody decides."""
KINDS: Final = tuple(op.name.lower() for op in DECISIONS)
"""Their names: the kinds of decision."""

FIRST_OP: Final = np.zeros(len(Op), np.int64)
"""By op, that with which the effect of a card begins; OVER for those of no effect."""
MAY_END: Final = np.zeros(len(Op), np.bool_)
"""By op, whether the game may end within it."""
MAY_LIE_ON: Final = np.zeros((len(Op), len(Op)), np.bool_)
"""By op and the op of the frame below; OVER for the bottom of the stack."""
ROLES: Final = np.zeros((len(Op), FRAME_FIELDS), np.int64)
"""By op and field of its frame, the `Role`."""
MOST: Final = np.zeros((len(Op), FRAME_FIELDS), np.int64)
"""By op and field, the greatest value that is always admitted, from 0 on, or one of the next."""
AS_BEGUN: Final = -1
"""The field is what the card began with."""
IN_CODE: Final = -2
"""What it may be is said in `validity`."""
COUNTED: Final = -3
"""LEFT and DONE add up to what the card began with."""


def _limit(op: Op, cell: str) -> int:
    """What stands in `MOST` for a field."""
    if cell.endswith("*"):
        return IN_CODE
    if cell == "counted":
        return COUNTED
    if _ROWS[op]["begins"]:
        return AS_BEGUN
    return len(MODES[op]) - 1 if cell == "mode" else 0


def _fill_tables() -> None:
    for op, row in _ROWS.items():
        FIRST_OP[op] = Op[row["begins"].upper()] if row["begins"] else Op.OVER
        MAY_END[op] = row["ends"] == "yes"
        on = [Op[name.upper()] for name in row["on"].split("/") if name]
        MAY_LIE_ON[op, on or [Op.OVER, Op.EXECUTED]] = True
        for name, field in FIELDS.items():
            role = row[name].removesuffix("*").removesuffix("counted").strip()
            ROLES[op, field] = Role[(role or ("none" if field in (A, B) else name)).upper()]
            MOST[op, field] = _limit(op, row[name])
    for table in (FIRST_OP, MAY_END, MAY_LIE_ON, ROLES, MOST):
        table.setflags(write=False)


_fill_tables()
