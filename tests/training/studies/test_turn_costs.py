"""A turn is played by one agent or by another in the same worlds."""

import numpy as np
import pytest

import impulse_agents
from impulse_env.options import Options
from impulse_training.studies.played_on import dealt, played_until
from impulse_training.studies.turn_costs import turn_by_another

OPTIONS = Options(players=2)
WORLDS = 40


@pytest.fixture(scope="module")
def position():
    greedy = impulse_agents.make("greedy")
    return played_until(OPTIONS, dealt(OPTIONS, np.arange(8)), [greedy], 5)[0][0]


def test_the_same_agent_costs_nothing(position):
    greedy = impulse_agents.make("greedy")
    found = turn_by_another(OPTIONS, position, greedy, greedy, greedy, WORLDS)
    half = len(found) // 2
    assert half == WORLDS
    # Its own chance begins anew with the next turn, so only the share is the same.
    assert abs(found.won[:half].mean() - found.won[half:].mean()) < 0.35


def test_each_world_is_played_once_by_either(position):
    greedy, weak = impulse_agents.make("greedy"), impulse_agents.make("random")
    found = turn_by_another(OPTIONS, position, greedy, weak, greedy, WORLDS, seed=1)
    assert found.groupby("turn_by").world.nunique().to_dict() == {
        "greedy": WORLDS,
        "random": WORLDS,
    }
    again = turn_by_another(OPTIONS, position, greedy, weak, greedy, WORLDS, seed=1)
    assert found.equals(again)
