"""A display for windows on machines that have none."""

import pytest

from impulse_env.environments.aec import RawEnv


@pytest.fixture
def display(monkeypatch):
    """A display that nobody sees, and no waiting between two drawings."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(RawEnv.metadata, "render_fps", 10_000)
