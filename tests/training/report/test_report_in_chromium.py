"""The report of a tournament in a real Chromium."""

import pytest

from accessible import faults
from impulse_training.report import page as report
from simulated import failed_game, simulated

pytestmark = pytest.mark.browser

AGENTS = {
    "a": 0.0,
    "b": 100.0,
    "policy:runs/a_name_that_has_no_place_to_break.safetensors": 50.0,
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_and_nothing_sticks_out_at_the_side(chromium, tmp_path, scheme):
    games = simulated(AGENTS, 2, 30, 0)
    report.write(tmp_path, {"seed": 1}, [*games, failed_game(len(games), ["a", "b"], 0)])
    page = chromium.new_page(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    page.goto((tmp_path / "report.html").as_uri())
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


def test_twelve_agents_on_a_phone_stay_readable(chromium, tmp_path):
    names = ["core_rush", "warrior", "policy+search:4p-teams:100"]
    names += [f"policy:runs/agent_{number}/policy.safetensors" for number in range(9)]
    report.write(tmp_path, {"seed": 1}, simulated(dict.fromkeys(names, 0.0), 2, 2, 0))
    page = chromium.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page.goto((tmp_path / "report.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.documentElement.scrollHeight") < 12_000
    names_of_rows = "[...document.querySelectorAll('table:not(.settings) td:first-child')]"
    tallest = page.evaluate(f"Math.max(...{names_of_rows}.map(cell => cell.offsetHeight))")
    assert tallest < 100  # it used to be a letter to a line
    assert page.evaluate("getComputedStyle(document.querySelector('img')).filter") != "none"
    page.close()
