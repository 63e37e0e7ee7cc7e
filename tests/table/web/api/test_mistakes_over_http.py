"""The mistakes of a browser's own games over HTTP: what is due, puzzles, answers, a profile."""

import asyncio
import json
import time
from dataclasses import replace
from datetime import date, timedelta

import pytest

from impulse_env.records import reader
from impulse_env.replay.analysis import Analysis
from impulse_env.replay.explanation import Explanation
from impulse_env.testing.random_play import random_choice
from impulse_table.sessions import replays
from impulse_table.tables.mistake_files import MistakeFiles
from impulse_table.tables.mistakes import GAPS, found_in
from impulse_table.tables.protocol import NewTable
from impulse_table.tables.store import Store
from impulse_table.tables.table import Table
from impulse_table.web.api import mistakes as api
from recorded import made_up
from serving import serving

START = date(2026, 11, 29)


def finished(store, *seats, seed=7):
    """A table in the folder whose game is over."""
    new = NewTable(seats=list(seats), seed=seed, target_score=2)
    table, choose = Table.create(new), random_choice(seed)
    while not table.is_over:
        table.act(table.game.name(choose(table.game)))
    store.keep(table)
    return table


def analysed(folder, table):
    """The mistakes of a table, as its analysis would keep them."""
    found = found_in(table.record(), made_up(table.record()))
    MistakeFiles(folder / "replays").keep(table.name, found)
    return found


def seat_in(table, *seats):
    tokens = [table.saved.seats[seat].token for seat in seats or (0,)]
    return {"table": table.name, "tokens": tokens}


@pytest.fixture
def table(tmp_path):
    return finished(Store(tmp_path), "person", "random")


@pytest.fixture
def found(tmp_path, table):
    return analysed(tmp_path, table)


async def asked(browser, path="", **body):
    url = f"{browser.base}/api/mistakes{path}"
    async with browser.session.post(url, json=body, headers=browser.headers) as answer:
        return answer.status, await answer.json()


async def overview(browser, *games):
    status, told = await asked(browser, games=list(games))
    assert status == 200, told
    return told


@pytest.fixture
def days():
    """The day of the server's clock, in a list."""
    return [START]


@pytest.fixture
def browser(tmp_path, workers, days):
    """A browser of a server with that clock."""
    return serving(tmp_path, workers, today=lambda: days[0])


# --- What is due ---------------------------------------------------------------------------------


async def test_the_costliest_puzzle_comes_first_and_every_choice_is_in_the_profile(
    browser, table, found
):
    told = await overview(browser, seat_in(table))
    mine = [mistake for mistake in found.mistakes if mistake.seat == 0]
    assert (told["games"], told["puzzles"], told["due"]) == (1, len(mine), len(mine))
    worst = sorted(mine, key=lambda mistake: -mistake.judgement.loss)
    steps = {mistake.step: mistake.judgement.loss for mistake in mine}
    assert [steps[row["step"]] for row in told["next"]] == [one.judgement.loss for one in worst]
    decisions = sum(tally.decisions for tally in found.tallies if tally.seat == 0)
    assert told["all"]["decisions"] == decisions
    assert sum(line["decisions"] for line in told["topics"]) == decisions
    assert told["all"]["mistakes"] == len(mine)
    assert told["recent"] is None


async def test_games_are_counted_by_what_they_lack(browser, tmp_path, monkeypatch, table, found):
    store = Store(tmp_path)
    other = finished(store, "person", "random", seed=8)
    begun = Table.create(NewTable(seats=["person", "random"]))
    store.keep(begun)

    games = [seat_in(each) for each in (begun, other, table)]
    told = await overview(browser, *games)
    assert (told["games"], told["unfinished"], told["untrained"]) == (1, 1, 0)
    assert told["unanalysed"] == [{"table": other.name, "decisions": other.step}]
    monkeypatch.setattr(replays, "find_spec", lambda name: None)
    told = await overview(browser, *games)
    assert (told["unanalysed"], told["untrained"]) == ([], 1)


