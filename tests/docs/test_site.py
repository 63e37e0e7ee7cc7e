"""The site builds without a warning, and is whole; what checks it finds what is wrong."""

import subprocess
import sys

import pytest

import play_page
from check_site import problems
from pages import ROOT


@pytest.mark.slow
def test_the_site_builds_and_is_whole():
    pytest.importorskip("zensical", reason="`make docs` installs what builds the site")
    build = ["build", "--clean", "--strict", "--config-file", "mkdocs.yml"]
    run = subprocess.run(
        [sys.executable, "-m", "zensical", *build],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    play_page.build(ROOT / "build/site")
    assert problems(ROOT / "build/site") == []
    for page in ("index", "environment", "tutorials/analysis", "reference/game"):
        assert (ROOT / f"build/site/{page}.html").exists()
    # A docstring that mkdocstrings could not find or read would be no warning but an empty page.
    text = (ROOT / "build/site/reference/game.html").read_text(encoding="utf-8")
    assert "Return the legal actions, ascending" in text


def test_errors_of_a_site_are_reported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="b.html#there">b</a><a href="b.html#gone">b</a>'
        '<a href="c.html">c</a><a href="https://example.org">fine</a><a href="#top">a</a>'
        '<script src="//cdn.example.org/x.js"></script>'
    )
    (tmp_path / "b.html").write_text('<p id="there">B</p>')
    (tmp_path / "s.css").write_text("@import url(https://fonts.example.org/f.css);")
    told = problems(".")
    assert [line.split(": ", 1)[1].split()[0] for line in told] == [
        "loads",
        "b.html#gone",
        "c.html",
        "loads",
    ]
    assert problems(tmp_path / "nothing") == [f"{tmp_path / 'nothing'} has no pages"]
