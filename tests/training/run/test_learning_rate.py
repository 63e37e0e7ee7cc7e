"""The learning rate falls to a tenth at the end, and does not jump where a training is resumed."""

import pytest

from impulse_training.run.budget import Budget
from impulse_training.run.learning_rate import LearningRateSchedule


def at(budget, seconds=0.0, steps=0):
    budget.seconds, budget.steps = seconds, steps
    return budget


def resumed(kept, budget, rate):
    """The schedule of a training that goes on with another budget, or another rate."""
    schedule = LearningRateSchedule(rate, budget)
    schedule.load_state_dict(kept.state_dict())
    return schedule


@pytest.mark.parametrize(
    ("limits", "done", "expected"),
    [
        ((1, None), (0, 0), 1.0),
        ((1, None), (30, 999), 0.55),
        ((1, None), (60, 0), 0.1),
        ((1, None), (90, 0), 0.1),
        ((None, 1000), (0, 500), 0.55),
        # By steps alone, so that the same steps have the same rate on any machine.
        ((1, 1000), (59, 500), 0.55),
        ((float("inf"), None), (500, 10), 1.0),
    ],
)
def test_it_falls_to_a_tenth(limits, done, expected):
    budget = at(Budget(*limits), *done)
    assert LearningRateSchedule(1.0, budget)() == pytest.approx(expected)


def test_a_resumption_with_the_same_end_changes_nothing():
    first = LearningRateSchedule(0.3, at(Budget(None, 1000), steps=333))
    again = resumed(first, at(Budget(None, 1000), steps=333), 0.3)
    assert again.state_dict() == first.state_dict()
    assert again() == first()


@pytest.mark.parametrize("limits", [(None, 2000), (10, None), (10, 1200)])
def test_with_another_end_it_continues_from_where_it_was(limits):
    first = LearningRateSchedule(1.0, at(Budget(None, 1000), seconds=100.0, steps=500))
    budget = at(Budget(*limits), seconds=100.0, steps=500)
    again = resumed(first, budget, 1.0)
    assert again() == first() == pytest.approx(0.55)
    half = {"steps": (500 + (limits[1] or 0)) // 2, "seconds": (100 + 60 * (limits[0] or 0)) / 2}
    at(budget, **half)
    assert again() == pytest.approx((0.55 + 0.1) / 2)
    at(budget, seconds=600.0, steps=limits[1] or 0)
    assert again() == pytest.approx(0.1)


def test_what_had_ended_stays_at_a_tenth():
    first = LearningRateSchedule(1.0, at(Budget(None, 1000), steps=1000))
    assert resumed(first, at(Budget(None, 3000), steps=1000), 1.0)() == pytest.approx(0.1)


def test_another_rate_is_where_it_continues():
    first = LearningRateSchedule(1.0, at(Budget(None, 1000), steps=1000))
    budget = at(Budget(None, 3000), steps=1000)
    again = resumed(first, budget, 0.5)
    assert again() == 0.5
    assert (at(budget, steps=3000), again())[1] == pytest.approx(0.05)
    # Resumed a second time with nothing new.
    at(budget, steps=2000)
    assert resumed(again, at(Budget(None, 3000), steps=2000), 0.5)() == again()
