"""The fit of the evaluation function: from games to coefficients."""

import json

import numpy as np
import pytest

from commands import impulse
from impulse_agents.heuristics.evaluation import FEATURES
from impulse_training.evaluation.calibration.fit_evaluation import log_likelihood


def test_the_gradient_is_that_of_the_log_likelihood():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(50, 3, 4)).astype(np.float32)
    winners, at = rng.integers(3, size=50), rng.normal(size=4)
    value, gradient = log_likelihood(at, features, winners)
    for k, step in enumerate(np.eye(4) * 1e-6):
        moved = log_likelihood(at + step, features, winners)[0]
        assert (moved - value) / 1e-6 == pytest.approx(gradient[k], abs=1e-4)


def test_the_command_prints_coefficients_that_foretell_the_winner(capsys):
    words = (
        "train",
        "fit-evaluation",
        "--games",
        "200",
        "--players",
        "2",
        "--agents",
        "greedy",
        "random",
    )
    assert impulse(*words, "--json") == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert list(found["coefficients"]) == list(FEATURES)
    (likelihood,) = found["log_likelihoods"]
    assert likelihood["players"] == 2
    assert -np.log(2) < likelihood["fitted"] < 0
    for name, value in found["coefficients"].items():
        assert f"    {value:.3f},  # {name}\n" in printed.err
