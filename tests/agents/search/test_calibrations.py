"""Chances that searches find: calibrated where games were played for it, told as they are else."""

import json

import numpy as np
import pytest

from impulse_agents import registry
from impulse_agents.advice.advice import advise
from impulse_agents.base import Variation
from impulse_agents.calibration import Calibration, log_odds
from impulse_agents.search import agent as search_agent
from impulse_agents.search import calibrations
from impulse_env.game import Game
from impulse_table.terminal import adviser_of

FITTED = {"slope": 0.5, "cubic": 0.0, "progress": 0.0, "bias": 1.0, "error": 0.03}


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """The file, with nothing known yet."""
    monkeypatch.setattr(calibrations, "FILE", tmp_path / "calibrations.json")
    (tmp_path / "calibrations.json").write_text("[]")
    calibrations._stored.cache_clear()
    yield tmp_path / "calibrations.json"
    calibrations._stored.cache_clear()


def asked(game, name="ismcts:60"):
    return advise(registry.make(name), game, np.random.default_rng(1))


def test_a_stored_calibration_is_for_the_same_games_and_playouts_only(kept):
    calibrations.keep("balanced", 6, 3, FITTED)
    calibrations.keep("balanced", 2, 2, FITTED | {"bias": 0.0})
    calibrations.keep("balanced", 2, 2, FITTED | {"bias": 2.0})
    assert calibrations.find("balanced", 6, 3) == Calibration(**FITTED)
    assert calibrations.find("balanced", 2, 2).bias == 2.0
    for other in (("balanced", 6, 6), ("random", 2, 2), ("balanced", 3, 3)):
        assert calibrations.find(*other) is None
    assert [(one["players"], one["bias"]) for one in json.loads(kept.read_text())] == [
        (2, 2.0),
        (6, 1.0),
    ]


def test_advice_tells_calibrated_chances_and_what_they_are_worth(kept):
    game = Game(seed=3)
    before = asked(game)
    assert before.error is None
    calibrations.keep("balanced", 2, 2, FITTED)
    after = asked(game)
    assert after.error == 0.03
    raw = {one.action: one.wins for one in before.suggestions}
    assert [one.action for one in after.suggestions] == [one.action for one in before.suggestions]
    for one in after.suggestions:
        odds = 0.5 * log_odds(np.array(raw[one.action])) + 1
        assert one.wins == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-6)
    assert asked(game, "ismcts:60:random").error is None


def test_certainties_stay_within_what_is_possible(kept):
    calibrations.keep("balanced", 2, 2, FITTED | {"slope": 900.0})
    for one in asked(Game(seed=3)).suggestions:
        assert 0 <= one.wins <= 1
    assert np.isfinite(log_odds(np.array([0.0, 1.0]))).all()


def test_what_it_would_play_is_first_and_others_are_ranked_by_chance_if_tried_enough(monkeypatch):
    def lines(self, seen, streams, count=3, depth=6):
        found = [("a", 70, 0.6), ("b", 30, 0.4), ("c", 20, 0.5), ("d", 2, 0.9), ("e", 0, 0.0)]
        return [Variation((name,), visits, visits / 122, value) for name, visits, value in found]

    monkeypatch.setattr(search_agent.TreeSearchAgent, "variations", lines)
    ranked = asked(Game(seed=3)).suggestions
    assert [one.action for one in ranked] == ["a", "c", "b", "d"]


@pytest.mark.parametrize(
    ("players", "team_size"), [(2, None), (3, None), (4, None), (5, None), (6, None), (4, 2)]
)
def test_the_search_that_hints_come_from_is_calibrated_at_every_table(players, team_size):
    game = Game(players, team_size=team_size, seed=1)
    found = registry.make("ismcts:300").calibration_at(game.state)
    assert found is not None
    assert 0 < found.error < 0.1
    assert found.slope > 0.2
    assert adviser_of(players, team_size, None)().name.startswith(("policy:", "ismcts:"))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_search_with_a_shipped_network_is_calibrated_for_its_weights(players):
    pytest.importorskip("torch")
    agent = registry.make(f"policy+search:{players}p:300")
    game = Game(players, seed=1)
    found = agent.calibration_at(game.state)
    assert found is not None
    assert 0 < found.error < 0.12
    weights = agent.policy.network.state_dict()
    agent.policy.set_weights({name: 0.5 * weight for name, weight in weights.items()})
    assert agent.calibration_at(game.state) is None
