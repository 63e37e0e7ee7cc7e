"""Games as Parquet files: what is written is what was played, and comes back."""

import json

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402

from impulse_env.dataset import decisions  # noqa: E402
from impulse_env.dataset.parquet import (  # noqa: E402
    DECISIONS,
    GAMES,
    OBSERVATION,
    AnnotatedGame,
    DatasetError,
    column_table,
    parts_in,
    read_table,
    recorded_games,
    write_part,
)
from impulse_env.game import Game  # noqa: E402
from impulse_env.observation import size  # noqa: E402
from impulse_env.options import Options  # noqa: E402
from impulse_env.records.record import Header, SeatedAgent, record_of  # noqa: E402
from impulse_env.records.recorded_games import RecordedGame  # noqa: E402
from impulse_env.testing.random_play import random_choice  # noqa: E402

OPTIONS = Options(3, target_score=5, max_turns=9)


def game(seed, options=OPTIONS, skip=0):
    """A random game; with `skip` its record begins after so many decisions."""
    seated = tuple(SeatedAgent(name) for name in ("ann", "bob", "cem", "dan")[: options.players])
    header = Header(options, seated, seed=seed)
    played, choose, actions = header.new_game(), random_choice(seed), []
    for _ in range(skip):
        played.step(choose(played))
    if skip:
        header = Header.of_game(played, seated)
    while not played.is_over:
        actions.append(choose(played))
        played.step(actions[-1])
    return RecordedGame.of_record(record_of(header, actions), f"{seed}")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return a folder of two parts, and the games in it."""
    folder = tmp_path_factory.mktemp("data")
    games = [game(1), game(2, skip=12), game(3)]
    write_part(folder, 0, [AnnotatedGame(one) for one in games[:2]], 0, with_observations=True)
    write_part(folder, 1, [AnnotatedGame(games[2])], 2, with_observations=True)
    return folder, games


def test_games_come_back_and_can_be_played_again(written):
    folder, games = written
    found = list(recorded_games(folder))
    assert parts_in(folder) == [0, 1]
    for one, other in zip(found, games, strict=True):
        assert one.actions.tolist() == other.actions.tolist()
        assert (one.end, one.winners, one.scores) == (other.end, other.winners, other.scores)
        assert one.header.new_game().to_bytes() == other.header.new_game().to_bytes()
        assert [agent.name for agent in one.header.agents] == ["ann", "bob", "cem"]


def test_rows_are_what_an_array_of_the_same_games_has(written):
    folder, games = written
    wanted = decisions(games)
    tables = [read_table(folder, "decisions", part) for part in (0, 1)]
    rows = [row for table in tables for row in table.to_pylist()]
    assert len(rows) == len(wanted.actions)
    assert [row["game"] for row in rows] == wanted.games.tolist()
    assert [row["action"] for row in rows] == wanted.actions.tolist()
    assert [row["result"] for row in rows] == wanted.wins.tolist()
    for number, row in enumerate(rows):
        assert row["legal"] == np.flatnonzero(wanted.masks[number]).tolist()
        assert row["action"] in row["legal"]
        assert row[OBSERVATION] == wanted.observations[number].tobytes()
        assert row["probability"] is row["probabilities"] is row["wins"] is None
    assert len(rows[0][OBSERVATION]) == size(3)


def test_a_decision_has_its_number_its_agent_and_its_stable_name(written):
    folder, games = written
    for row, one in enumerate(games[:2]):
        found = [r for r in read_table(folder, "decisions", 0).to_pylist() if r["game"] == row]
        assert [r["number"] for r in found] == list(range(len(one.actions)))
        again = one.header.new_game()
        for r in found:
            assert r["seat"] == again.seat
            assert r["agent"] == ("ann", "bob", "cem")[again.seat]
            again.step(r["name"])
        assert again.is_over


def test_notes_of_agents_are_written(tmp_path):
    one = game(4)
    wanted = decisions([one])
    notes = np.full((len(one.actions), 3), np.nan)
    notes[0, :2] = 0.25, 0.5
    shares = [None] * len(one.actions)
    count = int(wanted.masks[0].sum())
    shares[0] = np.full(count, 1 / count, np.float32)
    said = RecordedGame(**{**one.__dict__, "notes": notes})
    write_part(tmp_path, 0, [AnnotatedGame(said, shares)], 0, with_observations=False)
    rows = read_table(tmp_path, "decisions", 0).to_pylist()
    assert (rows[0]["wins"], rows[0]["probability"]) == (0.25, 0.5)
    assert rows[0]["probabilities"] == pytest.approx([1 / count] * count)
    assert rows[1]["probabilities"] is None
    assert OBSERVATION not in rows[0]


def test_every_column_tells_what_it_means(written):
    folder, _ = written
    for name, schema in (("games", GAMES), ("decisions", DECISIONS)):
        stored = parquet.read_schema(folder / f"{name}-00000.parquet")
        for field in schema:
            meaning = stored.field(field.name).metadata[b"description"].decode()
            assert len(meaning) > 5
            assert meaning in column_table(name)
    assert json.loads(read_table(folder, "games", 0)["options"][0].as_py())["target_score"] == 5


def test_what_is_damaged_or_missing_is_named(written, tmp_path):
    with pytest.raises(DatasetError, match=r"there are no games-\*.parquet in"):
        list(recorded_games(tmp_path))
    (tmp_path / "games-00000.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(DatasetError, match=r"games-00000.parquet cannot be read"):
        list(recorded_games(tmp_path))
    folder, _ = written
    table = read_table(folder, "games", 0)
    parquet.write_table(table.drop_columns(["actions"]), tmp_path / "games-00000.parquet")
    with pytest.raises(DatasetError, match="no matching column actions"):
        list(recorded_games(tmp_path))
    wrong = table.set_column(table.schema.get_field_index("options"), "options", [["{}", "["]])
    parquet.write_table(wrong, tmp_path / "games-00000.parquet")
    with pytest.raises(DatasetError, match="game 0: 3 agents for 2 players"):
        list(recorded_games(tmp_path))


def test_a_changed_action_is_found_when_the_game_is_played_again(written, tmp_path):
    folder, _ = written
    rows = read_table(folder, "games", 0).to_pylist()
    rows[0]["actions"][5] = 255
    parquet.write_table(pa.Table.from_pylist(rows, GAMES), tmp_path / "games-00000.parquet")
    with pytest.raises(ValueError, match=r"games-00000.parquet, game 0"):
        decisions(recorded_games(tmp_path))


def test_games_of_other_sizes_are_not_mixed(tmp_path):
    two = game(5, Options(2, target_score=4))
    with pytest.raises(ValueError, match="this game has 2 players, earlier games have 3"):
        write_part(
            tmp_path, 0, [AnnotatedGame(game(1)), AnnotatedGame(two)], 0, with_observations=False
        )
    assert parts_in(tmp_path) == []
    assert isinstance(two.header.new_game(), Game)
