"""The panel's ratings reproduce the results they are made of."""

import numpy as np
import pytest

import impulse_agents
from impulse_env.options import Options
from impulse_training.rollout import match
from impulse_training.rollout.evaluator import SEED, Evaluator
from impulse_training.run.budget import Budget
from impulse_training.statistics.elo import ELO
from impulse_training.statistics.intervals import wilson


@pytest.fixture(scope="module")
def evaluator():
    found = Evaluator(("random", "greedy", "miner"), Options(), 100)
    found.evaluate(impulse_agents.make("core_rush"))
    return found


def test_a_member_is_rated_as_it_is_among_the_others(evaluator):
    strengths = evaluator._strengths * ELO
    assert strengths.mean() == pytest.approx(0, abs=1e-3)
    assert evaluator.evaluate(impulse_agents.make("miner")).rating == pytest.approx(
        strengths[2], abs=120
    )


def test_the_better_agent_has_the_higher_rating(evaluator):
    ratings = [
        evaluator.evaluate(impulse_agents.make(n)).rating for n in ("random", "miner", "core_rush")
    ]
    assert ratings == sorted(ratings)


@pytest.mark.parametrize(("players", "lead"), [(2, 0.0), (2, 1.5), (4, 0.5)])
def test_known_strengths_are_found_again(players, lead):
    found = Evaluator(("random", "greedy"), Options(players=players), 100_000)
    found._strengths = np.array([-1.0, 1.0])
    odds = np.exp(lead - found._strengths) / (players - 1)
    assert found._rate(odds / (1 + odds)) == pytest.approx(lead * ELO, abs=1)


@pytest.mark.parametrize(("players", "lead"), [(3, 0.0), (3, 1.5), (5, 0.5)])
def test_a_coalition_is_rated_by_what_its_targets_lose(players, lead):
    options = Options(players=players)
    found = Evaluator(("random", "greedy"), options, 100_000, is_coalition=True)
    found._strengths = np.array([-1.0, 1.0])
    odds = np.exp(lead - found._strengths) * (players - 1)
    assert found._rate(odds / (1 + odds)) == pytest.approx(lead * ELO, abs=1)


def test_a_coalition_wins_what_the_agent_on_the_other_side_does_not():
    options = Options(players=3)
    found = Evaluator(("random",), options, 60, is_coalition=True)
    result = found.evaluate(impulse_agents.make("greedy"))
    random = match.play([impulse_agents.make(n) for n in ("random", "greedy")], options, 60, SEED)
    low, high = random.interval()
    assert result.wins == {"random": 1 - random.rate()}
    assert result.win_intervals == {"random": (1 - high, 1 - low)}
    assert result.wins["random"] > 0.9


def test_always_winning_gives_a_finite_rating():
    found = Evaluator(("random",), Options(), 200)
    found._strengths = np.zeros(1)
    assert 500 < found._rate(np.ones(1)) < 3000


def test_readings_hold_every_member(evaluator):
    reading = evaluator.evaluate(impulse_agents.make("random"))
    assert set(reading.wins) == {"random", "greedy", "miner"}
    assert all(0 <= rate <= 1 for rate in reading.wins.values())


def test_every_evaluation_tells_its_intervals(evaluator):
    reading = evaluator.evaluate(impulse_agents.make("greedy"))
    point = reading.point(Budget(60, 1000))
    for name, rate in reading.wins.items():
        assert (point[f"low/{name}"], point[f"high/{name}"]) == wilson(round(100 * rate), 100)
        assert point[f"low/{name}"] <= point[f"win/{name}"] <= point[f"high/{name}"]
        assert point[f"low/{name}"] < point[f"high/{name}"]
    assert point["rating_low"] < point["rating"] < point["rating_high"]


def test_an_interval_of_a_rating_holds_the_true_one_as_often_as_it_says():
    found = Evaluator(("random", "greedy"), Options(), 200)
    found._strengths = np.array([-1.0, 1.0])
    odds = np.exp(0.7 - found._strengths)
    rng = np.random.default_rng(5)
    inside = []
    for _ in range(200):
        won = rng.binomial(200, odds / (1 + odds)) / 200
        low, high = found._rating_interval(won)
        inside.append(low <= 0.7 * ELO <= high)
    # 95 %, give or take three standard deviations of 200 tries.
    assert 0.90 <= np.mean(inside) <= 1.0


def test_more_games_make_the_interval_of_a_rating_narrower_and_wins_alone_leave_it_a_width():
    widths = {}
    for games in (50, 5000):
        found = Evaluator(("random",), Options(), games)
        found._strengths = np.zeros(1)
        for rate in (0.6, 1.0):
            low, high = found._rating_interval(np.array([rate]))
            widths[games, rate] = high - low
    assert 8 < widths[50, 0.6] / widths[5000, 0.6] < 12
    assert widths[5000, 1.0] > 50
