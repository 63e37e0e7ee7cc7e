"""From a leaf to an estimate: play some turns, then evaluate the position."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.heuristics.action_scores import score_options
from impulse_agents.heuristics.evaluation import win_probabilities
from impulse_agents.search.tree import Buffers
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import RUNNING, Seat, State
from impulse_env.engine.decisions import advance, deciding_seat
from impulse_env.engine.rng import below

LEAF_VALUE: Final = np.dtype(
    [
        # The terms of `impulse_agents.calibration.Calibration`.
        ("slope", np.float64),
        ("cubic", np.float64),
        ("progress", np.float64),
        ("bias", np.float64),
        ("counts_lead", np.int64),  # 1: add the seat's lead in points to the value
    ],
    align=True,
)
"""The calibration of a network's value."""


@jit_internal
def lead_of(game: State, seat: Seat) -> float:
    """Return the own points minus the opponents' mean, divided by the target score."""
    players = int(game["players"])
    sides = int(game["teams"])
    total = 0
    enemies = 0
    for other in range(players):
        if other % sides != seat % sides:
            total += int(game["score"][other])
            enemies += 1
    return (int(game["score"][seat]) - total / enemies) / int(game["target_score"])


@jit_internal
def chance_to_win(game: State, seat: Seat, value: float, meaning: np.void) -> float:
    """Return the chance that the seat's side wins, 0 to 1.

    Args:
        game: The evaluated game.
        seat: The seat of the value.
        value: The network's value, an expected return.
        meaning: A record of `LEAF_VALUE`.
    """
    best = 0
    for other in range(int(game["players"])):
        best = max(best, int(game["score"][other]))
    progress = np.sqrt(min(max(best / int(game["target_score"]), 0.0), 1.0))
    x = float(value)
    if meaning["counts_lead"]:
        x += lead_of(game, seat)
    odds = meaning["slope"] * x + meaning["cubic"] * x * x * x
    odds += meaning["progress"] * progress + meaning["bias"]
    return float(0.5 + 0.5 * np.tanh(odds / 2))  # the logistic function


AT_RANDOM: Final = 0
BY_RULES: Final = 1


@jit_internal
def play_out(
    game: np.void,
    count: int,
    policy: int,
    last_turn: int,
    style: NDArray[np.float32],
    streams: NDArray[np.uint64],
    row: int,
    buffers: Buffers,
) -> None:
    """Play to the end of a turn or of the game, and write each side's chance.

    Args:
        game: A game at a decision; changed.
        count: The number of its legal actions.
        policy: `AT_RANDOM` or `BY_RULES`.
        last_turn: Number of completed turns at which to stop.
        style: A row of `STYLES`, for `BY_RULES`.
        streams: Generators.
        row: The row of the generator to use.
        buffers: Its legal actions; the last row of `scratch` receives the chances of the sides.
    """
    options, scratch = buffers.options, buffers.scratch
    while game["status"] == RUNNING and game["turn"] < last_turn:
        best = 0
        if policy == AT_RANDOM:
            best = below(streams, row, count)
        else:
            score_options(game, deciding_seat(game), options, count, style, scratch[0])
            for k in range(1, count):
                if scratch[0, k] > scratch[0, best]:
                    best = k
        count = advance(game, np.int64(options[best]), options)
    win_probabilities(game, scratch[0], scratch[2])
