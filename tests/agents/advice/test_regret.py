"""After a choice a strong agent plays on, as far as it is told, and says what it is worth."""

import numpy as np
import pytest

from calibrated import calibrated
from impulse_agents.advice.regret import chances_after, chances_of
from impulse_agents.heuristics.random_agent import RandomAgent
from impulse_agents.playing.continuations import dealt, stopped_at
from impulse_env.batch import GameBatch
from impulse_env.engine.constants import RUNNING
from impulse_env.options import Options
from networks import NETWORK, untrained

OPTIONS = Options(players=2, target_score=8)


@pytest.fixture(scope="module")
def judge():
    return calibrated(untrained(sizes=NETWORK))


@pytest.fixture(scope="module")
def positions():
    """Return running games, who decides there, and a legal action of each in the own frame."""
    states, _ = stopped_at(OPTIONS, dealt(OPTIONS, range(12)), [RandomAgent()], 9)
    batch = GameBatch.of_states(OPTIONS, states[states["status"] == RUNNING])
    return batch.states, batch.seats.astype(np.int64), batch.masks.argmax(1)


class Noting:
    """A judge that keeps the positions it is asked to value."""

    def __init__(self, judge):
        self.judge, self.valued = judge, []

    def __getattr__(self, name):
        return getattr(self.judge, name)

    def win_probabilities(self, values, states, seats):
        self.valued.append((states, seats))
        return self.judge.win_probabilities(values, states, seats)


@pytest.mark.parametrize("later", [0, 1, 3])
def test_the_horizon_is_in_the_given_turn(judge, positions, later):
    states, seats, actions = positions
    noting, told = Noting(judge), []
    found = chances_after(
        noting, OPTIONS, states, seats, actions, later_turns=later, tell=lambda *n: told.append(n)
    )
    assert found.shape == seats.shape
    ((valued, deciding),) = noting.valued
    assert (valued["battle_gate"] < 0).all()
    assert (GameBatch.of_states(OPTIONS, valued).seats == deciding).all()
    if len(valued) == len(states):
        assert (valued["turn"] >= states["turn"] + later).all()
    assert told == sorted(told)
    assert told[-1] == (len(states), len(states))


def test_a_game_that_is_over_is_worth_its_result(judge):
    ended, _ = stopped_at(OPTIONS, dealt(OPTIONS, range(4)), [RandomAgent()], 1000)
    seats = np.zeros(4, np.int64)
    assert (chances_of(judge, ended, seats) == (ended["winner"] == 0)).all()


def test_no_choices_give_no_result(judge, positions):
    none = (column[:0] for column in positions)
    assert len(chances_after(judge, OPTIONS, *none)) == 0
