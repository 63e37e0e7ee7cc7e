"""What the tests of studies share."""

import pytest

import impulse_agents


@pytest.fixture(scope="session")
def policy():
    """The trained agent for two players."""
    return impulse_agents.make("policy:2p")
