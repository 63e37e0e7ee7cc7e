"""What it costs to let somebody else play a single turn.

The position is drawn anew many times from what the seat knows, so that a choice is judged by what
could be known and not by the cards that happened to lie in the deck. Each of these worlds is played
on by the strong agent, and once more with one turn of somebody else's, with the same chance.
"""

import numpy as np
import pandas as pd

from impulse_agents.base import Agent
from impulse_env.batch import copy_games
from impulse_env.engine.constants import State
from impulse_env.information import decider, determinize_all
from impulse_env.options import Options
from impulse_training.studies.played_on import Ended, play_on, stopped_at


def turn_by_another(
    options: Options,
    state: State,
    strong: Agent,
    other: Agent,
    opponent: Agent,
    worlds: int,
    *,
    seed: int = 0,
) -> pd.DataFrame:
    """Play a position on, its turn by the one agent or by the other, and all else the same.

    Args:
        options: Of the game, without teams.
        state: The full record at the start of a turn, at a decision of whose turn it is.
        strong: Plays that seat from the next turn on, and in half of the games this turn, too.
        other: Plays this turn in the other half.
        opponent: Plays all other seats.
        worlds: How many games are drawn from what the seat knows; each is played twice.
        seed: Of the worlds and of the agents' chance.

    Returns:
        A row for each game: ``world``, ``turn_by`` (an agent's name) and ``won``.

    Raises:
        AgentError: An agent does not play such games.
    """
    seat = decider(state)
    drawn = np.empty(worlds, state.dtype)
    drawn[:] = state
    drawn = copy_games(drawn)
    seeds = np.random.default_rng(seed).integers(1, 1 << 63, worlds).astype(np.uint64)
    determinize_all(drawn, np.full(worlds, seat, np.int64), seeds)
    seats = np.arange(options.players)
    is_own = (seats == seat).astype(np.int64)
    by_seat, numbers = 1 - is_own, np.arange(worlds)
    own = play_on(options, drawn, [strong, opponent], by_seat, seed=seed, numbers=numbers)
    table = [other if seat == one else opponent for one in seats]
    stopped, is_running = stopped_at(options, drawn, table, int(state["turn"]) + 1, seed=seed)
    won = Ended(stopped, options.players).won.copy()
    games = np.flatnonzero(is_running)
    later = play_on(options, stopped[games], [strong, opponent], by_seat, seed=seed, numbers=games)
    won[games] = later.won
    return pd.DataFrame(
        {
            "world": np.tile(numbers, 2),
            "turn_by": np.repeat([strong.name, other.name], worlds),
            "won": np.concatenate([own.won[:, seat], won[:, seat]]),
        }
    )
