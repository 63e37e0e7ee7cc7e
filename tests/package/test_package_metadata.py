"""The README of a package index: whole addresses where the repository is known, else none."""

import importlib.util
import re

import pytest

from paths import ROOT

pytest.importorskip("hatchling")
_SPEC = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
hatch_build = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(hatch_build)

README = (ROOT / "README.md").read_text(encoding="utf-8")
TARGET = re.compile(r"\]\(([^)\s]+)\)")
PLACE = "https://forge.example/someone/impulse"


@pytest.fixture(autouse=True)
def nobody_says(monkeypatch):
    for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "IMPULSE_REPOSITORY"):
        monkeypatch.delenv(name, raising=False)


def test_with_an_address_every_picture_and_link_is_whole():
    text = hatch_build.for_package_index(README, PLACE, "0.1.0")
    targets = TARGET.findall(text)
    assert f"{PLACE}/raw/v0.1.0/docs/board.png" in targets
    assert f"{PLACE}/blob/v0.1.0/docs/environment.md" in targets
    assert len(targets) == len(TARGET.findall(README))
    assert all(target.startswith(("https://", "#")) for target in targets)


def test_without_an_address_no_picture_or_link_is_left_that_leads_nowhere():
    text = hatch_build.for_package_index(README, None, "0.1.0")
    assert all(target.startswith(("https://", "#")) for target in TARGET.findall(text))
    assert "*A game between six players, drawn as everybody sees it*" in text


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ({"IMPULSE_REPOSITORY": PLACE + "/"}, PLACE),
        ({"IMPULSE_REPOSITORY": PLACE + ".git"}, PLACE),
        ({"GITHUB_SERVER_URL": "https://forge.example", "GITHUB_REPOSITORY": "a/b"},
         "https://forge.example/a/b"),
        ({}, None),
    ],
)  # fmt: skip
def test_the_address_is_that_of_whoever_builds(said, address, monkeypatch, tmp_path):
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    assert hatch_build.repository(tmp_path) == address


def test_the_addresses_are_those_that_an_index_knows():
    assert set(hatch_build.urls(PLACE)) == {"Source", "Documentation", "Changelog", "Issues"}
