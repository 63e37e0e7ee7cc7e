"""The own frame of a seat: itself first, seats clockwise, the map turned so that its home is at L.

The tables permute the action space; each has its exact inverse.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impulse_env.arguments import by_players, checked_integer
from impulse_env.engine.action_space import CELL_0, GATE_0, SEAT_0, SIZE
from impulse_env.engine.constants import CELLS, GATES, MAX_PLAYERS, Seat
from impulse_env.engine.sector_map import HOMES, TURNED_CELL, TURNED_GATE, TURNS_TO_LEFT
from impulse_env.errors import IllegalActionError

AbsoluteAction: TypeAlias = int
"""An action with cells, gates and seats numbered as on the table; `Game` and records use it."""
OwnAction: TypeAlias = int
"""An action with cells, gates and seats numbered from the deciding seat; observations,
environments and agents use it."""

IDENTITY: Final = np.tile(np.arange(SIZE), (MAX_PLAYERS, 1))
IDENTITY.setflags(write=False)
"""The table of the absolute frame, which changes nothing; shape ``(6, SIZE)``.

It is a constant of @jit functions.
"""


@by_players
def own_frame(players: int) -> NDArray[np.int64]:
    """Return the table from absolute actions to own ones, shape ``(6, SIZE)``, by seat."""
    table = IDENTITY.copy()
    for seat in range(players):
        turns = TURNS_TO_LEFT[HOMES[players, seat]]
        table[seat, CELL_0 : CELL_0 + CELLS] = CELL_0 + TURNED_CELL[turns]
        table[seat, GATE_0 : GATE_0 + GATES] = GATE_0 + TURNED_GATE[turns]
        others = np.arange(players)
        table[seat, SEAT_0 : SEAT_0 + players] = SEAT_0 + (others - seat) % players
    table.setflags(write=False)
    return table


@by_players
def absolute_frame(players: int) -> NDArray[np.int64]:
    """Return the table from own actions to absolute ones, shape ``(6, SIZE)``, by seat."""
    table = np.argsort(own_frame(players), axis=1)
    table.setflags(write=False)
    return table


def to_own(action: AbsoluteAction, players: int, seat: Seat) -> OwnAction:
    """Convert an action from the absolute frame to the seat's own frame.

    Raises:
        IllegalActionError: The action is not an integer from 0 to ``N_ACTIONS - 1``.
        ArgumentError: The seat or the number of players is out of range.
    """
    return _looked_up(own_frame(players), action, players, seat)


def to_absolute(action: OwnAction, players: int, seat: Seat) -> AbsoluteAction:
    """Convert an action from the seat's own frame to the absolute frame; inverse of `to_own`."""
    return _looked_up(absolute_frame(players), action, players, seat)


def _looked_up(table: NDArray[np.int64], action: int, players: int, seat: Seat) -> int:
    number = checked_integer("action", action, 0, SIZE - 1, IllegalActionError)
    return int(table[checked_integer("seat", seat, 0, players - 1), number])
