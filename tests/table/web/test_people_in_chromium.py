"""Two people at pages of their own: each sees whether the other is there."""

import re

import pytest

from accessible import faults
from table_pages import begin, expect, picture

pytestmark = pytest.mark.browser


def test_who_closes_the_page_is_shown_as_away_and_an_agent_plays_at_the_hosts_word(visit):
    host = visit()
    begin(host, "here", "elsewhere")
    expect(host.locator("#links")).to_be_visible()
    host.locator(".person-name").fill("Ada")
    host.locator(".person-name").blur()
    link = host.locator("#seat-list input[readonly]").input_value()
    picture(host, "people-seats")
    host.click("#links button.primary")
    expect(host.locator("#people")).to_contain_text("Seat 2 (person) is away: everybody waits")

    guest = visit(link)
    guest.wait_for_selector("#standings li")
    expect(guest.locator("#standings li").first).to_contain_text("Ada")
    expect(host.locator("#people")).to_be_hidden()
    guest.context.close()
    expect(host.locator("#people")).to_contain_text("everybody waits")
    assert faults(host) == []
    picture(host, "people-away")
    host.set_viewport_size({"width": 390, "height": 844})
    picture(host, "people-away-phone")
    host.get_by_label("Let an agent play for seat 2").click()
    expect(host.locator("#people")).to_contain_text("greedy plays until they are back")
    host.locator("#options button").first.click()
    expect(host.locator("#entries li[data-step]")).not_to_have_count(1)

    back = visit(link)
    expect(back.locator("#whose")).to_have_text(re.compile("Setup|Turn"))
    expect(host.locator("#people")).to_be_hidden()


def test_a_table_that_its_host_lists_is_on_the_start_page_and_can_be_watched(visit):
    host = visit()
    host.click("#custom > summary")
    host.click("#rule-options > summary")
    host.check("#listed-table")
    host.click("#start-game")
    host.wait_for_url("**/table/**")
    other = visit()
    expect(other.locator("#listed-tables li")).to_contain_text("1 of 1 person here")
    assert faults(other) == []
    other.locator("#listed").scroll_into_view_if_needed()
    picture(other, "listed")
    other.locator("#listed-tables a").click()
    expect(other.locator("#hand")).to_be_hidden()
    expect(other.locator("#options button")).to_have_count(0)
