"""Steps, legal actions and results of games."""

from typing import Any, Final

import numba
import numpy as np
from numpy.typing import NDArray

from impulse_env.batch import NOBODY
from impulse_env.c_library.parts import (
    PLAYERS,
    Error,
    Result,
    actions_of,
    head_of,
    move_on,
    record_of,
)
from impulse_env.compiled.compilation import jit_internal
from impulse_env.compiled.memory import pointer_to
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS, Seat
from impulse_env.frame import absolute_frame, own_frame

TO_OWN: Final = np.stack([own_frame(players) for players in PLAYERS]).astype(np.int16)
TO_ABSOLUTE: Final = np.stack([absolute_frame(players) for players in PLAYERS]).astype(np.int16)


@jit_internal
def _fault_of_action(games: Any, game: int, action: int) -> int:
    """Return the error of an action in a game, or 0."""
    if record_of(games, game)["rng"] == 0:
        return Error.HIDDEN
    actions = actions_of(games, game)
    for option in range(head_of(games, game)[1]):
        if actions[option] == action:
            return 0
    return Error.ILLEGAL_ACTION


@jit_internal
def step(game: Any, action: int) -> Result:
    """Take a decision; return the number of legal actions of the next one."""
    fault = _fault_of_action(game, 0, action)
    if fault:
        return fault
    move_on(game, 0, action)
    return np.int64(head_of(game, 0)[1])


@jit_internal
def step_games(games: Any, actions: Any, count: int, first: Any) -> int:
    """Step every game that is not over; `first` gets the first game with an error."""
    for game in range(count):
        if head_of(games, game)[0] != NOBODY:
            fault = _fault_of_action(games, game, actions[game])
            if fault:
                first[0] = game
                return fault
    for game in range(count):
        if head_of(games, game)[0] != NOBODY:
            move_on(games, game, actions[game])
    return 0


@jit_internal
def legal_mask(game: Any, own: int, mask: Any) -> int:
    """Write the legal actions of a game, as `legal_masks` does."""
    return legal_masks(game, 1, own, mask)


@jit_internal
def legal_masks(games: Any, count: int, own: int, masks: Any) -> int:
    """Write 1 for every legal action of each game, in the absolute or the own frame."""
    for game in range(count):
        mask = numba.carray(pointer_to(masks, game * SIZE, np.uint8), (SIZE,))
        mask[:] = 0
        seat, actions = head_of(games, game)[0], actions_of(games, game)
        players = int(record_of(games, game)["players"])
        for option in range(head_of(games, game)[1]):
            action = actions[option]
            mask[TO_OWN[players - MIN_PLAYERS, seat, action] if own else action] = 1
    return 0


@jit_internal
def _translated(tables: NDArray[np.int16], players: int, seat: Seat, action: int) -> Result:
    if players < MIN_PLAYERS or players > MAX_PLAYERS:
        return Error.BAD_PLAYERS
    if seat < 0 or seat >= players:
        return Error.BAD_SEAT
    if action < 0 or action >= SIZE:
        return Error.ILLEGAL_ACTION
    return np.int64(tables[players - MIN_PLAYERS, seat, action])


@jit_internal
def to_own(players: int, seat: Seat, action: int) -> Result:
    """Convert an action to a seat's own frame."""
    return _translated(TO_OWN, players, seat, action)


@jit_internal
def to_absolute(players: int, seat: Seat, action: int) -> Result:
    """Convert an action from a seat's own frame."""
    return _translated(TO_ABSOLUTE, players, seat, action)


@jit_internal
def seat_of(game: Any) -> Result:
    """Return the seat that decides, or NOBODY."""
    return np.int64(head_of(game, 0)[0])


@jit_internal
def status_of(game: Any) -> Result:
    """Return the status of a game."""
    return np.int64(record_of(game, 0)["status"])


@jit_internal
def scores_of(game: Any, scores: Any) -> Result:
    """Write the points of all seats; return the number of seats."""
    state = record_of(game, 0)
    players = np.int64(state["players"])
    for seat in range(players):
        scores[seat] = state["score"][seat]
    return players


@jit_internal
def winners_of(game: Any) -> int:
    """Return the winning seats as bits."""
    state = record_of(game, 0)
    winners = 0
    for seat in range(np.int64(state["players"])):
        if seat % state["teams"] == state["winner"]:
            winners |= 1 << seat
    return winners
