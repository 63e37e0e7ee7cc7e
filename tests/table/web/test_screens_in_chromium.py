"""The pages on screens of every size, light and dark, by touch and by keyboard alone."""

import random

import pytest

from accessible import faults
from page_sizes import fits, small_targets
from table_pages import (
    NOT_DOUBLE,
    READY,
    begin,
    choose,
    is_over,
    picture,
    step_of,
    wait_for_step,
)

pytestmark = pytest.mark.browser

TOUCH = {"has_touch": True, "is_mobile": True}
SCREENS = {
    "phone": (360, 740, TOUCH),
    "tablet": (768, 1024, TOUCH),
    "small-laptop": (1280, 720, {}),
    "laptop": (1440, 900, {}),
    "desk": (1920, 1080, {}),
    "4k": (3840, 2160, {}),
    "laptop-at-400-percent": (320, 180, {}),
    "phone-on-its-side": (740, 360, TOUCH),
}
SETTLED = "() => document.getAnimations().length === 0"


@pytest.fixture(scope="module")
def table(chromium, served):
    """The address of a seat at a table in the middle of a game."""
    page = chromium.new_page()
    page.goto(served.address)
    page.wait_for_selector("#play-about:not(:empty)")
    begin(page, "here", "greedy", "greedy", seed=11)
    for number in range(12):
        page.wait_for_selector(READY)
        choose(page, number)
    page.wait_for_selector("#options button")
    yield page.url
    page.close()


def sit(visit, table, screen, **device):
    width, height, kind = SCREENS[screen]
    page = visit(table, width, height, **(kind | device))
    page.wait_for_selector("#options button")
    page.wait_for_selector("#tile-hand [aria-label*=',']")
    page.wait_for_function(SETTLED)
    return page


def box_of(page, thing):
    return page.locator(thing).first.bounding_box()


def is_seen(page, thing):
    """Whether all of it is on the screen, without scrolling."""
    box, size = box_of(page, thing), page.viewport_size
    return (
        box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= size["width"] + 1
        and box["y"] + box["height"] <= size["height"] + 1
    )


@pytest.mark.parametrize("screen", SCREENS)
def test_a_table_fits_the_screen(visit, table, screen):
    page = sit(visit, table, screen)
    picture(page, f"20-{screen}")
    assert fits(page)
    assert box_of(page, "#tile-map")["height"] > 200
    assert box_of(page, "#tile-map")["width"] > 200
    if SCREENS[screen][2]:
        assert small_targets(page) == []
    if SCREENS[screen][1] > 500:
        for thing in ("#tile-map", "#tile-hand [data-face]", "#prompt", "#options button"):
            assert is_seen(page, thing), thing
    if SCREENS[screen][0] >= 1280:
        for zone in ("plan", "techs", "minerals"):
            assert is_seen(page, f"#own [id^=part-{zone}]"), zone


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", ["phone", "small-laptop"])
def test_axe_finds_nothing_wrong_with_lobby_and_table(visit, served, table, screen, scheme):
    page = sit(visit, table, screen, color_scheme=scheme)
    picture(page, f"21-{screen}-{scheme}")
    assert faults(page) == []
    if SCREENS[screen][2]:
        for view in ("common", "everyone", "log"):
            page.tap(f"#views [data-view={view}]")
            picture(page, f"22-{view}-{scheme}")
            assert fits(page)
        assert faults(page) == []
    page.goto(served.address)
    page.wait_for_selector("#play-about:not(:empty)")
    picture(page, f"23-lobby-{screen}-{scheme}")
    assert faults(page) == []
    assert fits(page)
    if SCREENS[screen][2]:
        assert small_targets(page) == []


def test_colors_follow_the_system_until_others_are_chosen(visit, table):
    page = sit(visit, table, "small-laptop", color_scheme="dark")
    paper = "getComputedStyle(document.querySelector('#own .panel')).fill"
    dark = page.evaluate(paper)
    page.emulate_media(color_scheme="light")
    light = page.evaluate(paper)
    assert light != dark
    page.select_option("#theme", "dark")
    assert page.evaluate(paper) == dark
    page.reload()
    page.wait_for_selector("#options button")
    assert page.evaluate(paper) == dark
    assert page.input_value("#theme") == "dark"


