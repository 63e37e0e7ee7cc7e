"""What a page may say: nothing is guessed, nothing unknown is passed over."""

import json

import pytest

from impulse_env.options import OptionError
from impulse_table.tables import protocol
from impulse_table.tables.protocol import (
    Act,
    Hint,
    Join,
    Look,
    NewTable,
    Pace,
    ProtocolError,
    Replace,
    Retry,
    Revoke,
    Skip,
)

GOOD = [
    ({"type": "join", "tokens": ["a"]}, Join(tokens=["a"])),
    ({"type": "join"}, Join(tokens=[])),
    ({"type": "join", "host": "h"}, Join(tokens=[], host="h")),
    ({"type": "join", "host": None}, Join(tokens=[])),
    ({"type": "revoke", "seat": 2}, Revoke(seat=2)),
    ({"type": "look", "seat": 5}, Look(seat=5)),
    ({"type": "act", "step": 0, "action": "cell 5"}, Act(step=0, action="cell 5")),
    ({"type": "hint", "agent": "greedy"}, Hint(agent="greedy")),
    ({"type": "pace", "seconds": 1}, Pace(seconds=1.0)),
    ({"type": "skip"}, Skip()),
    ({"type": "retry"}, Retry()),
    (
        {"type": "replace", "seat": 1, "agent": "random"},
        Replace(seat=1, agent="random"),
    ),
]
BAD = [
    "",
    "no JSON",
    "[]",
    "null",
    "{}",
    '{"type": 3}',
    '{"type": "shout"}',
    '{"type": "look"}',
    '{"type": "look", "seat": "1"}',
    '{"type": "look", "seat": true}',
    '{"type": "look", "seat": 6}',
    '{"type": "look", "seat": -1}',
    '{"type": "look", "seat": 1, "as": "root"}',
    '{"type": "act", "step": 1.5, "action": "use"}',
    '{"type": "act", "step": -1, "action": "use"}',
    '{"type": "act", "step": 1, "action": ""}',
    '{"type": "act", "step": 1, "action": 7}',
    '{"type": "pace", "seconds": 11}',
    '{"type": "pace", "seconds": NaN}',
    '{"type": "join", "tokens": [1]}',
    '{"type": "join", "tokens": "a"}',
    '{"type": "join", "host": 1}',
    '{"type": "join", "host": ""}',
    '{"type": "join", "tokens": ["\\ud800"]}',
    '{"type": "revoke"}',
    '{"type": "revoke", "seat": 6}',
    '{"type": "revoke", "seat": 1, "token": "mine"}',
    json.dumps({"type": "join", "tokens": ["a"] * 7}),
    json.dumps({"type": "act", "step": 1, "action": "x" * 41}),
    "[" * 2000,
]


@pytest.mark.parametrize(("sent", "meant"), GOOD, ids=lambda value: str(value)[:40])
def test_messages_that_are_understood(sent, meant):
    assert protocol.read_message(json.dumps(sent)) == meant


@pytest.mark.parametrize("sent", BAD, ids=lambda sent: sent[:45] or "nothing")
def test_messages_that_are_refused_in_one_sentence(sent):
    with pytest.raises(ProtocolError, match="invalid message") as refused:
        protocol.read_message(sent)
    assert "\n" not in str(refused.value)


def test_what_was_sent_is_not_repeated():
    with pytest.raises(ProtocolError) as refused:
        protocol.read_message('{"type": "look", "seat": "<script>"}')
    assert "script" not in str(refused.value)


def test_a_new_table():
    wanted = protocol.read_new_table(b'{"seats": ["person", "greedy"], "seed": 7}')
    assert wanted == NewTable(seats=["person", "greedy"], seed=7)
    assert wanted.options().players == 2


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b'{"seats": ["person"]}',
        b'{"seats": ["a", "b", "c", "d", "e", "f", "g"]}',
        b'{"seats": ["a", ""]}',
        b'{"seats": ["a", "b"], "seed": -1}',
        b'{"seats": ["a", "b"], "seed": "1"}',
        b'{"seats": ["a", "b"], "races": "best"}',
        b'{"seats": ["a", "b"], "auto_forced": false}',
        b"\xff",
    ],
)
def test_new_tables_that_are_refused(body):
    with pytest.raises(ProtocolError, match="invalid table"):
        protocol.read_new_table(body)


def test_options_are_checked_by_the_game():
    with pytest.raises(OptionError, match="team_size"):
        protocol.read_new_table(b'{"seats": ["a", "b"], "team_size": 2}').options()
