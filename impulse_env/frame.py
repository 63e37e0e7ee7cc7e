"""A seat's own frame: itself first, seats clockwise, the map turned so that its home is at L.

The tables map the action space onto itself; each has its exact inverse.
"""

from functools import cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine.action_space import CELL_0, GATE_0, SEAT_0, SIZE
from impulse_env.engine.constants import CELLS, GATES, MAX_PLAYERS, Seat
from impulse_env.engine.sector_map import HOMES, TURNED_CELL, TURNED_GATE, TURNS_TO_LEFT

AbsoluteAction: TypeAlias = int
"""An action with cells, gates and seats numbered as at the table: of a game, a name, a record."""
OwnAction: TypeAlias = int
"""An action with cells, gates and seats as the deciding seat counts them: of an observation, an
environment, an agent."""

IDENTITY: Final = np.tile(np.arange(SIZE), (MAX_PLAYERS, 1))
IDENTITY.setflags(write=False)
"""Shape (6, SIZE): the absolute frame, for whoever asks for a table."""


@cache
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


@cache
def absolute_frame(players: int) -> NDArray[np.int64]:
    """Return the table from own actions to absolute ones, shape ``(6, SIZE)``, by seat."""
    table = np.argsort(own_frame(players), axis=1)
    table.setflags(write=False)
    return table


def to_own(action: AbsoluteAction, players: int, seat: Seat) -> OwnAction:
    """Return what the absolute action is called in the seat's own frame."""
    return int(own_frame(players)[seat, action])


def to_absolute(action: OwnAction, players: int, seat: Seat) -> AbsoluteAction:
    """Return the absolute action of one in the seat's own frame; the inverse of `to_own`."""
    return int(absolute_frame(players)[seat, action])
