"""Each library that is tried has exact versions, a page, a test and a row; and who runs them."""

import re

import pytest

import interop
from pages import text_of
from paths import ROOT

PAGES = ROOT / "docs/libraries"
ROW = re.compile(r"^\| \[[^]]+\]\((\w+)\.md\) \| ([^|]+?) \|", re.MULTILINE)
ROWS = dict(ROW.findall(text_of(PAGES / "index.md")))
"""The versions that the index names, by page."""
NAMES = interop.names()
LINE = re.compile(r"[\w.-]+(?:\[[\w,]+\])?==[\w.]+")


@pytest.mark.parametrize("name", NAMES)
def test_each_library_has_exact_versions_and_a_test(name):
    text = (interop.TESTS / f"{name}.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        assert line.startswith("#") or LINE.fullmatch(line), line
    assert (interop.TESTS / f"test_{name}.py").exists()


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
