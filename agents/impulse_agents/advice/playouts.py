"""Playouts: an agent plays a position to its end for everybody, many times side by side.

Each is played in a world of its own, drawn from what the seat that is to decide knows and no more.
"""

from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent, AgentError
from impulse_agents.playing.continuations import Ended, worlds_of
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_env.batch import NOBODY
from impulse_env.game import Game
from impulse_env.records.record import options_of

PATIENCE: Final = 15.0
"""Seconds after which an agent is too slow for so many playouts."""


def played_out(
    game: Game, agent: Agent, numbers: range, seed: int = 0, patience: float = PATIENCE
) -> NDArray[np.bool_]:
    """Return whether each seat won, playout by playout, shape ``(len(numbers), players)``.

    Nobody wins one that reaches the last turn of a game.

    Args:
        game: A running game.
        agent: Plays every seat.
        numbers: Of the playouts: each is the same whichever are played with it.
        seed: Of the worlds and of the agent's chance.
        patience: Seconds that it may take.

    Raises:
        AgentError: The agent does not play such games, or takes too long.
    """
    agent.check_players(game.players)
    assert game.seat is not None
    count, players, began = len(numbers), game.players, perf_counter()
    rngs = [np.random.default_rng((seed, number)) for number in numbers]
    drawn = np.array([rng.integers(1, 1 << 64, size=2, dtype=np.uint64) for rng in rngs])
    states, seats = np.repeat(game.state.reshape(1), count), np.full(count, game.seat)
    worlds, streams = worlds_of(states, seats, drawn[:, 0].copy()), RngStreams(drawn[:, 1].copy())
    by_seat = np.zeros((count, players), np.int64)
    tables = GameRunner([agent], options_of(game), worlds, by_seat, streams)
    while (tables.batch.seats != NOBODY).any():
        if perf_counter() - began > patience:
            raise AgentError(
                f"{agent.name} takes too long for playouts: {count} were not over in "
                f"{patience:g} seconds; choose a quicker agent"
            )
        tables.step()
    return Ended(tables.batch.states, players).won
