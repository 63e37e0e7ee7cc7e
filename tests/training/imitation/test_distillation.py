"""A student learns what a trained agent plays, and goes on where it was stopped."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

import impulse_agents
from impulse_agents.base import AgentError, ObservationBatch
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch
from impulse_env.options import OptionError, Options
from impulse_training.evaluation.model_card.card_training import opponents_met, stages
from impulse_training.imitation import distillation, student_state
from impulse_training.imitation.distillation import Student, distill, lesson, measure
from impulse_training.imitation.imitation_options import DistillArgs
from impulse_training.run.common_options import ConfigError
from impulse_training.run.storage.result import ResumeError
from networks import NETWORK, network

SHORT = Options(players=3, max_turns=4)
"""Weights that were never trained play long games."""
SMALL_NETWORK = {"width": 32, "policy": (32,), "value": (32,)}
SMALL = {"width": 16, "policy_layers": (16,), "value_layers": (8,), "minibatch_size": 64}


@pytest.fixture
def teacher(tmp_path, monkeypatch):
    """The file of a small agent for three players with a will of its own; few games a lesson."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(distillation, "GAMES", 3)
    monkeypatch.setattr(distillation, "HELD_OUT", 2)
    monkeypatch.setattr(distillation, "Options", partial(Options, max_turns=4))
    training = {"steps": 7, "legs": [{"command": "impulse train", "steps": 7, "args": {}}]}
    config = checkpoint_config(3, NETWORK, trained={"reward": "win"}, training=training)
    PolicyAgent(network(3), config, "teacher").save("teacher.safetensors")
    return "teacher.safetensors"


def given(teacher, **more):
    shared = {"teacher": teacher, "timesteps": 400, "opponents": ("random",), **SMALL}
    return DistillArgs(**{**shared, **more})


def test_a_lesson_is_what_the_teacher_thinks_and_does(teacher):
    agent = PolicyAgent.load(teacher)
    taught = lesson(agent, SHORT, ("random", "greedy"), [3, 1], 4)
    assert len(taught.observations) == len(taught.masks) == len(taught.values) > 10
    logits, values = agent.evaluate(taught.observations)
    legal = taught.masks != 0
    assert np.allclose(taught.logits[legal], logits[legal], atol=1e-4)
    assert np.allclose(taught.values, values, atol=1e-4)
    again = lesson(agent, SHORT, ("random", "greedy"), [3, 1], 4)
    other = lesson(agent, SHORT, ("random", "greedy"), [3, 2], 4)
    for one, same in zip(taught, again, strict=True):
        assert np.array_equal(one, same)
    assert other.observations.shape != taught.observations.shape


def test_it_plays_the_likeliest_action_itself(teacher):
    """With nobody beside it, a lesson is its own games."""
    agent = PolicyAgent.load(teacher)
    taught = lesson(agent, SHORT, (), [3, 1], 1)
    rng = np.random.default_rng([3, 1])
    batch, decisions = GameBatch(SHORT, rng.integers(2**63, size=1)), 0
    while batch.seats[0] >= 0:
        assert np.array_equal(taught.observations[decisions], batch.observations[0])
        seen = ObservationBatch.from_batch(batch)
        batch.step(agent.act(seen, RngStreams.from_seeds([0])))
        decisions += 1
    assert decisions == len(taught.values)


def test_a_student_foresees_its_teacher_better_and_better(teacher):
    agent = PolicyAgent.load(teacher)
    taught, apart = (lesson(agent, SHORT, (), [3, k], 12) for k in (1, 2))
    torch.manual_seed(0)
    made = network(3, kind="map", **SMALL_NETWORK)
    student = Student(given(teacher, timesteps=10**6, learning_rate=1e-2), made)
    before = measure(made, apart, "cpu")
    for turn in range(6):
        student.learn(taught, np.random.default_rng(turn))
    after = measure(made, apart, "cpu")
    assert after.agreement > before.agreement + 0.1
    assert after.divergence < before.divergence / 2
    assert after.explained > before.explained
    assert student.learned == 6 * len(taught.values)


