"""A table is what is kept of it: the same file, the same game, words and seats."""

import stat
from copy import deepcopy

import msgspec
import numpy as np
import pytest

from impulse_env.errors import IllegalActionError
from impulse_env.options import OptionError
from impulse_env.records import reader
from impulse_table.tables.protocol import NewTable
from impulse_table.tables.store import Store
from impulse_table.tables.table import SavedTable, Table, TableError

TABLES = [
    {"seats": ["person", "greedy"]},
    {"seats": ["random", "person", "person"], "races": "draft", "start_player": 1},
    {"seats": ["person"] * 4, "team_size": 2, "target_score": 7},
    {"seats": ["person"] * 5, "target_score": 5},
    {"seats": ["random"] * 6, "team_size": 3},
]


def create(**options):
    return Table.create(NewTable(**{"seed": 7, **options}))


def play(table, decisions, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        legal = table.game.legal_actions()
        if not legal:
            return table
        table.act(table.game.name(legal[int(rng.integers(len(legal)))]))
    return table


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_a_table_read_again_is_the_same(options, tmp_path):
    table = play(create(**options), 80)
    Store(tmp_path).keep(table)
    again = Store(tmp_path).read(table.name)
    assert again.game == table.game
    assert again.saved == table.saved
    assert again.journal == table.journal
    assert len(again.journal) == again.step == table.step > 20


def test_the_file_is_for_its_owner_alone(tmp_path):
    store = Store(tmp_path / "games")
    table = create(**TABLES[0])
    store.keep(table)
    store.path(table.name).chmod(0o644)
    table.revoke(0)
    store.keep(table)
    assert stat.S_IMODE(store.path(table.name).stat().st_mode) == 0o600
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert [path.name for path in store.folder.iterdir()] == [f"{table.name}.json"]


def test_fresh_tables_have_other_names_tokens_seeds_and_chances():
    tables = [Table.create(NewTable(seats=["person", "greedy"])) for _ in range(20)]
    for value in ("name", "seed", "agent_seed"):
        assert len({getattr(table.saved, value) for table in tables}) == len(tables)
    assert len({table.saved.seats[0].token for table in tables}) == len(tables)
    assert all(table.saved.seed != table.saved.agent_seed for table in tables)


def test_tokens_open_their_own_seats_and_no_others():
    table = create(seats=["person", "greedy", "person"])
    tokens = [holder.token for holder in table.saved.seats]
    assert tokens[1] is None
    assert table.saved.seats_of([tokens[0]]) == [0]
    assert table.saved.seats_of([tokens[2], tokens[0]]) == [0, 2]
    assert table.saved.seats_of(["", "x", tokens[0][:-1], "é"]) == []


def test_agents_can_be_replaced_and_persons_cannot():
    table = create(**TABLES[0])
    table.replace(1, "random")
    assert table.saved.seats[1].player == "random"
    for seat in (0, 2):
        with pytest.raises(TableError, match="only an agent can be replaced"):
            table.replace(seat, "random")


def test_an_illegal_action_changes_nothing():
    table = create(**TABLES[0])
    before = deepcopy(table.saved), table.game.copy()
    with pytest.raises(IllegalActionError):
        table.act("cell 3")
    assert (table.saved, table.game, table.journal) == (*before, [])


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_its_record_is_a_record(options):
    table = play(create(**options), 3000)
    assert table.game.is_over
    read = reader.parse(table.record().text())
    *_, last = read.games()
    assert last == table.game
    assert [agent.name for agent in read.header.agents] == options["seats"]


@pytest.mark.parametrize("name", ["", "..", "a/b", "../secret", "a.json", "x" * 33, "a\n"])
def test_no_name_leads_out_of_the_folder(name, tmp_path):
    with pytest.raises(TableError, match="a table's name"):
        Store(tmp_path).read(name)


def test_a_table_that_is_not_there(tmp_path):
    with pytest.raises(TableError, match="no such table"):
        Store(tmp_path).read("nowhere")


def test_a_revoked_token_opens_nothing_and_the_fresh_one_that_seat_alone():
    table = create(seats=["person", "greedy", "person"])
    tokens = [holder.token for holder in table.saved.seats]
    before = table.revoke(2)
    fresh = table.saved.seats[2].token
    assert before.token == tokens[2] != fresh
    assert table.saved.seats_of([tokens[2]]) == []
    assert table.saved.seats_of([fresh]) == [2]
    assert table.saved.seats_of([tokens[0]]) == [0]
    for seat in (1, 3, 5):
        with pytest.raises(TableError, match="only a person has a link"):
            table.revoke(seat)


def test_every_token_is_compared_in_constant_time(monkeypatch):
    compared = []
    monkeypatch.setattr(
        "impulse_table.tables.table.secrets.compare_digest",
        lambda one, other: compared.append({one, other}) or False,
    )
    table = create(seats=["person", "greedy", "person"])
    one, _, other = [holder.token for holder in table.saved.seats]
    # Nothing but that comparison says yes: with it turned off, even the right ones open nothing.
    assert table.saved.seats_of([one, other]) == []
    assert not table.is_host(table.saved.host)
    assert {one.encode()} in compared
    assert {table.saved.host.encode()} in compared
    assert len(compared) == 5


def test_the_host_is_whoever_has_the_hosts_token():
    table = create(**TABLES[0])
    assert table.is_host(table.saved.host)
    for token in (None, "", "x", table.saved.seats[0].token):
        assert not table.is_host(token)
    assert create(seats=["greedy", "random"]).saved.host is None


def test_options_that_no_game_has():
    with pytest.raises(OptionError):
        create(seats=["person"] * 3, team_size=2)


def test_the_saved_table_is_complete():
    table = play(create(**TABLES[1]), 30)
    again = Table(SavedTable.read(msgspec.json.encode(table.saved)))
    assert again.game == table.game
