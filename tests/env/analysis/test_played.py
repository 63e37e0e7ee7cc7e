"""Games come from records, whole or broken, and what does not fit is told with its place."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from impulse_env import analysis
from impulse_env.errors import RecordError
from impulse_env.game import Game
from impulse_env.records.record import Annotation, Header, Move, Record, Result, SeatedAgent
from impulse_env.testing.random_play import random_choice
from replayed import TABLES, play, record

PAIR = (SeatedAgent("first", 1), SeatedAgent("second", 2))


@pytest.fixture
def folder(tmp_path):
    """A folder with two records, one of them further inside."""
    record(0).save(tmp_path / "b.jsonl")
    record(2).save(tmp_path / "a" / "deep.jsonl")
    (tmp_path / "notes.txt").write_text("no record")
    return tmp_path


def test_a_folder_is_read_in_the_order_of_its_names(folder):
    found = list(analysis.records(folder))
    assert [played.where for played in found] == [
        str(folder / "a" / "deep.jsonl"),
        str(folder / "b.jsonl"),
    ]
    assert [played.where for played in analysis.records(folder / "b.jsonl", folder)] == [
        str(folder / "b.jsonl"),
        *(played.where for played in found),
    ]
    games = analysis.tables(found).games
    assert games.players.tolist() == [4, 2]
    assert games.seed.tolist() == [2, 2]


def test_a_folder_without_records_and_a_missing_file_are_reported(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no \.jsonl files in "):
        list(analysis.records(tmp_path))
    with pytest.raises(FileNotFoundError):
        list(analysis.records(tmp_path / "none.jsonl"))


def test_a_broken_record_is_reported_with_file_and_line(folder):
    path = folder / "b.jsonl"
    lines = path.read_text().splitlines()
    lines[4] = lines[4].replace('"action":"', '"action":"no ')
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(RecordError, match=r"b\.jsonl, line 5: unknown action"):
        analysis.tables(analysis.records(folder))


def test_an_illegal_decision_is_reported_with_the_legal_ones():
    played = play(0)
    actions = played.actions.copy()
    actions[7] = 179
    with pytest.raises(RecordError, match=r"game 0: decision 7 is 'copy 5'.*legal are"):
        analysis.tables([play(1), replace(played, actions=actions)])


def test_a_game_that_does_not_end_as_recorded_is_reported():
    played = play(0)
    with pytest.raises(RecordError, match=r"game 0: .* recorded are \(1, 2\)"):
        analysis.tables([replace(played, scores=(1, 2))])
    longer = np.append(played.actions, [0, 0])
    with pytest.raises(RecordError, match="over, but 2 decisions are left"):
        analysis.tables([replace(played, actions=longer)])


def cut(index, moves):
    """A record of a game that was left after some moves."""
    whole = record(index)
    game = whole.header.new_game()
    for move in whole.moves[:moves]:
        game.step(move.action)
    return Record(whole.header, whole.moves[:moves], Result.of(game, "enough"))


def test_a_game_that_was_left_is_there_as_far_as_it_went():
    found = analysis.tables([analysis.RecordedGame.of_record(cut(2, 60), "cut"), play(2)])
    assert found.games.end.tolist() == ["stopped", "score"]
    assert found.games.winners.tolist()[0] == ()
    assert not found.seats[found.seats.game == 0].won.any()
    parts = [found.decisions[found.decisions.game == game] for game in (0, 1)]
    columns = ["number", "seat", "kind", "legal", "action", "hand"]
    assert parts[0].number.max() == 59
    assert (
        parts[0][columns].values.tolist() == parts[1][columns].head(len(parts[0])).values.tolist()
    )


def test_a_game_left_in_its_setup_has_no_turns_yet():
    found = analysis.tables([analysis.RecordedGame.of_record(cut(3, 1), "cut")])
    assert len(found.turns) == 0
    assert len(found.decisions) == 1
    assert found.seats.home_card.tolist() == [0] * 5
    assert set(found.seats.race) - {"none"} != set()


def test_a_record_that_begins_in_the_middle_continues_from_there():
    game, choose = Game(players=2, seed=5), random_choice(5)
    while game.turn < 6 or game.decision.kind != "add_impulse":
        game.step(choose(game))
    before = game.scores
    begun = Record(Header.of_game(game, PAIR))
    while game.seat is not None:
        action = choose(game)
        begun.moves.append(Move(game.seat, game.name(action)))
        game.step(action)
    begun.result = Result.of(game)
    found = analysis.tables([analysis.RecordedGame.of_record(begun, "late")])
    assert found.turns.turn.iloc[0] == 6
    assert found.games.seed.isna().tolist() == [True]
    assert (found.turns.gained + found.turns.gained_by_others).sum() == sum(game.scores) - sum(
        before
    )


def test_notes_of_agents_are_beside_their_decisions():
    whole = record(0)
    notes = [
        Annotation(wins=0.25, probabilities={whole.moves[0].action: 0.75}, seconds=0.5),
        Annotation(seconds=1.5),
    ]
    moves = [
        Move(move.seat, move.action, note)
        for move, note in zip(whole.moves, [*notes, *[None] * len(whole.moves)], strict=False)
    ]
    found = analysis.tables(
        [analysis.RecordedGame.of_record(Record(whole.header, moves, whole.result), "noted")]
    )
    said = found.decisions[found.decisions.number >= 0][["wins", "probability", "seconds"]]
    assert said.iloc[0].tolist() == [0.25, 0.75, 0.5]
    assert said.iloc[1, :2].isna().all()
    assert said.iloc[1, 2] == 1.5
    assert said.iloc[2:].isna().all(axis=None)
    assert whole.moves[0].seat != whole.moves[1].seat
    assert found.seats.seconds.tolist() == [0.5, 1.5]


def test_without_pandas_the_extra_is_named():
    code = (
        "import sys; sys.modules['pandas'] = None\n"
        "import impulse_env\n"
        "try: import impulse_env.analysis\n"
        "except ImportError as error: print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == (
        'the analysis of games needs pandas: pip install "impulse-env[analysis]"'
    )


def test_every_table_is_tried_here():
    assert {options["players"] for options in TABLES} == {2, 3, 4, 5, 6}
