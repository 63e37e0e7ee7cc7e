"""Croissant metadata describe the files; mlcroissant accepts them and reads the games."""

import json
import shutil

import pytest

pytest.importorskip("pyarrow")

from impulse_env.dataset import croissant
from impulse_env.dataset.parquet import (
    AnnotatedGame,
    DatasetError,
    column_types,
    read_table,
    write_part,
)
from impulse_env.files import sha256_of
from replayed import play


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two parts of three games between two players, with observations, and their metadata."""
    folder = tmp_path_factory.mktemp("data")
    for part in range(2):
        games = [AnnotatedGame(play(0, seed=3 * part + game)) for game in range(3)]
        write_part(folder, part, games, 3 * part, with_observations=True)
    croissant.write(folder, "impulse-test", "Six games.")
    return folder


@pytest.fixture(scope="module")
def written(folder):
    return json.loads((folder / croissant.FILE).read_text(encoding="utf-8"))


def test_every_file_is_listed_with_its_size_and_digest(folder, written):
    files = {f["@id"]: f for f in written["distribution"] if f["@type"] == "cr:FileObject"}
    assert sorted(files) == sorted(path.name for path in folder.glob("*.parquet"))
    for name, file in files.items():
        assert file["sha256"] == sha256_of(folder / name)
        assert file["contentSize"] == f"{(folder / name).stat().st_size} B"


@pytest.mark.parametrize("table", ["games", "decisions"])
def test_every_column_but_those_of_bytes_is_described(folder, written, table):
    (found,) = [one for one in written["recordSet"] if one["@id"] == table]
    described = {field["name"]: field for field in found["field"]}
    columns = column_types(folder, table, 0)
    left_out = {name for name, *_ in columns} - set(described)
    assert left_out == {"games": {"start"}, "decisions": {"observation"}}[table]
    for name, kind, meaning in columns:
        if name in described:
            assert described[name]["description"] == meaning
            assert described[name].get("isArray", False) == kind.startswith("list of ")


def test_a_damaged_file_is_named(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "copy")
    (tmp_path / "copy/games-00000.parquet").write_bytes(b"no")
    with pytest.raises(DatasetError, match=r"games-00000\.parquet cannot be read"):
        croissant.metadata(tmp_path / "copy", "x", "y")


@pytest.mark.filterwarnings("default")
def test_mlcroissant_accepts_the_metadata_and_reads_every_row(folder):
    mlcroissant = pytest.importorskip("mlcroissant")
    found = mlcroissant.Dataset(folder / croissant.FILE)
    assert found.metadata.issues.errors == set()
    assert "http://mlcommons.org/croissant/1.1" in found.metadata.conforms_to
    games = list(found.records("games"))
    tables = [read_table(folder, "games", part) for part in range(2)]
    assert [game["games/game"] for game in games] == list(range(6))
    assert [game["games/turns"] for game in games] == [
        turns for table in tables for turns in table["turns"].to_pylist()
    ]
    actions = [list(game["games/actions"]) for game in games]
    assert actions == [row for table in tables for row in table["actions"].to_pylist()]
