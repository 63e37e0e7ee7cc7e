"""What tests of the notebooks' package share."""

import matplotlib.pyplot as plt
import pytest

import impulse_agents


@pytest.fixture(scope="session")
def policy():
    """The trained agent for two players."""
    return impulse_agents.make("policy:2p")


@pytest.fixture(scope="session")
def greedy():
    """A rule-based agent."""
    return impulse_agents.make("greedy")


@pytest.fixture
def axes():
    """Empty axes."""
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)
