"""The table on the screens of phones and laptops: what is in sight, what stays, what is told."""

import numpy as np
import pytest

from impulse_env.game import Game
from impulse_table.tables.daily_deal import first_game
from impulse_table.tables.protocol import PERSON, NewTable
from impulse_table.tables.store import Store
from impulse_table.tables.table import Table
from page_sizes import FINGER, SIZES, TOUCH, covered, fits
from table_pages import NOT_DOUBLE, READY, choose, picture, set_pace, step_of, wait_for_step

pytestmark = pytest.mark.browser

LONG = "A sentence so long that it needs more than one line on any of these screens. " * 3
CUT_MOVES = """() => {
    const list = document.querySelector("#latest").getBoundingClientRect();
    const moves = [...document.querySelectorAll("#latest li")]
        .map((each) => each.getBoundingClientRect());
    const seen = moves.filter(({ top, bottom }) => bottom > list.top + 1 && top < list.bottom - 1);
    const isCut = ({ top, bottom, height }) =>
        top < list.top - 1 || (bottom > list.bottom + 1 && height < 100);
    return moves.length && (seen.at(-1) !== moves.at(-1) || seen.some(isCut));
}"""
"""Whether the list of the others' moves shows a part of one, or not the newest."""
LINES = "getComputedStyle(document.querySelector('#entries')).fontSize.replace('px', '') * 1.4"


def seat_at(served, players, kind, steps=40, seed=5):
    """The address of a seat that decides on a kind of thing, among agents."""
    game, rng, taken = Game(players, seed), np.random.default_rng(seed), []
    while len(taken) < steps or game.decision.kind != kind:
        taken.append(game.name(int(rng.choice(game.legal_actions()))))
        game.step(taken[-1])
    seats = [PERSON if seat == game.seat else "greedy" for seat in range(players)]
    table = Table.create(NewTable(seats=seats, seed=seed))
    for action in taken:
        table.act(action)
    Store(served.folder).keep(table)
    return f"{served.address}table/{table.name}#{table.saved.seats[game.seat].token}"


@pytest.fixture(scope="module")
def seat(served):
    """The address of a seat with a choice among many cards."""
    return seat_at(served, 2, "add_impulse")


@pytest.fixture(scope="module")
def seat_of_six(served):
    return seat_at(served, 6, "add_impulse", steps=200)


def sit(visit, address, size, **device):
    page = visit(address, *size, **(SIZES.get(size, {}) | device))
    page.wait_for_selector("#options button", state="attached")
    page.wait_for_selector("#tile-hand [aria-label*=',']", state="attached")
    return page


def box_of(page, thing):
    return page.locator(thing).first.bounding_box()


def is_in_sight(page, thing):
    box, size = box_of(page, thing), page.viewport_size
    return (
        box["x"] >= -1
        and box["y"] >= -1
        and box["x"] + box["width"] <= size["width"] + 1
        and box["y"] + box["height"] <= size["height"] + 1
    )


@pytest.mark.parametrize("size", SIZES)
def test_the_button_to_skip_is_large_and_stays_where_it_is(visit, seat, size):
    page = sit(visit, seat, size)
    page.evaluate("document.querySelector('#skip').hidden = false")
    boxes = []
    for words in ("Seat 1 decides …", LONG):
        page.evaluate(
            "words => { for (const id of ['prompt', 'how'])"
            " document.getElementById(id).textContent = words; }",
            words,
        )
        boxes.append(box_of(page, "#skip"))
    assert boxes[0] == boxes[1]
    assert boxes[0]["height"] >= FINGER


def test_the_log_follows_the_game_after_a_hint_until_a_person_scrolls_up(visit, seat):
    page = sit(visit, seat, (1366, 768))
    page.select_option("#pace", "0")
    rest = "(({scrollHeight, scrollTop, clientHeight}) => scrollHeight - scrollTop - clientHeight)"
    below = f"{rest}(document.querySelector('#entries'))"
    for number in range(4):
        page.wait_for_selector("#options button")
        page.click("#hint-button")
        page.wait_for_selector("#hint .share")
        page.wait_for_timeout(150)
        assert page.evaluate(below) < 5
        choose(page, 3 * number)
    page.wait_for_selector("#options button")
    page.hover("#entries")
    page.mouse.wheel(0, -400)
    page.wait_for_function(f"() => {below} > 100")
    choose(page, 0)
    page.wait_for_selector("#options button")
    assert page.evaluate(below) > 100


def test_a_phone_tells_what_opponents_do_and_the_board_keeps_a_mark_of_it(visit, seat):
    page = sit(visit, seat, (390, 664))
    set_pace(page, "0")
    told = set()
    for _ in range(60):
        page.wait_for_selector("#options button")
        lines = page.locator("#latest li").all_inner_texts()
        assert not page.evaluate(CUT_MOVES), lines
        assert is_in_sight(page, "#options button")
        assert all(not line.startswith("Seat 1 ") for line in lines)
        told.update(lines)
        page.wait_for_function("() => document.getAnimations().length === 0")
        news = page.locator("#map .news").count()
        if news and told:
            break
        step = step_of(page)
        page.locator("#options button").last.dispatch_event("click")
        wait_for_step(page, step)
    picture(page, "layout-latest")
    assert news > 0
    assert page.locator("#latest").is_visible()
    assert any(line.startswith("Seat 2 ") for line in told)
    page.reload()
    page.wait_for_selector("#options button")
    assert page.locator("#latest li").all_inner_texts() == lines


