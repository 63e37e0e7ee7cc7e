"""The boards in the pictures of the documents: an analysis, a branch, and a replay."""

import subprocess

import pytest

from commands import PROGRAM
from table_pages import picture

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def impulse(*words):
    subprocess.run([*PROGRAM, *map(str, words)], check=True, capture_output=True)


def test_an_analysis_shows_the_costliest_decision_and_a_branch_is_played_out(visit, tmp_path):
    impulse("games", "record", "policy:2p", "greedy", "--out", tmp_path)
    page = visit(width=1280, height=900)
    page.goto(f"{page.url}analysis")
    page.set_input_files("#file", tmp_path / "0.jsonl")
    page.wait_for_url("**/analysis/record-*")
    page.wait_for_selector("#analysis:not([hidden])")
    page.wait_for_selector("#analysing", state="hidden")
    for _ in range(20):
        page.keyboard.press("n")
        page.wait_for_timeout(300)
        if page.is_visible("#why"):
            break
    assert page.inner_text("#why-checked").startswith("With this alone")
    assert page.locator("#choices .chosen").count() == 1
    picture(page, "board-analysis")
    page.locator("#choices li:not(.chosen) .try").first.click()
    page.wait_for_selector("#tree .branch [aria-current]")
    page.select_option("#agent", "greedy")
    page.click("#play-out")
    page.wait_for_selector("#shares >> text=Won in 100 playouts")
    page.locator("#shares").scroll_into_view_if_needed()
    picture(page, "board-what-if")


def test_a_replay_shows_who_chose_what_and_how_likely(visit, tmp_path):
    impulse("games", "record", "core_rush", "warrior", "miner", "--out", tmp_path)
    impulse("games", "annotate", tmp_path / "0.jsonl", "--by", "policy:3p")
    impulse("replay", tmp_path / "0.jsonl", "--html", tmp_path / "game.html")
    page = visit(f"{(tmp_path / 'game.html').as_uri()}#120", 1440, 900)
    page.wait_for_selector("#choices .chosen")
    picture(page, "board-replay")
    assert "%" in page.inner_text("#choices")