def test_the_learning_rate_rises_and_falls_to_nothing(teacher):
    student = Student(given(teacher, timesteps=64 * 1000), network(3))
    rates = []
    for student.learned in range(0, 64 * 1001, 64):
        rates.append(student._learning_rate())
    top = int(np.argmax(rates))
    assert rates[-1] == 0
    assert 0 < top <= distillation.WARM_UP
    assert (np.diff(rates[: top + 1]) > 0).all()
    assert (np.diff(rates[top:]) < 0).all()
    assert max(rates) > 0.85 * student.args.learning_rate


def test_a_student_is_for_the_table_of_its_teacher_and_names_it(teacher, capsys):
    made = distill(given(teacher))
    agent = PolicyAgent.load(made.checkpoint)
    assert agent.config["players"] == 3
    assert agent.config["network"]["kind"] == "map"
    assert agent.config["trained"]["reward"] == "win"
    assert agent.config["trained"]["team_size"] is None
    story = agent.config["training"]
    assert story["steps"] == made.steps >= 400
    assert story["taught_by"]["steps"] == 7
    assert stages(agent.config) == (
        "It was distilled from the agent of\n\n1. `impulse train`, 7 steps\n\n"
    )
    assert "random" in opponents_met(agent.config)
    assert not made.was_interrupted
    assert "agrees in" in capsys.readouterr().out
    assert impulse_agents.make(f"policy:{made.folder}").config["players"] == 3


def test_what_was_stopped_continues_as_if_it_had_not_been(teacher, tmp_path, monkeypatch):
    whole = distill(given(teacher, out=tmp_path / "whole", timesteps=900))
    args = given(teacher, out=tmp_path / "parts", timesteps=900, save_every=1e-9)
    with monkeypatch.context() as patch:
        patch.setattr(distillation, "_report", _stop_at(2))
        with pytest.raises(KeyboardInterrupt):
            distill(args)
    parts = distill(replace(args, threads=1, save_every=5.0))
    one, other = (PolicyAgent.load(made.checkpoint) for made in (whole, parts))
    for mine, its in zip(
        one.network.state_dict().values(), other.network.state_dict().values(), strict=True
    ):
        assert torch.equal(mine, its)
    assert parts.steps == whole.steps
    assert len(other.config["training"]["legs"]) == 2
    assert distill(args).steps == parts.steps  # there is nothing left to learn


def _stop_at(report):
    """Stand in for the report: the process ends at the one of that number."""
    seen = []

    def reported(*_):
        seen.append(1)
        if len(seen) == report:
            raise KeyboardInterrupt

    return reported


def test_a_fit_with_other_options_or_a_damaged_one_is_not_gone_on_with(teacher, tmp_path):
    args = given(teacher, out=tmp_path / "made")
    distill(args)
    with pytest.raises(
        ResumeError, match=r"learned with other options: remove .*student\.safetensors"
    ):
        distill(replace(args, learning_rate=1e-4))
    state = tmp_path / "made" / student_state.STATE
    state.write_bytes(state.read_bytes()[:2000])
    with pytest.raises(
        ResumeError, match=r"is not the state of a student \(.*\): remove .* to start"
    ):
        distill(args)


@pytest.mark.parametrize(
    ("changes", "error", "said"),
    [
        ({"teacher": "nobody"}, AgentError, "no checkpoint 'nobody'"),
        ({"opponents": ("gredy",)}, AgentError, "greedy"),
        ({"timesteps": 0}, OptionError, "timesteps must be 1 or more"),
        ({"save_every": 0.0}, ConfigError, "save_every must be more than 0 seconds"),
        ({"device": "abacus"}, ConfigError, "--device abacus cannot be used"),
    ],
)
def test_mistakes_are_reported_before_anything_is_written(teacher, tmp_path, changes, error, said):
    with pytest.raises(error, match=said):
        distill(replace(given(teacher, out=tmp_path / "made"), **changes))
    assert not (tmp_path / "made").exists()
