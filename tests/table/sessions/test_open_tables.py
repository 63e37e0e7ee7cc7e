"""Tables that nobody sits at leave memory; they stay on disk, there when they are asked for."""

from impulse_table.sessions.client import Client
from impulse_table.sessions.open_tables import OpenTables
from impulse_table.tables.protocol import Join, NewTable
from impulse_table.tables.store import Store
from impulse_table.tables.table import Table


async def unheard(message):
    pass


async def test_a_table_without_pages_leaves_memory_after_ten_minutes_and_comes_back(
    tmp_path, workers
):
    now = [0.0]
    store = Store(tmp_path)
    tables = [Table.create(NewTable(seats=["person", "person"])) for _ in range(2)]
    for table in tables:
        store.keep(table)
    left, sat_at = (table.name for table in tables)
    opened = OpenTables(store, workers, lambda: now[0])
    before = await opened.session(left)
    page = Client(unheard)
    (await opened.session(sat_at)).enter(page, Join())
    for seconds, names in ((0, {left, sat_at}), (599, {left, sat_at}), (600, {sat_at})):
        now[0] = seconds
        opened.look_for_idle_sessions()
        assert set(opened.sessions) == names
    assert await opened.session(left) is not before
    now[0] = 900
    opened.look_for_idle_sessions()
    assert set(opened.sessions) == {left, sat_at}
    opened.close()
