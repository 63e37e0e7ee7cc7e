"""Every game of a report opens as a page, from a folder without a server."""

import re
from dataclasses import replace

import pytest

from commands import impulse
from impulse_training.report import page as report
from impulse_training.report.replays import FOLDER, link_of
from impulse_training.tournament.store import Store
from simulated import identities, pairs

SHORT = ("--target-score", "4", "--max-turns", "20", "--workers", "1")
EVIL = "x'\"><script>document.title='broken'</script><img src=x onerror=document.title='broken'>"


def links_in(folder):
    """The links of the list of all pages; some stand among the games worth a look, too."""
    text = (folder / "report.html").read_text(encoding="utf-8")
    return re.findall(r'<a href="([^"]*)">Game (\d+)</a>', text.partition("Pages of games")[2])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("tournament")
    arguments = ("--agents", "random", "greedy", "--games", "4", *SHORT, "--out", made)
    assert impulse("tournament", *arguments, "--replays", "all") == 0
    return made


def test_every_game_links_to_its_page(folder):
    links = links_in(folder)
    assert [int(number) for _, number in links] == [0, 1, 2, 3]
    assert len({link for link, _ in links}) == 4
    for link, _ in links:
        told = (folder / link).read_text(encoding="utf-8")
        assert told.startswith("<!doctype html>")
        assert len(told) < 200_000
    assert "Identities of the agents" in (folder / "report.html").read_text(encoding="utf-8")
    for identity in Store.read(folder).identities:
        assert identity.short in (folder / "report.html").read_text(encoding="utf-8")


def test_a_report_without_them_says_how_to_get_them(tmp_path, capsys):
    arguments = ("--agents", "random", "greedy", "--games", "2", *SHORT, "--out", tmp_path)
    assert impulse("tournament", *arguments) == 0
    assert not (tmp_path / FOLDER).exists()
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert (
        "<code>impulse tournament report FOLDER --replays notable --analyse policy:2p</code>"
        in page
    )
    assert "Games worth a look" in page
    assert links_in(tmp_path) == []
    assert impulse("tournament", "report", tmp_path, "--replays", "all", "--workers", "2") == 0
    assert len(links_in(tmp_path)) == 2
    written = {path: path.stat().st_mtime_ns for path in (tmp_path / FOLDER).iterdir()}
    more = ("--agents", "random", "greedy", "core_rush", "--games", "6", *SHORT, "--out", tmp_path)
    assert impulse("tournament", *more, "--replays", "all") == 0
    assert len(links_in(tmp_path)) == 6
    for path, when in written.items():  # under other numbers, but the same games
        assert path.stat().st_mtime_ns == when
    assert impulse("tournament", "report", tmp_path, "--replays", "all", "--workers", "0") == 2
    assert "workers must be 1 or more, not 0" in capsys.readouterr().err


def test_a_game_that_is_played_again_has_another_page():
    first, *_ = pairs("x", 2, "y", 0)
    assert link_of(first) != link_of(replace(first, identities=[2, 3]))
    assert link_of(first) == link_of(replace(first, seconds=[1.0, 2.0], game=7, actions=[3]))


def test_a_name_runs_nothing_on_the_page(tmp_path):
    results = pairs(EVIL, 3, "y", 2)
    for result in results:
        path = tmp_path / link_of(result)
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    report.write(tmp_path, {"agents": [EVIL]}, results, None, identities([EVIL, "y"]))
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("<img ") == page.count('src="data:image/svg+xml;base64,')
    assert "<script" not in page
    assert len(links_in(tmp_path)) == 5
    assert "default-src 'none'" in page


@pytest.mark.browser
def test_the_page_opens_its_games_and_no_name_runs_in_a_browser(chromium, tmp_path, folder):
    settings = {"agents": [EVIL]}
    report.write(tmp_path, settings, pairs(EVIL, 3, "y", 2), None, identities([EVIL, "y"]))
    tab = chromium.new_page()
    tab.goto((tmp_path / "report.html").as_uri())
    assert EVIL in tab.inner_text("table >> nth=0")
    assert tab.title() == "A tournament of Impulse"
    tab.goto((folder / "report.html").as_uri())
    tab.click("text=Game 2")
    tab.wait_for_selector("main:not([hidden])")
    assert tab.url.startswith("file:")
    assert tab.inner_text("#agents").count("random") == 1
    tab.close()
