"""People at a table: names, chat, the clock, and the notice at one's turn."""

import pytest

from accessible import faults
from page_sizes import SIZES, covered, fits
from table_pages import begin, expect, picture

pytestmark = pytest.mark.browser


COUNT_SIGNALS = """() => {
    window.signals = [];
    navigator.vibrate = (milliseconds) => signals.push(milliseconds);
    OscillatorNode.prototype.start = () => signals.push("tone");
    OscillatorNode.prototype.stop = () => {};
}"""


def meet(visit, **device):
    """Pages of two persons at one table; the first one decides."""
    host = visit()
    begin(host, "here", "elsewhere")
    link = host.locator("#seat-list input[readonly]").input_value()
    host.click("#links button.primary")
    guest = visit(link, 390, 664, **device)
    guest.wait_for_selector("#tile-hand [data-face]")
    return host, guest


def test_a_guest_gives_a_name_and_both_write_to_each_other(visit):
    host, guest = meet(visit)
    expect(guest.locator("#name-question")).to_be_visible()
    picture(guest, "people-name-phone")
    assert faults(guest) == []
    guest.fill("#own-name", "  <b>Eve</b>  ")
    guest.press("#own-name", "Enter")
    expect(guest.locator("#name-question")).to_be_hidden()
    expect(host.locator("#standings")).to_contain_text("<b>Eve</b>")
    host.set_viewport_size({"width": 390, "height": 664})
    first = host.locator("#options button").first
    before = first.bounding_box()
    assert before["y"] + before["height"] < host.locator("#views").bounding_box()["y"]
    expect(host.locator("#name-question")).to_be_visible()
    host.click("#no-name")
    expect(host.locator("#name-question")).to_be_hidden()
    host.evaluate("document.querySelector('#decision').scrollTop = 0")
    assert first.bounding_box() == before
    for size in SIZES:
        host.set_viewport_size({"width": size[0], "height": size[1]})
        assert covered(host) == []
        assert fits(host)
    host.set_viewport_size({"width": 1280, "height": 800})
    host.fill("#chat-line", "Hello <img src=x onerror=alert(1)>")
    host.press("#chat-line", "Enter")
    expect(guest.locator("#log-view")).to_have_class("unread")
    guest.click("#log-view")
    expect(guest.locator("#log-view")).not_to_have_class("unread")
    expect(guest.locator("#entries .chat")).to_have_text(
        "Seat 1: Hello <img src=x onerror=alert(1)>"
    )
    assert guest.locator("#entries img").count() == 0
    guest.fill("#chat-line", "My turn?")
    guest.press("#chat-line", "Enter")
    expect(host.locator("#entries .chat").last).to_have_text("<b>Eve</b>: My turn?")
    picture(guest, "people-chat-phone")
    picture(host, "people-chat")
    assert faults(guest) == []
    host.click("#chat-mute")
    guest.fill("#chat-line", "Are you there?")
    guest.press("#chat-line", "Enter")
    expect(guest.locator("#entries .chat")).to_have_count(3)
    expect(host.locator("#entries .chat").last).to_be_hidden()
    host.reload()
    expect(host.locator("#name-question")).to_be_hidden()
    host.click("#links button.primary")
    host.click("#chat-mute")
    expect(host.locator("#entries .chat")).to_have_count(3)
    assert faults(host) == []


def test_a_table_with_a_clock_shows_the_time_and_an_agent_plays_at_its_end(visit):
    page = visit()
    page.click("#custom > summary")
    page.click("#rule-options > summary")
    page.fill("#turn-seconds", "5")
    page.fill("#game-minutes", "20")
    page.select_option("#clock-agent", "random")
    picture(page, "people-clock-start")
    assert faults(page) == []
    page.select_option("#start", "0")
    page.click("#start-game")
    page.wait_for_selector("#options button")
    expect(page.locator("#clock")).to_have_text("0:04 left")
    picture(page, "people-clock")
    assert faults(page) == []
    page.click("#links-button")
    expect(page.locator("#clock-about")).to_contain_text("5 s for a turn; then random plays")
    picture(page, "people-clock-seats")
    page.select_option("#turn-notice", "flash")
    assert faults(page) == []
    page.click("#links button.primary")
    page.wait_for_selector("#entries li[data-step]")
    assert page.locator("#notice").is_hidden()


def test_the_title_flashes_and_a_tone_sounds_at_ones_turn_only_if_asked(visit):
    host, guest = meet(visit)
    guest.evaluate("document.hasFocus = () => false")
    guest.evaluate(
        "() => { window.titles = new Set(); new MutationObserver(() => titles.add(document.title))"
        ".observe(document.querySelector('title'), { childList: true }); }"
    )
    guest.evaluate(COUNT_SIGNALS)
    host.click("#no-name")
    host.locator("#options button").first.click()
    guest.wait_for_selector("#options button")
    guest.wait_for_timeout(1500)
    assert guest.evaluate("titles.has('Your turn!')") is False
    assert guest.evaluate("signals") == []
    guest.select_option("#turn-notice", "flash", force=True)
    for box in ("turn-tone", "turn-shake"):
        guest.evaluate("id => document.getElementById(id).click()", box)
    assert guest.evaluate("signals") == ["tone", 200]
    guest.locator("#options button").first.click()
    while not guest.evaluate("titles.has('Your turn!')"):
        page = host if host.locator("#options button").count() else guest
        page.wait_for_timeout(600)
        if page.locator("#options button").count():
            page.locator("#options button").first.click()
        guest.wait_for_timeout(1200)
    assert guest.evaluate("signals.slice(2, 4)") == ["tone", 200]
    guest.evaluate("window.dispatchEvent(new Event('focus'))")
    guest.wait_for_timeout(1200)
    assert guest.title() != "Your turn!"
