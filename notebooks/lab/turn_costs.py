"""What it costs to let somebody else play a single turn.

The position is drawn anew many times from what the seat knows, so that a choice is judged by what
could be known and not by the cards that happened to lie in the deck. Each of these worlds is played
on by the strong agent, and once more with one turn of somebody else's, with the same chance.
"""

import numpy as np
import pandas as pd

from impulse_agents.base import Agent
from impulse_env.batch import copy_games
from impulse_env.information import decider, determinize_all
from impulse_env.options import Options
from impulse_training.rollout.continuations import Ended, play_on, stopped_at


def turn_by_another(
    options: Options,
    states: np.ndarray,
    strong: Agent,
    other: Agent,
    opponent: Agent,
    worlds: int,
    *,
    seed: int = 0,
) -> pd.DataFrame:
    """Play positions on, their turn by the one agent or by the other, and all else the same.

    Args:
        options: Of the games, without teams.
        states: Full records at the start of a turn, at a decision of whose turn it is, shape
            ``(n,)``; of the same turn and the same seat in all.
        strong: Plays that seat from the next turn on, and in half of the games this turn, too.
        other: Plays this turn in the other half.
        opponent: Plays all other seats.
        worlds: How many games are drawn from what the seat knows in each position; each is played
            twice.
        seed: Of the worlds and of the agents' chance.

    Returns:
        A row for each game: ``position`` (0 to n - 1), ``world``, ``by`` ("strong" or "other": who
        played the turn) and ``won``.

    Raises:
        AgentError: An agent does not play such games.
        ValueError: The positions are of several turns or seats.
    """
    seat, turn = decider(states[0]), int(states[0]["turn"])
    if any(decider(state) != seat or state["turn"] != turn for state in states):
        raise ValueError("the positions are to be of the same turn and seat")
    drawn = copy_games(np.repeat(states, worlds))
    numbers = np.arange(len(drawn))
    seeds = np.random.default_rng(seed).integers(1, 1 << 63, len(drawn)).astype(np.uint64)
    determinize_all(drawn, np.full(len(drawn), seat, np.int64), seeds)
    seats = np.arange(options.players)
    by_seat = (seats != seat).astype(np.int64)
    own = play_on(options, drawn, [strong, opponent], by_seat, seed=seed, numbers=numbers)
    table = [other if seat == one else opponent for one in seats]
    stopped, is_running = stopped_at(options, drawn, table, turn + 1, seed=seed)
    won = Ended(stopped, options.players).won.copy()
    games = np.flatnonzero(is_running)
    later = play_on(options, stopped[games], [strong, opponent], by_seat, seed=seed, numbers=games)
    won[games] = later.won
    return pd.DataFrame(
        {
            "position": np.tile(numbers // worlds, 2),
            "world": np.tile(numbers % worlds, 2),
            "by": np.repeat(["strong", "other"], len(numbers)),
            "won": np.concatenate([own.won[:, seat], won[:, seat]]),
        }
    )
