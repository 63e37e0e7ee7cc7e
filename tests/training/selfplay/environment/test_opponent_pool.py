"""Opponents are drawn in the shares asked for, the harder ones more often, and results add up."""

import numpy as np
import pytest

from impulse_agents.base import Agent
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_training.selfplay.environment.opponent_pool import OpponentPool

NETWORK = {"width": 8, "policy": (), "value": (), "card_dim": 4}


class Fixed(Agent):
    def __init__(self, name):
        self.name = name

    def act(self, seen, streams):
        raise NotImplementedError


def policy(name):
    return PolicyAgent(
        PolicyNetwork(2, **NETWORK), checkpoint_config(2, NETWORK), name, is_stochastic=True
    )


def league(shares=(0.3, 0.2, 0.5), past=2):
    players = [policy("past") for _ in range(past)]
    return OpponentPool(
        policy("self"), players, [Fixed("weak"), Fixed("strong")], shares, max_snapshots=2
    )


def weights():
    return PolicyNetwork(2, **NETWORK).state_dict()


def test_before_there_is_a_past_its_share_is_the_current_policys():
    assert league().probabilities() == pytest.approx([0.5, 0, 0, 0.25, 0.25])


def test_shares_hold_once_there_are_snapshots():
    found = league()
    found.add_snapshot(weights(), "past 1")
    found.resample_snapshots()
    assert found.probabilities() == pytest.approx([0.3, 0.1, 0.1, 0.25, 0.25])
    assert [agent.name for agent in found.agents[:3]] == ["self", "past 1", "past 1"]


def test_who_wins_more_is_drawn_more():
    found = league()
    found.record_results(
        np.array([[3]] * 90 + [[4]] * 90), np.arange(180) < 80
    )  # 80 of 90, then none
    _, _, _, weak, strong = found.probabilities()
    assert weak + strong == pytest.approx(0.5)
    assert strong > 10 * weak > 0
    drawn = found.draw((20_000,), np.random.default_rng(0))
    assert np.bincount(drawn, minlength=5)[4] == pytest.approx(20_000 * strong, rel=0.05)


def test_all_games_are_counted_and_kept():
    found = league()
    found.record_results(np.array([[3], [4], [-1], [4]]), np.ones(4, bool))
    found.record_results(np.array([[4], [0]]), np.zeros(2, bool))
    assert found.met.tolist() == [1, 0, 0, 1, 3]
    other = league()
    other.load_state_dict(found.state_dict())
    assert other.met.tolist() == found.met.tolist()


def test_win_rates_follow_the_latest_games():
    found = league()
    found.record_results(np.full((1000, 1), 4), np.zeros(1000, bool))
    assert found.win_rates()[4] < 0.01
    found.record_results(np.full((1000, 1), 4), np.ones(1000, bool))
    assert found.win_rates()[4] > 0.9


def test_everybody_at_the_table_counts_but_nobody_does_not():
    found = league()
    found.record_results(np.array([[3, 4], [4, -1]]), np.array([True, False]))
    assert found.win_rates_by_name() == {
        "weak": pytest.approx(2 / 3),
        "strong": pytest.approx(0.5, abs=0.01),
    }


def play_the_past(found, rates):
    """Let every past policy play and lose a share of 100 games to the learner."""
    for _ in range(200):
        found.resample_snapshots()
        for player in (1, 2):
            rate = rates[found.agents[player].name]
            found.record_results(np.full((10, 1), player), np.arange(10) < 10 * rate)


def test_the_hard_ones_of_the_past_play_more():
    found = league()
    found.add_snapshot(weights(), "hard")
    found.add_snapshot(weights(), "easy")
    play_the_past(found, {"hard": 0.1, "easy": 0.9})
    played = []
    for _ in range(300):
        found.resample_snapshots()
        played += [agent.name for agent in found.agents[1:3]]
    assert 0 < played.count("easy") < 0.2 * len(played)


def test_the_easiest_of_the_past_makes_place():
    found = league()
    found.add_snapshot(weights(), "hard")
    found.add_snapshot(weights(), "easy")
    play_the_past(found, {"hard": 0.1, "easy": 0.9})
    found.add_snapshot(weights(), "new")
    assert [snapshot.name for snapshot in found.past] == ["hard", "new"]
    assert found.past[1].rate == 0.5


def test_what_is_remembered_is_a_copy_and_plays():
    found, now = league(), weights()
    before = now["value.weight"].clone()
    found.add_snapshot(now, "past")
    now["value.weight"] += 1
    found.resample_snapshots()
    assert (found.agents[1].network.state_dict()["value.weight"] == before).all()


def test_a_league_continues_from_what_was_kept():
    found, other = league(), league()
    for name in ("one", "two", "three"):
        found.add_snapshot(weights(), name)
        found.resample_snapshots()
        found.record_results(np.array([[1], [3]]), np.array([True, False]))
    other.load_state_dict(found.state_dict())
    for one in (found, other):
        one.resample_snapshots()
    assert (other.probabilities() == found.probabilities()).all()
    assert other.win_rates_by_name() == found.win_rates_by_name()
    assert [a.name for a in other.agents] == [a.name for a in found.agents]
    for player in (1, 2):
        mine, theirs = (one.agents[player].network.state_dict() for one in (found, other))
        assert all((mine[k] == theirs[k]).all() for k in mine)


def pool_of(names, past, snapshots=2):
    """A pool with these fixed agents and so many players of the past."""
    players = [policy("past") for _ in range(past)]
    return OpponentPool(
        policy("self"), players, [Fixed(name) for name in names], (0.3, 0.2, 0.5), snapshots
    )


def test_a_league_of_other_agents_keeps_what_is_known_of_those_who_stay():
    found = pool_of(("weak", "strong", "weak"), past=2)
    for name in ("one", "two"):
        found.add_snapshot(weights(), name)
    found.resample_snapshots()
    found.record_results(
        np.array([[0], [1], [3], [4], [4], [5]]), np.array([1, 1, 1, 0, 0, 0], bool)
    )
    other = pool_of(("new", "strong", "weak"), past=1)
    numbers = other.load_state_dict(found.state_dict())
    # self, two players of the past, weak, strong, weak again
    assert numbers.tolist() == [0, 1, -1, 4, 3, -1]
    assert other.met.tolist() == [1, 1, 0, 2, 1]
    assert other.win_rates()[[2, 3, 4]] == pytest.approx(
        [0.5, found.win_rates()[4], found.win_rates()[3]]
    )
    assert [snapshot.name for snapshot in other.past] == ["one", "two"]
    assert other.agents[1].name in ("one", "two")
    other.probabilities()


@pytest.mark.parametrize(("past", "room", "kept"), [(1, 1, ["hard"]), (0, 0, []), (2, 5, None)])
def test_with_less_room_the_easiest_of_the_past_go(past, room, kept):
    found = league()
    found.add_snapshot(weights(), "hard")
    found.add_snapshot(weights(), "easy")
    play_the_past(found, {"hard": 0.1, "easy": 0.9})
    other = pool_of(("weak", "strong"), past, room)
    other.load_state_dict(found.state_dict())
    assert [s.name for s in other.past] == (["hard", "easy"] if kept is None else kept)
    assert other.probabilities().sum() == pytest.approx(1)
    other.add_snapshot(weights(), "new")
    assert len(other.past) == min(room, 3)


@pytest.mark.parametrize("shares", [(0, 0, 0), (-1, 1, 1), (np.nan, 1, 1), (np.inf, 1, 1)])
def test_shares_that_leave_nobody_are_refused(shares):
    with pytest.raises(ValueError, match="must be finite and 0 or more"):
        league(shares)
