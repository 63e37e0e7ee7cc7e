"""Parts of observations are exchanged within a turn, and blinded agents see nothing else new."""

import numpy as np
import pytest

import impulse_agents
from impulse_agents.base import AgentError
from impulse_env.observation import sections, size
from impulse_env.options import Options
from impulse_training.rollout.match import play
from lab.networks.permutation_importance import (
    GROUPS,
    Blinded,
    Judgement,
    chances,
    columns_of,
    log_loss,
    permuted,
)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_groups_hold_every_feature_once(players):
    columns = np.concatenate([columns_of(group, players) for group in GROUPS])
    assert sorted(columns.tolist()) == list(range(size(players)))
    names = [name for group in GROUPS.values() for name in group]
    assert sorted(names) == sorted(part.name for part in sections(players))


def test_only_the_part_changes_and_only_within_a_turn(sampled):
    columns = columns_of("own hand", 2)
    turns = sampled.states["turn"]
    found = permuted(sampled.observations, columns, turns, np.random.default_rng(0))
    others = np.setdiff1d(np.arange(size(2)), columns)
    assert (found[:, others] == sampled.observations[:, others]).all()
    assert (found != sampled.observations).any()
    for turn in np.unique(turns):
        rows = turns == turn
        assert sorted(map(bytes, found[rows][:, columns])) == sorted(
            map(bytes, sampled.observations[rows][:, columns])
        )


def test_chances_of_observations_are_those_of_the_agent(policy, sampled):
    found = chances(policy, sampled.observations, 2)
    _, values = policy.evaluate(sampled.observations)
    wanted = policy.win_probabilities(values, sampled.states, sampled.seats)
    assert found == pytest.approx(wanted, abs=1e-5)


def test_what_is_always_the_same_does_nothing(policy, sampled):
    judged, rng = Judgement(policy, sampled), np.random.default_rng(0)
    nothing = judged.without("always the same", rng)
    assert all(abs(change).max() < 1e-6 for change in nothing.values())
    points = judged.without("points", rng, 3)
    assert points["log loss"].mean() > 0
    assert (points["KL"] > -1e-6).all()
    assert 0 <= points["changed"].mean() <= 1


def test_log_loss_of_a_sure_error_is_large():
    assert log_loss(np.array([1.0, 0.5]), np.array([False, True])) == pytest.approx(
        [13.8, 0.693], 0.01
    )


def test_an_agent_that_lacks_nothing_plays_as_ever(policy, sampled):
    same = play([Blinded(policy, ["always the same"], sampled), policy], Options(2), 20, 1)
    assert same.wins.tolist() == [10, 10]
    assert Blinded(policy, [], sampled).name == "policy:2p without nothing"
    blind = Blinded(policy, ["cards on the map", "own hand", "Cruisers"], sampled)
    assert play([blind, policy], Options(2), 60, 1).rate() < 0.5
    with pytest.raises(AgentError):
        blind.check_players(3)


def test_an_agent_that_looks_at_views_cannot_be_blinded(sampled):
    with pytest.raises(ValueError, match="more than an observation"):
        Blinded(impulse_agents.make("greedy"), [], sampled)
