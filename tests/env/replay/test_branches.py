"""Branches: how they are written, what they may know of the game, and what a page is shown."""

import numpy as np
import pytest

from impulse_env import drawing
from impulse_env.game import Game
from impulse_env.information import EVERYTHING
from impulse_env.records.record import Header, Record
from impulse_env.replay.branches import (
    LONGEST,
    Branch,
    BranchError,
    opened,
    position_text,
    shown,
)
from recorded import IDS, TABLES, played

RECORD = played(TABLES[8])[0]
STEP = 20


def at_random(step=STEP, count=40, record=RECORD):
    """A branch of random choices."""
    rng, branch = np.random.default_rng(1), Branch(step)
    game = opened(record, branch)[-1]
    while game.seat is not None and len(branch.choices) < count:
        legal = game.legal_actions()
        number = int(rng.integers(len(legal)))
        game.step(legal[number])
        branch = Branch(step, (*branch.choices, number))
    return branch


@pytest.mark.parametrize(
    ("branch", "text"),
    [
        (Branch(28), "28"),
        (Branch(28, (3, 0, 12)), "28~30c"),
        (Branch(0, (34, 35, 36, 1330)), "0~yz00z01zzz"),
    ],
)
def test_a_branch_is_read_as_it_was_written(branch, text):
    assert str(branch) == text
    assert Branch.read(text) == branch


def test_the_step_itself_may_be_written_as_a_branch_without_choices():
    assert Branch.read("28~") == Branch(28)


@pytest.mark.parametrize(
    "text", ["", "x", "-1", "28~A", "28~z1", "28~3~0", "1" * 6, "28 ", "٢", "28~٢", "28~3\n"]
)
def test_anything_else_is_refused_in_a_sentence(text):
    with pytest.raises(BranchError, match="not a position of a game"):
        Branch.read(text)


def test_what_cannot_be_followed_says_what_there_is():
    with pytest.raises(BranchError, match=f"no step 9999: the last one is {len(RECORD.moves)}"):
        opened(RECORD, Branch(9999))
    with pytest.raises(BranchError, match="after 0 choices the next is from 0 to"):
        opened(RECORD, Branch(STEP, (1000,)))
    with pytest.raises(BranchError, match="the game is over"):
        opened(RECORD, Branch(len(RECORD.moves), (0,)))
    with pytest.raises(BranchError, match=f"at most {LONGEST}"):
        Branch.read("0~" + "0" * (LONGEST + 1))


def test_a_branch_begins_as_the_game_stood_with_a_deck_of_the_same_cards_in_another_order():
    for step, game in enumerate(RECORD.games()):
        if step not in (0, 3, STEP, len(RECORD.moves)):
            continue
        begun = opened(RECORD, Branch(step))[0]
        count = int(game.state["deck_count"])
        was, is_now = game.state["deck"][:count], begun.state["deck"][:count]
        assert sorted(was) == sorted(is_now)
        assert list(was) != list(is_now)
        assert begun.state["rng"] not in (0, game.state["rng"])
        same = begun.state.copy()
        same["deck"], same["rng"] = game.state["deck"], game.state["rng"]
        assert same.tobytes() == game.state.tobytes()
        assert begun.legal_actions() == game.legal_actions()


@pytest.mark.parametrize("table", TABLES, ids=IDS)
def test_a_branch_of_any_table_is_a_game(table):
    record = played(table)[0]
    for step in (0, 1, len(record.moves) // 2):
        branch = at_random(step, 60, record)
        assert len(branch.choices) == 60 or opened(record, branch)[-1].is_over
        for game in opened(record, branch)[::12]:
            assert Game.from_bytes(game.to_bytes()) == game


def test_it_depends_on_nothing_of_the_deck_but_which_cards_it_has():
    *_, game = Record(RECORD.header, RECORD.moves[:STEP]).games()
    turned = game.state.copy()
    count = int(turned["deck_count"])
    turned["deck"][:count] = np.sort(turned["deck"][:count])
    turned["rng"] = 5
    assert bytes(game.state) != bytes(turned)
    records = [
        Record(Header.of_game(Game.from_state(state), RECORD.header.agents))
        for state in (game.state, turned)
    ]
    branch = at_random(0, record=records[0])
    own, other = (opened(record, branch) for record in records)
    assert len(own) == 41
    assert own == other


def test_the_same_address_is_the_same_branch():
    branch = at_random()
    one, two = opened(RECORD, branch), opened(RECORD, Branch.read(str(branch)))
    assert [bytes(game.state) for game in one] == [bytes(game.state) for game in two]


@pytest.mark.parametrize("by", [EVERYTHING, None, 1])
def test_a_page_is_shown_every_position_in_any_pieces(by):
    branch = at_random()
    games = opened(RECORD, branch)
    whole = list(shown(RECORD, branch, by))
    assert len(whole) == len(games)
    drawn = {}
    for game, told in zip(games, whole, strict=True):
        drawn |= told["parts"]
        assert drawn == drawing.parts(game.state, by)
        assert told["seat"] == (-1 if game.seat is None else game.seat)
        assert told["scores"] == game.scores
        assert told["turn"] == game.turn + 1
        names = [game.name(action) for action in game.legal_actions()]
        may_know = by == EVERYTHING or by == game.seat
        assert [name for name, _ in told["choices"]] == (names if may_know else [])
    assert whole[0]["events"] == []
    assert all(told["events"] for told in whole[1:])
    assert list(shown(RECORD, branch, by, first=7)) == whole[7:]
    with pytest.raises(BranchError, match="first is from 0"):
        next(shown(RECORD, branch, by, first=len(branch.choices) + 1))


def test_a_position_as_text_is_the_terminals_board_and_what_is_legal():
    branch = at_random(count=3)
    *_, game = opened(RECORD, branch)
    text = position_text(RECORD, branch, EVERYTHING)
    assert text.startswith(f"Step {STEP} and 3 more in a branch ({branch}). seat 0: random 0,")
    assert "SECTOR CORE" in text
    assert f"decides: {game.decision.prompt}" in " ".join(text.split())
    assert text.count("\n  - ") == len(game.legal_actions())
    assert position_text(RECORD, Branch(STEP), None).startswith(f"Step {STEP}. ")
    assert "\n  - " not in position_text(RECORD, Branch(STEP), None)
