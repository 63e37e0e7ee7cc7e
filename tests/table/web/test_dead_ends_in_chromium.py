"""Dead ends in a real Chromium: each is a sentence with a button that leads on."""

import pytest

from accessible import faults
from impulse_table.web.pages import version
from table_pages import begin, choose, picture

pytestmark = pytest.mark.browser


def sockets_of(page):
    """The WebSockets that the page opens from here on, which the test can close."""
    sockets = []

    def through(socket):
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket("**/socket", through)
    return sockets


def test_who_cannot_sit_down_continues_from_there(visit, served):
    page = visit()
    begin(page, "here", "random")
    stranger = visit(page.url.split("#")[0] + "#" + "x" * 22, width=390, height=844)
    stranger.wait_for_selector("#connection:has-text('open no seat at this table')")
    picture(stranger, "17-a-wrong-link")
    stranger.click("#connection-watch")
    stranger.wait_for_selector("#tile-map [data-action='cell 10']")
    stranger.goto(f"{served.address}table/unknown")
    stranger.wait_for_selector("#connection:has-text('there is no such table')")
    assert stranger.locator("#connection-again").is_visible()
    assert stranger.locator("#connection-watch").is_hidden()
    stranger.click("#connection-start")
    stranger.wait_for_selector("#play-now")


def test_a_wrong_link_in_the_browser_that_began_the_game_leads_to_its_own_seat(visit):
    page = visit()
    begin(page, "here", "random")
    own = page.url
    page.goto("about:blank")
    page.goto(own.split("#")[0] + "#" + "x" * 22)
    page.wait_for_selector("#unseated:not([hidden])")
    page.wait_for_selector("#notice:not([hidden])")
    page.wait_for_selector("#notice", state="hidden")
    assert "opens no seat" in page.inner_text("#unseated")
    page.click("#unseated-own")
    page.wait_for_selector("#tile-hand [data-face]")
    assert page.url == own
    assert page.locator("#unseated").is_hidden()


def test_links_of_a_server_for_this_machine_alone_say_so(visit):
    page = visit()
    begin(page, "here", "elsewhere")
    page.wait_for_selector("#links[open] #reach:not([hidden])")
    assert faults(page) == []
    assert "nobody can open these links on another" in page.inner_text("#reach")
    assert "--listen" in page.inner_text("#reach")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#seat-list .link button")
    page.wait_for_selector("#seat-list .link >> text=Copied, for this machine alone")
    link = page.input_value("#watching input")
    assert link == page.url.split("#")[0]
    watcher = visit(link)
    watcher.wait_for_selector("#tile-map [data-action='cell 10']")
    assert watcher.locator("#tile-hand [data-face]").count() == 0


def test_a_page_tries_again_and_learns_of_another_version(visit):
    page = visit(color_scheme="dark")
    sockets = sockets_of(page)
    begin(page, "here", "random")
    choose(page, 0)
    assert page.evaluate("fetch('/api/version').then((a) => a.json())") == {"version": version()}
    page.route("**/api/version", lambda route: route.fulfill(status=500, json={"message": "-"}))
    with page.expect_response("**/api/version"):
        sockets[-1].close()
    page.wait_for_selector("#connection-again:has-text('Try now')")
    picture(page, "18-connection-lost")
    page.unroute("**/api/version")
    page.dispatch_event("#connection-again", "click")  # it may be back just now
    page.wait_for_selector("#connection", state="hidden")
    assert len(sockets) == 2
    page.route("**/api/version", lambda route: route.fulfill(json={"version": "another"}))
    sockets[-1].close()
    page.wait_for_selector("#connection:has-text('The server was updated')")
    picture(page, "19-another-version")
    page.click("#connection-again:has-text('Reload the page')")
    page.wait_for_selector("#options button")


def test_a_browser_without_access_gets_a_message(visit):
    page = visit()
    sockets = sockets_of(page)
    begin(page, "here", "random")
    refusal = {"status": 403, "json": {"message": "This browser has not been let in."}}
    page.route("**/api/version", lambda route: route.fulfill(**refusal))
    sockets[-1].close()
    page.wait_for_selector("#connection:has-text('This browser has not been let in.')")
    assert page.locator("#connection-start").is_visible()
    assert page.locator("#table").is_hidden()