async def test_the_newest_games_are_compared_with_those_before(
    browser, tmp_path, monkeypatch, table, found
):
    monkeypatch.setattr(api, "RECENT", 1)
    other = finished(Store(tmp_path), "person", "random", seed=8)
    analysed(tmp_path, other)

    told = await overview(browser, seat_in(other), seat_in(table))
    before = await overview(browser, seat_in(table))
    assert told["before"] == before["all"]
    assert told["recent"]["decisions"] + told["before"]["decisions"] == told["all"]["decisions"]


# --- Puzzles -------------------------------------------------------------------------------------


def puzzle_of(found, seat=0):
    return next(mistake for mistake in found.mistakes if mistake.seat == seat)


async def test_a_question_shows_what_the_seat_knew_and_not_the_solution(browser, table, found):
    mistake = puzzle_of(found)

    status, told = await asked(browser, "/puzzle", **seat_in(table), step=mistake.step)
    assert status == 200
    assert (told["by"], told["step"], told["topic"]) == (0, mistake.step, mistake.topic)
    assert [one["action"] for one in told["options"]] == list(mistake.judged["chances"])
    assert len(told["log"]) == mistake.step
    text = json.dumps({key: told[key] for key in told if key not in ("parts", "order")})
    for word in ("chances", "best", "taken", "loss", "mark", "blunder"):
        assert word not in text, word
    hand = table.saved.before(mistake.step).replayed().state["hand"]
    assert "data-face" in told["parts"]["hand-0"]
    assert "data-face" not in told["parts"]["hand-1"]
    assert hand.size


async def test_a_right_answer_comes_back_later_and_a_wrong_one_tomorrow(
    browser, days, table, found
):
    mistake = puzzle_of(found)
    best, worst = mistake.judgement.best, mistake.taken
    ask = {**seat_in(table), "step": mistake.step}

    day = START
    for gap in (*GAPS, GAPS[-1]):
        status, told = await asked(browser, "/answer", **ask, choice=best)
        assert (status, told["right"], told["cost"], told["days"]) == (200, True, 0, gap)
        status, told = await asked(browser, "/answer", **ask, choice=best)
        assert (status, "not due before" in told["message"]) == (409, True)
        days[0] = day + timedelta(days=gap - 1)
        steps = [row["step"] for row in (await overview(browser, seat_in(table)))["next"]]
        assert mistake.step not in steps
        day += timedelta(days=gap)
        days[0] = day
        told = await overview(browser, seat_in(table))
        assert told["next"][0]["step"] == mistake.step, "those asked before come first"
    status, told = await asked(browser, "/answer", **ask, choice=worst)
    assert (told["right"], told["days"], told["taken"]) == (False, 1, worst)
    assert told["cost"] == pytest.approx(mistake.judgement.loss, abs=1)
    assert told["judged"] == mistake.judged


async def test_the_days_until_the_next_puzzle_are_told_when_none_is_due(browser, table, found):
    mine = [mistake for mistake in found.mistakes if mistake.seat == 0]

    for mistake in mine:
        ask = {**seat_in(table), "step": mistake.step, "choice": mistake.judgement.best}
        assert (await asked(browser, "/answer", **ask))[0] == 200
    told = await overview(browser, seat_in(table))
    assert (told["due"], told["next"], told["days"]) == (0, [], 1)
    assert told["puzzles"] == len(mine)


# --- What is refused -----------------------------------------------------------------------------


async def test_a_stranger_gets_nothing(browser, tmp_path):
    table = finished(Store(tmp_path), "person", "person")
    found = analysed(tmp_path, table)
    mine, other = puzzle_of(found, 0), puzzle_of(found, 1)
    wrong = {"table": table.name, "tokens": ["x" * 22]}
    nowhere = {"table": "not-there", "tokens": [table.saved.seats[0].token]}

    for stranger in (wrong, nowhere):
        told = await overview(browser, stranger)
        assert (told["games"], told["unfinished"], told["unanalysed"]) == (0, 0, [])
        assert (told["topics"], told["next"]) == ([], [])
        for path, more in (
            ("/puzzle", {"step": mine.step}),
            ("/answer", {"step": mine.step, "choice": mine.taken}),
            ("/analysis", {}),
        ):
            status, told = await asked(browser, path, **stranger, **more)
            assert (status, "no seat" in told["message"]) == (403, True)
    for path, more in (("/puzzle", {}), ("/answer", {"choice": other.taken})):
        status, told = await asked(browser, path, **seat_in(table, 0), step=other.step, **more)
        assert (status, "no such puzzle" in told["message"]) == (404, True)
        status, _ = await asked(browser, path, **seat_in(table, 0, 1), step=other.step, **more)
        assert status == 200
    steps = {row["step"] for row in (await overview(browser, seat_in(table, 1)))["next"]}
    assert steps == {one.step for one in found.mistakes if one.seat == 1} - {other.step}


