"""A replay in a terminal: whose eyes it is seen by, the keys, and what agents thought."""

import pytest

from impulse_env.records.record import Annotation, Move, Record
from impulse_env.replay.steps import ViewerError, viewer_of
from impulse_env.replay.terminal import _Walk, narrated
from recorded import TABLES, played

SHORT = TABLES[8]


def test_eyes_have_words():
    assert [viewer_of(word, 3) for word in ("all", "public", "2")] == ["all", None, 2]
    with pytest.raises(ViewerError):
        viewer_of("3", 3)


def test_keys_go_where_they_say():
    record, _ = played(SHORT)
    walk, last = _Walk(record, "all", 0), len(record.moves)

    def after(*keys):
        for key in keys:
            walk.press(key)
        return walk.number

    assert after("left") == 0
    assert after("right", " ", "enter") == 3
    assert after("end") == last
    assert after("right") == last
    assert after("x") == last
    turns = [int(step.state["turn"]) for step in walk.steps]
    after("home")
    for _ in range(3):
        number = after("page down")
        assert turns[number] == turns[number - 1] + 1
    before = walk.number
    after("page down", "page up")
    assert walk.number == before
    assert after("home", "page up") == 0
    assert [after("e") is not None and walk.by for _ in range(4)] == [None, 0, 1, "all"]
    shut = _Walk(record, 1, last)
    shut.press("e")
    assert (shut.by, shut.number) == (1, last)


def test_thoughts_of_agents_are_shown():
    record, _ = played(SHORT)
    move = record.moves[0]
    note = Annotation("policy:x", {move.action: 0.75}, 0.62, 0.01)
    noted = Record(record.header, [Move(move.seat, move.action, note), *record.moves[1:]])
    screen = _Walk(noted, "all", 0).screen()
    assert f"(policy:x: {move.action} 75%, chance to win 62%, 0.01 s)" in screen
    assert "  >  75.0% place card" in screen
    line = f"    (policy:x: {move.action} 75%, chance to win 62%, 0.01 s)"
    assert line in list(narrated(noted, "all"))
    assert line not in list(narrated(noted, 1 - move.seat))
