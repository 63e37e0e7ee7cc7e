"""Random games in compiled code, with every invariant checked at every decision.

A turn that reaches neither a decision nor its end ends the game with a fault. An impossible record
does, too. So an error in a single step cannot make the process hang.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import call, jit
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import RUNNING
from impulse_env.engine.decisions import STEPPED, apply, go_on
from impulse_env.engine.rng import xorshift
from impulse_env.engine.validity.check import is_sound
from impulse_env.engine.validity.faults import (
    FAULT_NUMBERS,
    FIELD,
    NO_FAULT,
    Field,
    Reason,
    is_within,
    refuse,
)

MOST_STEPS: Final = 1000
"""Highest number of automatic steps of one turn without a decision. Turns may pass without any
choice; if nearly all cards are minerals, all of them do."""


@jit
def _play(
    states: np.ndarray,
    randomness: NDArray[np.uint64],
    most_decisions: int,
    decisions: NDArray[np.int64],
    faults: NDArray[np.int64],
) -> None:
    """See `play_checked`."""
    options = np.empty(SIZE, np.int16)
    for game in range(len(states)):
        state = states[game]
        fault = faults[game]
        fault[:] = 0
        fault[FIELD] = NO_FAULT
        action = np.int64(-1)
        while True:
            score = 0
            for seat in range(len(state["score"])):
                score += state["score"][seat]
            if action >= 0:
                apply(state, action)
            count = 0
            steps = 0
            turn = np.int64(state["turn"])
            while state["status"] == RUNNING and steps < MOST_STEPS:
                count = go_on(state, options)
                if count != STEPPED:
                    break
                count = 0
                steps = steps + 1 if state["turn"] == turn else 0
                turn = np.int64(state["turn"])
            if steps == MOST_STEPS:
                refuse(fault, Field.PHASE, 0, state["phase"], Reason.ENDLESS)
                break
            if not is_sound(state, fault, True):
                break
            for seat in range(len(state["score"])):
                score -= state["score"][seat]
            if not is_within(fault, Field.SCORE, 0, -score, 0, -score, Reason.SUM):
                break
            if count == 0 or decisions[game] == most_decisions:
                break
            decisions[game] += 1
            x = xorshift(randomness[game])
            randomness[game] = x
            action = np.int64(options[(np.int64(x >> np.uint64(33)) * count) >> 31])


def play_checked(
    states: np.ndarray, randomness: NDArray[np.uint64], most_decisions: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Continue games with uniform legal actions until they end or a check fails.

    Args:
        states: Undealt games or games at a decision, shape ``(n,)``; changed. A game with a fault
            stops at the faulty record.
        randomness: Generator state of each game's players, shape ``(n,)``, never 0; changed.
        most_decisions: Highest number of decisions in each game; a game stops after these.

    Returns:
        Number of decisions in each game, shape ``(n,)``, and its fault, shape
        ``(n, FAULT_NUMBERS)``, see `engine.validity.faults`; the field is `NO_FAULT` without a
        fault. Every record was checked before the first decision and after each one.
    """
    decisions = np.zeros(len(states), np.int64)
    faults = np.zeros((len(states), FAULT_NUMBERS), np.int64)
    call(_play, states, randomness, most_decisions, decisions, faults)
    return decisions, faults
