"""The panel's ratings reproduce the results they are made of."""

import numpy as np
import pytest

import impulse_agents
from impulse_env.options import Options
from impulse_training.evaluation.evaluator import Evaluator
from impulse_training.ratings.elo import ELO


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


def test_always_winning_gives_a_finite_rating():
    found = Evaluator(("random",), Options(), 200)
    found._strengths = np.zeros(1)
    assert 500 < found._rate(np.ones(1)) < 3000


def test_readings_hold_every_member(evaluator):
    reading = evaluator.evaluate(impulse_agents.make("random"))
    assert set(reading.wins) == {"random", "greedy", "miner"}
    assert all(0 <= rate <= 1 for rate in reading.wins.values())
