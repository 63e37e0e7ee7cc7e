"""The regret of choices: a trained agent continues after each, and gives the chance to win there.

The regret of a decision is the chance after the best choice minus the chance after the chosen one.
The chance is taken when the seat must decide again outside a battle. A network that has not learned
to predict the winner of a battle gives different chances before and after its end. A choice that
ends the battle at once would then look good or bad for that reason alone.
"""

from collections.abc import Callable
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_agents.luck.values import Judge
from impulse_agents.playing.continuations import step_until
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_env.batch import NOBODY, GameBatch, take_games
from impulse_env.engine.constants import RUNNING
from impulse_env.observation import observe_all
from impulse_env.options import Options

LONGEST: Final = 200
"""Largest number of decisions in a continuation."""

ProgressCallback = Callable[[int, int], None]
"""Takes the number of finished games, and the number of all games."""


def chances_after(
    judge: Judge,
    options: Options,
    states: np.ndarray,
    seats: NDArray[np.int64],
    actions: NDArray[np.int64],
    *,
    later_turns: int = 0,
    tell: ProgressCallback = lambda done, of: None,
) -> NDArray[np.float32]:
    """Return the chance of each seat's side to win after an action, shape ``(n,)``.

    The judge continues for all seats until that seat must decide again.

    Args:
        judge: A calibrated trained agent.
        options: The options of all games.
        states: Full states at a decision, shape ``(n,)``; not changed.
        seats: The deciding seats, shape ``(n,)``.
        actions: Their actions, each in its seat's own frame, shape ``(n,)``.
        later_turns: The horizon: least number of player turns that pass before the judgement.
        tell: Called with the progress.
    """
    count = len(states)
    if not count:
        return np.zeros(0, np.float32)
    by_seat = np.zeros((count, options.players), np.int64)
    streams = RngStreams.from_seeds(range(count))
    tables = GameRunner([cast(Agent, judge)], options, states, by_seat, streams)
    tables.batch.step(actions)
    return chances_later(judge, tables, seats, states["turn"] + later_turns, tell)


def chances_later(
    judge: Judge,
    tables: GameRunner,
    seats: NDArray[np.int64],
    turns: NDArray[np.integer],
    tell: ProgressCallback = lambda done, of: None,
) -> NDArray[np.float32]:
    """Continue games until a seat decides outside a battle; return its side's chances there.

    Args:
        judge: A calibrated trained agent.
        tables: The games, n of them.
        seats: The seat of each, shape ``(n,)``.
        turns: Least number of completed player turns of each, shape ``(n,)``.
        tell: Called with the progress.

    Returns:
        Shape ``(n,)``.
    """
    count = len(seats)

    def has_arrived(batch: GameBatch) -> NDArray[np.bool_]:
        is_quiet = batch.states["battle_gate"] < 0
        arrived: NDArray[np.bool_] = (
            (batch.seats == seats) & is_quiet & (batch.states["turn"] >= turns)
        )
        tell(count - int(np.count_nonzero(~arrived & (batch.seats != NOBODY))), count)
        return arrived

    step_until(tables, has_arrived, LONGEST)
    return chances_of(judge, tables.batch.states, seats)


def chances_of(judge: Judge, states: np.ndarray, seats: NDArray[np.integer]) -> NDArray[np.float32]:
    """Return the chance of each seat's side to win, 0 or 1 in finished games, shape ``(n,)``.

    Args:
        judge: A calibrated trained agent.
        states: Full states, shape ``(n,)``.
        seats: The seats, shape ``(n,)``.
    """
    sides = seats % np.maximum(states["teams"], 1)
    chances = (states["winner"] == sides).astype(np.float32)
    running = np.flatnonzero(states["status"] == RUNNING)
    if len(running):
        some, theirs = take_games(states, running), seats[running].astype(np.int8)
        values = judge.evaluate(observe_all(some, theirs))[1]
        chances[running] = judge.win_probabilities(values, some, theirs)
    return chances
