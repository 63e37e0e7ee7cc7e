"""A budget ends by the clock or by steps, and says how long it will last."""

from math import inf

import pytest

from impulse_training.run.budget import Budget
from impulse_training.run.common_options import ConfigError
from impulse_training.run.storage.result import seconds_left_text


def spent(minutes, timesteps, seconds, steps, first_steps=0):
    budget = Budget(minutes, timesteps)
    budget.seconds, budget.steps, budget.first_steps = seconds, steps, first_steps
    return budget


@pytest.mark.parametrize(
    ("budget", "share", "left"),
    [
        (spent(1, None, 15, 300), 0.25, 45),
        (spent(None, 1000, 15, 250), 0.25, 45),
        (spent(1, 1000, 15, 500), 0.5, 15),
        (spent(1, 1000, 30, 100), 0.5, 30),
        (spent(1, None, 90, 10), 1.0, 0),
        (spent(None, 100, 0, 0), 0.0, inf),
        # What an earlier process did took none of this one's time.
        (spent(None, 1000, 10, 600, first_steps=500), 0.6, 40),
        (spent(None, 1000, 0, 600, first_steps=600), 0.6, inf),
    ],
)
def test_the_time_left_follows_from_the_pace_so_far(budget, share, left):
    assert budget.spent == pytest.approx(share)
    assert budget.seconds_left == pytest.approx(left)


def test_the_time_left_in_words():
    assert [seconds_left_text(seconds) for seconds in (0, 59.6, 600, inf)] == [
        "0 s left", "60 s left", "10 min left", "time left unknown",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("limits", "message"),
    [((None, None), "minutes or timesteps"), ((0, None), "minutes must be more than 0, not 0")],
)
def test_a_training_that_would_never_end_or_begin_is_refused(limits, message):
    with pytest.raises(ConfigError, match=message):
        Budget(*limits)
