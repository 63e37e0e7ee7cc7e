"""Files that are no table of this version: one sentence each, and they stay as they are."""

import asyncio
import json
import os

import pytest

from impulse_agents.base import AgentError
from impulse_table.sessions.startup_check import check_tables
from impulse_table.tables.protocol import NewTable
from impulse_table.tables.store import DamagedTableError, Store
from impulse_table.tables.table import Table, TableError
from impulse_table.workers.pool import WorkerError


def create(**options):
    return Table.create(NewTable(**{"seed": 7, "seats": ["person", "greedy"], **options}))


def kept(store, **options):
    """A table in the store with a few decisions: its name, and what its file says."""
    table = create(**options)
    for _ in range(5):
        table.act(table.game.name(table.game.legal_actions()[0]))
    store.keep(table)
    return table.name, json.loads(store.path(table.name).read_text())


def changed(**fields):
    return lambda told: json.dumps(told | fields).encode()


DAMAGES = {
    "empty": lambda told: b"",
    "cut in its actions": lambda told: json.dumps(told).encode()[:-20],
    "no JSON": lambda told: b"PK\x03\x04\xff\xfe\x00",
    "nested without end": lambda told: b"[" * 100_000,
    "a list": lambda told: b"[]",
    "another version": changed(version=2),
    "another version with a field": changed(version=2, fresh=1),
    "a version that is no number": changed(version=True),
    "an unknown field": changed(fresh=1),
    "another table's name": changed(name="other"),
    "a name that leads out of the folder": changed(name="../other"),
    "seats that are words": changed(seats="two"),
    "a seat that is a number": changed(seats=[1, 2]),
    "too few seats": lambda told: json.dumps(told | {"seats": told["seats"][:1]}).encode(),
    "a person without a token": changed(seats=[{"player": "person"}, {"player": "greedy"}]),
    "an agent with a token": changed(
        seats=[{"player": "greedy", "token": "x"}, {"player": "greedy"}]
    ),
    "a seed below 0": changed(seed=-1),
    "a seed that is too large": changed(agent_seed=1 << 70),
    "a seed that is a word": changed(seed="7"),
    "no seed": lambda told: json.dumps(
        {key: value for key, value in told.items() if key != "seed"}
    ).encode(),
    "options that no game has": changed(options={"players": 7}),
    "options of another name": changed(options={"plyers": 2}),
    "options that say much": changed(options={"races": ["x\n" * 9000] * 2}),
    "an unknown action": changed(actions=["nothing"]),
    "an action that is not legal": changed(actions=["cell 3"]),
    "an action that is a number": changed(actions=[7]),
    "an action without end": changed(actions=["x" * 100_000]),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_table_is_refused_in_one_sentence_and_stays_as_it_is(damage, tmp_path):
    store = Store(tmp_path)
    name, told = kept(store)
    path = store.path(name)
    path.write_bytes(damage(told))
    before = path.read_bytes()
    for read in (store.read, store.check):
        with pytest.raises(DamagedTableError) as refused:
            read(name)
        message = str(refused.value)
        assert str(path) in message
        assert "damaged, or of another version" in message
        assert message.isprintable()
        assert len(message) < 600
        assert told["seats"][0]["token"] not in message
        assert told["host"] not in message
    assert path.read_bytes() == before


def test_another_version_is_reported_as_that(tmp_path):
    store = Store(tmp_path)
    name, told = kept(store)
    store.path(name).write_text(json.dumps(told | {"version": 2, "fresh": 1}))
    with pytest.raises(DamagedTableError, match="it has version 2, and this program reads 1"):
        store.read(name)


def _directory(path, elsewhere):
    path.mkdir()


def _link(path, elsewhere):
    elsewhere.write_text("{}")
    path.symlink_to(elsewhere)


def _dead_link(path, elsewhere):
    path.symlink_to(elsewhere)


def _pipe(path, elsewhere):
    os.mkfifo(path)


def _huge(path, elsewhere):
    with open(path, "wb") as file:
        file.truncate(1 << 40)


@pytest.mark.parametrize("make", [_directory, _link, _dead_link, _pipe, _huge])
def test_only_plain_files_of_a_tables_size_are_opened(make, tmp_path):
    store = Store(tmp_path / "games")
    store.folder.mkdir()
    make(store.path("it"), tmp_path / "elsewhere")
    with pytest.raises(
        DamagedTableError, match=r"it\.json is damaged.*(not a plain file|has .* bytes)"
    ):
        store.read("it")


def test_a_table_of_before_there_were_hosts_is_read(tmp_path):
    store = Store(tmp_path)
    name, told = kept(store)
    del told["host"]
    store.path(name).write_text(json.dumps(told))
    table = store.read(name)
    assert table.step == 5
    assert not table.is_host("x")
    assert not table.is_host(None)


class InThisProcess:
    """Is asked what workers are, and needs no process."""

    async def ask(self, question, *arguments):
        try:
            return question(*arguments)
        except AgentError as error:
            raise WorkerError(str(error)) from error


def test_at_the_start_each_table_that_is_not_as_it_was_has_a_line(tmp_path, caplog):
    caplog.set_level("INFO")
    store = Store(tmp_path)
    good, _ = kept(store)
    lost, _ = kept(store, seats=["person", "nobody", "nobody"])
    for damage in list(DAMAGES)[:6]:
        name, told = kept(store)
        store.path(name).write_bytes(DAMAGES[damage](told))
    store.path("folder").mkdir()
    (tmp_path / "no name.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("no table")
    before = {path: path.is_file() and path.read_bytes() for path in tmp_path.iterdir()}
    asyncio.run(check_tables(store, InThisProcess()))
    assert {path: path.is_file() and path.read_bytes() for path in tmp_path.iterdir()} == before
    lines = caplog.messages
    assert sum("damaged, or of another version" in line for line in lines) == 7
    assert sum("no name.json is not a table" in line for line in lines) == 1
    assert [line for line in lines if line.startswith("tables in")] == [
        f"tables in {tmp_path}: 2 good, 7 damaged"
    ]
    for seat in (1, 2):
        (line,) = [line for line in lines if f"table {lost}, seat {seat}" in line]
        assert "nobody cannot play: unknown agent 'nobody'" in line
    assert not any(good in line for line in lines)
    assert len(lines) == 11
    assert store.read(good).step == 5


def test_a_folder_that_is_not_there_has_no_tables(tmp_path, caplog):
    caplog.set_level("INFO")
    asyncio.run(check_tables(Store(tmp_path / "nowhere"), InThisProcess()))
    assert caplog.messages == []
    assert not (tmp_path / "nowhere").exists()


def test_names_that_no_table_can_have_are_no_damage(tmp_path):
    with pytest.raises(TableError, match="a table's name") as refused:
        Store(tmp_path).read("a b")
    assert not isinstance(refused.value, DamagedTableError)
