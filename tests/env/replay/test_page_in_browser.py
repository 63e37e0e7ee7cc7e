"""The page in a real Chromium: keys, clicks, eyes, and that scrubbing has no delay."""

import re
from dataclasses import replace

import pytest

from accessible import faults, in_every_look, show
from impulse_env.records.record import Annotation, Header, Move, Record, SeatedAgent
from impulse_env.replay.analysis import Analysis, Judged
from impulse_env.replay.explanation import EFFECT, Explanation
from impulse_env.replay.page import write
from recorded import TABLES, played

pytestmark = pytest.mark.browser

WHY = Explanation("impulse", EFFECT, 0.84, 0.06)
EVIL = "<img src=x onerror=document.title='broken'>"


def noted(record):
    """The record with thoughts beside the first decision, of an agent with a name to beware of."""
    move = record.moves[0]
    note = Annotation(EVIL, {move.action: 0.75}, 0.62, 0.25)
    agents = (SeatedAgent(EVIL), *record.header.agents[1:])
    header = Header(record.header.options, agents, record.header.seed)
    moves = [Move(move.seat, move.action, note), *record.moves[1:]]
    return Record(header, moves, record.result)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    write(noted(played(TABLES[1])[0]), path, ["all", None, 1])
    return path


def where(tab):
    return int(tab.inner_text("#where").split()[0])


def test_keys_step_jump_and_play(tab):
    last = int(tab.get_attribute("#slider", "max"))
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)):
        tab.keyboard.press(key)
        assert where(tab) == step
    assert tab.inner_text("#who") == "The game is over"
    tab.keyboard.press("Home")
    tab.keyboard.press("PageDown")
    assert "turn 2" in tab.inner_text("#where")
    tab.select_option("#speed", "80")
    tab.locator("body").press(" ")
    assert tab.inner_text("#play") == "Pause"
    began = where(tab)
    for _ in range(400):  # not wait_for_function, which the page's policy forbids
        if where(tab) > began + 8:
            break
        tab.wait_for_timeout(50)
    assert where(tab) > began + 8
    tab.keyboard.press(" ")
    stopped = where(tab)
    tab.wait_for_timeout(300)
    assert where(tab) == stopped
    assert tab.inner_text("#play") == "Play"


def test_a_line_of_the_log_leads_to_its_step(tab):
    line = tab.locator("#log li.points").nth(3)
    step = int(line.get_attribute("data-step"))
    line.click()
    assert where(tab) == step
    assert "step" == line.get_attribute("aria-current")
    assert tab.locator("#log [aria-current]").count() >= 1


