"""The chances to win that the shipped agents tell are true, in games played for this test."""

from dataclasses import replace

import numpy as np
import pytest

from impulse_agents.checkpoints import BASELINE, path_of, shipped
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.weights_file import weights_digest
from impulse_agents.registry import RULE_BASED
from impulse_training.evaluation.calibration.calibration_report import NOTHING, CalibrationReport
from impulse_training.evaluation.calibration.fitting import forecasts_of
from impulse_training.evaluation.calibration.positions import options_of, sample_positions

SEED = 20_261_122
"""Of games that nothing was fitted to: `impulse agents model-card` plays those of seed 0."""
GAMES = 200
LARGE = {"4p", "4p-teams", "5p", "6p"}
"""Agents whose games take longer than those of all others together."""


def each(*slow):
    """Parametrize a test by the shipped agents; those named are slow."""
    names = [pytest.param(n, marks=[pytest.mark.slow] * (n in slow)) for n in shipped()]
    return pytest.mark.parametrize("agent", names, indirect=True, scope="module")


@pytest.fixture(scope="module")
def agent(request):
    return PolicyAgent.load(path_of(request.param))


@pytest.fixture(scope="module")
def fresh(agent):
    assert CalibrationReport.of(agent).seed != SEED
    return sample_positions(agent, options_of(agent), RULE_BASED, GAMES, SEED)


def ahead_of_knowing_nothing(agent, fresh, **changed):
    """The log-loss of the share won less that of the agent's chances, with its interval."""
    report = CalibrationReport.of(agent)
    forecasts = forecasts_of(replace(agent.calibration, **changed), report.won, fresh, 0)
    return next(one.behind for one in forecasts if one.name == NOTHING)


@each()
def test_its_calibration_is_of_its_weights(agent):
    digest = weights_digest(agent.network.state_dict())
    assert agent.config["calibration"]["weights"] == digest
    assert f"| SHA-256 of the weights | `{digest}` |" in path_of_card(agent).read_text()


def path_of_card(agent):
    return path_of(agent.name.removeprefix("policy:")).with_suffix(".md")


@each(*LARGE)
def test_its_chances_foretell_better_than_the_share_of_wins(agent, fresh):
    # A weak agent judges positions less well: by its card policy:sb3-4p is only 0.09 nats ahead.
    is_baseline = path_of_card(agent).name.startswith(BASELINE)
    assert ahead_of_knowing_nothing(agent, fresh).low > (0.03 if is_baseline else 0.05)


@each(*LARGE)
def test_chances_that_are_wrong_would_be_seen(agent, fresh):
    slope, cubic = agent.calibration.slope, agent.calibration.cubic
    assert ahead_of_knowing_nothing(agent, fresh, slope=0, cubic=0).low < 0.01
    assert ahead_of_knowing_nothing(agent, fresh, slope=-slope, cubic=-cubic).high < 0
    for bias in (-1.5, 1.5):
        shifted = ahead_of_knowing_nothing(agent, fresh, bias=agent.calibration.bias + bias)
        assert shifted.mean < ahead_of_knowing_nothing(agent, fresh).mean - 0.05


@each(*LARGE)
def test_where_it_says_so_much_about_so_many_are_won(agent, fresh):
    """Calibration in the large: the mean chance is the share won, in all and in each half."""
    chances = agent.calibration.win_probabilities(fresh.expected, fresh.progress)
    for part in (np.ones(len(chances), bool), chances < 0.5, chances >= 0.5):
        won = fresh.has_won[part].mean()
        # Two standard errors, of games and not of positions.
        games = len(np.unique(fresh.games[part]))
        assert abs(chances[part].mean() - won) < 2 * np.sqrt(0.25 / games)
