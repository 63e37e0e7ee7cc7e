"""The reward of a coalition, by hand."""

import numpy as np
import pytest

from impulse_env.engine.constants import NO_SEAT
from impulse_env.environments.rewards import coalition_rewards, outcome_rewards
from impulse_env.options import Options


@pytest.mark.parametrize(("players", "share"), [(3, 1 / 2), (4, 1 / 3), (6, 1 / 5)])
def test_a_coalition_is_paid_whenever_its_target_does_not_win(players, share):
    states = Options(players=players).new_states([0] * 5)
    states["winner"] = [2, 0, 1, 2, NO_SEAT]
    paid = coalition_rewards(states, np.array([2, 2, 2, 0, 2]))
    assert paid.tolist() == pytest.approx([-share, 1, 1, 1, 0])
    assert paid.dtype == np.float32


def test_of_two_players_the_coalition_is_paid_as_any_opponent():
    states = Options(players=2).new_states([0] * 3)
    states["winner"] = [0, 1, NO_SEAT]
    targets = np.array([0, 0, 1])
    assert (coalition_rewards(states, targets) == outcome_rewards(states, 1 - targets)).all()