def width_of_cell(page):
    return box_of(page, "#tile-map [data-action='cell 10'] polygon")["width"]


def test_the_map_grows_by_buttons_and_fingers_and_is_dragged(visit, table):
    page = sit(visit, table, "phone")
    small, step = width_of_cell(page), step_of(page)
    page.tap("#zoom-in")
    assert width_of_cell(page) == pytest.approx(1.4 * small, rel=0.01)
    page.tap("#zoom-fit")
    assert width_of_cell(page) == pytest.approx(small, rel=0.01)
    fingers = page.context.new_cdp_session(page)

    def touch(kind, *points):
        touched = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})

    touch("touchStart", (160, 200), (200, 200))
    for spread in (15, 30, 45, 60):
        touch("touchMove", (160 - spread, 200), (200 + spread, 200))
    touch("touchEnd")
    large = width_of_cell(page)
    assert large > 2 * small
    before = box_of(page, "#tile-map [data-action='cell 10']")
    touch("touchStart", (150, 200))
    for way in (20, 40, 60):
        touch("touchMove", (150 + way, 200))
    touch("touchEnd")
    after = box_of(page, "#tile-map [data-action='cell 10']")
    assert after["x"] > before["x"] + 20
    assert width_of_cell(page) == pytest.approx(large, rel=0.01)
    assert step_of(page) == step, "a drag is no choice"


def test_one_sentence_is_spoken_for_a_move_and_cards_have_names(visit):
    page = visit()
    begin(page, "here", "random")
    page.wait_for_selector("#options button")
    page.wait_for_selector("#tile-hand [aria-label*=',']")
    card = page.locator("#tile-hand [data-face]").first
    label, number = card.get_attribute("aria-label"), card.get_attribute("data-face")
    assert number in label
    assert any(f"{color} " in label for color in ("red", "blue", "green", "yellow"))
    assert len(label) > len("Command, red 2, card 22. ")
    assert page.inner_text("#spoken") == page.inner_text("#prompt")
    live = page.locator("[aria-live], [role=status], [role=alert], [role=log]")
    seen = [live.nth(row).get_attribute("id") for row in range(live.count())]
    assert sorted(seen) == [
        "analysing",
        "asked",
        "conceding",
        "connection",
        "hint",
        "lesson",
        "notice",
        "spoken",
        "turn-notice-about",
    ]


def test_a_game_by_keyboard_alone_with_nothing_for_axe_to_find(visit):
    """The keys are the terminal's: the number of a choice, h, b, ?, q."""
    page, chance, kinds, before = visit(), random.Random(3), set(), ""
    begin(page, "here", "greedy", target=3)
    for _ in range(400):
        page.wait_for_selector(READY)
        if is_over(page):
            break
        kind = page.inner_text("#prompt").split()[0]
        if kind not in kinds:
            kinds.add(kind)
            assert faults(page) == [], kind
        count, step = page.locator("#options button").count(), step_of(page)
        number = chance.randint(1, count)
        if str(number).startswith(before):
            page.wait_for_timeout(NOT_DOUBLE)
        page.keyboard.type(str(number))
        before = str(number)[-1]
        if step_of(page) == step and number * 10 <= count:
            page.keyboard.press("Enter")
        wait_for_step(page, step)
    assert is_over(page)
    assert len(kinds) > 3
    assert page.inner_text("#spoken").startswith("The game is over")
    page.keyboard.press("?")
    page.wait_for_selector("#help[open]")
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    assert page.evaluate("document.activeElement.closest('#tile-map') !== null")
    page.keyboard.press("q")
    page.wait_for_selector("#game-list:has-text('over')")
    assert faults(page) == []


def test_a_finger_that_stays_on_a_card_reads_it_and_chooses_nothing(visit, table):
    page = sit(visit, table, "phone")
    step, box = step_of(page), box_of(page, "#tile-hand [data-face]")
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": 0}
    fingers = page.context.new_cdp_session(page)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.wait_for_selector("#rules:not([hidden])")
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(100)
    assert page.locator("#rules").is_visible()
    assert page.evaluate(
        "() => { const box = document.querySelector('#rules').getBoundingClientRect();"
        " return box.left >= 0 && box.right <= innerWidth; }"
    )
    assert step_of(page) == step
