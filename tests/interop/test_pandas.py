"""The tables of games survive a Parquet file, every value and every type."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from impulse_env import Game, analysis
from impulse_env.records.record import Header
from replayed import TABLES, play

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")
pytestmark = pytest.mark.interop


@pytest.fixture(scope="module")
def found():
    """The tables of a game at each table, one with a large seed, one that began in the middle."""
    plays = [play(index) for index in range(len(TABLES))]
    large = play(0, seed=2**64 - 3)
    game = plays[0].header.new_game()
    middle = replace(plays[0], header=Header.of_game(game, plays[0].header.agents))
    return analysis.tables([*plays, large, middle])


def test_the_page_of_pandas_runs(shown):
    for table in analysis.COLUMNS:
        pd.testing.assert_frame_equal(
            getattr(shown["again"], table), getattr(shown["found"], table)
        )


@pytest.mark.parametrize("table", analysis.COLUMNS)
@pytest.mark.parametrize("rows", ["all", "none"])
def test_a_table_comes_back_as_it_was(table, rows, found, tmp_path):
    saved = found if rows == "all" else analysis.tables([])
    analysis.save(saved, tmp_path)
    before, after = getattr(saved, table), getattr(analysis.load(tmp_path), table)
    pd.testing.assert_frame_equal(after, before, check_exact=True)
    for column in analysis.COLUMNS[table]:
        assert str(after[column.name].dtype) == column.dtype
        values = zip(before[column.name], after[column.name], strict=True)
        assert all(type(one) is type(other) for one, other in values)


@pytest.mark.parametrize("table", analysis.COLUMNS)
def test_pandas_alone_keeps_every_type_that_is_no_tuple(table, found, tmp_path):
    """The seed used to come back as int64, and as float64 where one was missing."""
    before = getattr(found, table)
    before.to_parquet(tmp_path / "table.parquet")
    after = pd.read_parquet(tmp_path / "table.parquet")
    for column in analysis.COLUMNS[table]:
        assert str(after[column.name].dtype) == column.dtype
        if column.dtype != "object":
            pd.testing.assert_series_equal(after[column.name], before[column.name])


def test_pandas_alone_reads_tuples_as_arrays_and_forgets_categories_without_rows(tmp_path):
    """If it fails, the page is to be changed."""
    for games, file in ((analysis.tables([play(0)]), "some"), (analysis.tables([]), "none")):
        games.turns.to_parquet(tmp_path / file)
    some, none = (pd.read_parquet(tmp_path / file) for file in ("some", "none"))
    assert isinstance(some.hand[0], np.ndarray)
    expected = analysis.tables([]).turns.plan.cat.categories
    assert list(some.plan.cat.categories) == list(expected) != []
    assert list(none.plan.cat.categories) == []


def test_a_file_of_another_table_is_refused_in_one_sentence(found, tmp_path):
    analysis.save(found, tmp_path)
    found.games.drop(columns="seed").assign(color=1).to_parquet(tmp_path / "games.parquet")
    wrong = r"games\.parquet is not a table of games: missing columns are seed; unknown are color$"
    with pytest.raises(analysis.TableError, match=wrong):
        analysis.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        analysis.load(tmp_path / "nowhere")


def test_without_pyarrow_it_says_what_is_missing(tmp_path):
    script = (
        "import sys; sys.modules['pyarrow'] = None; from impulse_env import analysis; "
        f"analysis.save(analysis.tables([]), {str(tmp_path)!r})"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stderr.endswith('Parquet files need pyarrow: pip install "impulse-env[data]"\n')


def test_a_large_seed_keeps_all_its_bits_beside_one_that_is_missing(found):
    seeds = found.games.seed
    assert seeds[: len(TABLES) + 1].tolist() == [2] * len(TABLES) + [2**64 - 3]
    assert seeds[len(TABLES) + 1 :].isna().tolist() == [True]


def test_a_seed_beyond_64_bits_is_the_one_that_deals_the_same_game():
    first = play(0)
    below = replace(first, header=replace(first.header, seed=2 - 2**64))
    assert analysis.tables([below]).games.seed.tolist() == [2]
    assert Game(seed=2) == Game(seed=2 - 2**64)
