"""Stepping some games of a batch while the others wait."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from impulse_env.batch import GameBatch, put_games, step_games, take_games
from impulse_env.frame import absolute_frame, own_frame


def step_some(batch: GameBatch, games: NDArray[np.intp], actions: NDArray[Any]) -> None:
    """Take one decision in some games of a batch; all others stay as they are.

    Args:
        batch: Changed in place.
        games: Indices, ascending, each once, shape ``(k,)``.
        actions: A legal action for each, in the own frame of who decides there, shape ``(k,)``.

    Raises:
        IllegalActionError: One of them is not legal; nothing was changed. The game in the message
            is counted among `games`.
    """
    actions = np.ascontiguousarray(actions, np.int64)
    if len(games) == len(batch.seats):
        batch.step(actions)
        return
    players = batch.options.players
    states = take_games(batch.states, games)
    masks, seats, seen = batch.masks[games], batch.seats[games], batch.observations[games]
    frames = (absolute_frame(players), own_frame(players))
    step_games(states, actions, masks, seats, seen, frames)
    put_games(batch.states, games, states)
    batch.masks[games], batch.seats[games], batch.observations[games] = masks, seats, seen
