"""Persons have a time for a turn and for the game; an agent plays for who has none left."""

import asyncio

import msgspec
import pytest

from impulse_table.sessions.clock import Clock
from impulse_table.tables.protocol import NewTable, ProtocolError, read_new_table
from impulse_table.tables.table import STAND_IN, SavedTable, Table
from impulse_table.web.listening import ServerError, clock_of


class Hand:
    now = 0.0

    def __call__(self):
        return self.now


def running(ran_out=lambda: None, **options):
    """A table of two persons, its clock, and the hand of the clock."""
    new = NewTable(seats=["person", "person"], seed=7, start_player=0, **options)
    table, hand = Table.create(new), Hand()
    return table, Clock(table, ran_out, hand), hand


def act(table):
    table.act(table.game.name(table.game.legal_actions()[0]))


async def test_a_clock_runs_for_the_deciding_person_while_somebody_is_there():
    table, clock, hand = running(turn_seconds=60, game_minutes=10)
    clock.follow(is_empty=True)
    hand.now = 100.0
    assert clock.summary()["left"] == [(60, 600), (60, 600)]
    clock.follow(is_empty=False)
    hand.now = 112.0
    told = clock.summary()
    assert (told["running"], told["left"]) == (0, [(48, 588), (60, 600)])
    act(table)
    clock.follow(is_empty=False)
    assert clock.summary()["running"] == table.game.seat == 1
    table.stand_ins[1] = "random"
    clock.follow(is_empty=False)
    hand.now = 500.0
    assert clock.summary()["left"] == [(48, 588), (60, 600)]
    assert table.saved.clock.used == [12, 0]
    clock.close()


async def test_without_time_for_the_turn_an_agent_plays_until_it_ends():
    done = asyncio.Event()
    table, clock, hand = running(done.set, turn_seconds=5)
    clock.follow(is_empty=False)
    hand.now = 5.0
    clock.follow(is_empty=False)
    await asyncio.wait_for(done.wait(), 5)
    assert (table.late, table.agent, table.deciding_person) == ({0}, STAND_IN, None)
    turn = table.game.turn
    while table.game.turn == turn:
        act(table)
    clock.follow(is_empty=False)
    assert (table.late, table.agent) == (set(), None)
    assert clock.summary()["left"] == [(5, None), (5, None)]
    clock.close()


async def test_without_time_for_the_game_an_agent_plays_to_the_end_also_after_a_restart():
    done = asyncio.Event()
    table, clock, hand = running(done.set, game_minutes=1, clock_agent="random")
    clock.follow(is_empty=False)
    hand.now = 60.0
    clock.follow(is_empty=False)
    await asyncio.wait_for(done.wait(), 5)
    again = Table(SavedTable.read(msgspec.json.encode(table.saved)))
    assert (again.agent_at(0), again.agent_at(1)) == ("random", None)
    clock.close()


def test_a_rematch_has_the_whole_time_again():
    table, _, _ = running(game_minutes=1)
    table.saved.clock.used[0] = 60.0
    table.saved.is_agreed = True
    assert table.again().saved.clock.used == [0, 0]


@pytest.mark.parametrize(
    "fields",
    ['"turn_seconds": 4', '"turn_seconds": 60.5', '"game_minutes": 601', '"clock_agent": ""'],
)
def test_clocks_that_are_refused(fields):
    with pytest.raises(ProtocolError, match="invalid table"):
        read_new_table(b'{"seats": ["person", "greedy"], %s}' % fields.encode())


def test_a_clock_without_a_limit_or_for_other_seats_is_no_table():
    table, _, _ = running(game_minutes=1)
    good = msgspec.to_builtins(table.saved)
    for wrong in ({"used": [0.0]}, {"game_minutes": None}):
        with pytest.raises(ValueError, match="a clock must have"):
            SavedTable.read(msgspec.json.encode(good | {"clock": good["clock"] | wrong}))


def test_agents_alone_have_no_clock():
    table = Table.create(NewTable(seats=["greedy", "random"], turn_seconds=60))
    assert table.saved.clock is None


def test_the_clock_of_the_command_line():
    assert clock_of(()) == {}
    assert clock_of(("90s", "30m")) == {"turn_seconds": 90, "game_minutes": 30}
    for words in (("90",), ("4s",), ("30m", "20m"), ("xs",), ("",), ("-5s",)):
        with pytest.raises(ServerError, match="clock must be seconds for each turn, 5s to 3600s"):
            clock_of(words)
