"""Turns are told as the record has them."""

import itertools

import numpy as np
import pytest

import impulse_agents
from impulse_env.options import Options
from impulse_env.records.record import Header, SeatedAgent
from impulse_env.text.describe import card_label
from lab.mistakes.commentary import chances, recorded, ships_of, turn_from, turns

OPTIONS = Options(players=2, start_player=1)
NAMES = ["Ann", "Bob"]


@pytest.fixture(scope="module")
def record():
    agents = [impulse_agents.make("greedy"), impulse_agents.make("warrior")]
    return recorded(agents, OPTIONS, [3])[0]


def test_a_record_is_a_whole_game(record):
    assert record.header == Header(OPTIONS, (SeatedAgent("greedy"), SeatedAgent("warrior")), seed=3)
    assert record.result.end != "stopped"


def test_every_turn_is_described_once_and_in_order(record):
    found = turns(record, NAMES)
    assert [turn.number for turn in found] == list(range(len(found)))
    assert [turn.seat for turn in found] == [(1 + at) % 2 for at in range(len(found))]
    for one, following in itertools.pairwise(found):
        assert one.after == following.before
    assert found[-1].after["status"] != 0


def test_sentences_name_the_card_added_and_the_points(record):
    for turn in turns(record, NAMES):
        assert turn.text.startswith(f"{NAMES[turn.seat]} adds ")
        if turn.after["turn"] > turn.number and turn.after["impulse_count"][0]:
            newest = int(turn.after["impulse"][0, turn.after["impulse_count"][0] - 1])
            assert f"adds {card_label(newest)} to the Impulse" in turn.text
        gained = int(turn.after["score"][turn.seat]) - int(turn.before["score"][turn.seat])
        assert (f"scores {gained} point" in turn.text) == (gained > 0)


def test_a_turn_played_from_a_position_is_that_of_the_game(record):
    first = turns(record, NAMES)[0]
    agents = [impulse_agents.make("greedy"), impulse_agents.make("warrior")]
    played = turn_from(first.before, agents, NAMES)
    assert played.seat == first.seat
    assert played.text.startswith("Bob adds ")
    assert played.after["turn"] == 1


def test_ships_are_counted(record):
    start = turns(record, NAMES)[0].before
    assert ships_of(start, 0).tolist() == [2, 1]


def test_chances_end_with_the_result():
    policy = impulse_agents.make("policy:2p")
    record = recorded([policy, impulse_agents.make("random")], OPTIONS, [1])[0]
    found = chances(record, policy, 0)
    assert found.chance.between(0, 1).all()
    assert found.chance.iloc[-1] == float(0 in record.result.winners)
    assert np.all(np.diff(found.number) > 0)
