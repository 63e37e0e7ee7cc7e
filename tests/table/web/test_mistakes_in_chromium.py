"""One's own mistakes in a real Chromium: from a game without an analysis to an answered puzzle."""

import json

import pytest

from accessible import faults
from impulse_env.replay.explanation import LANGUAGES, Explanation
from impulse_env.testing.random_play import random_choice
from impulse_table.tables.mistake_files import MistakeFiles
from impulse_table.tables.protocol import NewTable
from impulse_table.tables.store import Store
from impulse_table.tables.table import Table
from page_sizes import FINGER, SIZES, TOUCH, covered, fits, small_targets
from table_pages import NOT_DOUBLE, expect, picture

pytestmark = pytest.mark.browser

PHONE = (390, 664)
LAPTOP = (1366, 768)
WHY = {each: Explanation("hand", "turn", 0.8, 0.1).sentences(each) for each in LANGUAGES}
LAID_OUT = "() => document.querySelector('#tile-hand').viewBox.baseVal.width > 0"


def finished(served, **options):
    """A table of the server whose game is over, as a browser remembers it."""
    table = Table.create(NewTable(seats=["person", "random"], **options))
    choose = random_choice(options["seed"])
    while not table.is_over:
        table.act(table.game.name(choose(table.game)))
    Store(served.folder).keep(table)
    holder = table.saved.seats[0]
    return {"name": table.name, "here": [holder.token], "elsewhere": {}, "host": table.saved.host}


def remember(page, *games):
    stored = json.dumps(["impulse.games", json.dumps(games)])
    page.evaluate(f"localStorage.setItem(...{stored})")


def resize(page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(150)


def fits_every_screen(page, thing):
    """Show a page on every screen, light and dark, and with large text: all of a thing is there."""
    for size, device in SIZES.items():
        resize(page, size)
        assert fits(page), size
        page.locator(thing).first.click(trial=True)
        if page.locator("#options button").count():
            assert covered(page) == [], size
        if device:
            assert small_targets(page) == [], size
    page.emulate_media(color_scheme="dark")
    assert faults(page) == []
    resize(page, PHONE)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.wait_for_timeout(150)
    assert fits(page)
    page.locator(thing).first.click(trial=True)
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.emulate_media(color_scheme="light")
    assert faults(page) == []


def test_a_game_is_analysed_and_its_mistakes_are_practised(visit, served):
    page = visit(f"{served.address}mistakes", *PHONE, **TOUCH)
    expect(page.locator("#state")).to_contain_text("This browser has no game with a seat of yours.")
    for part in ("#practise", "#unanalysed", "#profile"):
        expect(page.locator(part)).to_be_hidden()
    game, long_game = finished(served, seed=56, target_score=1), finished(served, seed=1)
    analysis_is_stopped_after_one_of_two(page, game, long_game)
    files = MistakeFiles(served.folder / "replays")
    found = files.read(game["name"])
    mine = [mistake for mistake in found.mistakes if mistake.seat == 0]
    mine.sort(key=lambda mistake: -mistake.judgement.loss)
    mine[1].judged["why"] = WHY
    files.keep(game["name"], found)
    expect(page.locator("#state")).to_have_text(f"{len(mine)} of {len(mine)} puzzles are due.")
    expect(page.locator("#topics tfoot td").nth(1)).to_have_text(str(len(mine)))
    fits_every_screen(page, "#practise a")
    page.evaluate("scrollTo(0, 0)")
    picture(page, "mistakes-profile")
    page.goto(served.address)
    expect(page.locator("#due")).to_have_text(f"{len(mine)} due")
    page.get_by_role("link", name="My mistakes").tap()
    page.tap("#practise a")
    a_puzzle_is_answered_by_key(page, game, mine[0], len(mine))
    the_next_one_is_answered_on_the_board(page, mine[1])
    page.goto(f"{served.address}mistakes")
    left = len(mine) - 2
    verb = "is" if left == 1 else "are"
    expect(page.locator("#state")).to_have_text(f"{left} of {len(mine)} puzzles {verb} due.")


def analysis_is_stopped_after_one_of_two(page, game, long_game):
    remember(page, game, long_game)
    page.reload()
    expect(page.locator("#unanalysed-title")).to_have_text("2 of your games are not analysed yet")
    page.tap("#analyse")
    expect(page.locator("#analysing-text")).to_contain_text("Game 1 of 2: ")
    expect(page.locator("#analysing-text")).to_contain_text("Game 2 of 2: ", timeout=120_000)
    page.tap("#stop")
    expect(page.locator("#analysing")).to_be_hidden()
    expect(page.locator("#unanalysed-title")).to_have_text("1 of your games is not analysed yet")
    expect(page.locator("#analyse")).to_have_text("Analyse it")


def wait_for_puzzle(page, mistake, number, count):
    expect(page.locator("#count")).to_contain_text(f"{number} of {count} · ")
    assert page.inner_text("#count").lower().endswith(mistake.topic.lower())
    page.wait_for_function(LAID_OUT)
    page.wait_for_selector("#tile-hand [aria-label*=',']")
    page.wait_for_timeout(NOT_DOUBLE)


def a_puzzle_is_answered_by_key(page, game, mistake, count):
    wait_for_puzzle(page, mistake, 1, count)
    actions = page.eval_on_selector_all("#options button", "all => all.map(e => e.dataset.action)")
    assert sorted(actions) == sorted(mistake.judgement.chances)
    least = min(box["height"] for box in boxes_of(page, "#options button"))
    assert least >= FINGER
    fits_every_screen(page, "#options button")
    picture(page, "mistakes-puzzle")
    resize(page, LAPTOP)
    page.keyboard.type(str(actions.index(mistake.taken) + 1))
    expect(page.locator("#said")).to_contain_text("Not quite: it gives away about ")
    loss, error = mistake.judgement.loss / 10, mistake.judgement.error / 5
    told = page.inner_text("#before")
    assert told.startswith(
        f"The same as in the game. It cost {loss:.1f} ± {error:.1f} % of the win"
    )
    assert told.endswith(" It comes back tomorrow.")
    assert page.locator("#told li").count() == len(actions)
    assert page.inner_text("#told li >> nth=0 >> strong >> nth=0") == "best"
    assert page.inner_text("#told .answer strong >> nth=0") == "your answer"
    assert page.locator("#options button").count() == 0
    assert page.evaluate("document.activeElement.id") == "next"
    picture(page, "mistakes-laptop")
    fits_every_screen(page, "#next")
    picture(page, "mistakes-verdict")
    board = page.locator("#on-board").get_attribute("href")
    assert board == f"/table/{game['name']}/replay#{mistake.step}"
    assert page.request.get(page.url.replace("/mistakes/practice", board)).status == 200
    page.keyboard.press("Enter")


def the_next_one_is_answered_on_the_board(page, mistake):
    wait_for_puzzle(page, mistake, 2, int(page.inner_text("#count").split()[2]))
    best = page.locator(f"#options [data-action='{mistake.judgement.best}']")
    thing = page.locator(f"main svg .legal[data-face='{mistake.judgement.best}']")
    (thing if thing.count() else best).first.tap()
    expect(page.locator("#said")).to_have_text("Right: that is the best.")
    assert page.inner_text("#why").startswith("It leaves a worse hand. With this alone at the end")
    page.select_option("#language", "fr")
    assert page.inner_text("#why-said") == WHY["fr"][0]


def boxes_of(page, things):
    return [each.bounding_box() for each in page.locator(things).all()]
