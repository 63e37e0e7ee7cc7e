"""The start page in a real Chromium, before and while its server answers."""

import pytest

from table_pages import begin, expect

pytestmark = pytest.mark.browser
BEGINNINGS = ("#play-now", "#first-game", "#todays-deal", "#start-game")


def test_nothing_is_begun_before_the_page_knows_what_there_is(visit, served):
    page, held = visit("about:blank"), []
    page.route("**/api/setup", lambda route: held.append(route))
    with page.expect_request("**/api/setup"):
        page.goto(served.address)
    for button in BEGINNINGS:
        expect(page.locator(button)).to_be_disabled()
    page.click("#custom > summary")
    page.click("#rule-options > summary")
    page.fill("#seed", "7")
    page.press("#seed", "Enter")  # sends a form whose button is no hindrance
    held[0].continue_()
    for button in BEGINNINGS:
        expect(page.locator(button)).to_be_enabled()
    page.press("#seed", "Enter")
    page.wait_for_url("**/table/**")


def test_a_server_without_a_list_of_agents_is_reported(visit, served):
    page = visit("about:blank")
    page.route("**/api/setup", lambda route: route.abort("connectionrefused"))
    page.goto(served.address)
    told = "The server does not answer; is it still running?"
    expect(page.get_by_role("alert")).to_have_text(told)
    for button in BEGINNINGS:
        expect(page.locator(button)).to_be_disabled()


def test_a_browser_without_storage_starts_a_game(visit):
    page = visit()
    denied = "Object.defineProperty(window, 'localStorage', {get() { throw new Error('denied'); }})"
    page.add_init_script(denied)
    page.reload()
    begin(page, "here", "greedy")
    page.wait_for_selector("#options button")
