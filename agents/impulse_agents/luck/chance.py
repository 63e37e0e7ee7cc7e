"""Which decisions drew something, and what else they could have drawn."""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import N_ACTIONS
from impulse_env.batch import step_games, take_games
from impulse_env.engine.constants import PointSource
from impulse_env.information import redraw_all
from impulse_env.outcomes import SOURCES

_BATTLE = SOURCES.index(PointSource.BATTLE)


class Kind(IntEnum):
    """Where chance comes in."""

    DEAL = 0
    """The map, the hands and the races that a game begins with."""
    DRAW = 1
    """Cards from the deck, but for those of a battle."""
    EXPLORE = 2
    """Face-down cells turned up, and whatever else the same decision drew."""
    BATTLE = 3
    """A battle that was decided, cards and all."""
    CHOICE = 4
    """A choice that an agent drew by probabilities that it tells."""


KINDS = tuple(kind.name.lower() for kind in Kind)
"""What the kinds are called where people read them."""


def drew(before: np.ndarray, after: np.ndarray) -> NDArray[np.bool_]:
    """Return in which games something was drawn, shape ``(n,)``.

    Args:
        before: Full records at a decision, shape ``(n,)``.
        after: The same games at the next one, or over.
    """
    is_other_deck = (before["deck_count"] != after["deck_count"]) | (before["rng"] != after["rng"])
    return is_other_deck | _explored(before, after)


def kinds_of(before: np.ndarray, after: np.ndarray) -> NDArray[np.int8]:
    """Return the kind of what was drawn, shape ``(n,)``; see `drew`."""
    battles = [states["points"][:, :, _BATTLE].sum(axis=1) for states in (before, after)]
    kinds = np.where(_explored(before, after), Kind.EXPLORE, Kind.DRAW)
    return np.where(battles[0] != battles[1], Kind.BATTLE, kinds).astype(np.int8)


def _explored(before: np.ndarray, after: np.ndarray) -> NDArray[np.bool_]:
    is_face_down = before["cell_face_up"] == 0
    has_changed = (before["cell_card"] != after["cell_card"]) | (after["cell_face_up"] != 0)
    return (is_face_down & has_changed).any(axis=1)


def stepped(
    states: np.ndarray, seats: NDArray[np.int8], actions: NDArray[np.int64]
) -> NDArray[np.int8]:
    """Take a legal action in every game, in place; return who decides next, shape ``(n,)``.

    Args:
        states: Full records at a decision, shape ``(n,)``; changed.
        seats: Who decides, shape ``(n,)``.
        actions: Legal ones, absolute, shape ``(n,)``.
    """
    masks = np.zeros((len(states), N_ACTIONS), np.int8)
    masks[np.arange(len(states)), actions] = 1
    deciding = seats.copy()
    if len(states):
        step_games(states, actions, masks, deciding)
    return deciding


def redrawn(
    states: np.ndarray,
    seats: NDArray[np.int8],
    actions: NDArray[np.int64],
    seeds: NDArray[np.uint64],
) -> tuple[np.ndarray, NDArray[np.int8]]:
    """Return what a decision could have led to, in as many worlds as there are seeds for each.

    Args:
        states: Full records at a decision, shape ``(n,)``.
        seats: Who decides, shape ``(n,)``.
        actions: What was chosen, absolute, shape ``(n,)``.
        seeds: Of what is drawn, not 0, shape ``(n, k)``.

    Returns:
        The games afterwards, shape ``(n * k,)``, and who decides there, `NOBODY` where one is over;
        the worlds of a decision follow each other.
    """
    rows = np.repeat(np.arange(len(states)), seeds.shape[1])
    if not len(rows):
        return states[:0], np.zeros(0, np.int8)
    worlds = take_games(states, rows)
    redraw_all(worlds, np.ascontiguousarray(seeds).reshape(-1))
    return worlds, stepped(worlds, seats[rows], actions[rows])


def results(states: np.ndarray, sides: int) -> NDArray[np.float64]:
    """Return 1 for the side that won and 0 for the others, shape ``(n, sides)``.

    Where a game was truncated nobody has won.
    """
    return (states["winner"][:, None] == np.arange(sides)).astype(np.float64)
