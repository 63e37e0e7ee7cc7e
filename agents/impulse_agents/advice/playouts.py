"""Playouts: an agent plays a position to its end for everybody, many times side by side.

Each is played in a world of its own, drawn from what the seat that is to decide knows and no more.
"""

from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.asking.ask import ask, checked
from impulse_agents.base import Agent, AgentError, ObservationBatch
from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import NOBODY, put_games, step_games, take_games
from impulse_env.frame import absolute_frame, own_frame
from impulse_env.game import Game
from impulse_env.information import determinize_all, redact_all
from impulse_env.observation import size as observation_size

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
    states = take_games(game.state.reshape(1), np.zeros(count, np.intp))
    seeds = [np.random.default_rng((seed, number)) for number in numbers]
    worlds = np.concatenate([rng.integers(1, 1 << 64, size=1, dtype=np.uint64) for rng in seeds])
    determinize_all(states, np.full(count, game.seat, np.int64), worlds)
    streams = RngStreams(
        np.concatenate([rng.integers(1, 1 << 64, size=1, dtype=np.uint64) for rng in seeds])
    )
    masks = np.zeros((count, N_ACTIONS), np.int8)
    seats = np.full(count, NOBODY, np.int8)
    seen = np.zeros((count, observation_size(players)), np.uint8)
    tables = absolute_frame(players), own_frame(players)
    step_games(states, np.zeros(count, np.int64), masks, seats, seen, tables)
    while len(rows := np.flatnonzero(seats != NOBODY)):
        if perf_counter() - began > patience:
            raise AgentError(
                f"{agent.name} takes too long for playouts: {count} were not over in "
                f"{patience:g} seconds; choose a quicker agent"
            )
        some = take_games(states, rows)
        their = ObservationBatch(
            seen[rows], masks[rows], seats[rows], _views(agent, some, seats[rows])
        )
        own = streams.take(rows)
        actions = _asked(agent, their, own, players)
        streams.put(rows, own)
        step_games(some, actions, their.masks, their.seats, their.observations, tables)
        put_games(states, rows, some)
        masks[rows], seats[rows], seen[rows] = their.masks, their.seats, their.observations
    return np.arange(players) % states["teams"][:, None] == states["winner"][:, None]


def _asked(
    agent: Agent, seen: ObservationBatch, streams: RngStreams, players: int
) -> NDArray[np.int64]:
    games = np.arange(len(seen))

    def question() -> NDArray[np.int64]:
        return checked(agent.act(seen, streams), seen.masks, seen.seats, players, games)

    return ask(agent, question)


def _views(agent: Agent, states: np.ndarray, seats: NDArray[np.int8]) -> np.ndarray | None:
    """Return what the seats that decide see, as records, if the agent asks for that."""
    if not agent.needs_views:
        return None
    views = take_games(states, np.arange(len(states)))
    redact_all(views, seats.astype(np.int64))
    return views
