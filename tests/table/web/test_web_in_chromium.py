"""Games clicked through in a real Chromium, as people would play them."""

import re

import pytest

from impulse_env.records import reader
from impulse_table.tables.protocol import PERSON, NewTable
from impulse_table.tables.store import Store
from impulse_table.tables.table import Table
from table_pages import (
    NOT_DOUBLE,
    READY,
    Served,
    begin,
    choose,
    expect,
    is_over,
    picture,
    step_of,
    wait_for_step,
)

pytestmark = pytest.mark.browser


def test_a_whole_game_against_an_agent(visit):
    page = visit()
    picture(page, "1-new-game")
    begin(page, "here", "greedy")
    page.wait_for_selector("#options button")
    picture(page, "2-first-decision")
    for number in range(2000):
        page.wait_for_selector(READY)
        if is_over(page):
            break
        choose(page, number)
        if number == 40:
            page.wait_for_selector(READY)
            picture(page, "3-in-the-middle")
    assert re.search("The game is over: Seat . .* won", page.inner_text("#prompt"))
    picture(page, "4-the-end")
    with page.expect_download() as download:
        page.click("#record-button")
    record = reader.read(download.value.path())
    assert [agent.name for agent in record.header.agents] == ["person", "greedy"]
    assert len(record.moves) == step_of(page)
    assert record.result.end == "score"
    page.goto(page.url.split("/table")[0])
    page.wait_for_selector("#game-list :text('over')")


def test_two_browsers_at_one_table(visit):
    first = visit()
    begin(first, "here", "elsewhere")
    link = first.input_value("#seat-list .link input")
    picture(first, "5-links")
    first.click("#links button.primary")
    second = visit(link)
    second.wait_for_selector("#tile-map [data-action='cell 10']")
    for number in range(30):
        page, other = (
            (first, second) if first.locator("#options button").count() else (second, first)
        )
        page.wait_for_selector("#options button")
        assert other.locator("#options button").count() == 0
        own = page.locator("#tile-hand [data-face]").count()
        assert own > 0
        step = step_of(page)
        choose(page, number)
        wait_for_step(other, step)
        page.wait_for_timeout(50)
    # Of the other's hand each sees backs, and cards that everybody has seen.
    for page, seat in ((first, 1), (second, 0)):
        faces = page.locator(f"#part-hand-{seat} [data-face]").count()
        backs = page.locator(f"#part-hand-{seat} [href='#back']").count()
        assert backs >= faces
        assert page.locator("#tile-hand [href='#back']").count() == 0
    picture(second, "6-the-second-browser")


def test_the_host_gives_a_seat_a_new_link(visit):
    host = visit()
    begin(host, "here", "elsewhere")
    old = host.input_value("#seat-list .link input")
    host.click("#links button.primary")
    thief = visit(old)
    thief.wait_for_selector("#tile-hand [data-face]")
    assert thief.locator("#revoking").is_hidden()
    host.click("#links-button")
    picture(host, "14-new-link")
    host.click("#seat-list .revoke[aria-label*='seat 2']")
    thief.wait_for_selector("#connection:has-text('replaced by a new one')")
    assert thief.locator("#table").is_hidden()
    picture(thief, "15-put-out")
    host.wait_for_function(
        "old => document.querySelector('#seat-list .link input').value !== old", arg=old
    )
    fresh = host.input_value("#seat-list .link input")
    thief.reload()
    thief.wait_for_selector("#connection:has-text('open no seat at this table')")
    person = visit(fresh)
    person.wait_for_selector("#tile-hand [data-face]")
    # The host's own seat: this page sits on, by the new link that its address has from then on.
    before = host.url
    host.click("#seat-list .revoke[aria-label*='seat 1']")
    host.wait_for_function("old => location.href !== old", arg=before)
    host.click("#links button.primary")
    choose(host, 0)
    host.reload()
    person.wait_for_selector("#options button")
    host.wait_for_selector("#tile-hand [data-face]")
    assert host.locator("#connection").is_hidden()


def test_a_damaged_table_is_reported_and_the_others_are_played(visit, tmp_path):
    served = Served(tmp_path)
    try:
        page = visit(served.address)
        begin(page, "here", "random")
        table = page.url
        (file,) = tmp_path.glob("*.json")
        served.stop()
        file.write_text(file.read_text()[:100])
        served.start()
        page.wait_for_selector("#connection:has-text('You cannot play at this table')")
        page.goto(table.split("/table")[0])
        page.wait_for_selector("#game-list:has-text('is damaged')")
        picture(page, "16-a-damaged-table")
        begin(page, "here", "random")
        choose(page, 0)
        assert file.stat().st_size == 100
    finally:
        served.stop()


def test_nothing_is_lost_when_a_page_is_reloaded_or_the_server_restarted(visit, served):
    page = visit()
    begin(page, "here", "core_rush")
    for number in range(12):
        page.wait_for_selector(READY)
        choose(page, number)
    page.wait_for_selector("#options button")
    before = page.inner_text("#prompt"), page.inner_text("#options"), step_of(page)
    page.reload()
    page.wait_for_selector("#options button")
    assert (page.inner_text("#prompt"), page.inner_text("#options"), step_of(page)) == before
    served.stop()
    page.wait_for_selector("#connection:not([hidden])")
    picture(page, "7-without-a-server")
    served.start()
    page.wait_for_selector("#connection", state="hidden")
    page.wait_for_selector("#options button")
    assert (page.inner_text("#prompt"), page.inner_text("#options"), step_of(page)) == before
    choose(page, 0)


