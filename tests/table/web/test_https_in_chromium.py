"""The table by https in a real browser, as on a home network with files of one's own."""

import pytest

from table_pages import READY, WAIT, Served, begin, choose, wait_for_step

pytestmark = pytest.mark.browser


def test_a_game_is_begun_and_played_by_https(chromium, pem, tmp_path):
    served = Served(tmp_path, pem=pem)
    context = chromium.new_context(ignore_https_errors=True)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    sockets, refused = [], []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.on("requestfailed", lambda request: refused.append(request.url))
    page.goto(served.address)
    assert page.evaluate("isSecureContext")
    begin(page, "here", "greedy")
    page.wait_for_selector(READY)
    choose(page, 0)
    wait_for_step(page, 0)
    assert [url.partition("://")[0] for url in sockets] == ["wss"]
    assert refused == []
    context.close()
    served.stop()
