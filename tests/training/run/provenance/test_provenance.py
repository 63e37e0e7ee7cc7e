"""The commit that a checkpoint names is this project's, or none."""

import shutil
import subprocess
from pathlib import Path

import pytest

import impulse_agents
import impulse_env
import impulse_training
from impulse_training.run.machine import ray_cluster
from impulse_training.run.provenance import process as provenance
from impulse_training.run.provenance.checkout import checkout
from paths import ROOT

pytestmark = pytest.mark.checkout

HERE = Path("training/impulse_training/run/provenance/checkout.py")
INSTALLED = Path(".venv/lib/python3.12/site-packages/impulse_training/run/provenance/checkout.py")


def copied(top, place, project="impulse-env"):
    """A copy of the module at a place below a folder that has a pyproject.toml."""
    path = top / place
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / HERE, path)
    (top / "pyproject.toml").write_text(f'[project]\nname = "{project}"\n', encoding="utf-8")
    return path


def repository(folder):
    """Make a folder a repository with one commit; return that."""
    who = ["-c", "user.name=x", "-c", "user.email=x@y.z"]
    for words in (["init", "-q"], [*who, "commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", "-C", folder, *words], check=True)
    found = subprocess.run(
        ["git", "-C", folder, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    )
    return found.stdout.strip()


def test_this_code_lies_in_its_checkout():
    assert checkout() == ROOT


@pytest.mark.parametrize(
    ("place", "project", "is_checkout"),
    [
        (HERE, "impulse-env", True),
        (HERE, "impulse-fork", False),
        (INSTALLED, "impulse-env", False),
        (INSTALLED, "somebodys-project", False),
    ],
)
def test_what_is_installed_lies_in_no_checkout(tmp_path, place, project, is_checkout):
    assert checkout(copied(tmp_path, place, project)) == (tmp_path if is_checkout else None)


def test_what_is_installed_does_not_name_the_commit_of_another_repository(tmp_path, monkeypatch):
    # It used to name that of the repository in which the environment lay.
    repository(tmp_path)
    path = copied(tmp_path, INSTALLED)
    monkeypatch.setattr(provenance, "checkout", lambda: checkout(path))
    assert provenance.commit() == "unknown"


def test_a_checkout_names_its_own_commit(tmp_path, monkeypatch):
    path = copied(tmp_path, HERE)
    monkeypatch.setattr(provenance, "checkout", lambda: checkout(path))
    assert provenance.commit() == "unknown"
    assert (found := repository(tmp_path)) == provenance.commit()
    assert len(found) == 40


def test_a_checkout_says_whether_its_files_are_those_of_its_commit(tmp_path, monkeypatch):
    path = copied(tmp_path, HERE)
    monkeypatch.setattr(provenance, "checkout", lambda: checkout(path))
    assert not provenance.is_dirty()  # there is no repository
    repository(tmp_path)
    assert not provenance.is_dirty()  # new files do not count
    subprocess.run(["git", "-C", tmp_path, "add", "pyproject.toml"], check=True)
    assert provenance.is_dirty()


def test_sources_unpacked_in_another_repository_name_no_commit(tmp_path, monkeypatch):
    repository(tmp_path)
    path = copied(tmp_path / "vendored", HERE)
    monkeypatch.setattr(provenance, "checkout", lambda: checkout(path))
    assert provenance.commit() == "unknown"


def test_a_cluster_is_sent_the_packages_that_are_imported():
    # It used to be sent folders beside the package of the trainings, where there are none.
    packages = (impulse_env, impulse_agents, impulse_training)
    expected = [str(Path(package.__file__).resolve().parent) for package in packages]
    assert ray_cluster.package_folders() == expected
