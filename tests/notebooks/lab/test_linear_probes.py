"""Probes find what is there, and nothing where nothing is."""

import numpy as np
import pytest

import impulse_agents
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_env.observation import size
from impulse_env.options import Options
from lab.linear_probes import (
    LAYERS,
    Probes,
    _areas,
    layers_of,
    raw,
    untrained_like,
)
from lab.sampling import sample_games


@pytest.fixture(scope="module")
def sampled():
    greedy = impulse_agents.make("greedy")
    return sample_games([greedy], Options(players=2), np.zeros((150, 2), np.int64), 1)


@pytest.fixture(scope="module")
def written(sampled):
    """The sections on which points stand, and a few others: few for so few positions."""
    return raw(sampled.observations, 2)[:, 397:480]


@pytest.fixture(scope="module")
def probes(sampled):
    rng = np.random.default_rng(0)
    lead = sampled.lead.astype(float)
    noise = rng.random(len(sampled)) < 0.5
    return Probes(sampled, {"lead": lead, "ahead": (lead > 0) * 1.0, "noise": noise * 1.0})


def test_what_is_written_down_is_read_off(written, probes):
    found = probes.scores(written)
    assert found["lead"].value > 0.99
    assert found["ahead"].value > 0.9
    assert found["ahead"].interval[0] < found["ahead"].value < found["ahead"].interval[1]
    assert 0.4 < found["noise"].value < 0.6


def test_a_layer_that_says_nothing_gives_the_mean(probes, sampled, written):
    found = probes.scores(np.ones((len(sampled), 3)))
    assert found["lead"].value == pytest.approx(0, abs=0.05)
    assert found["ahead"].value == pytest.approx(0.5)
    better = probes.scores(written)
    assert better["lead"].less(found["lead"]).interval[0] > 0.9


def test_beyond_a_perfect_forecast_there_is_nothing(probes, sampled, written):
    ahead = probes.concepts["ahead"]
    assert probes.beyond(written, "ahead", ahead).value == 1
    known = np.full(len(sampled), ahead.mean())
    assert probes.beyond(written, "ahead", known).value > 0.9


def test_positions_of_a_game_are_on_one_side(probes, sampled):
    held = sampled.games[probes.held_out]
    assert not np.isin(sampled.games[~probes.held_out], held).any()
    assert not probes.is_truth("lead")
    assert probes.is_truth("ahead")


def test_areas_count_ties_half():
    told, wanted = np.array([1.0, 1.0, 2.0, 0.0]), np.array([1.0, 0.0, 1.0, 0.0])
    assert _areas(told, wanted, np.ones((1, 4))) == pytest.approx([3.5 / 4])


def test_layers_and_an_untrained_network_of_the_same_kind(sampled):
    network = PolicyNetwork(2, 16, [8], [4], 16).eval()
    found = layers_of(network, sampled.observations[:10])
    assert [found[name].shape for name in LAYERS] == [(10, 16), (10, 8), (10, 4)]
    given = {"kind": "pointers", "width": 16, "policy": [8], "value": [4], "card_dim": 16}
    layout = {"observation": size(2)}
    agent = PolicyAgent(network, {"players": 2, "network": given, "layout": layout}, "small")
    first, again = untrained_like(agent), untrained_like(agent)
    assert (first.value.weight == again.value.weight).all()
    assert first.features.width == 16
