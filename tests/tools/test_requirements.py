"""The lock has all that pyproject.toml asks for, each with hashes, and nothing else."""

import re
import subprocess
import sys
import tomllib

import pytest

import install_locked
import renew_lock
from locked import LOCK, pins, versions
from paths import ROOT

packaging = pytest.importorskip("packaging.requirements")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
STATED = {
    "the build": PROJECT["build-system"]["requires"],
    "the project": PROJECT["project"]["dependencies"],
    **EXTRAS,
    **PROJECT["dependency-groups"],
}
OURS = "impulse-env"
BY_NAME = {pin.name: pin for pin in pins()}
FILES = [
    "Makefile", "pyproject.toml", "requirements.lock", ".ci/run", ".github/workflows/ci.yml",
    ".github/workflows/release.yml",
    "tests/tools/install_locked.py", "tests/tools/renew_lock.py", "tests/tools/locked.py",
]  # fmt: skip


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def askers(pin):
    """Who asks for a package, by its notes."""
    lines = [line.strip(" #") for line in pin.notes.splitlines()]
    return {line.removeprefix("via").strip().partition(" ")[0] for line in lines} - {""}


@pytest.mark.parametrize("of", STATED)
def test_each_requirement_is_locked_within_its_range_and_with_hashes(of):
    for requirement in map(packaging.Requirement, STATED[of]):
        if requirement.name != OURS:
            pin = BY_NAME[normal(requirement.name)]
            assert requirement.specifier.contains(pin.version), pin.name
            assert pin.hashes


def test_the_lock_is_nothing_but_a_heading_and_pins_with_hashes():
    text = LOCK.read_text(encoding="utf-8")
    assert text == renew_lock.HEADER + "".join(map(str, pins()))
    assert all(pin.hashes for pin in pins())


def test_whatever_is_locked_is_asked_for():
    asked, fresh = set(), {OURS}
    while fresh:
        fresh = {pin.name for pin in pins() if askers(pin) & fresh} - asked
        asked |= fresh
    assert asked == set(BY_NAME)


@pytest.mark.parametrize("name", FILES)
def test_no_file_says_from_where_packages_come(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.findall(r"\w+://|--(?:extra-)?index-url|--find-links|--trusted-host", text)


def test_the_extras_of_an_extra_are_asked_for_once_with_the_build():
    wanted = install_locked.of_project(PROJECT, ["train"])
    names = [requirement.name for requirement in wanted]
    assert {"hatchling", "numpy", "torch", "matplotlib", "stable-baselines3"} <= set(names)
    assert len(names) == len(set(names))
    assert "pandas" not in names


def test_an_extra_that_is_not_there_is_refused_in_one_sentence():
    with pytest.raises(SystemExit, match=r"Unknown extra 'trian'; allowed: networks, hub, play,"):
        install_locked.of_project(PROJECT, ["trian"])


def test_a_requirement_that_the_lock_does_not_meet_is_refused_in_one_sentence():
    for unmet in ("numpy>=99", "nosuchpackage"):
        with pytest.raises(SystemExit, match=f"has no version for {unmet}; `make lock`"):
            install_locked.install_all([packaging.Requirement(unmet)])


def test_a_file_with_another_hash_is_not_installed(tmp_path, monkeypatch):
    """The file lies on the disk, so nothing is fetched."""
    wheel = tmp_path / "torch-0.0.1-py3-none-any.whl"
    wheel.write_bytes(b"not what it should be")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    wrong = f"torch==0.0.1 \\\n    --hash=sha256:{'0' * 64}\n"
    with pytest.raises(SystemExit, match="DO NOT MATCH THE HASHES"):
        install_locked.install_pins(pins(wrong))


def test_torch_keeps_the_hashes_of_builds_for_processors_alone(tmp_path):
    (tmp_path / "torch-2.0.0+cpu-cp311-cp311-linux_x86_64.whl").write_bytes(b"a build")
    listed, before, new = ("a" * 64, "b" * 64, "c" * 64)
    pin = "torch=={} \\\n    --hash=sha256:{}\n"
    (from_index,) = pins(pin.format("2.0.0", listed))
    builds = renew_lock.local_builds([str(tmp_path)])
    (local,) = builds["2.0.0"]
    same = renew_lock.with_builds(from_index, pins(pin.format("2.0.0", before)), builds)
    assert same.hashes == {listed, before, local}
    newer = renew_lock.with_builds(from_index, pins(pin.format("1.9.0", new)), {})
    assert newer.hashes == {listed}


@pytest.mark.parametrize("upgrade", [False, True])
def test_torch_is_held_at_its_version_whatever_else_is_renewed(upgrade, monkeypatch):
    asked = []

    def stopped(command, **_):
        asked.extend(word for word in command if str(word).startswith("--upgrade"))
        raise InterruptedError

    monkeypatch.setattr(renew_lock.subprocess, "run", stopped)
    with pytest.raises(InterruptedError):
        renew_lock.resolve(pins(), upgrade, index=None)
    others = {f"--upgrade-package={name}" for name in BY_NAME if name != "torch"}
    held = f"--upgrade-package=torch=={BY_NAME['torch'].version}"
    assert set(asked) == {held, *(others if upgrade else ())}


def test_the_versions_alone_are_printed_for_pip():
    printed = subprocess.run(
        [sys.executable, ROOT / "tests/tools/locked.py"], capture_output=True, text=True
    )
    assert printed.stdout == versions()
    assert f"numpy=={BY_NAME['numpy'].version}\n" in printed.stdout
    assert "sha256" not in printed.stdout
