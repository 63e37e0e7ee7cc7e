"""The pages look as somebody approved them: nothing is missing, moved or in other colors.

A page is compared with its approved picture in a grid of mean colors, so that other fonts and a
pixel here and there do not matter, and a panel that is gone, or a map that has shrunk, does.
`make approve` takes the pictures anew, for a person to look at and commit.
"""

import io
import os
from pathlib import Path

import numpy as np
import pytest

from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.records.record import Header, SeatedAgent, record_of
from impulse_env.replay import page as replay_page
from impulse_table.tables.protocol import PERSON, NewTable
from impulse_table.tables.store import Store
from impulse_table.tables.table import Table
from recorded import made_up
from table_pages import PICTURES

pytestmark = pytest.mark.browser

APPROVED = Path(__file__).parent / "approved"
GRID = (20, 32)
"""Rows and columns."""
ONE_CELL, ALL_CELLS = 0.2, 0.025
"""How far the mean color of a cell may be off, of 1, and that of all cells on average."""
LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}


def played(steps, seed=5, target=20):
    """A random game of two up to that decision, or to its end; its actions and where it stands."""
    game, rng, taken = Game(2, seed, target_score=target), np.random.default_rng(seed), []
    while not game.is_over and len(taken) < steps:
        taken.append(game.name(int(rng.choice(game.legal_actions()))))
        game.step(taken[-1])
    return taken, game


@pytest.fixture(scope="module")
def table(served):
    """The address of the seat that decides, in the middle of a game that never was another."""
    taken, game = played(80)
    made = Table.create(NewTable(seats=[PERSON, PERSON], seed=5))
    for action in taken:
        made.act(action)
    Store(served.folder).keep(made)
    return f"{served.address}table/{made.name}#{made.saved.seats[game.seat].token}"


@pytest.fixture(scope="module")
def replay(tmp_path_factory):
    """The page of a game with an analysis, as a file."""
    taken, game = played(1000, target=4)
    header = Header(Options(target_score=4), (SeatedAgent("random"), SeatedAgent("random")), seed=5)
    record = record_of(header, [game.action(action) for action in taken])
    path = tmp_path_factory.mktemp("replay") / "game.html"
    replay_page.write(record, path, analysis=made_up(record))
    return path.as_uri()


def mean_colors(picture):
    """The mean color of each cell of the grid, 0 to 1."""
    from PIL import Image

    small = picture.convert("RGB").resize(GRID[::-1], Image.Resampling.BOX)
    return np.asarray(small, np.float64) / 255


def compare(page, name):
    from PIL import Image

    seen = Image.open(io.BytesIO(page.screenshot()))
    approved = APPROVED / f"{name}.png"
    if os.environ.get("APPROVE"):
        APPROVED.mkdir(exist_ok=True)
        half = seen.convert("RGB").resize((seen.width // 2, seen.height // 2))
        half.quantize(64, dither=Image.Dither.NONE).save(approved, optimize=True)
    apart = np.abs(mean_colors(seen) - mean_colors(Image.open(approved))).max(axis=2)
    PICTURES.mkdir(parents=True, exist_ok=True)
    seen.save(PICTURES / f"approve-{name}.png")
    assert apart.max() < ONE_CELL, f"{name}: row, column {np.argwhere(apart >= ONE_CELL).tolist()}"
    assert apart.mean() < ALL_CELLS, name


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("screen", "size"), [("laptop", LAPTOP), ("phone", PHONE)])
def test_the_table(visit, table, screen, size, scheme):
    page = visit(table, color_scheme=scheme, **size)
    page.wait_for_selector("#options button", state="attached")
    page.wait_for_selector("#tile-hand [aria-label*=',']")
    page.wait_for_function("() => document.getAnimations().length === 0")
    compare(page, f"table-{screen}-{scheme}")


@pytest.mark.parametrize(("screen", "size"), [("laptop", LAPTOP), ("phone", PHONE)])
def test_the_analysis_board(visit, replay, screen, size):
    page = visit(f"{replay}#40", **size)
    page.wait_for_selector("#analysis:not([hidden])")
    compare(page, f"analysis-{screen}")


def test_what_differs_is_noticed(visit, table):
    """Without the map, and in the other colors."""
    page = visit(table, color_scheme="light", **LAPTOP)
    page.wait_for_selector("#tile-hand [aria-label*=',']")
    page.evaluate("document.querySelector('#tile-map').style.visibility = 'hidden'")
    with pytest.raises(AssertionError):
        compare(page, "table-laptop-light")
    with pytest.raises(AssertionError):
        compare(visit(table, color_scheme="dark", **LAPTOP), "table-laptop-light")
