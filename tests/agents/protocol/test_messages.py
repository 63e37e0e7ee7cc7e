"""A line that is no message is refused in one sentence, whatever it contains."""

import json
import random

import pytest

from impulse_agents.protocol.messages import (
    MOST_LINE,
    Action,
    Choose,
    Hello,
    Info,
    Line,
    MessageError,
    NewGame,
    Quit,
    Ready,
    SetOptions,
    Stop,
    Trouble,
    from_host,
    from_program,
    to_line,
)

OF_PROGRAM = [
    Ready(1, "bot", "2", ("view", "text"), (2, 3), 3.5, 4),
    Info(0.5, {"pass": 0.25}, (Line(("pass", "use"), 0.5, 3, 0.1),)),
    Action(3, "card 57"),
    Action(3, 57),
    Trouble("no idea", 4),
]
OF_HOST = [
    Hello(1, "0.1.0"),
    SetOptions(("world",), 2.0),
    NewGame(3, 4, 1, 2, 20),
    Choose(5, ("pass", "use"), 3, 99, "lines", 4, "AAAA"),
    Stop(),
    Quit(),
]
LINES = [4_000, pytest.param(50_000, marks=pytest.mark.slow)]
"""Malformed lines of each side."""


@pytest.mark.parametrize(("read", "messages"), [(from_program, OF_PROGRAM), (from_host, OF_HOST)])
def test_a_message_is_read_as_it_was_written(read, messages):
    for message in messages:
        assert read(to_line(message).rstrip(b"\n")) == message


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"", "it is not JSON, or cut off"),
        (b"?", "it is not JSON"),
        (b"\xff", "it is not JSON"),
        (b"[]", "it must be an object, not []"),
        (b"{}", "it has no type"),
        (b'{"type":"acton","id":1}', "type must be one of 'hello', 'info', 'action', 'error'"),
        (b'{"type":"action","id":1}', "it has no action"),
        (b'{"type":"action","id":"1","action":"pass"}', "id must be a whole number, not '1'"),
        (b'{"type":"action","id":1,"action":null}', "action must be"),
        (b'{"type":"info","wins":1.5}', "wins must be"),
        (b'{"type":"hello","protocol":1,"wants":["hands"]}', "wants[0] must be one of 'observa"),
        (b'{"type":"hello","protocol":1,"players":[]}', "players must be"),
        (b"[" * 100_000, "it is not JSON"),
        (b" " * (MOST_LINE + 1), "a line must have at most 1048576 bytes"),
    ],
)
def test_a_wrong_line_says_what_is_wrong(line, sentence):
    with pytest.raises(MessageError) as error:
        from_program(line)
    assert str(error.value).startswith(sentence)


def test_an_engine_ignores_messages_of_later_versions():
    assert from_host(b'{"type":"of_a_later_version"}') is None
    with pytest.raises(MessageError):
        from_host(b'{"type":"choose"}')


def changed(line, rng):
    """Return a line with random changes to its bytes, or to a value."""
    if rng.random() < 0.5:
        message = json.loads(line)
        strange = [None, -1, 1e300, 1 << 70, "", "é" * 50, [], {}, [[]], {"a": {}}, True]
        message[rng.choice(list(message))] = rng.choice(strange)
        return json.dumps(message).encode()
    content = bytearray(line)
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(content))
        kind = rng.randrange(3)
        if kind == 0:
            content[place] = rng.randrange(256)
        elif kind == 1:
            del content[place : place + rng.randrange(1, 9)]
        else:
            content[place:place] = rng.choice([b"{", b"]", b'"', b"\\u00", b"\x00", b"9" * 30])
        content = content or bytearray(b"x")
    return bytes(content)


@pytest.mark.parametrize("count", LINES)
@pytest.mark.parametrize(("read", "messages"), [(from_program, OF_PROGRAM), (from_host, OF_HOST)])
def test_of_many_changed_lines_each_is_a_message_or_refused_in_one_sentence(read, messages, count):
    rng, refused = random.Random(5), 0
    lines = [to_line(message).rstrip(b"\n") for message in messages]
    while refused < count:
        line = changed(rng.choice(lines), rng)
        try:
            read(line)
        except MessageError as error:
            refused += 1
            sentence = str(error)
            assert sentence
            assert "\n" not in sentence
            assert len(sentence) < 600
