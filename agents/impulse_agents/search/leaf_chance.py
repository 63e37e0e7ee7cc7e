"""The chance to win for a network's value at a leaf, in compiled code."""

from typing import Final

import numpy as np

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import Seat, State

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
