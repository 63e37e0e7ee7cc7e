"""The table at every kind of decision: axe finds nothing wrong, and one can choose."""

import numpy as np
import pytest

from accessible import faults
from impulse_env.engine.ops import KINDS
from impulse_env.game import Game
from impulse_table.tables.protocol import PERSON, NewTable
from impulse_table.tables.store import Store
from impulse_table.tables.table import Table

pytestmark = pytest.mark.browser

SCHEMES = ("light", "dark")
RARE = ((4, 42), (6, 21))
"""Players and seed of random games with a choice between owners, and one with an empty deck."""


def first_of_each_kind():
    """Return the options and the actions of random games up to a decision of each kind."""
    found = {}
    for players, seed in (*((2, seed) for seed in range(60)), *RARE):
        options = {"seed": seed, "races": None if seed else "draft"}
        game, rng, taken = Game(players, **options), np.random.default_rng(seed), []
        while not game.is_over and len(taken) < 1000:
            shortest = found.get(game.decision.kind)
            if shortest is None or len(taken) < len(shortest[2]):
                found[game.decision.kind] = players, options, list(taken)
            taken.append(game.name(int(rng.choice(game.legal_actions()))))
            game.step(taken[-1])
    return found


@pytest.fixture(scope="module")
def tables(served):
    """The address of the seat that decides, by the kind of decision."""
    store, addresses = Store(served.folder), {}
    for kind, (players, options, actions) in first_of_each_kind().items():
        table = Table.create(NewTable(seats=[PERSON] * players, **options))
        for action in actions:
            table.act(action)
        store.keep(table)
        token = table.saved.seats[table.game.seat].token
        addresses[kind] = f"{served.address}table/{table.name}#{token}"
    return addresses


def test_axe_finds_nothing_wrong_at_any_kind_of_decision(visit, tables):
    assert tables.keys() == set(KINDS)
    page = visit()
    for number, (kind, address) in enumerate(tables.items()):
        page.emulate_media(color_scheme=SCHEMES[number % 2])
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_selector("#options button")
        assert faults(page) == [], kind
