"""Records of games with errors: every field, every kind of wrong value.

Most edits make an impossible record; some make another possible game. The validity checks must
distinguish them.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine.constants import (
    CARDS,
    CELLS,
    FACES,
    GATES,
    LOOSE_CARDS,
    NO_CARD,
    PLACES,
    Op,
)
from impulse_env.engine.state import OP, PATH_SLOTS, STACK_DEPTH, STATE

ZONES: Final = ("cell_card", "deck", "impulse", "table", "hand", "plan", "techs", "laid")
SORTED: Final = ("hand", "laid", "known")
LISTS: Final = {
    "deck": "deck_count",
    "table": "table_count",
    "hand": "hand_count",
    "plan": "plan_count",
    "impulse": "impulse_count",
    "known": "known_count",
    "laid": "laid_count",
    "path": "path_count",
    "fleet_from": "fleet_count",
    "stack": "stack_count",
}
_LIMITS: Final = (PATH_SLOTS, STACK_DEPTH, CELLS, GATES, PLACES, FACES, LOOSE_CARDS, CARDS, 100)
_EDGES: Final = np.array(
    [*range(-6, 33), *(limit + d for limit in _LIMITS for d in (-1, 0, 1)), -128, 127],
    np.int64,
)
"""Values at the limits of ranges, most of them small."""

Rows = NDArray[np.intp]


def edited(states: np.ndarray, donors: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return copies of records, each with one to three changes.

    Args:
        states: Shape ``(n,)``, dtype `STATE`.
        donors: Records of other games, the source of copied fields, shape ``(n,)``.
        rng: The generator that chooses the changes.
    """
    made = states.copy()
    edits = rng.choice([1, 1, 1, 2, 3], len(made))
    for number in range(3):
        kinds = rng.integers(len(_KINDS), size=len(made))
        for kind, change in enumerate(_KINDS):
            rows = np.flatnonzero((kinds == kind) & (edits > number))
            if len(rows):
                change(made, donors, rows, rng)
    return made


def flat(states: np.ndarray, field: str) -> np.ndarray:
    """Return a field as a table that shares its memory, shape ``(n, elements)``."""
    table = states[field].reshape(len(states), -1)
    assert np.shares_memory(table, states)
    return table


def _by_field(rows: Rows, rng: np.random.Generator) -> list[tuple[str, Rows]]:
    """Give each row a field at random."""
    names = STATE.names or ()
    chosen = rng.integers(len(names), size=len(rows))
    return [(name, rows[chosen == number]) for number, name in enumerate(names)]


def _elements(table: np.ndarray, rows: Rows, rng: np.random.Generator) -> Rows:
    """Choose an element for each row: any element, or one in use."""
    width = table.shape[1]
    anywhere = rng.integers(width, size=len(rows))
    used = (table[rows] != 0).sum(1).clip(1)
    among = (rng.random(len(rows)) * used).astype(np.intp)
    return np.where(rng.random(len(rows)) < 0.5, anywhere, among)


def _set_value(made: np.ndarray, donors: np.ndarray, rows: Rows, rng: np.random.Generator) -> None:
    """Set one element to a limit of its type, an edge, a neighbouring value, or any value."""
    for field, some in _by_field(rows, rng):
        table = flat(made, field)
        at = _elements(table, some, rng)
        old = table[some, at]
        limits = np.iinfo(table.dtype)
        ends = np.where(rng.random(len(some)) < 0.5, limits.min, limits.max).astype(table.dtype)
        edges = rng.choice(_EDGES, len(some)).astype(table.dtype)
        near = old + rng.choice([-2, -1, 1, 2], len(some)).astype(table.dtype)
        any_value = rng.integers(limits.min, limits.max, len(some), table.dtype, endpoint=True)
        kind = rng.integers(4, size=len(some))
        table[some, at] = np.choose(kind, [ends, edges, near, any_value])


def _swap(made: np.ndarray, donors: np.ndarray, rows: Rows, rng: np.random.Generator) -> None:
    """Swap two elements of a field."""
    for field, some in _by_field(rows, rng):
        table = flat(made, field)
        one, other = _elements(table, some, rng), _elements(table, some, rng)
        table[some, one], table[some, other] = table[some, other], table[some, one]


