"""An agent trained before the observation changed plays on after it."""

import json

import numpy as np
import pytest
import torch

from commands import impulse, refusal
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import CheckpointError, checkpoint_config
from impulse_agents.network.compiled import evaluate_rows
from impulse_agents.network.config_check import KINDS
from impulse_agents.network.weights_file import write_weights
from impulse_env.actions import N_ACTIONS
from impulse_env.observation import Kind, Section, sections
from impulse_training.run.migrate import migrate
from networks import NETWORK, network, observations

ADDED = ("gems", "seat_race", "minerals", "waiting", "phase", "known", "frame_color")
"""Of each kind of input: counts by seat, small codes, faces, pools, what the map hears of."""
FITTED = {"slope": 1.0, "cubic": 0.0, "progress": 0.0, "bias": 0.0}


def laid_out(parts):
    """Sections one after another."""
    found, start = [], 0
    for part in parts:
        found.append(part._replace(start=start, stop=start + part.stop - part.start))
        start = found[-1].stop
    return found


def without(players, names):
    return laid_out(part for part in sections(players) if part.name not in names)


def as_before(seen, players, parts):
    """Observations as they were when these were the sections."""
    found = torch.zeros(len(seen), parts[-1].stop, dtype=seen.dtype)
    here = {part.name: part for part in sections(players)}
    for part in parts:
        if part.name in here:
            found[:, part.start : part.stop] = seen[:, here[part.name].start : here[part.name].stop]
    return found


def write(path, made, parts, **more):
    """A checkpoint of a network for these sections."""
    kind = {**NETWORK, "kind": made.kind}
    config = checkpoint_config(made.players, kind, **more)
    layout = [[part.name, part.start, part.stop] for part in parts]
    config["layout"] |= {"observation": parts[-1].stop, "sections": layout}
    PolicyAgent(made, config, "old").save(path)
    return path


def assert_same(agent, made, old, players):
    """An agent answers as a network that sees what it does in another layout."""
    seen = observations(players, decisions=40)
    with torch.no_grad():
        for mine, its in zip(agent.network(seen), made(as_before(seen, players, old)), strict=True):
            assert torch.allclose(mine, its, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_with_sections_that_were_added_it_answers_as_before(players, kind, tmp_path):
    old = without(players, ADDED)
    made = network(players, parts=old, kind=kind)
    agent = migrate(write(tmp_path / "old.safetensors", made, old), {})
    assert_same(agent, made, old, players)


def test_what_an_added_section_does_not_say_changes_no_bit_of_play(tmp_path):
    old = without(2, ("gems",))
    made = network(2, parts=old, kind="map")
    agent = migrate(write(tmp_path / "old.safetensors", made, old), {})
    seen = observations(2, decisions=20)
    gems = next(part for part in sections(2) if part.name == "gems")
    seen[:, gems.start : gems.stop] = 0
    every = np.ones((len(seen), N_ACTIONS), np.int8)
    before = evaluate_rows(made.pack(), as_before(seen, 2, old).numpy(), every, True)
    after = evaluate_rows(agent.network.pack(), seen.numpy(), every, True)
    for mine, its in zip(after, before, strict=True):
        assert (mine == its).all()


@pytest.mark.parametrize("kind", KINDS)
def test_sections_may_move(kind, tmp_path):
    old = laid_out(reversed(sections(3)))
    made = network(3, parts=old, kind=kind)
    agent = migrate(write(tmp_path / "old.safetensors", made, old), {})
    assert_same(agent, made, old, 3)


REMOVED = {
    "counts": Section("lost", 0, 6, (6,), ("",), Kind.COUNT, 9, ""),
    "cards": Section("lost", 0, 3, (3,), ("",), Kind.CARD, 84, ""),
    "faces": Section("lost", 0, 160, (2, 80), ("", "face"), Kind.COUNT, 4, ""),
    "codes": Section("lost", 0, 2, (2,), ("",), Kind.MODE, 3, ""),
    "places": Section("lost", 0, 2, (2,), ("",), Kind.PLACE, 61, ""),
}


@pytest.mark.parametrize("what", REMOVED)
def test_a_section_that_was_removed_is_forgotten(what, tmp_path):
    lost = REMOVED[what]
    old = laid_out([lost, *sections(2)])
    made = network(2, parts=old, kind="map")
    path = write(tmp_path / "old.safetensors", made, old)
    with pytest.raises(CheckpointError, match=f"section .* has {lost.stop} features"):
        migrate(path, {})
    described = "faces" if what == "faces" else lost.kind.value
    agent = migrate(path, {"lost": (described, lost.high)})
    with torch.no_grad():
        for column, (_, section, *_) in enumerate(made.features.inputs()):
            if section == "lost":
                made.features.dense.weight[:, column] = 0
    assert_same(agent, made, old, 2)
    with pytest.raises(CheckpointError, match="do not fit the network of its sections"):
        migrate(path, {"lost": ("card" if what == "counts" else "count", 9)})


def test_what_was_fitted_holds_as_long_as_nothing_is_forgotten(tmp_path):
    some = without(2, ("gems",))
    for old, removed, holds in (
        (some, {}, True),
        (laid_out([*some, REMOVED["counts"]]), {"lost": ("count", 9)}, False),
    ):
        made = network(2, parts=old)
        agent = PolicyAgent(made, checkpoint_config(2, NETWORK), "old")
        calibration = {"weights": agent.weights_digest(), **FITTED}
        path = write(tmp_path / "old.safetensors", made, old, calibration=calibration)
        assert (migrate(path, removed).calibration is not None) == holds


def test_the_command_writes_an_agent_that_plays(tmp_path, capsys):
    old = without(2, ADDED)
    path = write(tmp_path / "old.safetensors", network(2, parts=old), old)
    with pytest.raises(CheckpointError, match="layout differs from this version's"):
        PolicyAgent.load(path)
    made = tmp_path / "new.safetensors"
    assert impulse("agents", "migrate", path, "--out", made) == 0
    assert "saved the migrated agent in" in capsys.readouterr().out
    PolicyAgent.load(made).check_players(2)
    for words, message in (
        ((made,), "nothing to migrate"),
        ((path, "--removed", "gems"), "--removed takes NAME=KIND:HIGH"),
        ((path, "--removed", "scoer=count:3"), "has no section 'scoer'; did you mean score?"),
    ):
        assert impulse("agents", "migrate", *words, "--out", tmp_path / "no.safetensors") == 2
        assert message in refusal(capsys)


def test_odd_layouts_are_refused(tmp_path):
    made, path = network(2), tmp_path / "old.safetensors"
    for layout, message in (
        ([["own_hand", 0, 80], ["unseen", 81, 90]], "one section of an observation after another"),
        ([["own_hand", 0, 0]], "one section of an observation after another"),
        ([["own_hand", 0, 1 << 40]], "one section of an observation after another"),
        ([["own_hand", 0, 80]], "its observation lacks sections"),
        ([["own_hand", 0]], "does not say what its network observes"),
        (None, "does not say what its network observes"),
    ):
        config = checkpoint_config(2, {**NETWORK, "kind": "pointers"})
        config["layout"]["sections"] = layout
        write_weights(path, json.dumps(config), made.state_dict())
        with pytest.raises(CheckpointError, match=message):
            migrate(path, {})
