"""Properties of every `Op`: `ops.csv` as read-only tables, with its texts.

Columns of `ops.csv`, with one row for each op except OVER:

op         The member of `Op`; the order of rows has no meaning.
begins     The first op of the card effects that may reach this op; empty if no effect has it.
on         The ops on whose frames its frame may lie; it is then never at the bottom of the stack.
           Empty: at the bottom, or on EXECUTED.
ends       "yes" if the game may end within it.
left … b   The `Role` of each field of its frame; empty: the role of the field's name, none for A
           and B. In an effect, the allowed value is the one that the card began with; in another
           op, 0 or a mode. With ``*``, `validity` defines the allowed values. "counted" in left and
           done: their sum is the value that the card began with, and left is above 0.
modes      The meanings of the values of the field with the role "mode", from 0 on.
number     The meaning of the field with the role "number".
group      The topic of the decision.
theme      The same in a player's words.
prompt     The question of the decision. Names in braces, here and below, are `FACTS` of
           `impulse_env.text.describe`.
decline    The meaning of pass; empty: "stop here".
use        The meaning of "use".
card       The meaning of choosing a card; empty: the card is discarded.
place      The meaning of choosing a place; empty: the place.
rule       The limits of the choice, if the prompt does not contain them.
call       The calls that answer it, for `impulse_env.language`: ``verb(argument)``, with a slash
           between two. Without an argument, or with ``?``, the call means "use".
page       The pages of the rulebook that explain the decision.
"""

import csv
from enum import IntEnum
from importlib.resources import files
from typing import Final

import numpy as np

from impulse_env.engine.constants import FIRST_AUTOMATIC, Op
from impulse_env.engine.state import COLORS, DONE, FRAME_FIELDS, HIGH, LEFT, LOW, A, B


class Role(IntEnum):
    """The meaning of a field of a frame."""

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
"""The field of a frame, by column of `ops.csv`."""


def _read_rows() -> dict[Op, dict[str, str]]:
    text = (files("impulse_env.engine") / "ops.csv").read_text(encoding="utf-8")
    return {Op[row.pop("op").upper()]: row for row in csv.DictReader(text.splitlines())}


_ROWS: Final = _read_rows()
if missing := [op.name.lower() for op in Op if op not in _ROWS and op != Op.OVER]:
    raise ValueError(f"ops.csv has no row of {', '.join(missing)}")


def words(column: str) -> dict[Op, str]:
    """Return the texts of a column of `ops.csv`, by op."""
    return {op: row[column] for op, row in _ROWS.items()}


MODES: Final = {op: tuple(text.split("/")) for op, text in words("modes").items() if text}
"""The meanings of the values of its mode, by op."""
DECISIONS: Final = tuple(op for op in Op if Op.OVER < op < FIRST_AUTOMATIC)
"""The ops that are decisions."""
KINDS: Final = tuple(op.name.lower() for op in DECISIONS)
"""The names of these ops: the kinds of decision."""

FIRST_OP: Final = np.zeros(len(Op), np.int64)
"""The first op of the effects that contain an op; OVER for ops without an effect."""
MAY_END: Final = np.zeros(len(Op), np.bool_)
"""Whether the game may end within an op."""
MAY_LIE_ON: Final = np.zeros((len(Op), len(Op)), np.bool_)
"""Whether an op may lie on the op of the frame below; OVER for the bottom of the stack."""
ROLES: Final = np.zeros((len(Op), FRAME_FIELDS), np.int64)
"""The `Role` of a field, by op and field of its frame."""
MOST: Final = np.zeros((len(Op), FRAME_FIELDS), np.int64)
"""By op and field: the highest value that is always allowed (from 0 on), or a constant below."""
AS_BEGUN: Final = -1
"""The field has the value that the card began with."""
IN_CODE: Final = -2
"""`validity` defines the allowed values."""
COUNTED: Final = -3
"""The sum of LEFT and DONE is the value that the card began with."""


def _limit(op: Op, cell: str) -> int:
    """Return the entry of a field in `MOST`."""
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
