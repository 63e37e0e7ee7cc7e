"""The analysis board on the screens of phones and laptops, and while its analysis is made."""

import pytest

from accessible import faults
from impulse_env.replay import page as replay_page
from page_sizes import SIZES, fits, small_targets
from recorded import TABLES, made_up, played
from table_pages import expect, picture

pytestmark = pytest.mark.browser

PHONES = [size for size, device in SIZES.items() if device]


@pytest.fixture(scope="module")
def record():
    return played(TABLES[0], 3)[0]


@pytest.fixture(scope="module")
def board(record, tmp_path_factory):
    """The address of a page with an analysis, and the first step with more than six choices."""
    path = tmp_path_factory.mktemp("board") / "game.html"
    replay_page.write(record, path, analysis=made_up(record))
    games = enumerate(record.games())
    step = next(step for step, game in games if len(game.legal_actions()) >= 6 and step > 20)
    return f"{path.as_uri()}#{step}"


def open_at(visit, address, size):
    page = visit(address, *size, **SIZES[size])
    page.wait_for_selector("#analysis:not([hidden])")
    page.wait_for_timeout(300)
    return page


def seen_height(page, thing):
    """The pixels of a thing between the upper edge of the window and the controls."""
    box = page.locator(thing).first.bounding_box()
    end = page.locator("#controls").bounding_box()["y"]
    return min(box["y"] + box["height"], end) - max(box["y"], 0)


@pytest.mark.parametrize("size", SIZES)
def test_it_fits_and_the_controls_take_little_room(visit, board, size):
    page = open_at(visit, board, size)
    picture(page, f"analysis-{size[0]}x{size[1]}")
    assert fits(page)
    assert page.locator("#controls").bounding_box()["height"] < 0.18 * size[1]
    assert faults(page) == []
    if size in PHONES:
        assert small_targets(page) == []


@pytest.mark.parametrize("size", [(1280, 800), (1366, 768)])
def test_a_laptop_shows_six_choices_graph_accuracy_and_puzzles_at_once(visit, board, size):
    page = open_at(visit, board, size)
    for thing in ("#chances svg", "#accuracy tbody tr >> nth=1", "#learn button >> nth=0"):
        height = page.locator(thing).first.bounding_box()["height"]
        assert seen_height(page, thing) >= height - 1, thing
    seen = page.evaluate(
        "() => { const box = document.querySelector('#choices').getBoundingClientRect();"
        " return [...document.querySelectorAll('#choices li')].filter((each) => {"
        " const {top, bottom} = each.getBoundingClientRect();"
        " return top >= box.top - 1 && bottom <= box.bottom + 1; }).length; }"
    )
    assert seen >= 6
    first = page.locator("#choices li").first.bounding_box()
    assert first["y"] >= page.locator("#choices").bounding_box()["y"] - 1
    assert seen_height(page, "#board") > 0.5 * size[1]


@pytest.mark.parametrize("size", PHONES)
@pytest.mark.parametrize(
    "thing", ["#learn button", "#costliest li:nth-child(2) button", "#chances svg"]
)
def test_what_a_phone_chooses_below_changes_the_board_in_sight(visit, board, size, thing):
    page = open_at(visit, board, size)
    page.locator(thing).first.scroll_into_view_if_needed()
    where = page.inner_text("#where")
    page.locator(thing).first.tap(position={"x": 20, "y": 20})
    expect(page.locator("#where")).not_to_have_text(where, timeout=20_000)
    assert seen_height(page, "#board") > 0.35 * size[1]
    if thing != "#chances svg":
        assert seen_height(page, "#prompt") > 15
    if thing == "#learn button":
        assert seen_height(page, "#choices") > 30


def test_the_board_opens_at_once_and_the_analysis_fills_in(visit, served, record, tmp_path):
    file = tmp_path / "game.jsonl"
    record.save(file)
    page = visit(f"{served.address}analysis")
    page.set_input_files("#file", file)
    page.wait_for_url("**/analysis/record-*")
    page.wait_for_selector("#analysing:not([hidden])")
    assert "Analysing" in page.inner_text("#analysing-text")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#where").startswith("1 of ")
    page.wait_for_selector("#analysis:not([hidden])")
    total = len(record.moves)
    assert page.locator("#analysing").is_visible()
    assert page.locator("#chances .curve").count() == 2
    assert page.inner_text("#note").startswith("Chance to win")
    assert int(page.inner_text("#analysing-text").split()[1]) < total
    page.click("#analysing-stop")
    page.wait_for_selector("#analysing-again:not([hidden])")
    page.reload()
    page.wait_for_selector("#analysis:not([hidden])")
    assert page.inner_text("#analysing-text").startswith("Analysing")
