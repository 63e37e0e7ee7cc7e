"""The decisions that drew something, and other possible outcomes."""

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
    """Kinds of random events."""

    DEAL = 0
    """The map, the hands and the races at the start of a game."""
    DRAW = 1
    """Cards from the deck, except in a battle."""
    EXPLORE = 2
    """Face-down cells turned up, and anything else that the same decision drew."""
    BATTLE = 3
    """The end of a battle, with its cards."""
    CHOICE = 4
    """An action that an agent sampled from its own probabilities."""


KINDS = tuple(kind.name.lower() for kind in Kind)
"""Names of the kinds for people."""


def drew(before: np.ndarray, after: np.ndarray) -> NDArray[np.bool_]:
    """Return whether something was drawn in each game, shape ``(n,)``.

    Args:
        before: Full states at a decision, shape ``(n,)``.
        after: The same games at the next decision, or finished.
    """
    is_other_deck = (before["deck_count"] != after["deck_count"]) | (before["rng"] != after["rng"])
    return is_other_deck | _explored(before, after)


def kinds_of(before: np.ndarray, after: np.ndarray) -> NDArray[np.int8]:
    """Return the kind of each random event, shape ``(n,)``; arguments as in `drew`."""
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
    """Take a legal action in every game, in place; return the next deciding seats, ``(n,)``.

    Args:
        states: Full states at a decision, shape ``(n,)``; changed.
        seats: The deciding seats, shape ``(n,)``.
        actions: Legal actions, absolute, shape ``(n,)``.
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
    """Return possible outcomes of decisions, in k worlds for each.

    Args:
        states: Full states at a decision, shape ``(n,)``.
        seats: The deciding seats, shape ``(n,)``.
        actions: The chosen actions, absolute, shape ``(n,)``.
        seeds: Seeds of the worlds, not 0, shape ``(n, k)``.

    Returns:
        The games afterwards, shape ``(n * k,)``, and their deciding seats, `NOBODY` in finished
        games. The worlds of a decision are consecutive.
    """
    rows = np.repeat(np.arange(len(states)), seeds.shape[1])
    if not len(rows):
        return states[:0], np.zeros(0, np.int8)
    worlds = take_games(states, rows)
    redraw_all(worlds, np.ascontiguousarray(seeds).reshape(-1))
    return worlds, stepped(worlds, seats[rows], actions[rows])


def results(states: np.ndarray, sides: int) -> NDArray[np.float64]:
    """Return 1 for the winning side and 0 for the others, shape ``(n, sides)``.

    Nobody wins a truncated game.
    """
    return (states["winner"][:, None] == np.arange(sides)).astype(np.float64)
