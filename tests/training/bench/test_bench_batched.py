"""What is timed of the environments of many games is legal play, counted."""

import numpy as np
import pytest

from impulse_env.environments.self_play import SelfPlayBatch
from impulse_training.bench import batched
from impulse_training.bench.batched import random_legal, self_play_rate, vector_env_rate


def test_random_actions_are_legal_and_of_all_kinds():
    masks, rng = SelfPlayBatch(64).masks, np.random.default_rng(0)
    drawn = np.stack([random_legal(masks, rng) for _ in range(300)])
    assert masks[np.arange(64), drawn].all()
    for game in range(64):
        assert set(drawn[:, game]) == set(np.flatnonzero(masks[game]))


@pytest.mark.parametrize("rate", [vector_env_rate, self_play_rate])
def test_steps_are_counted_by_the_second(rate, monkeypatch):
    clock = iter(range(10**6))
    monkeypatch.setattr(batched, "perf_counter", lambda: next(clock))
    # Each step takes a second by that clock.
    assert rate(8, 5) == pytest.approx(8, abs=2)
