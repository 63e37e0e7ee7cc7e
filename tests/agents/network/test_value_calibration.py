"""What a value means: a chance to win, known for the weights it was fitted to and no others."""

import numpy as np
import pytest

from impulse_agents.base import AgentError
from impulse_agents.calibration import Calibration, progress_of
from impulse_agents.network.agent import PolicyAgent, expected_outcomes
from impulse_agents.network.weights_file import weights_digest
from impulse_env.options import Options
from networks import untrained

FITTED = {"slope": 2.0, "cubic": 1.0, "progress": 0.5, "bias": -0.25}


def made(seed=0, calibrated=True, **more):
    agent = untrained(seed=seed, **more)
    if not calibrated:
        return agent
    agent.config["calibration"] = {"weights": agent.weights_digest(), **FITTED}
    return PolicyAgent(agent.network, agent.config, agent.name)


def games(*scores, players=2, target=20):
    states = Options(players, target_score=target).new_states(range(len(scores)))
    states["score"][:, :players] = scores
    return states


def odds_of(outcome, best):
    return 2 * outcome + outcome**3 + 0.5 * np.sqrt(best) - 0.25


def test_the_odds_are_the_sum_of_its_terms():
    chances = Calibration(**FITTED).win_probabilities(
        np.array([0.0, 1.0, -1.0, 100.0, -1e6], np.float32), np.array([0, 1, 0.25, 1, 0])
    )
    odds = np.array([-0.25, 3.25, -3.125])
    assert chances[:3] == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-6)
    assert 0 <= chances.min() <= chances.max() <= 1


def test_a_lead_that_was_paid_already_is_added_to_the_value():
    values, seats = np.array([0.25, -0.5], np.float32), np.array([0, 1], np.int8)
    states = games((12, 2), (12, 2))
    assert expected_outcomes(values, states, seats, False).tolist() == [0.25, -0.5]
    assert expected_outcomes(values, states, seats, True) == pytest.approx([0.75, -1.0])


def test_progress_is_the_best_scores_share_of_the_target():
    assert progress_of(games((0, 0), (5, 1), (3, 20))) == pytest.approx([0, 0.5, 1])
    assert progress_of(games((1, 4, 0), players=3, target=16)) == pytest.approx([0.5])


def test_an_agent_tells_chances_in_the_game_as_it_stands():
    states, seats = games((12, 2), (0, 0)), np.array([0, 1], np.int8)
    values = np.array([0.25, 0.25], np.float32)
    odds = np.array([odds_of(0.75, 0.6), odds_of(0.25, 0)])
    paid_by_score = made(trained={"reward": "score"})
    found = paid_by_score.win_probabilities(values, states, seats)
    assert found == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-6)
    odds[0] = odds_of(0.25, 0.6)
    found = made(trained={"reward": "win"}).win_probabilities(values, states, seats)
    assert found == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-6)


def test_an_agent_that_is_not_calibrated_says_so_in_a_sentence():
    agent = made(calibrated=False)
    assert agent.calibration is None
    with pytest.raises(AgentError, match=r"policy:made is not calibrated, .* `impulse agents cal"):
        agent.win_probabilities(np.zeros(1, np.float32), games((0, 0)), np.zeros(1, np.int8))


def test_a_calibration_goes_with_its_weights(tmp_path):
    agent, other = made(seed=0), made(seed=1)
    agent.save(tmp_path / "a.safetensors")
    assert PolicyAgent.load(tmp_path / "a.safetensors").calibration == Calibration(**FITTED)
    agent.set_weights(other.network.state_dict())
    assert agent.calibration is None
    agent.save(tmp_path / "b.safetensors")
    assert PolicyAgent.load(tmp_path / "b.safetensors").calibration is None
    agent.set_weights(made(seed=0).network.state_dict())
    assert agent.calibration == Calibration(**FITTED)


def test_a_calibration_of_another_form_is_ignored():
    agent = made()
    del agent.config["calibration"]["cubic"]
    assert PolicyAgent(agent.network, agent.config, "policy:other").calibration is None


def test_the_digest_is_of_the_weights_alone():
    digest = weights_digest(made().network.state_dict())
    assert len(digest) == 64
    assert digest == weights_digest(made(trained={"reward": "win"}).network.state_dict())
    weights = made().network.state_dict()
    assert weights_digest(dict(reversed(weights.items()))) == digest
    first = next(iter(weights))
    for changed in (
        {**weights, first: weights[first] + 1e-6},
        {**weights, first: weights[first].flatten()},
        {**weights, first: weights[first].double()},
        {("other" if name == first else name): value for name, value in weights.items()},
    ):
        assert weights_digest(changed) != digest
