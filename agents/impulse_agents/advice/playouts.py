"""Playouts: an agent plays a position to its end for all seats, many times in parallel.

Each playout has its own world, drawn from what the deciding seat knows.
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
"""Seconds that an agent may take for its playouts."""


def played_out(
    game: Game, agent: Agent, numbers: range, seed: int = 0, patience: float = PATIENCE
) -> NDArray[np.bool_]:
    """Return whether each seat won in each playout, shape ``(len(numbers), players)``.

    Nobody wins a playout that reaches the turn limit.

    Args:
        game: A running game.
        agent: The agent for every seat.
        numbers: Numbers of the playouts; a playout does not depend on the others.
        seed: Random seed of the worlds and the agent.
        patience: Seconds that the agent may take.

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
                f"{agent.name} takes too long for playouts: {count} did not end within "
                f"{patience:g} seconds; choose a faster agent"
            )
        tables.step()
    return Ended(tables.batch.states, players).won