async def test_an_unfinished_game_has_no_puzzles_even_with_a_file(browser, tmp_path, table, found):
    """The file of another game with the same name, as after a restored backup."""
    mistake = puzzle_of(found)
    table.saved.actions.pop()
    Store(tmp_path).keep(table)

    told = await overview(browser, seat_in(table))
    assert (told["games"], told["unfinished"], told["next"]) == (0, 1, [])
    for path, more in (("/puzzle", {}), ("/answer", {"choice": mistake.taken})):
        status, _ = await asked(browser, path, **seat_in(table), step=mistake.step, **more)
        assert status == 404
    status, told = await asked(browser, "/analysis", **seat_in(table))
    assert (status, "not over" in told["message"]) == (409, True)


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("", {}, 400, "has no games"),
        ("", {"games": [{"table": "../x", "tokens": ["a"]}]}, 400, "table"),
        ("", {"games": [{"table": "x", "tokens": []}]}, 400, "tokens"),
        ("", {"games": [{"table": "x", "tokens": ["a"]}] * 51}, 400, "games"),
        ("", {"games": ["x" * 40_000]}, 413, "at most"),
        ("/puzzle", {"table": "x", "tokens": ["a"]}, 400, "has no step"),
        ("/puzzle", {"table": "x", "tokens": ["a"], "step": -1}, 400, "step"),
        ("/answer", {"table": "x", "tokens": ["a"], "step": 1}, 400, "has no choice"),
        ("/analysis", {"table": "x", "tokens": ["a"], "seen": "1"}, 400, "seen"),
    ],
    ids=lambda value: str(value)[:24],
)
async def test_a_bad_question_is_one_sentence(path, body, status, words, browser):
    found, told = await asked(browser, path, **body)
    assert (found, words in told["message"]) == (status, True), told


async def test_a_puzzle_of_another_game_is_refused(browser, table, found):
    mistake = puzzle_of(found)
    mistake.judged["chances"]["tech 9"] = 0
    browser.tables.replays.mistakes.keep(table.name, found)
    status, told = await asked(browser, "/puzzle", **seat_in(table), step=mistake.step)
    assert (status, "does not fit" in told["message"]) == (409, True)


async def test_a_game_without_a_decision_has_no_mistakes(browser, tmp_path):
    table = Table.create(NewTable(seats=["person", "random"]))
    table.saved.seats[0].has_resigned = True
    Store(tmp_path).keep(table)

    told = await overview(browser, seat_in(table))
    assert (told["games"], told["unanalysed"]) == (0, [])
    status, said = await asked(browser, "/analysis", **seat_in(table))
    assert (status, said["message"]) == (409, "This game has no decisions.")


async def test_a_game_that_is_named_twice_counts_once(browser, table, found):
    told = await overview(browser, seat_in(table), seat_in(table))
    assert told["games"] == 1


async def test_a_puzzle_of_a_damaged_table_is_refused(browser, tmp_path, table, found):
    file = Store(tmp_path).path(table.name)
    saved = json.loads(file.read_text(encoding="utf-8"))
    saved["actions"][0] = "tech 1"
    file.write_text(json.dumps(saved), encoding="utf-8")
    mistake = max(found.mistakes, key=lambda one: one.step * (one.seat == 0))
    status, told = await asked(browser, "/puzzle", **seat_in(table), step=mistake.step)
    assert (status, "does not fit" in told["message"]) == (409, True)


