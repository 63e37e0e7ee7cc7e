"""Opponents are drawn in the shares asked for, the harder ones more often, and results add up."""

import numpy as np
import pytest

from agents.base import Agent
from agents.network import PolicyNetwork
from agents.policy import PolicyAgent, describe
from training.league import League

NETWORK = {"width": 8, "policy": (), "value": (), "card_dim": 4, "kind": "flat"}


class Fixed(Agent):
    def __init__(self, name):
        self.name = name

    def act(self, seen, streams):
        raise NotImplementedError


def policy(name):
    return PolicyAgent(PolicyNetwork(2, **NETWORK), describe(2, NETWORK), name, samples=True)


def league(shares=(0.3, 0.2, 0.5), past=2):
    places = [policy("past") for _ in range(past)]
    return League(policy("self"), places, [Fixed("weak"), Fixed("strong")], shares)


def weights():
    return PolicyNetwork(2, **NETWORK).state_dict()


def test_before_there_is_a_past_its_share_is_the_current_policys():
    assert league().probabilities() == pytest.approx([0.5, 0, 0, 0.25, 0.25])


def test_shares_are_kept_once_there_is_a_past():
    found = league()
    found.remember(weights(), "past 1")
    assert found.probabilities() == pytest.approx([0.3, 0.2, 0, 0.25, 0.25])


def test_who_wins_more_is_drawn_more():
    found = league()
    found.tally(np.array([[3]] * 90 + [[4]] * 90), np.arange(180) < 80)  # 80 of 90, then none
    _, _, _, weak, strong = found.probabilities()
    assert weak + strong == pytest.approx(0.5)
    assert strong > 10 * weak > 0
    drawn = found.draw((20_000,), np.random.default_rng(0))
    assert np.bincount(drawn, minlength=5)[4] == pytest.approx(20_000 * strong, rel=0.05)


def test_win_rates_follow_the_latest_games():
    found = league()
    found.tally(np.full((1000, 1), 4), np.zeros(1000, bool))
    assert found.win_rates()[4] < 0.01
    found.tally(np.full((1000, 1), 4), np.ones(1000, bool))
    assert found.win_rates()[4] > 0.9


def test_everybody_at_the_table_counts_but_nobody_does_not():
    found = league()
    found.tally(np.array([[3, 4], [4, -1]]), np.array([True, False]))
    standings = found.standings()
    assert standings["weak"][1] == pytest.approx(1)
    assert standings["strong"] == (pytest.approx(0.5), pytest.approx(2))


def test_the_easiest_of_the_past_makes_place():
    found = league()
    found.remember(weights(), "hard")
    found.remember(weights(), "easy")
    hard, easy = found.past[1], found.past[0]
    found.tally(np.array([[hard]] * 20 + [[easy]] * 20), np.arange(40) >= 20)
    found.remember(weights(), "new")
    assert [found.agents[i].name for i in found.past] == ["new", "hard"]
    assert found.win_rates()[found.past[0]] == 0.5


def test_what_is_remembered_is_a_copy():
    found, now = league(), weights()
    found.remember(now, "past")
    kept = found.agents[found.past[0]].network.state_dict()
    before = kept["value.weight"].clone()
    now["value.weight"] += 1
    assert (kept["value.weight"] == before).all()


def test_a_league_goes_on_from_what_was_kept():
    found, other = league(), league()
    for name in ("one", "two", "three"):
        found.remember(weights(), name)
        found.tally(np.array([[found.past[0]], [3]]), np.array([True, False]))
    other.load_state_dict(found.state_dict())
    assert other.past == found.past
    assert (other.probabilities() == found.probabilities()).all()
    assert [a.name for a in other.agents] == [a.name for a in found.agents]
    for place in found.past:
        mine, theirs = (one.agents[place].network.state_dict() for one in (found, other))
        assert all((mine[k] == theirs[k]).all() for k in mine)


def test_another_league_is_refused():
    with pytest.raises(ValueError, match="had 5 agents, this one has 4"):
        league(past=1).load_state_dict(league().state_dict())


@pytest.mark.parametrize("shares", [(0, 0, 0), (-1, 1, 1)])
def test_shares_that_leave_nobody_are_refused(shares):
    with pytest.raises(ValueError, match="must not be negative, and somebody must be left"):
        league(shares)