def _copy(made: np.ndarray, donors: np.ndarray, rows: Rows, rng: np.random.Generator) -> None:
    """Copy a field, or an element of it, from another game."""
    for field, some in _by_field(rows, rng):
        table, source = flat(made, field), flat(donors, field)
        whole = rng.random(len(some)) < 0.5
        table[some[whole]] = source[some[whole]]
        part = some[~whole]
        at = rng.integers(table.shape[1], size=len(part))
        table[part, at] = source[part, at]


def _move_card(made: np.ndarray, donors: np.ndarray, rows: Rows, rng: np.random.Generator) -> None:
    """Swap two cards of any zones, so that every card still occurs once."""
    for row in rows:
        places = []
        for _ in range(2):
            table = flat(made, str(rng.choice(ZONES)))[row]
            lying = np.flatnonzero(table >= 0)
            if len(lying):
                places.append((table, int(rng.choice(lying))))
        if len(places) == 2:
            (one, at), (other, there) = places
            one[at], other[there] = other[there], one[at]
        _sort(made, row)


def _sort(made: np.ndarray, row: int) -> None:
    for field in SORTED:
        for cards in made[field][row]:
            count = int((cards >= 0).sum())
            cards[:count] = np.sort(cards[:count])


def _pass_card(made: np.ndarray, donors: np.ndarray, rows: Rows, rng: np.random.Generator) -> None:
    """Move the last card of a list to the end of another, and adjust the counts."""
    lists = ("deck", "table", "hand", "plan", "impulse", "laid")
    for row in rows:
        ends = []
        for _ in range(2):
            name = str(rng.choice(lists))
            counts = np.atleast_1d(made[LISTS[name]][row : row + 1].reshape(-1))
            cards = made[name][row].reshape(len(counts), -1)
            of = int(rng.integers(len(counts)))
            ends.append((name, cards[of], of))
        (name, cards, of), (to, others, onto) = ends
        count = int(np.atleast_1d(made[LISTS[name]][row])[of])
        there = int(np.atleast_1d(made[LISTS[to]][row])[onto])
        if not 0 < count <= len(cards) or not 0 <= there < len(others) or cards is others:
            continue
        others[there], cards[count - 1] = cards[count - 1], NO_CARD
        _add(made, LISTS[name], row, of, -1)
        _add(made, LISTS[to], row, onto, 1)
        _sort(made, row)


def _add(made: np.ndarray, field: str, row: int, at: int, number: int) -> None:
    flat(made, field)[row, at] += number


def _change_frame(
    made: np.ndarray, donors: np.ndarray, rows: Rows, rng: np.random.Generator
) -> None:
    """Change a field of a frame in use slightly, or change its op."""
    for row in rows:
        count = int(made["stack_count"][row])
        if not 0 < count <= STACK_DEPTH:
            continue
        frame = made["stack"][row, count - 1 - int(rng.integers(min(count, 3)))]
        at = int(rng.integers(len(frame)))
        frame[at] = rng.integers(max(Op) + 2) if at == OP else rng.integers(-6, 20)


def _stack_frames(
    made: np.ndarray, donors: np.ndarray, rows: Rows, rng: np.random.Generator
) -> None:
    """Push a frame, pop one, or replace one by a frame of another game."""
    for row in rows:
        count = int(made["stack_count"][row])
        other = int(donors["stack_count"][row])
        if not 0 <= count < STACK_DEPTH or not 0 < other <= STACK_DEPTH:
            continue
        frame = donors["stack"][row, int(rng.integers(other))]
        kind = int(rng.integers(4))
        if kind == 0:
            made["stack"][row, count] = frame
            made["stack_count"][row] = count + 1
        elif kind == 1 and count:
            made["stack"][row, count - 1] = 0
            made["stack_count"][row] = count - 1
        elif kind == 2:
            made["stack"][row] = donors["stack"][row]
            made["stack_count"][row] = other
        elif count:
            made["stack"][row, count - 1] = frame


_KINDS: Final[tuple[Callable[[np.ndarray, np.ndarray, Rows, np.random.Generator], None], ...]] = (
    _set_value,
    _set_value,
    _swap,
    _copy,
    _move_card,
    _pass_card,
    _change_frame,
    _stack_frames,
)
