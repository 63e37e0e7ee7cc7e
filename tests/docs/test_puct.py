"""The search of the tutorial plays, and by what its seat may know."""

import sys

import numpy as np
import pytest

import impulse_agents
from impulse_env import Game
from pages import ROOT

pytest.importorskip("torch")


@pytest.fixture(scope="module")
def puct():
    sys.path.insert(0, str(ROOT / "docs/tutorials"))
    yield __import__("puct")
    sys.path.pop(0)


def test_a_match_is_printed(puct, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", "puct --simulations 2 --games 2 --against random".split())
    puct.main()
    assert capsys.readouterr().out.startswith("2 games: ")


def test_a_simulation_counts_once_at_every_node_on_its_way(puct):
    searcher = puct.Puct(impulse_agents.make("policy:2p"))
    game, rng = Game(players=2, seed=3), np.random.default_rng(0)
    root, chances = searcher.expand(game)
    assert chances.sum() == pytest.approx(1)
    for _ in range(12):
        searcher.simulate(root, game.determinize(game.seat, rng))
    assert root.visits.sum() == 12
    assert (root.totals <= root.visits).all()
    below = sum(child.visits.sum() for child in root.children.values())
    assert below == 12 - len(root.children)


def test_what_is_hidden_changes_no_action(puct):
    searcher = puct.Puct(impulse_agents.make("policy:2p"), simulations=4)
    game = Game(players=2, seed=3)
    possible = game.determinize(game.seat, np.random.default_rng(9))
    one, other = (searcher.act_in_game(g, np.random.default_rng(0)) for g in (game, possible))
    assert one == other
