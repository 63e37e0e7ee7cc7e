"""What choices are worth: a trained agent plays on after each, and says how likely a win is there.

What a decision cost is the chance after the best choice less that after the one taken. It is looked
for where the seat is to decide again, and no battle is under way: a network that has not learned to
add up who will win a battle sees another chance before its end than after, and what ends it at once
would look good or bad for that alone.
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
"""Decisions that are played on at most."""

Told = Callable[[int, int], None]
"""Takes how many of how many games have been played on."""


def chances_after(
    judge: Judge,
    options: Options,
    states: np.ndarray,
    seats: NDArray[np.int64],
    actions: NDArray[np.int64],
    *,
    later_turns: int = 0,
    tell: Told = lambda done, of: None,
) -> NDArray[np.float32]:
    """Return how likely each seat's side is to win after an action, shape ``(n,)``.

    The judge plays on for everybody until that seat is to decide again.

    Args:
        judge: A calibrated trained agent.
        options: The options of all games.
        states: Full records at a decision, shape ``(n,)``; they stay as they are.
        seats: Who decides there, shape ``(n,)``.
        actions: What it does, in its own frame, shape ``(n,)``.
        later_turns: The horizon: player turns that are to be over by then, at least.
        tell: Told how far it is.
    """
    count = len(states)
    if not count:
        return np.zeros(0, np.float32)
    by_seat = np.zeros((count, options.players), np.int64)
    streams = RngStreams.from_seeds(range(count))
    tables = GameRunner([cast(Agent, judge)], options, states, by_seat, streams)
    tables.batch.step(actions)
    turns = states["turn"] + later_turns

    def has_arrived(batch: GameBatch) -> NDArray[np.bool_]:
        is_quiet = batch.states["battle_gate"] < 0
        there: NDArray[np.bool_] = (
            (batch.seats == seats) & is_quiet & (batch.states["turn"] >= turns)
        )
        tell(count - int(np.count_nonzero(~there & (batch.seats != NOBODY))), count)
        return there

    step_until(tables, has_arrived, LONGEST)
    return chances_of(judge, tables.batch.states, seats)


def chances_of(judge: Judge, states: np.ndarray, seats: NDArray[np.integer]) -> NDArray[np.float32]:
    """Return the chance of each seat's side in its game, 0 or 1 where it is over, shape ``(n,)``.

    Args:
        judge: A calibrated trained agent.
        states: Full records, shape ``(n,)``.
        seats: Whose chance, shape ``(n,)``.
    """
    sides = seats % np.maximum(states["teams"], 1)
    chances = (states["winner"] == sides).astype(np.float32)
    running = np.flatnonzero(states["status"] == RUNNING)
    if len(running):
        some, theirs = take_games(states, running), seats[running].astype(np.int8)
        values = judge.evaluate(observe_all(some, theirs))[1]
        chances[running] = judge.win_probabilities(values, some, theirs)
    return chances
