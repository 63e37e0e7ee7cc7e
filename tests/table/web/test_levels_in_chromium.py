"""On the start page a level is an opponent for every table."""

import pytest

from impulse_table.levels import NAMES, agent_of, levels_at
from table_pages import picture

pytest.importorskip("playwright")
pytestmark = pytest.mark.browser


def seats(page):
    chosen = "selects => selects.map(select => select.value)"
    return page.eval_on_selector_all("#seats select", chosen)


def opened(visit):
    page = visit()
    page.wait_for_selector("#play-about:not(:empty)")
    return page


def test_every_seat_gets_the_agent_of_the_level(visit):
    page = opened(visit)
    page.click("#custom > summary")
    assert seats(page) == ["here", agent_of("medium", 2)]
    for players in (4, 6, 3):
        page.select_option("#players", str(players))
        for level in ("expert", "beginner"):
            page.select_option("#level", level)
            assert seats(page) == ["here", *[agent_of(level, players)] * (players - 1)]
    picture(page, "levels")
    page.select_option("#players", "6")
    page.select_option("#level", "strongest")
    page.select_option("#teams", "3")
    assert seats(page)[1:] == [agent_of("strongest", 6, 3)] * 5


def test_what_was_chosen_for_a_seat_stays(visit):
    page = opened(visit)
    page.click("#custom > summary")
    page.select_option("#players", "3")
    page.select_option("#seat-1", "elsewhere")
    page.select_option("#seat-2", "random")
    page.select_option("#players", "4")
    assert seats(page) == ["here", "elsewhere", "random", agent_of("medium", 4)]
    page.select_option("#level", "easy")  # a person stays a person
    assert seats(page) == ["here", "elsewhere", *[agent_of("easy", 4)] * 2]


def test_the_level_is_remembered_and_played(visit):
    page = opened(visit)
    told = page.eval_on_selector_all("#play-level option", "all => all.map(one => one.textContent)")
    assert [line.partition(",")[0].lower() for line in told] == list(NAMES)
    for line, level in zip(told, levels_at(2), strict=True):
        assert level.agent not in line
        if level.rating is not None:
            assert str(abs(level.rating)) in line
    page.select_option("#play-level", "easy")
    assert page.inner_text("#play-about").startswith(agent_of("easy", 2))
    picture(page, "levels-at-once")
    page.reload()
    page.wait_for_selector("#play-about:not(:empty)")
    assert page.input_value("#play-level") == "easy"
    page.click("#play-now")
    page.wait_for_selector("#options button")
    assert agent_of("easy", 2) in page.inner_text("body")
