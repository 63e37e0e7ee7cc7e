"""A recorded game is chosen on a page, and its board opens, in a real Chromium."""

import pytest

from accessible import faults
from recorded import short_game

pytestmark = pytest.mark.browser


def test_a_file_is_chosen_and_the_board_opens(visit, tmp_path):
    file = tmp_path / "game.jsonl"
    short_game().save(file)
    page = visit()
    page.click("text=Analyse a recorded game")
    page.wait_for_selector("#file")
    assert faults(page) == []
    page.set_input_files("#file", file)
    page.wait_for_url("**/analysis/record-*")
    page.wait_for_selector("#analysis:not([hidden])")
    assert page.inner_text("#analysis-by").startswith("By policy:2p")
