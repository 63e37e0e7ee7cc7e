"""Cycles among agents, and the mixture that nobody beats."""

import numpy as np
import pytest

from impulse_training.statistics.nash import mixture, nash
from simulated import game, simulated


def round_robin(chances, deals, seed=0):
    """Games of pairs, each deal from both seats; `chances` is what the first wins."""
    rng, results = np.random.default_rng(seed), []
    for deal in range(deals):
        for (one, other), chance in chances.items():
            for seats in ([one, other], [other, one]):
                winner = one if rng.random() < chance else other
                number = len(results)
                results.append(game(number, seats, [seats.index(winner)], deal=deal))
    return results


CIRCLE = {("rock", "scissors"): 0.7, ("scissors", "paper"): 0.7, ("paper", "rock"): 0.7}


def test_rock_paper_scissors_is_found_and_mixed_equally():
    found = mixture(["rock", "paper", "scissors"], round_robin(CIRCLE, 200))
    (cycle,) = found.cycles
    assert set(cycle.names) == {"rock", "paper", "scissors"}
    assert cycle.certainty == 1
    assert cycle.shares == pytest.approx((0.7, 0.7, 0.7), abs=0.07)
    for part, low, high in found.weights:
        assert low <= 1 / 3 <= high
        assert part == pytest.approx(1 / 3, abs=0.1)
    assert found.against == pytest.approx((0.5, 0.5, 0.5), abs=0.01)


def test_where_strength_is_a_ladder_the_best_is_the_whole_mixture():
    names = ["d", "c", "b", "a"]
    results = simulated({"a": -250.0, "b": -50.0, "c": 100.0, "d": 300.0}, 2, 300, seed=1)
    found = mixture(names, results)
    assert found.cycles == ()
    assert [round(part, 3) for part, _, _ in found.weights] == [1, 0, 0, 0]
    assert found.against[0] == pytest.approx(0.5)
    assert list(found.against) == sorted(found.against, reverse=True)


def test_copies_of_prey_change_nothing():
    """Rock meets a second pair of scissors, which everybody treats as the first."""
    chances = CIRCLE | {
        ("rock", "shears"): 0.7,
        ("shears", "paper"): 0.7,
        ("scissors", "shears"): 0.5,
    }
    names = ["rock", "paper", "scissors", "shears"]
    found = mixture(names, round_robin(chances, 300))
    parts = [part for part, _, _ in found.weights]
    assert parts[0] == pytest.approx(1 / 3, abs=0.1)
    assert parts[2] + parts[3] == pytest.approx(1 / 3, abs=0.1)
    exact = np.log(0.7 / 0.3) * np.array(
        [[0, -1, 1, 1], [1, 0, -1, -1], [-1, 1, 0, 0], [-1, 1, 0, 0]]
    )
    assert nash(exact) == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-3)


def test_a_mixture_is_beaten_by_none():
    rng = np.random.default_rng(5)
    for _ in range(20):
        upper = np.triu(rng.normal(0, 1, (6, 6)), 1)
        payoffs = upper - upper.T
        weights = nash(payoffs)
        assert weights.sum() == pytest.approx(1)
        assert (weights >= 0).all()
        assert (payoffs @ weights).max() < 1e-4


@pytest.mark.slow
def test_a_chance_cycle_is_not_certain():
    chances = {("x", "y"): 0.5, ("y", "z"): 0.5, ("z", "x"): 0.5}
    found = [mixture(["x", "y", "z"], round_robin(chances, 40, seed)) for seed in range(12)]
    sure = [cycle.certainty for one in found for cycle in one.cycles]
    assert 0 < len(sure) < 12
    assert np.mean(sure) < 0.8


def test_two_agents_or_more_sides_have_none():
    assert mixture(["x", "y"], round_robin({("x", "y"): 0.5}, 10)) is None
    three = [game(0, ["x", "y", "z"], [0]), game(1, ["z", "x", "y"], [1])]
    assert mixture(["x", "y", "z"], three) is None
    unmet = round_robin({("x", "y"): 0.5, ("y", "z"): 0.5}, 10)
    assert mixture(["x", "y", "z"], unmet) is None
    one_deal = round_robin(CIRCLE, 1)
    assert mixture(["rock", "paper", "scissors"], one_deal) is None


def test_a_few_wins_leave_the_mixture_open():
    chances = {("x", "y"): 1.0, ("x", "z"): 1.0, ("y", "z"): 1.0}
    for deals, is_sure in ((2, False), (20, True)):
        once = [one for one in round_robin(chances, deals) if one.game % 2]
        part, low, high = mixture(["x", "y", "z"], once).weights[0]
        assert (part, high) == pytest.approx((1, 1))
        assert (low > 0.9) == is_sure