def test_the_list_of_moves_stays_until_the_others_move_again(visit, seat):
    page = sit(visit, seat, (390, 664))
    shown = page.evaluate(
        """async () => {
            const { tellLatest } = await import("/static/latest.js");
            const entry = ([seat, text]) => ({ seat, events: [{ kind: "decision", text }] });
            const after = (whole, by, ...moves) => {
                tellLatest({ whole, by, log: moves.map(entry) });
                return [...document.querySelectorAll("#latest li")].map((each) => each.textContent);
            };
            return [
                after(true, 0, [1, "a"], [0, "own"], [1, "b"], [1, "c"], [0, "own"]),
                after(false, 0, [0, "own"]),
                after(false, 0),
                after(false, 0, [0, "own"], [1, "d"]),
                after(false, 0, [1, "e"]),
                after(true, null, [0, "x"], [1, "y"]),
            ];
        }"""
    )
    assert shown == [["b", "c"], ["b", "c"], ["b", "c"], ["d"], ["d", "e"], ["y"]]


@pytest.mark.parametrize("size", SIZES)
def test_the_map_has_one_size_whoever_decides(visit, served, size):
    page = sit(visit, seat_at(served, 2, "add_impulse", steps=60), size)
    page.evaluate(
        "() => { window.sizes = new Set(); new ResizeObserver(([{contentRect}]) =>"
        " window.sizes.add(`${contentRect.width} ${contentRect.height}`))"
        ".observe(document.querySelector('#tile-map')); }"
    )
    for number in range(6):
        page.wait_for_selector(READY)
        step = step_of(page)
        page.wait_for_timeout(NOT_DOUBLE)
        page.locator("#options button").nth(number % 2).dispatch_event("click")
        wait_for_step(page, step)
        if page.locator("#skip").is_visible():
            page.wait_for_timeout(300)
            page.locator("#skip").dispatch_event("click")
    assert len(page.evaluate("[...window.sizes]")) == 1


@pytest.mark.parametrize("size", [(390, 664), (390, 844), (1366, 768)])
def test_text_of_double_size_leaves_a_choice_in_sight_and_nothing_covered(visit, seat, size):
    page = sit(visit, seat, size)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.wait_for_timeout(200)
    picture(page, f"layout-double-{size[0]}x{size[1]}")
    assert is_in_sight(page, "#options button")
    assert fits(page)
    assert covered(page) == []
    page.evaluate("document.body.scrollTop = 0")
    over = page.evaluate(
        "() => [...document.querySelectorAll('#standings li')].filter((each) => {"
        " const {left, top, width, height} = each.getBoundingClientRect();"
        " return !each.contains(document.elementFromPoint(left + width / 2, top + height / 2)); })"
        ".length"
    )
    assert over == 0


def test_a_laptop_shows_impulse_log_and_the_opponent_beside_a_hint(visit, seat):
    page = sit(visit, seat, (1366, 768))
    lines = page.evaluate(f"document.querySelector('#entries').clientHeight / ({LINES})")
    assert lines >= 6
    page.click("#hint-button")
    page.wait_for_selector("#hint .share")
    picture(page, "layout-laptop-hint")
    lines = page.evaluate(f"document.querySelector('#entries').clientHeight / ({LINES})")
    assert lines >= 4
    for thing in ("#tile-impulse", "#entries", "#hand", "#own", "#hint li >> nth=0"):
        assert is_in_sight(page, thing), thing
    for zone in ("techs", "plan", "hand"):
        assert is_in_sight(page, f"#players [id^=part-{zone}]"), zone
    beside = box_of(page, "#map")["width"] - box_of(page, "#tile-map [data-action]")["width"] * 5
    assert beside < 100


@pytest.mark.parametrize("size", SIZES)
def test_a_lesson_shows_the_part_that_it_is_about(visit, served, size):
    table = first_game()
    Store(served.folder).keep(table)
    token = next(who.token for who in table.saved.seats if who.token)
    page = sit(visit, f"{served.address}table/{table.name}#{token}", size)
    page.wait_for_selector("#lesson:not([hidden])")
    for _ in range(2):
        part = page.locator("main .taught").first
        box, height = part.bounding_box(), page.viewport_size["height"]
        assert box["y"] >= 0
        assert box["y"] + min(box["height"], 40) <= height, part.get_attribute("id")
        assert covered(page) == []
        page.wait_for_timeout(NOT_DOUBLE)
        page.click("#lesson-next")


