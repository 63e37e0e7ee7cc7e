"""A replay by one seat's eyes is the same whatever that seat could not see."""

from dataclasses import dataclass

import numpy as np
import pytest

from impulse_env.records.record import Move, Record
from impulse_env.replay.bundle import bundle
from impulse_env.replay.steps import steps
from recorded import IDS, TABLES, played

STEPS = 70


@dataclass
class Elsewhere(Record):
    """A record whose games look the same to one seat and differ in all that is hidden from it."""

    seat: int = 0

    def games(self):
        rng = np.random.default_rng(1)
        for number, game in enumerate(super().games()):
            if number == STEPS:
                return
            yield game.determinize(self.seat, rng)


def cut(record):
    """The first decisions of a record, with one more for the games of `Elsewhere` to end before."""
    return Record(record.header, record.moves[: STEPS - 1])


@pytest.mark.parametrize("table", TABLES, ids=IDS)
@pytest.mark.parametrize("by", [1, None])
def test_what_is_hidden_changes_nothing(table, by):
    record = cut(played(table)[0])
    seat = 0 if by is None else by
    other = Elsewhere(record.header, record.moves, seat=seat)
    hands = {tuple(bytes(game.state["hand"]) for game in one.games()) for one in (record, other)}
    assert len(hands) == 2, "nothing hidden was changed"
    assert bundle(record, [by]) == bundle(other, [by])


@pytest.mark.parametrize("by", [0, None])
def test_options_and_thoughts_are_for_the_eyes_of_the_seat(by):
    record = cut(played(TABLES[4])[0])
    thoughts = [
        Move(move.seat, move.action, note)
        for move, note in zip(record.moves, notes(record), strict=True)
    ]
    for step in steps(Record(record.header, thoughts), by):
        is_own = step.seat is not None and step.seat == by
        assert bool(step.choices) == is_own
        assert (step.note is not None) == (is_own and step.number < len(thoughts))
        assert (step.chosen is not None) == (step.note is not None)


def notes(record):
    from impulse_env.records.record import Annotation

    return [Annotation("a", {move.action: 1.0}, 0.5) for move in record.moves]
