"""Choices on arrays: the probabilities that actions are drawn with."""

import numpy as np
import pytest

from impulse_agents.rng import RngStreams
from impulse_agents.selection import sample, softmax


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_softmax_gives_nothing_to_what_is_illegal(dtype):
    logits = np.array([[0.0, 9.0, 0.0], [1000.0, 0.0, -5.0], [3.0, 4.0, -1e30]], dtype)
    masks = np.array([[1, 0, 1], [1, 1, 0], [0, 0, 1]], np.int8)
    found = softmax(logits, masks)
    assert found.dtype == dtype
    assert found == pytest.approx(np.array([[0.5, 0, 0.5], [1, 0, 0], [0, 0, 1]]))
    assert (found[masks == 0] == 0).all()
    assert (softmax(logits, masks != 0) == found).all()


def test_what_is_sampled_has_these_probabilities():
    logits = np.tile(np.array([0.5, 3.0, -1.0, 0.0], np.float32), (20_000, 1))
    masks = np.tile(np.array([1, 0, 1, 1], np.int8), (20_000, 1))
    drawn = sample(logits, masks, RngStreams.from_seeds(range(20_000)))
    shares = np.bincount(drawn, minlength=4) / len(drawn)
    assert shares == pytest.approx(softmax(logits, masks)[0], abs=0.015)
    assert shares[1] == 0