def test_by_keyboard_alone(visit):
    page = visit()
    page.wait_for_selector("#play-about:not(:empty)")
    page.focus("#custom > summary")
    page.keyboard.press("Enter")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "start-game":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("#options button")
    page.keyboard.press("Tab")
    ways = (["2"], ["ArrowDown", "Enter"], ["End", "ArrowUp", " "], ["Home", "Tab", "Enter"])
    for number in range(20):
        page.wait_for_selector("#options button")
        step = step_of(page)
        page.wait_for_function("() => document.activeElement.closest('#options')")
        page.wait_for_timeout(NOT_DOUBLE)
        is_long = page.locator("#options button").count() > 2
        for key in ways[number % 4] if is_long else ["Enter"]:
            page.keyboard.press(key)
        wait_for_step(page, step)
    page.wait_for_selector("#options button")
    page.keyboard.press("h")
    page.wait_for_selector("#hint .share")
    said = r"your chance to win: \d+ % \(off by \d % on average\)"
    assert re.fullmatch(said, page.inner_text("#hint .wins"))
    assert "share of each choice" in page.inner_text("#hint .head")
    picture(page, "8-hint")
    step = step_of(page)
    page.click("#hint button >> nth=0")
    wait_for_step(page, step)


@pytest.mark.parametrize(
    ("players", "team_size", "adviser"),
    [(3, None, "policy:3p"), (4, 2, "policy:4p-teams"), (6, 3, "policy:6p")],
)
def test_the_trained_agent_for_the_table_advises(players, team_size, adviser, visit, served):
    seats = [PERSON, *["greedy"] * (players - 1)]
    table = Table.create(NewTable(seats=seats, team_size=team_size, start_player=0))
    Store(served.folder).keep(table)
    page = visit(f"{served.address}table/{table.name}#{table.saved.seats[0].token}")
    expect(page.locator("#adviser")).to_have_value(adviser)


def test_the_rules_of_a_card_are_shown_on_hover_and_on_focus(visit):
    page = visit()
    begin(page, "here", "random")
    card = page.locator("#tile-hand [data-face]").first
    card.hover()
    page.wait_for_selector("#rules:not([hidden])")
    told = page.inner_text("#rules h3")
    assert card.get_attribute("data-face").lower() in told.lower()
    picture(page, "9-rules-of-a-card")
    page.mouse.move(5, 5)
    page.wait_for_selector("#rules", state="hidden")
    card.focus()
    page.wait_for_selector("#rules:not([hidden])")
    assert page.inner_text("#rules h3") == told
    page.keyboard.press("Escape")
    page.wait_for_selector("#rules", state="hidden")


def test_an_illegal_click_is_explained(visit):
    page = visit()
    begin(page, "here", "random")
    page.click("#part-cell-10", position={"x": 20, "y": 60})
    page.wait_for_selector("#notice:not([hidden])")
    assert "Not the Sector Core" in page.inner_text("#notice")
    assert "Place a card from your hand" in page.inner_text("#notice")
    picture(page, "10-an-illegal-click")
    choose(page, 0)
    page.wait_for_selector("#notice", state="hidden")


def test_several_people_at_one_screen(visit):
    page = visit()
    begin(page, "here", "here", "random")
    for number in range(5):
        page.wait_for_selector("#curtain[open]")
        if number == 1:
            picture(page, "11-pass-the-screen")
        assert page.locator("#hand").is_hidden()
        assert page.locator("main .legal").count() == 0
        seat = re.search(r"seat (\d)", page.inner_text("#curtain-title")).group(1)
        page.keyboard.press("Escape")
        assert page.locator("#curtain[open]").count() == 1
        page.click("#curtain-button")
        page.wait_for_selector("#options button")
        assert f"seat {seat}" in page.inner_text("#whose")
        while page.locator("#curtain[open]").count() == 0:
            page.wait_for_selector("#options button, #curtain[open]")
            if page.locator("#options button").count():
                choose(page, 0)
            page.wait_for_timeout(50)


def test_an_agent_that_cannot_continue_can_be_replaced(visit, tmp_path):
    # In a second no machine gets through as many simulations as a search has room for.
    impatient = Served(tmp_path, timeout=1)
    try:
        page = visit(impatient.address)
        page.wait_for_selector("#play-about:not(:empty)")
        page.click("#custom > summary")
        page.select_option("#seat-1", "other")
        page.fill("#seats input:not([hidden])", "ismcts:600s")
        page.select_option("#start", "1", force=True)
        page.click("#start-game")
        page.wait_for_selector("#whose:has-text('Setup')")
        page.wait_for_selector("#trouble:not([hidden])")
        assert "ismcts:600s cannot decide: there was no answer" in page.inner_text("#how")
        picture(page, "13-an-agent-in-trouble")
        page.select_option("#substitute", "random")
        page.click("#replace")
        page.wait_for_selector("#options button")
        assert "random" in page.inner_text("#standings")
    finally:
        impatient.stop()


@pytest.mark.parametrize("seats", [2, 6])
def test_everything_has_its_place(visit, seats):
    """What is to be decided is on the first screen, and nothing sticks out at the side."""
    page = visit()
    begin(page, "here", *["greedy"] * (seats - 1), seed=11)
    for number in range(8):
        page.wait_for_selector(READY)
        choose(page, number)
    page.wait_for_selector("#options button")
    for width, height in ((1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        page.mouse.move(2, 2)
        page.wait_for_timeout(1500)
        picture(page, f"12-{seats}-players-{width}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.locator("#tile-map").bounding_box()["height"] > 0.6 * height
        for thing in ("#prompt", "#options button", "#tile-map", "#tile-hand", "#own", "#log"):
            box = page.locator(thing).first.bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height
            assert box["x"] + box["width"] <= width
