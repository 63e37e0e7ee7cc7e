"""What a seat sees, as a vector of bytes in its own frame.

Own frame: seats are counted clockwise from the seat that looks, and the map is turned so that its
home is the left corner, as in `impulse_env.frame`.

Nothing hidden is read (`impulse_env.information`): the full record and the seat's view of it give
the same vector, whoever is to decide.

layout   the list of sections: what stands where
board    writes cards, map, seats and how the game stands
effects  writes the decision, the effects under way, movement and battle
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
    """Write what `seat` sees.

    Args:
        state: A full record, or the view of `seat`.
        seat: Who looks: any seat of the game, also one that is out or not to decide.
        out: Shape ``(size(players),)``; every feature is written.
    """
    out[:] = 0
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
    """Write what a seat of every game sees.

    Args:
        states: Games of the same number of players, shape ``(n,)``, dtype `STATE`.
        seats: Who looks, shape ``(n,)``; a negative one gets a row of zeros.
        out: Shape ``(n, size(players))``, filled.
    """
    for game in range(len(states)):
        if seats[game] >= 0:
            encode(states[game], seats[game], out[game])
        else:
            out[game, :] = 0


def observe(game: Any, seat: Seat, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
    """Return what a seat of a game sees.

    Args:
        game: A `Game` or its record, full or the view of `seat`.
        seat: Who looks.
        out: Where to write, shape ``(size(players),)``; None: a new vector.

    Raises:
        ArgumentError: There is no such seat, or `out` has another shape.
    """
    states = np.zeros(1, STATE)
    states[0] = game if isinstance(game, np.void) else game.state
    seat = checked_integer("seat", seat, 0, int(states["players"][0]) - 1)
    rows = None if out is None else out[np.newaxis]
    return observe_all(states, np.array([seat]), rows)[0]


def observe_all(
    states: np.ndarray, seats: NDArray[np.integer[Any]], out: NDArray[np.uint8] | None = None
) -> NDArray[np.uint8]:
    """Return what a seat of every game sees, shape ``(n, size(players))``.

    Args:
        states: Games of the same number of players, shape ``(n,)``, dtype `STATE`, n at least 1.
        seats: Who looks, shape ``(n,)``; a negative one gets a row of zeros.
        out: Where to write; None: a new array.

    Raises:
        ArgumentError: A seat that no game has, games of different sizes, or `out` of another shape.
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
