"""Each library that is tried has exact versions, a page, a test and a row; and who runs them."""

import re
import tomllib

import pytest

import install_locked
import interop
from pages import text_of
from paths import ROOT

packaging = pytest.importorskip("packaging.requirements")
version = pytest.importorskip("packaging.version")

PAGES = ROOT / "docs/libraries"
ROW = re.compile(r"^\| \[[^]]+\]\((\w+)\.md\) \| ([^|]+?) \|", re.MULTILINE)
ROWS = dict(ROW.findall(text_of(PAGES / "index.md")))
"""The versions that the index names, by page."""
NAMES = interop.names()
LINE = re.compile(r"[\w.-]+(?:\[[\w,]+\])?==[\w.]+")


def lower(requirement):
    """The lowest version of a requirement."""
    (found,) = [one.version for one in requirement.specifier if one.operator in (">=", "==")]
    return version.Version(found)


@pytest.mark.parametrize("name", NAMES)
def test_each_library_has_exact_versions_and_a_test(name):
    text = (interop.TESTS / f"{name}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    assert len(set(map(interop.library_of, lines))) == len(lines)
    assert (interop.TESTS / f"test_{name}.py").exists()


def test_lowest_are_the_lowest_versions_that_the_project_asks_for():
    """But of torch, whose older versions come with several gigabytes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    floors = {one.name: lower(one) for one in install_locked.of_project(project, ["all"])}
    text = (interop.TESTS / "lowest.txt").read_text(encoding="utf-8").partition(interop.FROZEN)[0]
    written = (line for line in text.splitlines() if not line.startswith("#"))
    lowest = {one.name: lower(one) for one in map(packaging.Requirement, written)}
    del floors["hatchling"]  # builds, but is not needed afterwards
    assert lowest.pop("torch") > floors.pop("torch")
    assert lowest == floors


def test_each_page_has_its_versions_and_a_row_that_names_them():
    pages = {page.stem for page in PAGES.glob("*.md")} - {"index"}
    assert set(ROWS) == pages
    for name in sorted(pages & set(NAMES)):
        lines = (interop.TESTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        for library in ROWS[name].split(", "):
            assert library.replace(" ", "==") in lines, library


def test_an_environment_is_made_once_for_its_versions(tmp_path, monkeypatch):
    made = []

    def make(folder, python, versions):
        folder.mkdir(parents=True, exist_ok=True)
        made.append(versions.read_text(encoding="utf-8"))

    monkeypatch.setattr(interop, "make", make)
    monkeypatch.setattr(interop, "TESTS", tmp_path)
    monkeypatch.setattr(interop, "BUILD", tmp_path / "build")
    for versions in ("some==1", "some==1", "some==2"):
        (tmp_path / "some.txt").write_text(versions, encoding="utf-8")
        interop.made("some")
    assert made == ["some==1", "some==2"]


def test_a_library_that_is_not_there_is_refused_in_one_sentence(capsys):
    with pytest.raises(SystemExit):
        interop.main(["nosuch"])
    assert "there is no 'nosuch'; there are " in capsys.readouterr().err
