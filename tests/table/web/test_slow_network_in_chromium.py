"""The table on a slow network: few requests, and a word while it loads."""

import pytest

from table_pages import expect, picture

pytestmark = pytest.mark.browser

MOST_REQUESTS = 12
MOST_BYTES = 150_000  # three seconds of the network below
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}


@pytest.fixture
def table(visit):
    page = visit()
    page.wait_for_selector("#play-about:not(:empty)")
    page.click("#play-now")
    page.wait_for_selector("#options button")
    return page.url


def test_a_table_needs_few_requests_and_few_bytes(visit, table):
    page = visit("about:blank", 390, 664)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    asked, got = [], []
    page.on("request", lambda request: asked.append(request.url))
    network.on("Network.loadingFinished", lambda end: got.append(end["encodedDataLength"]))
    page.goto(table, wait_until="commit")
    page.wait_for_selector("#options button", state="attached")
    page.wait_for_load_state("networkidle")
    assert len(asked) <= MOST_REQUESTS, asked
    assert 0 < sum(got) <= MOST_BYTES, got


@pytest.mark.slow  # it counts seconds, so nothing else may run
def test_a_table_opens_in_seconds_on_a_slow_network(visit, table):
    page = visit("about:blank", 390, 664)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", SLOW)
    page.goto(table, wait_until="commit")
    page.wait_for_selector("#options button", state="attached")
    assert page.evaluate("performance.now()") < 8000, "on an idle machine 4000"


def test_it_says_that_it_is_loading_until_its_script_comes(visit, table):
    page = visit("about:blank", 390, 664)
    held = []
    page.route("**/static/*/table.js", lambda route: held.append(route))
    page.goto(table, wait_until="commit")
    expect(page.locator("#whose")).to_have_text("Loading the table …")
    expect(page.locator("#whose")).to_be_visible()
    picture(page, "slow-loading")
    held[0].continue_()
    page.wait_for_selector("#options button", state="attached")
    assert "Loading" not in page.inner_text("#whose")