async def test_an_illegal_choice_changes_nothing(browser, table, found):
    ask = {**seat_in(table), "step": puzzle_of(found).step}

    status, _ = await asked(browser, "/answer", **ask, choice="card 999")
    assert status == 404
    assert browser.tables.replays.mistakes.read(table.name) == found


async def test_an_answer_that_cannot_be_saved_is_told(browser, table, found, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    mistake = puzzle_of(found)
    ask = {**seat_in(table), "step": mistake.step, "choice": mistake.taken}

    monkeypatch.setattr(browser.tables.replays.mistakes, "keep", fail)
    status, told = await asked(browser, "/answer", **ask)
    assert (status, "No space left" in told["message"]) == (507, True)


# --- Analysis ------------------------------------------------------------------------------------


async def analyse(browser, table):
    state = {"ready": False, "done": -1}
    while not state["ready"]:
        status, state = await asked(browser, "/analysis", **seat_in(table), seen=state["done"])
        assert (status, state["fault"]) == (200, None), state


def judge_at_once(text, by, first, last):
    """A part of an analysis that no agent made."""
    whole = made_up(reader.parse(text))
    wins, judged, luck = (each[first:last] for each in (whole.wins, whole.judged, whole.luck))
    return Analysis(by, wins, judged, luck)


def explain_at_once(text, by, part, first):
    """The part with a cause for every decision."""
    cause = Explanation("hand", "turn", 0.8, 0.1)
    return replace(
        part,
        judged=tuple(
            one and replace(one, later=one.loss, later_error=0.01, why=cause) for one in part.judged
        ),
    )


async def test_an_analysis_makes_puzzles_and_keeps_the_answers_to_them(
    browser, table, tmp_path, monkeypatch
):
    monkeypatch.setattr(replays.replay_tasks, "judge", judge_at_once)
    monkeypatch.setattr(replays.replay_tasks, "explain", explain_at_once)
    files = MistakeFiles(tmp_path / "replays")

    await analyse(browser, table)
    told = await overview(browser, seat_in(table))
    assert (told["games"], told["unanalysed"]) == (1, [])
    found = files.read(table.name)
    assert found.by == "policy:2p"
    assert (await browser.get(f"/table/{table.name}/replay"))[0] == 200
    first = told["next"][0]["step"]
    mistake = next(one for one in found.mistakes if one.step == first)
    ask = {**seat_in(table), "step": first, "choice": mistake.judgement.best}
    status, told = await asked(browser, "/answer", **ask)
    assert (status, told["judged"]["why"]["en"][0]) == (200, "It leaves a worse hand.")
    answered = files.read(table.name)
    browser.tables.replays.path(table.name).unlink()
    browser.tables.replays.begin(table.name, table.record())
    while browser.tables.replays.state(table.name)["running"]:
        await browser.tables.replays.follow(table.name, 10_000)
    assert files.read(table.name) == answered, "a new analysis keeps the answers"
    files.path(table.name).write_text("{")
    assert (await overview(browser, seat_in(table)))["unanalysed"]
    await analyse(browser, table)
    assert (await overview(browser, seat_in(table)))["games"] == 1


def take_long(*_):
    time.sleep(60)


async def test_an_analysis_stops_when_its_page_goes_and_not_too_many_run(
    browser, table, monkeypatch
):
    monkeypatch.setattr(replays.replay_tasks, "judge", take_long)

    going = asyncio.create_task(asked(browser, "/analysis", **seat_in(table), seen=0))
    while not browser.tables.replays.state(table.name)["running"]:
        await asyncio.sleep(0.05)
    going.cancel()
    for _ in range(100):
        await asyncio.sleep(0.1)
        if not browser.tables.replays.state(table.name)["running"]:
            break
    assert not browser.tables.replays.state(table.name)["running"]
    monkeypatch.setattr(replays, "_MOST_AT_ONCE", 0)
    status, told = await asked(browser, "/analysis", **seat_in(table))
    assert (status, "try again" in told["message"]) == (429, True)


async def test_without_a_trained_agent_no_analysis_is_begun(browser, table, monkeypatch):
    monkeypatch.setattr(replays, "find_spec", lambda name: None)

    status, told = await asked(browser, "/analysis", **seat_in(table))
    assert (status, "no trained agent" in told["message"]) == (409, True)
