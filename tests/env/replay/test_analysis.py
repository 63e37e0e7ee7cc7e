"""What an analysis is told as: marks, accuracy, luck; for eyes that see everything alone."""

import math
from dataclasses import replace

import pytest

from impulse_env.replay.analysis import Analysis, Judged, accuracy, mark_of, page_data
from impulse_env.replay.explanation import EFFECT, LANGUAGES, Explanation
from impulse_env.replay.page import page
from impulse_env.replay.steps import ViewerError
from recorded import TABLES, played


def judged(loss, error=0.0):
    return Judged({"use": 0.6, "pass": 0.6 - loss}, "use", loss, error)


@pytest.mark.parametrize(
    ("loss", "error", "mark"),
    [
        (0.0, 0.0, ""),
        (0.049, 0.0, ""),
        (0.05, 0.0, "inaccuracy"),
        (0.1, 0.0, "mistake"),
        (0.15, 0.0, "blunder"),
        (0.9, 0.2, "blunder"),
        (0.15, 0.08, ""),
    ],
)
def test_a_loss_has_a_name_if_it_is_more_than_chance(loss, error, mark):
    assert mark_of(judged(loss, error)) == mark


def test_a_loss_that_further_play_does_not_leave_has_no_name():
    lost = judged(0.2, 0.01)
    assert mark_of(replace(lost, later=0.03, later_error=0.02)) == "blunder"
    assert mark_of(replace(lost, later=0.03, later_error=0.03)) == ""
    assert mark_of(replace(lost, later=-0.1, later_error=0.01)) == ""


def test_a_page_tells_what_was_left_and_why_in_every_language():
    record = played(TABLES[8])[0]
    found, why = analysis_of(record), Explanation("hand", EFFECT, 0.8, 0.1)
    seats = [move.seat for move in record.moves]
    sides = record.header.options.team_count

    def data(**changes):
        first = replace(found.judged[0], **changes)
        changed = replace(found, judged=(first, *found.judged[1:]))
        return page_data(changed, seats, record.header.options.players, sides)["judged"][0]

    told = data(later=0.1, later_error=0.02, why=why)
    assert (told["later"], told["later_error"]) == (100, 20)
    assert told["why"] == {language: why.sentences(language) for language in LANGUAGES}
    assert "why" not in data(later=0.1, later_error=0.02)
    assert "later" not in data(later=0.0, later_error=0.02, why=why)


def test_accuracy_is_of_the_seats_own_choices():
    decisions = [judged(0.0), None, judged(0.1), judged(0.9)]
    assert accuracy(decisions, [0, 0, 0, 1], 0) == pytest.approx((1 + math.exp(-1)) / 2)
    assert accuracy(decisions, [0, 0, 0, 1], 1) == pytest.approx(math.exp(-9))
    assert accuracy(decisions, [0, 0, 0, 1], 2) is None


def luck(record):
    """What the first three decisions drew, by side: much, nothing, little."""
    sides = record.header.options.team_count
    rest = [-1 / (sides - 1)] * (sides - 1)
    much, little = ((change, *(change * part for part in rest)) for change in (0.3, 0.04))
    return (much, (), little) + ((),) * (len(record.moves) - 3)


def analysis_of(record):
    count = len(record.moves)
    first = Judged({record.moves[0].action: 0.25}, record.moves[0].action, 0.2, 0.01, ("so",))
    return Analysis("somebody", (0.5,) * count, (first,) + (None,) * (count - 1), luck(record))


def test_the_data_of_a_page():
    record = played(TABLES[8])[0]
    seats = [move.seat for move in record.moves]
    players, sides = record.header.options.players, record.header.options.team_count
    data = page_data(analysis_of(record), seats, players, sides)
    assert data["by"] == "somebody"
    assert data["wins"] == [500] * len(seats)
    assert data["luck"][0][0] == 300
    assert sum(data["luck"][0][:sides]) == pytest.approx(0, abs=1)
    assert data["luck"][1:3] == [None, None]
    assert data["fortune"][0] == 340  # what is too little to be told counts as well
    assert data["given"][seats[0]] == 200
    name = record.moves[0].action
    assert data["judged"][0] == {
        "chances": {name: 250},
        "best": name,
        "loss": 200,
        "error": 10,
        "mark": "blunder",
        "line": ["so"],
    }


def test_it_is_for_a_page_by_all_eyes_alone():
    record = played(TABLES[8])[0]
    with pytest.raises(ViewerError, match="every seat"):
        page(record, [0], analysis_of(record))
    assert "analysis" in page(record, analysis=analysis_of(record))
