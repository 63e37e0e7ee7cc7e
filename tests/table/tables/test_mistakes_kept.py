"""Costly decisions come back as puzzles after growing gaps, and all decisions make a profile."""

import logging
import math
import os
import signal
import stat
import subprocess
import sys
from datetime import date, timedelta

import msgspec
import numpy as np
import pytest

from impulse_env.replay.analysis import Analysis, Judged, accuracy, given_away, mark_of
from impulse_env.text.describe import kind_of, topic_of
from impulse_table.tables.mistake_files import MistakeFiles, NotDueError
from impulse_table.tables.mistakes import GAPS, Mistake, Tally, found_in, line_of
from recorded import TABLES, made_up, played, short_game

DAY = date(2026, 11, 29)
FOUND = {"best": "use", "loss": 120, "error": 20, "mark": "mistake", "line": ["a", "b"]}


def puzzle(**found):
    chances = {"use": 500, "pass": 481, "card 7": 480, "card 9": 479}
    return Mistake(3, 0, "battle", "card 9", {"chances": chances, **FOUND, **found})


@pytest.fixture
def files(tmp_path):
    return MistakeFiles(tmp_path / "replays")


@pytest.fixture(scope="module")
def saved():
    record = short_game()
    return found_in(record, made_up(record))


# --- Puzzles -------------------------------------------------------------------------------------


def test_the_gap_grows_with_right_answers_in_a_row_and_begins_again_after_a_wrong_one():
    mistake, today = puzzle(), DAY
    assert mistake.is_due(today)
    for gap in (*GAPS, GAPS[-1]):
        assert mistake.answer("use", today)
        assert mistake.due == today + timedelta(days=gap)
        assert not mistake.is_due(mistake.due - timedelta(days=1))
        today = mistake.due
        assert mistake.is_due(today)
    for right, action, gap in ((0, "card 9", 1), (0, "card 9", 1), (1, "use", 1), (2, "use", 3)):
        assert mistake.answer(action, today) == (right > 0)
        assert (mistake.right, mistake.due - today) == (right, timedelta(days=gap))
        assert mistake.answered == action
        today = mistake.due


@pytest.mark.parametrize(
    ("action", "cost", "is_right"),
    [("use", 0, True), ("pass", 19, True), ("card 7", 20, True), ("card 9", 21, False)],
)
def test_an_answer_may_give_away_two_percentage_points(action, cost, is_right):
    mistake = puzzle()
    assert mistake.cost_of(action) == cost
    assert mistake.answer(action, DAY) == is_right


def test_an_illegal_answer_changes_nothing():
    mistake = puzzle()
    with pytest.raises(KeyError):
        mistake.answer("card 8", DAY)
    assert (mistake.right, mistake.due, mistake.answered) == (0, None, None)


# --- What was found ------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [TABLES[0], TABLES[4]], ids=["two", "more"])
def test_every_marked_decision_is_a_puzzle_and_every_choice_is_counted(table):
    record, _ = played(table)
    analysis = made_up(record)
    found = found_in(record, analysis)
    seats = [move.seat for move in record.moves]
    marked = [step for step, one in enumerate(analysis.judged) if one is not None and mark_of(one)]
    assert [mistake.step for mistake in found.mistakes] == marked
    assert found.steps == len(record.moves)
    topics = [topic_of(kind_of(game.state)) for game in record.games()]
    for mistake in found.mistakes:
        assert (mistake.seat, mistake.topic) == (seats[mistake.step], topics[mistake.step])
        assert mistake.taken == record.moves[mistake.step].action
        judged = analysis.judged[mistake.step]
        assert mistake.cost_of(mistake.taken) == pytest.approx(1000 * judged.loss, abs=1)
    for seat in range(record.header.options.players):
        own = [tally for tally in found.tallies if tally.seat == seat]
        assert len({tally.topic for tally in own}) == len(own)
        line = line_of(own)
        count = sum(
            who == seat and one is not None for who, one in zip(seats, analysis.judged, strict=True)
        )
        assert line.decisions == count
        assert line.accuracy == pytest.approx(accuracy(analysis.judged, seats, seat))
        assert count * line.loss == pytest.approx(given_away(analysis.judged, seats, seat))
        assert line.mistakes == sum(mistake.seat == seat for mistake in found.mistakes)


