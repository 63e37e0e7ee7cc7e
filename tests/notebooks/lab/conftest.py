"""What tests of the notebooks' package share."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import impulse_agents
from impulse_env.options import Options
from lab.sampling import sample_games


@pytest.fixture(scope="session")
def policy():
    """The trained agent for two players."""
    return impulse_agents.make("policy:2p")


@pytest.fixture(scope="session")
def greedy():
    """A rule-based agent."""
    return impulse_agents.make("greedy")


@pytest.fixture(scope="session")
def sampled(policy):
    """Decisions of some of its games against itself."""
    return sample_games([policy], Options(players=2), np.zeros((20, 2), np.int64), 2)


@pytest.fixture
def axes():
    """Empty axes."""
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)
