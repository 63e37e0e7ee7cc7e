"""SuperSuit wraps both forms of the environment."""

import pytest

pytestmark = pytest.mark.interop


def test_the_page_wraps_dicts_and_plays_many_games(shown):
    space = shown["env"].observation_space("player_0")
    assert space.contains(shown["env"].observe("player_0"))
    assert shown["observations"]["observation"].shape[0] == 8
    assert shown["played"] >= 8
