"""Concepts are what a player would see, and probes find them where they are."""

from dataclasses import replace

import numpy as np
import pytest

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_agents.playing.continuations import worlds_of
from impulse_env.batch import copy_games
from impulse_env.engine.cards import ACTION_BY_CARD
from impulse_env.engine.constants import NO_CARD, NO_SEAT
from impulse_env.engine.sector_map import GATES_OF_CELL
from impulse_env.observation import observe_all, size
from impulse_env.options import Options
from lab.networks.linear_probes import (
    LAYERS,
    TRADE,
    Probes,
    _areas,
    chance_by_counting,
    concepts_of,
    holds,
    is_in_danger,
    largest_fleet,
    layers_of,
    raw,
    untrained_like,
)
from lab.sampling import sample_games

MIDDLE = 9
TRADES = [face for face, action in enumerate(ACTION_BY_CARD) if action == "trade"]


@pytest.fixture(scope="module")
def sampled(greedy):
    return sample_games([greedy], Options(players=2), np.zeros((150, 2), np.int64), 1)


def changed(sampled, change):
    """Positions after a change of their records, which every seat sees."""
    states = copy_games(sampled.states)
    change(states)
    return replace(sampled, states=states, observations=observe_all(states, sampled.seats))


def without_ships(states):
    states["transports"], states["gate_owner"], states["gate_ships"] = 0, NO_SEAT, 0


def test_an_enemy_at_a_cell_of_ours_is_a_danger_and_no_other(sampled):
    rows = np.arange(len(sampled))
    gate = GATES_OF_CELL[MIDDLE, 0]

    def met(states):
        without_ships(states)
        states["transports"][rows, sampled.seats, MIDDLE] = 2
        states["gate_owner"][:, gate] = 1 - sampled.seats
        states["gate_ships"][:, gate] = 1

    def far(states):
        met(states)
        states["transports"][:] = 0
        states["transports"][rows, sampled.seats, 0] = 4

    assert is_in_danger(changed(sampled, met)).all()
    assert not is_in_danger(changed(sampled, far)).any()
    assert not is_in_danger(changed(sampled, without_ships)).any()
    assert (largest_fleet(changed(sampled, met)) == 2).all()
    assert (largest_fleet(changed(sampled, far)) == 4).all()


def test_cruisers_that_patrol_the_same_cell_are_a_danger(sampled):
    ours, theirs = GATES_OF_CELL[MIDDLE, :2]

    def met(states):
        without_ships(states)
        states["gate_owner"][:, ours], states["gate_ships"][:, ours] = sampled.seats, 3
        states["gate_owner"][:, theirs], states["gate_ships"][:, theirs] = 1 - sampled.seats, 1

    assert is_in_danger(changed(sampled, met)).all()
    assert (largest_fleet(changed(sampled, met)) == 3).all()


def test_a_known_card_is_not_a_hidden_one(sampled):
    rows = np.arange(len(sampled))
    others = 1 - sampled.seats

    def one_trade(states):
        states["hand"][rows, others] = NO_CARD
        states["hand"][rows, others, 0] = TRADES[0]
        states["hand_count"][rows, others] = 1
        states["known"][rows, others], states["known_count"][rows, others] = NO_CARD, 0

    def known(states):
        one_trade(states)
        states["known"][rows, others, 0] = TRADES[0]
        states["known_count"][rows, others] = 1

    assert holds(changed(sampled, one_trade), "trade").all()
    assert not holds(changed(sampled, known), "trade").any()
    assert (chance_by_counting(changed(sampled, known), "trade") == 0).all()


def test_counting_is_right_in_worlds_that_fit(sampled):
    chances = chance_by_counting(sampled, "trade")
    assert ((chances >= 0) & (chances <= 1)).all()
    rng, times = np.random.default_rng(0), 60
    found = np.zeros(len(sampled))
    for _ in range(times):
        worlds = worlds_of(sampled.states, sampled.seats, rng)
        found += holds(replace(sampled, states=worlds), "trade")
    assert abs(chances.mean() - found.mean() / times) < 0.02
    assert np.corrcoef(chances, found)[0, 1] > 0.8


def test_all_concepts_have_a_value_but_for_turns_of_the_other_seat(sampled):
    gains = np.full((len(sampled), 2), 3)
    found = concepts_of(sampled, gains)
    is_own = sampled.states["active"] == sampled.seats
    assert (found["3 points this turn"][is_own] == 1).all()
    assert np.isnan(found["3 points this turn"][~is_own]).all()
    assert not any(np.isnan(values).any() for name, values in found.items() if name[0] != "3")
    assert TRADE in found


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