def test_the_board_on_the_page_is_the_one_of_the_step(tab):
    record = noted(played(TABLES[1])[0])
    for step in (0, len(record.moves) // 2, 17, 18, len(record.moves)):
        tab.evaluate(
            "step => { slider.value = step; slider.dispatchEvent(new Event('input')) }", step
        )
        *_, game = Record(record.header, record.moves[:step]).games()
        for seat in range(3):
            shown = tab.locator(f"#part-seat-{seat} text").all_text_contents()
            assert str(game.scores[seat]) in shown
            total = tab.locator("#sources tbody tr").nth(seat).locator("td").last.inner_text()
            assert total == (str(game.scores[seat]) if game.scores[seat] else "·")


def test_eyes_change_what_is_seen(tab):
    tab.keyboard.press("Home")
    names = tab.locator("#eyes option").all_inner_texts()
    assert names == ["Everything", "What everybody sees", "Seat 2"]
    assert tab.locator("#choices li").count() > 1
    faces = tab.locator("#part-hand-0 [data-face]").count()
    assert faces > 0
    tab.select_option("#eyes", "What everybody sees")
    assert tab.locator("#part-hand-0 [data-face]").count() == 0
    assert tab.inner_text("#choices").startswith("What is legal")


def test_people_read_seats_from_1(tab):
    tab.keyboard.press("End")
    numbers = set(re.findall(r"[Ss]eats? (\d)", tab.locator("main").text_content()))
    assert numbers == {"1", "2", "3"}
    assert tab.locator("#board [id^=mark-] text").all_text_contents()[:3] == ["1", "2", "3"]


def test_thoughts_are_shown_and_names_are_texts(tab):
    assert tab.inner_text("#note") == f"{EVIL}, chance to win 62 %, thought 0.250 s"
    assert tab.locator("#choices .share").first.inner_text() == "75 %"
    assert EVIL in tab.inner_text("#agents")
    assert tab.title() == "Impulse: replay"
    assert tab.locator("img").count() == 0


def test_scrubbing_has_no_delay(tab):
    milliseconds = tab.evaluate(
        """() => {
          const times = [];
          for (let k = 0; k <= 200; k += 1) {
            const began = performance.now();
            slider.value = (k * 37) % (Number(slider.max) + 1);
            slider.dispatchEvent(new Event("input"));
            document.body.offsetHeight;
            times.push(performance.now() - began);
          }
          return times.sort((a, b) => a - b)[100];
        }"""
    )
    assert milliseconds < 150, "on an idle machine half of the jumps take less than 20"


def test_a_phone_shows_it_without_scrolling_sideways(chromium, file):
    page = chromium.new_page(viewport={"width": 390, "height": 800})
    page.goto(file.as_uri())
    page.wait_for_selector("main:not([hidden])")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


@in_every_look
def test_axe_finds_nothing_wrong_and_nothing_sticks_out_at_the_side(tab, look):
    show(tab, look)
    tab.keyboard.press("End")
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert tab.locator("#board svg").bounding_box()["height"] > 200
    assert faults(tab) == []


def test_light_or_dark_is_chosen(tab):
    paper = "getComputedStyle(document.querySelector('#board .paper')).fill"
    seen = {}
    for theme in ("light", "dark", "auto"):
        tab.select_option("#theme", theme)
        seen[theme] = tab.evaluate(paper)
    assert seen["dark"] != seen["light"] == seen["auto"]


@pytest.fixture
def analysed(chromium, tmp_path):
    """The page of a game with two costly decisions of seat 0 and none of seat 1."""
    record = played(TABLES[1])[0]
    games = [game.copy() for game in record.games()]
    judged = [None] * len(record.moves)
    costly = [
        number
        for number, move in enumerate(record.moves)
        if move.seat == 0 and len(games[number].legal_actions()) > 2
    ][:2]
    for number, loss in zip(costly, (0.12, 0.3), strict=True):
        names = [games[number].name(action) for action in games[number].legal_actions()]
        chosen = record.moves[number].action
        best = next(name for name in names if name != chosen)
        chances = dict.fromkeys(names, 0.2) | {chosen: 0.5 - loss, best: 0.5}
        judged[number] = Judged(chances, best, loss, 0.01, (EVIL,), later=0.1, later_error=0.02)
    judged[costly[1]] = replace(judged[costly[1]], why=WHY)
    wins = tuple(0.5 + 0.4 * (move.seat == 0) for move in record.moves)
    path = tmp_path / "page.html"
    sides = record.header.options.team_count
    others = (0.0,) * (sides - 2)
    own = record.moves[2].seat % sides
    third = tuple(0.3 if side == own else -0.3 / (sides - 1) for side in range(sides))
    luck = ((0.2, -0.2, *others), (), third) + ((),) * (len(wins) - 3)
    found = Analysis("policy:2p", wins, tuple(judged), luck, (0.05, -0.05, *others))
    write(record, path, analysis=found)
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{path.as_uri()}#{costly[1]}")
    page.wait_for_selector("#analysis:not([hidden])")
    yield page, costly
    page.close()


def test_an_analysis_tells_luck_from_play(analysed):
    tab, _ = analysed
    heads = tab.locator("#accuracy thead th").all_inner_texts()
    cells = [row.split("\t") for row in tab.locator("#accuracy tbody tr").all_inner_texts()]
    gave, luck = heads.index("lost"), heads.index("luck")
    assert [row[gave] for row in cells[:2]] == ["42", "0"]
    assert all(row[luck][0] in "+\N{MINUS SIGN}" for row in cells)
    assert sum(int(row[luck].replace("\N{MINUS SIGN}", "-")) for row in cells[:4]) == 0
    assert tab.locator("#fortunes li").count() == 2
    assert "luck, +30 % chance to win" in tab.inner_text("#fortunes li")
    tab.locator("#fortunes button").first.click()
    assert where(tab) == 2
    assert "What was drawn then brought it 30 percentage points." in tab.inner_text("#note")


def test_an_analysis_marks_leads_and_teaches(analysed):
    tab, costly = analysed
    assert where(tab) == costly[1]
    cost = "A blunder: it cost 30 ± 2 percentage points of that, and 10 ± 4 a round later."
    assert cost in tab.inner_text("#note")
    assert tab.inner_text("#why-said") == WHY.sentences("en")[0]
    assert tab.inner_text("#why-checked") == WHY.sentences("en")[1]
    tab.select_option("#language", label="Français")
    assert tab.inner_text("#why-said") == WHY.sentences("fr")[0]
    assert tab.get_attribute("#why-said", "lang") == "fr"
    tab.reload()
    assert tab.inner_text("#why-said") == WHY.sentences("fr")[0]
    # The network said 90 %; the choices that were tried give 50 % at most.
    assert tab.inner_text("#note").startswith("Chance to win 50 %.")
    assert tab.locator("#choices .share").first.inner_text() == "50 %"
    assert tab.inner_text("#line li") == EVIL
    assert "chosen: blunder" in tab.inner_text("#choices .chosen")
    assert tab.locator("#costliest button").all_inner_texts()[0].startswith(f"Step {costly[1]}")
    assert "\N{MINUS SIGN}30 % chance to win" in tab.locator("#costliest button").first.inner_text()
    tab.keyboard.press("p")
    assert where(tab) == costly[0]
    assert tab.is_hidden("#why")
    assert tab.url.endswith(f"#{costly[0]}")
    assert faults(tab) == []
    tab.click("#learn button")
    assert where(tab) == costly[0]
    assert tab.locator("#choices .chosen").count() == 0
    assert tab.inner_text("#note") == ""
    tab.locator("#choices button").last.click()
    assert tab.inner_text("#learn-said").startswith(("Right", "Not quite"))
    tab.click("#learn-next")
    assert where(tab) == costly[1]
    assert faults(tab) == []
    tab.click("#learn-end")
    assert tab.is_hidden("#learning")
    assert tab.inner_text("#what-if-how").startswith(
        "To try other choices, open this game's record"
    )
    assert tab.is_hidden("#what-if-tools")
    assert tab.locator("#choices button").count() == 0
    ends = (("3~0", "which only a server can show"), ("9999", "no step 9999"), ("x", "#x"))
    for end, words in ends:
        tab.evaluate("end => { location.hash = end }", end)
        tab.wait_for_selector(f"#astray >> text={words}")
