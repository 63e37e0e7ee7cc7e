"""The explorer's page is one file, in which names are data, and says what the tree says."""

import base64
import gzip
import json
import re
from dataclasses import replace
from itertools import islice

import pytest

from impulse_env import drawing
from impulse_env.records.record import SeatedAgent
from impulse_training.report.explore.drawings import examples, is_on_left
from impulse_training.report.explore.explore_options import ExploreArgs
from impulse_training.report.explore.page import page
from impulse_training.report.explore.table import rows_of
from openings import explored
from recorded import TABLES, played

RECORDS = [
    *(played(TABLES[8], seed)[0] for seed in range(8)),
    *(played(TABLES[1], seed)[0] for seed in range(2)),
]
EVIL = "</script><img src=x onerror=alert(1)>"


def data_of(html):
    (packed,) = re.findall(r'id="data">([^<]*)</script>', html)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


@pytest.fixture(scope="module")
def found():
    return explored(RECORDS, least=2, cards="action")


def test_nothing_is_loaded_and_every_place_of_the_template_is_filled(found):
    html = page(found, ExploreArgs())
    assert "<!--" not in html
    assert "default-src 'none'; script-src 'sha256-" in html
    assert not re.search(r"https?://(?!www\.w3\.org/)", html)
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert word not in html


def test_names_of_agents_are_data_and_nothing_else():
    header = RECORDS[0].header
    evil = replace(header, agents=(SeatedAgent(EVIL), SeatedAgent("b")))
    html = page(explored([replace(RECORDS[0], header=evil)]), ExploreArgs())
    assert EVIL not in html
    assert "onerror" not in html
    data = data_of(html)
    assert [data["texts"][name] for name in data["games"]["agents"][0]] == [EVIL, "b"]


def test_the_same_games_are_the_same_page(found):
    assert page(found, ExploreArgs()) == page(
        explored(RECORDS, least=2, cards="action"), ExploreArgs()
    )


def test_the_lines_of_the_page_add_up_to_the_tree(found):
    data = data_of(page(found, ExploreArgs()))
    nodes, lines = data["nodes"], data["lines"]
    played_there = [0] * len(nodes["parent"])
    won = [0.0] * len(nodes["parent"])
    for end, wins in zip(lines["node"], lines["won"], strict=True):
        while end >= 0:
            played_there[end] += 1
            won[end] += wins
            end = nodes["parent"][end]
    rows = rows_of(found)
    assert played_there == [row.played for row in rows]
    assert won == pytest.approx([row.won * row.played for row in rows])
    assert [data["texts"][text] for text in nodes["text"]] == [row.choice for row in rows]
    assert [data["texts"][race] for race in lines["race"]] == [line.race for line in found.lines]
    assert {str(home) for home in lines["home"]} == set(data["cards"])


@pytest.mark.parametrize("eyes", ["seat", "public"])
def test_a_board_is_that_of_a_game_that_went_there(found, eyes):
    args = ExploreArgs(drawings=6, eyes=eyes)
    boards = data_of(page(found, args))["boards"]
    assert len(boards["nodes"]) == 6
    for node, board in boards["nodes"].items():
        line = found.lines[board["line"]]
        path = [0, *line.nodes]
        assert int(node) in path
        step = [0, *line.steps][path.index(int(node))]
        game = next(islice(RECORDS[line.game].games(), step, None))
        parts = drawing.parts(game.state, line.seat if eyes == "seat" else None)
        shown = [boards["fragments"][number] for number in board["parts"]]
        assert shown[1:] == list(parts.values())[1:]
        assert board["size"] == list(
            drawing.size(game.state, line.seat if eyes == "seat" else None)
        )
        assert board["own"] == (line.seat == 0)


def test_boards_are_those_of_the_nodes_played_most_and_on_the_left_where_possible(found):
    chosen = examples(found, 6)
    rows = rows_of(found)
    least = min(rows[example.node].played for example in chosen)
    missing = {row.node for row in rows} - {example.node for example in chosen}
    assert all(rows[node].played <= least for node in missing)
    for example in chosen:
        through = [r for r, line in enumerate(found.lines) if example.node in (0, *line.nodes)]
        assert is_on_left(found, example.line) == any(is_on_left(found, r) for r in through)
    assert examples(found, 0) == []


def test_a_page_of_many_boards_is_small(found):
    boards = page(found, ExploreArgs(drawings=300))
    assert len(boards.encode()) < 400_000
