"""Observations: the view of a seat as a vector of bytes in the seat's own frame.

Own frame: seats are counted clockwise from the observing seat, and the map is turned so that its
home is the left corner, as in `impulse_env.frame`.

The encoder never reads hidden information (`impulse_env.information`): the full record and the
seat's view of it give the same vector, for every deciding seat.

layout   the list of sections and their places in the vector
board    writes cards, map, seats and the status of the game
effects  writes the decision, the current effects, movement and battle
matches  writes which cards would fight as reinforcements
reading  reads a vector back
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from impulse_env.arguments import checked_integer, checked_integers, shown
from impulse_env.compiled.compilation import jit, jit_internal
from impulse_env.engine.constants import Seat, State
from impulse_env.engine.sector_map import HOMES, TURNS_TO_LEFT
from impulse_env.engine.state import STATE
from impulse_env.errors import ArgumentError
from impulse_env.observation.board import encode_cards, encode_map, encode_seats, encode_standing
from impulse_env.observation.effects import encode_decision, encode_effects, encode_movement
from impulse_env.observation.layout import STARTS, Kind, Part, Section, high, sections, size
from impulse_env.observation.matches import encode_matches
from impulse_env.observation.reading import explain, frame_table, section, table, unflatten

__all__ = [
    "Kind",
    "Part",
    "Section",
    "encode",
    "encode_all",
    "encode_features",
    "explain",
    "frame_table",
    "high",
    "observe",
    "observe_all",
    "section",
    "sections",
    "size",
    "table",
    "unflatten",
]


@jit_internal
def encode(state: State, seat: Seat, out: NDArray[np.uint8]) -> None:
    """Write the observation of `seat`.

    Args:
        state: A full record, or the view of `seat`.
        seat: The observing seat: any seat of the game, also an eliminated or waiting one.
        out: Shape ``(size(players),)``, uint8; every feature is written.
    """
    out[:] = 0
    encode_features(state, seat, out)


@jit_internal
def encode_features(state: State, seat: Seat, out: NDArray[np.uint8]) -> None:
    """Write the features that are not 0, as `encode` does, into an array of zeros."""
    starts = STARTS[int(state["players"])]
    turns = int(TURNS_TO_LEFT[HOMES[int(state["players"]), seat]])
    encode_matches(state, seat, starts, out)
    encode_cards(state, seat, starts, out)
    encode_map(state, seat, turns, starts, out)
    encode_seats(state, seat, turns, starts, out)
    encode_standing(state, seat, starts, out)
    encode_decision(state, seat, starts, out)
    encode_effects(state, seat, turns, starts, out)
    encode_movement(state, seat, turns, starts, out)


@jit
def encode_all(states: np.ndarray, seats: NDArray[np.int64], out: NDArray[np.uint8]) -> None:
    """Write the observation of one seat of every game.

    Args:
        states: Games with the same number of players, shape ``(n,)``, dtype `STATE`.
        seats: The observing seats, shape ``(n,)``; a negative one gets a row of zeros.
        out: Shape ``(n, size(players))``, uint8; overwritten.
    """
    for game in range(len(states)):
        if seats[game] >= 0:
            encode(states[game], seats[game], out[game])
        else:
            out[game, :] = 0


def observe(game: Any, seat: Seat, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
    """Return the observation of a seat of a game, shape ``(size(players),)``, uint8.

    Args:
        game: A `Game` or its record, full or the view of `seat`.
        seat: The observing seat.
        out: The vector to write to, shape ``(size(players),)``, uint8; None: a new vector.

    Raises:
        ArgumentError: The game does not have that seat, or `out` has another shape or dtype.
    """
    states = np.zeros(1, STATE)
    states[0] = game if isinstance(game, np.void) else game.state
    seat = checked_integer("seat", seat, 0, int(states["players"][0]) - 1)
    rows = None if out is None else out[np.newaxis]
    return observe_all(states, np.array([seat]), rows)[0]


def observe_all(
    states: np.ndarray, seats: NDArray[np.integer[Any]], out: NDArray[np.uint8] | None = None
) -> NDArray[np.uint8]:
    """Return the observation of one seat of every game, shape ``(n, size(players))``, uint8.

    Args:
        states: Games with the same number of players, shape ``(n,)``, dtype `STATE`, n at least 1.
        seats: The observing seats, shape ``(n,)``; a negative one gets a row of zeros.
        out: The array to write to; None: a new array.

    Raises:
        ArgumentError: A seat is out of range, the games differ in their number of players, or
            `out` has another shape or dtype.
    """
    players = int(states["players"][0])
    shape = (len(states), size(players))
    if (states["players"] != players).any():
        raise ArgumentError("the games must have the same number of players")
    numbers = checked_integers("seats", seats, shape[:1])
    if (numbers >= players).any():
        raise ArgumentError(f"seats must be below {players}, not {shown(numbers)}")
    if out is None:
        out = np.empty(shape, np.uint8)
    elif out.shape != shape or out.dtype != np.uint8:
        raise ArgumentError(f"out must be uint8 of shape {shape}, not {out.dtype} of {out.shape}")
    encode_all(states, numbers, out)
    return out
