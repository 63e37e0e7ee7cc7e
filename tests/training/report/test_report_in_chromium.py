"""The report of a tournament in a real Chromium."""

import pytest

from impulse_training.report import page as report
from simulated import failed_game, simulated

pytestmark = pytest.mark.browser

AGENTS = {
    "a": 0.0,
    "b": 100.0,
    "policy:runs/a_name_that_has_no_place_to_break.safetensors": 50.0,
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_and_nothing_sticks_out_at_the_side(tmp_path, scheme):
    sync_api = pytest.importorskip("playwright.sync_api")
    from accessible import faults
    from chromium import find

    games = simulated(AGENTS, 2, 30, 0)
    report.write(tmp_path, {"seed": 1}, [*games, failed_game(len(games), ["a", "b"], 0)])
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 360, "height": 740}, color_scheme=scheme)
        page.goto((tmp_path / "report.html").as_uri())
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        browser.close()
