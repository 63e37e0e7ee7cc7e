"""A turn is played by one agent or by another in the same worlds."""

import numpy as np
import pytest
from lab.turn_costs import turn_by_another

import impulse_agents
from impulse_env.options import Options
from impulse_training.rollout.continuations import dealt, played_until

OPTIONS = Options(players=2, start_player=0)
WORLDS = 40


@pytest.fixture(scope="module")
def positions():
    greedy = impulse_agents.make("greedy")
    return played_until(OPTIONS, dealt(OPTIONS, np.arange(8)), [greedy], 5)[0][:2]


def test_the_same_agent_costs_nothing(positions):
    greedy = impulse_agents.make("greedy")
    found = turn_by_another(OPTIONS, positions, greedy, greedy, greedy, WORLDS)
    assert len(found) == 2 * 2 * WORLDS
    shares = found.groupby("by").won.mean()
    # Its own chance begins anew with the next turn, so only the share is the same.
    assert abs(shares["strong"] - shares["other"]) < 0.3


def test_each_world_is_played_once_by_either(positions):
    greedy, weak = impulse_agents.make("greedy"), impulse_agents.make("random")
    found = turn_by_another(OPTIONS, positions, greedy, weak, greedy, WORLDS, seed=1)
    counts = found.groupby(["position", "by"]).world.nunique()
    assert counts.tolist() == [WORLDS] * 4
    assert found.equals(turn_by_another(OPTIONS, positions, greedy, weak, greedy, WORLDS, seed=1))


def test_positions_of_several_turns_are_refused(positions):
    greedy = impulse_agents.make("greedy")
    mixed = np.concatenate([positions, dealt(OPTIONS, [0])])
    with pytest.raises(ValueError, match="same turn and seat"):
        turn_by_another(OPTIONS, mixed, greedy, greedy, greedy, WORLDS)