@pytest.mark.parametrize("width", [1000, 1100, 1200, 1280, 1300, 1500])
def test_the_points_and_names_of_six_players_are_in_their_places(visit, seat_of_six, width):
    page = sit(visit, seat_of_six, (width, 800))
    faults = page.evaluate(
        "() => { const seen = [...document.querySelectorAll('#standings li')].map((each) => ({"
        " pill: each.getBoundingClientRect(), name: each.querySelector('.name'),"
        " points: each.querySelector('b').getBoundingClientRect()}));"
        " return seen.flatMap(({pill, points, name}, seat) => ["
        "  points.right > pill.right + 1 && `${seat}: points outside`,"
        "  seat && pill.left < seen[seat - 1].pill.right && `${seat}: over the one before`,"
        "  name.scrollWidth > name.clientWidth + 1 && name.clientWidth < 45 && `${seat}: cut name`,"
        "  pill.right > innerWidth && `${seat}: outside`].filter(Boolean)); }"
    )
    picture(page, f"layout-six-{width}")
    assert faults == []
    assert fits(page)


@pytest.mark.parametrize("players", [2, 6])
def test_the_end_names_the_seats_and_has_the_points_of_the_winner_first(visit, served, players):
    game, rng = Game(players, 4, target_score=5), np.random.default_rng(4)
    table = Table.create(NewTable(seats=[PERSON] * players, seed=4, target_score=5))
    while not game.is_over:
        table.act(game.name(int(rng.choice(game.legal_actions()))))
        game.step(table.saved.actions[-1])
    Store(served.folder).keep(table)
    (winner,) = game.winners
    loser = next(seat for seat in range(players) if seat != winner)
    token = table.saved.seats[loser].token
    page = visit(f"{served.address}table/{table.name}#{token}", 390, 664, **TOUCH)
    page.wait_for_selector("#ending-how:not(:empty)")
    picture(page, f"layout-end-{players}")
    words = page.inner_text("#ending-how")
    assert f"turns: seat {winner + 1} (person) {game.scores[winner]}, " in words
    assert f"you {game.scores[loser]}" in words
    numbers = [int(part.split()[-1]) for part in words.partition(": ")[2][:-1].split(", ")]
    assert numbers == sorted(game.scores, reverse=True)
    assert f"seat {winner + 1} (person) went from" in page.inner_text("#moment")


@pytest.mark.parametrize("size", [(390, 664), (390, 844), (844, 390)])
def test_the_map_of_a_phone_can_be_read_and_a_finger_meets_its_gates(visit, served, size):
    page = sit(visit, seat_at(served, 2, "choose_fleet", steps=150, seed=3), size)
    small = page.evaluate(
        "() => { const scale = document.querySelector('#tile-map').getScreenCTM().a;"
        " const units = (each) => parseFloat(getComputedStyle(each).fontSize);"
        " const larger = parseFloat(document.querySelector('#tile-map')"
        "   .style.getPropertyValue('--larger'));"
        " const texts = [...document.querySelectorAll('#tile-map text, #tile-definitions .short')]"
        "   .filter((each) => each.closest('.short') || each.checkVisibility());"
        " return texts.map((each) => [each.textContent, units(each) * scale"
        "   * (each.closest('g > g, .pill ~ text') ? larger : 1)])"
        "   .filter(([, pixels]) => pixels < 6.5); }"
    )
    assert small == []
    gates = page.locator("#tile-map .legal[data-action^=gate]")
    assert gates.count() > 0
    box = gates.first.locator(".pill").bounding_box()
    words = gates.first.get_attribute("aria-label")
    step = step_of(page)
    page.wait_for_timeout(NOT_DOUBLE)
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(middle[0], middle[1] - FINGER / 2 + 3)
    wait_for_step(page, step)
    where = words.partition(".")[0].split()[-1]
    assert where in page.locator("#entries li[data-step]").last.text_content()


def test_a_dragged_card_selects_nothing(visit, seat):
    page = sit(visit, seat, (1280, 800))
    card = box_of(page, "#tile-hand [data-face]")
    page.mouse.move(card["x"] + 20, card["y"] + 20)
    page.mouse.down()
    page.mouse.move(card["x"] + 300, card["y"] - 300, steps=5)
    page.mouse.up()
    assert page.evaluate("String(getSelection())") == ""


def test_a_new_decision_of_a_phone_begins_at_its_question(visit, seat):
    page = sit(visit, seat, (390, 664))
    set_pace(page, "0")
    before = page.inner_text("#prompt")
    for _ in range(20):
        page.wait_for_selector("#options button", state="attached")
        if page.inner_text("#prompt") != before:
            break
        step = step_of(page)
        page.locator("#options button").last.scroll_into_view_if_needed()
        page.wait_for_timeout(NOT_DOUBLE)
        page.locator("#options button").last.tap()
        wait_for_step(page, step)
        assert page.evaluate("document.querySelector('#decision').scrollTop") == 0
    assert is_in_sight(page, "#prompt")


def test_the_tabs_of_a_phone_have_their_views(visit, seat):
    page = sit(visit, seat, (390, 664), **TOUCH)
    for view, part in (("common", "#tile-impulse"), ("everyone", "#own"), ("log", "#entries")):
        page.tap(f"#views [data-view={view}]")
        assert is_in_sight(page, f"{part}")