def test_the_error_of_a_mean_loss_is_its_standard_error():
    losses = np.array([0.0, 0.05, 0.2, 0.0, 0.11])
    tallies = [Tally(0, "Plan", 1, 0, loss, loss**2, 1.0) for loss in losses]
    line = line_of(tallies)
    assert line.loss == pytest.approx(losses.mean())
    assert line.error == pytest.approx(losses.std(ddof=1) / math.sqrt(len(losses)))
    assert line_of(tallies[:1]).error is None
    assert line_of([]) is None


def test_a_decision_within_its_error_is_no_puzzle():
    record = short_game()
    analysis = made_up(record)
    unsure = [one and Judged(one.chances, one.best, one.loss, 1.0) for one in analysis.judged]
    found = found_in(record, Analysis("x", analysis.wins, tuple(unsure), analysis.luck))
    assert found.mistakes == []
    assert sum(tally.decisions for tally in found.tallies) > 0


# --- On disk -------------------------------------------------------------------------------------


def test_a_file_is_private_and_gives_back_what_was_kept(files, saved):
    assert files.read("game") is None
    files.keep("game", saved)
    assert files.read("game") == saved
    assert stat.S_IMODE(files.path("game").stat().st_mode) == 0o600


def test_more_fields_of_a_judgement_are_kept(files, saved):
    more = msgspec.json.decode(msgspec.json.encode(saved))
    more["mistakes"][0]["judged"]["later"] = {"words": "a reason"}
    files.keep("game", saved)
    files.path("game").write_bytes(msgspec.json.encode(more))
    step = saved.mistakes[0].step
    files.answer("game", step, saved.mistakes[0].judgement.best, DAY)
    assert files.read("game").mistakes[0].judged["later"] == {"words": "a reason"}


def test_an_answer_is_written_and_not_taken_twice(files, saved):
    files.keep("game", saved)
    step, best = saved.mistakes[0].step, saved.mistakes[0].judgement.best
    mistake, is_right = files.answer("game", step, best, DAY)
    assert (is_right, mistake.right, mistake.due) == (True, 1, DAY + timedelta(days=1))
    assert files.read("game").mistakes[0] == mistake
    with pytest.raises(NotDueError, match="before 2026-11-30"):
        files.answer("game", step, best, DAY)
    for name, number, action in (("other", step, best), ("game", 9999, best), ("game", step, "x")):
        with pytest.raises(LookupError):
            files.answer(name, number, action, DAY + timedelta(days=1))
    assert files.read("game").mistakes[0] == mistake


def damaged(saved):
    """Contents of damaged files, by what is wrong."""
    whole = msgspec.json.decode(msgspec.json.encode(saved))
    first = whole["mistakes"][0]

    def changed(**fields):
        return {**whole, "mistakes": [{**first, **fields}]}

    return {
        "empty": b"",
        "cut off": msgspec.json.encode(saved)[:-20],
        "another version": msgspec.json.encode({**whole, "version": 2}),
        "a step too many": msgspec.json.encode(changed(step=saved.steps)),
        "a seat too many": msgspec.json.encode(changed(seat=6)),
        "no chance of the best": msgspec.json.encode(
            changed(judged={**first["judged"], "best": "x"})
        ),
        "no judgement": msgspec.json.encode(changed(judged={})),
        "no chance": msgspec.json.encode(changed(taken="x")),
        "no day": msgspec.json.encode(changed(due="tomorrow")),
    }


def test_a_damaged_file_is_one_line_in_the_log_and_then_absent(files, saved, caplog):
    for what, content in damaged(saved).items():
        files.keep("game", saved)
        files.path("game").write_bytes(content)
        caplog.clear()
        with caplog.at_level(logging.ERROR):
            assert files.read("game") is None, what
            assert files.read("game") is None
        assert len(caplog.messages) == 1, what
        assert "game.mistakes.json is damaged, and now game.mistakes.damaged" in caplog.messages[0]
        assert files.path("game").with_suffix(".damaged").read_bytes() == content


KILLED = """
import sys
from datetime import date, timedelta
from pathlib import Path
from impulse_table.tables.mistake_files import MistakeFiles
files, day = MistakeFiles(Path(sys.argv[1])), date(2026, 11, 29)
print("begun", flush=True)
while True:
    mistake = files.read("game").mistakes[0]
    day = mistake.due or day
    files.answer("game", mistake.step, mistake.judgement.best, day)
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_a_killed_server_leaves_a_whole_file(tmp_path, saved):
    files = MistakeFiles(tmp_path)
    files.keep("game", saved)
    for pause in (0.0, 0.01, 0.05):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE
        )
        process.stdout.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(pause + 0.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert files.read("game") is not None
    assert files.read("game").mistakes[0].right > 0
