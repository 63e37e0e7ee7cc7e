"""A choice can be taken back until something hidden was shown, and others agree."""

import numpy as np
import pytest
from msgspec.structs import replace

from impulse_env.information import as_seen
from impulse_env.testing.random_play import random_choice
from impulse_table.tables.protocol import NewTable
from impulse_table.tables.store import Store
from impulse_table.tables.table import Table
from impulse_table.tables.takeback import shows


def played(seed, steps, players=2):
    table = Table.create(NewTable(seats=["person"] * players, seed=seed))
    choose = random_choice(seed)
    for _ in range(steps):
        if table.game.is_over:
            break
        table.act(table.game.name(choose(table.game)))
    return table


@pytest.mark.parametrize("players", [2, 4])
def test_it_stands_as_before_the_choice_and_on_disk_too(players, tmp_path):
    taken = 0
    for seed in range(2):
        table, earlier = played(seed, 0, players), []
        choose = random_choice(seed)
        for _ in range(40):
            seat, before = table.game.seat, table.game.copy()
            earlier.append((before, list(table.journal)))
            table.act(table.game.name(choose(table.game)))
            step = table.ways_back.of(seat)
            if step is None:
                continue
            assert step == table.step - 1
            table.take_back(step)
            taken += 1
            assert (table.game, table.journal) == earlier.pop()
            Store(tmp_path).keep(table)
            assert Store(tmp_path).check(table.name)[1] == before
            assert table.ways_back.of(seat) is None or table.ways_back.of(seat) < step
            table.act(table.game.name(choose(table.game)))
            if table.game.is_over:
                break
    assert taken > 10


def test_a_seat_that_may_go_back_knows_no_more_than_it_did():
    """In all worlds that it could not tell apart, the same choices lead to the same sight."""
    checked = 0
    for seed in range(8):
        table = played(seed, 50)
        for seat in (0, 1):
            step = table.ways_back.of(seat)
            if step is None:
                continue
            before = _at(table, step)
            sight = as_seen(table.game.state, seat).tobytes()
            rng = np.random.default_rng(seed)
            for _ in range(6):
                world = before.view(seat).determinize(seat, rng)
                for action in table.saved.actions[step:]:
                    world.step(action)
                assert as_seen(world.state, seat).tobytes() == sight
            checked += 1
    assert checked


def _at(table, step):
    saved = replace(table.saved, actions=table.saved.actions[:step])
    return saved.replayed()


def test_a_card_from_the_deck_or_out_of_a_hand_ends_it():
    table, choose, shown = played(3, 0), random_choice(3), 0
    for _ in range(80):
        seat, before = table.game.seat, table.game.state.copy()
        table.act(table.game.name(choose(table.game)))
        after = table.game.state
        if any(after[field].tobytes() != before[field].tobytes() for field in ("deck", "rng")):
            assert shows(before, after, 0)
            assert shows(before, after, 1)
            assert table.ways_back.of(0) is None
            assert table.ways_back.of(1) is None
            shown += 1
        elif after["hand"][seat].tobytes() != before["hand"][seat].tobytes():
            assert shows(before, after, 1 - seat)
            assert table.ways_back.of(1 - seat) is None
    assert shown > 5
