"""Reading an observation back: sections by name, words for numbers, tables for documents."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.arguments import checked_integer
from impulse_env.engine.cards import NUMBER_BY_CARD, TEXT_BY_CARD
from impulse_env.engine.constants import CELLS, Color, Op, Purpose, Race
from impulse_env.engine.ops import KINDS, MODES, words
from impulse_env.engine.sector_map import CELLS_OF_GATE_PAIRS
from impulse_env.errors import ArgumentError
from impulse_env.observation.layout import (
    CODE_COMMON_TECH,
    CODE_CORE,
    CODE_FACE_DOWN,
    CODE_RACE_TECH,
    OPTIONS,
    PHASES,
    Kind,
    Section,
    sections,
    size,
)

_Vector = NDArray[np.uint8]


def section(vector: _Vector, name: str, players: int) -> _Vector:
    """Return a view of a section of one or more vectors, reshaped to the section's shape.

    Args:
        vector: Shape ``(..., size(players))``.
        name: Name of the section.
        players: Number of players.

    Returns:
        Shape ``(..., *section.shape)``.

    Raises:
        ArgumentError: No section has that name, or the vector has another length.
    """
    _check_length(vector, players)
    for one in sections(players):
        if one.name == name:
            return _reshaped(vector, one)
    names = ", ".join(s.name for s in sections(players))
    raise ArgumentError(f"no section {name!r}; there are {names}")


def unflatten(vector: _Vector, players: int) -> dict[str, _Vector]:
    """Return every section by name, as views of one or more vectors in the sections' shapes."""
    _check_length(vector, players)
    return {one.name: _reshaped(vector, one) for one in sections(players)}


def _reshaped(vector: _Vector, one: Section) -> _Vector:
    return vector[..., one.start : one.stop].reshape(vector.shape[:-1] + one.shape)


def _check_length(vector: _Vector, players: int) -> None:
    if vector.shape[-1] != size(players):
        raise ArgumentError(
            f"an observation of {players} players has {size(players)} features, "
            f"not {vector.shape[-1]}"
        )


# --- Words ------------------------------------------------------------------------------------

_SPECIAL_CARDS: Final = {
    0: "none",
    CODE_FACE_DOWN: "face-down",
    CODE_COMMON_TECH: "common Basic Tech",
    CODE_RACE_TECH: "race's Basic Tech",
    CODE_CORE: "Sector Core",
}
_STATUSES: Final = ("running", "won by score", "won by elimination", "truncated")
_AXIS_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "color": tuple(color.name.lower() for color in Color),
    "side": ("defender", "attacker"),
    "ship type": ("Transports", "Cruisers"),
    "phase": tuple(op.name.lower() for op in PHASES),
    "decision": KINDS,
    "option": OPTIONS,
    "frame": ("top frame", "frame below"),
    "impulse": ("own team", "next team", "last team"),
}


_NUMBERS: Final = words("number")
"""The meaning of `frame_number`, by `frame_op`."""


def _card_name(face: int) -> str:
    return f"card {NUMBER_BY_CARD[face]}"


def _cell_name(cell: int) -> str:
    return f"cell {cell + 1}"


def _gate_name(gate: int) -> str:
    a, b = CELLS_OF_GATE_PAIRS[gate]
    return f"gate {a + 1}-{b + 1}"


def _seat_name(seat: int) -> str:
    return "self" if seat == 0 else f"seat {seat} clockwise"


def _index_name(axis: str, index: int) -> str:
    """Return the meaning of an index along an axis; cells and gates are in the own frame."""
    if axis == "face":
        return f'{_card_name(index)} "{TEXT_BY_CARD[index]}"'
    if axis == "seat":
        return _seat_name(index)
    if axis == "cell":
        return _cell_name(index)
    if axis == "gate":
        return _gate_name(index)
    return _AXIS_NAMES[axis][index] if axis in _AXIS_NAMES else f"{axis} {index}"


def _value_name(kind: Kind, value: int) -> str:
    """Return the meaning of a value; a number for counts, flags and modes."""
    if kind == Kind.CARD:
        return _SPECIAL_CARDS.get(value) or _card_name(value - 1)
    if kind in (Kind.PLACE, Kind.SEAT, Kind.RACE, Kind.PURPOSE) and value == 0:
        return "none"
    if kind == Kind.PLACE:
        return _cell_name(value - 1) if value <= CELLS else _gate_name(value - 1 - CELLS)
    if kind == Kind.SEAT:
        return _seat_name(value - 1)
    if kind == Kind.RACE:
        return Race(value - 1).name.capitalize()
    if kind == Kind.PURPOSE:
        return Purpose(value - 1).name.lower()
    if kind == Kind.OP:
        return Op(value).name.lower()
    return _STATUSES[value] if kind == Kind.STATUS else str(value)


def _depends_on_op(one: Section, index: int, vector: _Vector, players: int) -> str:
    """Return the meaning of a frame's mode or number; "" for other sections."""
    if one.name not in ("frame_mode", "frame_number"):
        return ""
    op = Op(int(section(vector, "frame_op", players)[index - one.start]))
    value = int(vector[index])
    if one.name == "frame_mode":
        return f", {MODES[op][value]}" if op in MODES else ""
    return f", {_NUMBERS[op]}" if _NUMBERS.get(op) else ""


def explain(vector: _Vector, players: int, index: int | None = None) -> str:
    """Describe a feature and its value in words; without an index, all features that are not 0.

    Raises:
        ArgumentError: The vector has another length, or the index is out of range.
    """
    _check_length(vector, players)
    if index is None:
        return "\n".join(explain(vector, players, int(i)) for i in np.flatnonzero(vector))
    index = checked_integer("index", index, 0, size(players) - 1)
    its = next(one for one in sections(players) if index < one.stop)
    place = np.unravel_index(index - its.start, its.shape) if its.shape else ()
    names = [_index_name(axis, int(i)) for axis, i in zip(its.axes, place, strict=True)]
    where = f" [{', '.join(names)}]" if names else ""
    value = _value_name(its.kind, int(vector[index]))
    value += _depends_on_op(its, index, vector, players)
    return f"{index} {its.name}{where}: {value} ({its.meaning})"


def table(players: int) -> str:
    """Return the sections as a Markdown table for the documentation."""
    rows = ["| Index | Section | Shape | Values | Meaning |", "|---:|---|---|---|---|"]
    for one in sections(players):
        last = one.stop - 1
        index = str(last) if one.start == last else f"{one.start}-{last}"
        shape = " x ".join(f"{n} {axis}s" for n, axis in zip(one.shape, one.axes, strict=True))
        largest = one.high if isinstance(one.high, int) else max(one.high)
        rows.append(
            f"| {index} | `{one.name}` | {shape or '1'} | {one.kind} 0-{largest} | {one.meaning} |"
        )
    return "\n".join(rows)


def frame_table() -> str:
    """Return the meanings of `frame_mode` and `frame_number` as a Markdown table."""
    rows = ["| `frame_op` | `frame_mode` | `frame_number` |", "|---|---|---|"]
    for op in sorted(_NUMBERS):
        if op in MODES or _NUMBERS[op]:
            modes = ", ".join(f"{i} {word}" for i, word in enumerate(MODES.get(op, ())))
            rows.append(f"| {op.name.lower()} | {modes or '-'} | {_NUMBERS[op] or '-'} |")
    return "\n".join(rows)
