"""A shipped checkpoint is played by its name, any other by its path."""

import subprocess
import sys
from pathlib import Path

import pytest

import impulse_agents
from impulse_agents import checkpoints
from impulse_agents.checkpoints import (
    checkpoint_for,
    checkpoint_in,
    file_of,
    path_of,
    shipped,
    trained_for,
    typed,
)
from impulse_training.tournament.settings import Settings
from impulse_training.tournament.workers import ray
from impulse_training.tournament.workers.same_agents import digests_of
from networks import untrained
from paths import ROOT


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the checkpoints 2p and 3p, which stands for the one of the project."""
    made = tmp_path / "shipped"
    for players in (2, 3):
        untrained(players).save(made / f"{players}p.safetensors")
    monkeypatch.setattr(checkpoints, "FOLDER", made)
    return made


def test_a_shipped_checkpoint_is_played_by_its_name(folder):
    agent = impulse_agents.make("policy:3p")
    assert (agent.name, agent.config["players"]) == ("policy:3p", 3)
    assert impulse_agents.make("policy+search:3p:20").name == "policy+search:3p:20"


def test_a_path_is_played_as_it_is(folder, monkeypatch):
    for path in (folder / "2p.safetensors", "./2p.safetensors", "2p.safetensors"):
        monkeypatch.chdir(folder)
        assert impulse_agents.make(f"policy:{path}").name == f"policy:{path}"
    (folder / "bare").write_bytes((folder / "2p.safetensors").read_bytes())
    assert impulse_agents.make(f"policy:{folder}/bare").config["players"] == 2


def test_a_name_never_means_a_file_of_the_current_folder(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("2p", "10"):
        (tmp_path / name).touch()
    assert path_of("2p") == folder / "2p.safetensors"
    assert file_of("policy:10") is None
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "policy.safetensors").touch()
    assert file_of("policy:own") is None
    assert file_of(f"policy:{typed(Path('own'))}") == Path("own/policy.safetensors")
    assert typed(Path("runs/own")) == "runs/own"
    with pytest.raises(
        impulse_agents.AgentError, match=r"; own is a .*: its agent is policy:\./own"
    ):
        path_of("own")


def test_the_shipped_ones_are_listed(folder):
    assert shipped() == ["2p", "3p"]
    assert {"policy:2p", "policy:3p", "policy:PATH"} <= set(impulse_agents.names())
    with pytest.raises(
        impulse_agents.AgentError, match=r"there are random, .*, policy:2p, policy:3p, "
    ):
        impulse_agents.make("clever")


@pytest.mark.parametrize("given", ["7p", "runs/none.safetensors", "none.safetensors", ""])
def test_a_missing_checkpoint_is_one_error_that_lists_the_others(folder, given):
    wanted = f"no checkpoint '{given}'; shipped are 2p, 3p, and a path is allowed"
    with pytest.raises(impulse_agents.AgentError, match=wanted):
        path_of(given)
    with pytest.raises(impulse_agents.AgentError, match=wanted):
        impulse_agents.make(f"policy+search:{given}:10")


def test_no_shipped_checkpoints_are_none(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    with pytest.raises(impulse_agents.AgentError, match="shipped are none, and a path"):
        impulse_agents.make("policy:2p")


def test_a_search_without_a_budget_says_so(folder):
    with pytest.raises(impulse_agents.AgentError, match="a search takes a number of simulations"):
        impulse_agents.make("policy+search:2p")


@pytest.mark.parametrize(
    ("name", "checkpoint"),
    [
        ("policy:2p", "2p"),
        ("policy:C:/my/2p.safetensors", "C:/my/2p.safetensors"),
        ("policy+search:a/b.safetensors:0.5s", "a/b.safetensors"),
        ("policy+search:C:/my/2p.safetensors:10", "C:/my/2p.safetensors"),
        ("ismcts:10", None),
        ("random", None),
    ],
)
def test_the_checkpoint_in_a_name_follows_the_kind(name, checkpoint):
    assert checkpoint_in(name) == checkpoint


def test_an_agent_without_a_file_is_made_from_none(folder):
    assert file_of("random") is None
    assert file_of("policy:not-there.safetensors") is None
    assert file_of("policy:7p") is None
    assert file_of("policy+search:2p:10") == folder / "2p.safetensors"
    assert file_of(f"policy:{folder}/2p.safetensors") == folder / "2p.safetensors"


def test_a_machine_without_the_shipped_files_plays_what_is_sent(folder, tmp_path, monkeypatch):
    settings = Settings(("random", "policy:2p", "policy+search:3p:20"))
    sent = ray._files(settings)
    digests = digests_of(settings.agents)
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path / "elsewhere")
    _, policy, searching = ray._made_here(settings, sent, digests, tmp_path)
    assert policy.config["players"] == 2
    assert searching.policy.config["players"] == 3
    assert searching.budget.simulations == 20


def test_names_are_resolved_without_torch():
    code = "import sys, impulse_agents; impulse_agents.names(); sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_a_checkpoint_is_named_by_its_table():
    assert [checkpoint_for(4, size) for size in (None, 2)] == ["4p", "4p-teams"]
    assert [checkpoint_for(6, size) for size in (2, 3)] == ["6p-teams", "6p-teams-of-3"]


def test_the_checkpoint_of_a_table_is_its_own_or_that_of_as_many_players(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    assert trained_for(4, 2) is None
    for name in ("4p", "4p-teams"):
        (tmp_path / f"{name}.safetensors").touch()
        assert trained_for(4, 2) == name
    assert (trained_for(4), trained_for(3)) == ("4p", None)
