"""What notebooks share: tournaments that go on, tables that know the deal, and cached tables."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import impulse_agents
from impulse_training.statistics.estimates import estimate
from lab import session


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(session, "FOLDER", tmp_path)
    monkeypatch.setattr(session, "SMALL", True)
    return tmp_path


def test_a_figure_made_without_pyplot_is_shown_under_its_title(monkeypatch):
    shown = []
    monkeypatch.setattr(session, "display", shown.append)
    figure = Figure()
    axes = figure.subplots()
    session.show(figure, "Strength of the agents")
    assert axes.get_title() == "Strength of the agents"
    assert shown[0].data.startswith(b"\x89PNG")


def test_a_tournament_is_played_once_and_reported_at_its_end(folder, capsys):
    first = session.tournament("duel", ["random", "miner"], games=4, seed=3)
    assert first == folder / "duel"
    games = (first / "games.jsonl").read_text(encoding="utf-8")
    session.tournament("duel", ["random", "miner"], games=4, seed=3)
    assert (first / "games.jsonl").read_text(encoding="utf-8") == games
    last = capsys.readouterr().out.splitlines()[-1]
    assert "duel: 4 games of 2 players, deals of seed 3: random, miner" in last


def test_tables_of_several_tournaments_know_deals_and_folders(folder):
    folders = [
        session.tournament("two", ["random", "miner"], games=4),
        session.tournament("two again", ["random", "trader"], games=4),
        session.tournament("three", ["random", "miner", "trader"], games=3, players=3),
    ]
    found = session.load_tables(*folders, kinds={"random": "chance", "miner": "rules"})
    games = found.games
    assert games.game.tolist() == list(range(11))
    assert games.folder.tolist() == ["two"] * 4 + ["two again"] * 4 + ["three"] * 3
    assert games.players.tolist() == [2] * 8 + [3] * 3
    assert games.groupby("deal").seed.nunique().eq(1).all()
    assert games.deal.nunique() == 3  # both tournaments of two have the same two deals
    for rows in (found.seats, found.turns, found.decisions, found.battles):
        assert {"folder", "players", "deal", "who"} <= set(rows)
    agents, who = found.seats.agent, found.seats.who
    assert who[agents == "random"].eq("chance").all()
    assert who[agents == "trader"].isna().all()


def test_dots_stand_where_the_estimates_are():
    table = pd.DataFrame({"game": range(40), "agent": ["a", "b"] * 20, "won": np.arange(40) % 3})
    found = estimate(table, "won", "agent")
    axes = Figure().subplots()
    session.plot_estimates(axes, found, color="black")
    session.plot_estimates(axes, found, 0.2, color="red")
    (line, *_), *_ = axes.containers
    assert line.get_xdata().tolist() == found["mean"].tolist()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    assert axes.yaxis_inverted()


def test_the_same_question_is_played_once(tmp_path):
    greedy, played = impulse_agents.make("greedy"), []

    def play():
        played.append(1)
        return pd.DataFrame({"deal": [1, 2], "won": [True, False], "race": ["ariek", "x"]})

    first = session.cached("who", play, [greedy], tmp_path, games=2)
    again = session.cached("who", play, [greedy], tmp_path, games=2)
    assert len(played) == 1
    assert first.equals(again)
    assert first.equals(play())
    session.cached("who", play, [greedy], tmp_path, games=3)
    session.cached("who", play, [impulse_agents.make("warrior")], tmp_path, games=2)
    assert len(list(tmp_path.iterdir())) == 3


def test_what_breaks_off_leaves_no_table(tmp_path):
    def play():
        raise KeyboardInterrupt

    try:
        session.cached("who", play, [], tmp_path)
    except KeyboardInterrupt:
        assert not list(tmp_path.glob("who-*"))
