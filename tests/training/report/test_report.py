"""The report says what the statistics say, stands alone, and trusts no name."""

import csv
import json
import re
from base64 import b64decode
from dataclasses import replace
from html import unescape
from io import StringIO

import pytest
from rich.console import Console

from commands import impulse, refusal
from impulse_training.report import page as report
from impulse_training.report import plots
from impulse_training.report.printing import print_table
from impulse_training.report.table import Table
from impulse_training.report.tournament_tables import rating_with_interval
from impulse_training.statistics.elo import AnchorError, Rating
from impulse_training.statistics.summary import summarise
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.store import Store
from simulated import failed_game, game, identities, pairs, simulated, truncated_game

TRUE = {"a": -250.0, "b": -50.0, "c": 100.0, "policy:runs/demo & co/policy.safetensors": 200.0}
HOSTILE = "[bold]<script>alert('$x_1$')</script>"
SAME_IN_EVERY_RUN = (
    *("ratings.csv", "matrix.csv", "points.csv", "seats.csv", "lengths.csv"),
    "summary.json",
)


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def printed(statistics, width=100):
    console = Console(file=StringIO(), width=width)
    report.print_tables(console, statistics)
    return console.file.getvalue()


def test_the_files_hold_the_statistics(tmp_path):
    results = simulated(TRUE, 2, 60, seed=1)
    statistics = report.write(tmp_path, {}, results)
    assert statistics == summarise(results)
    ratings = rows_of(tmp_path / "ratings.csv")
    assert [row["agent"] for row in ratings] == [row.name for row in statistics.agents]
    for row, agent in zip(ratings, statistics.agents, strict=True):
        assert float(row["rating"]) == pytest.approx(agent.rating.rating, abs=1e-6)
        assert float(row["rating_low"]) == pytest.approx(agent.rating.low, abs=1e-6)
        assert (int(row["games"]), float(row["wins"])) == (agent.won.games, agent.won.wins)
    matrix = rows_of(tmp_path / "matrix.csv")
    assert sum(float(row["wins"]) for row in matrix) == len(results)
    assert sum(int(row["games"]) for row in rows_of(tmp_path / "seats.csv")) == 2 * len(results)
    assert sum(int(row["games"]) for row in rows_of(tmp_path / "lengths.csv")) == len(results)
    assert {float(row["trade"]) for row in rows_of(tmp_path / "points.csv")} == {3}
    assert {float(row["ms_per_decision"]) for row in rows_of(tmp_path / "thinking.csv")} == {2}
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["games"] == len(results)
    assert [row["rating"]["name"] for row in summary["agents"]] == [r["agent"] for r in ratings]
    assert "thinking" not in summary


def test_files_are_the_same_whenever_the_games_are(tmp_path):
    results = simulated(TRUE, 4, 15, seed=2)
    again = [replace(result, seconds=[0.5] * 4) for result in reversed(results)]
    report.write(tmp_path / "first", {"workers": 1}, results)
    report.write(tmp_path / "second", {"workers": 2}, again)
    for name in SAME_IN_EVERY_RUN:
        first, second = (tmp_path / run / name for run in ("first", "second"))
        assert first.read_bytes() == second.read_bytes(), name


def test_an_interval_without_an_end_survives_in_the_files(tmp_path):
    statistics = report.write(tmp_path, {}, pairs("x", 20, "y", 0))
    best, other = rows_of(tmp_path / "ratings.csv")
    assert (best["agent"], best["rating_high"], other["rating_low"]) == ("x", "inf", "-inf")
    assert float(best["rating_low"]) == -float(other["rating_high"]) > 0
    assert (best["high"], other["low"]) == ("1.0", "0.0")
    summary = json.loads((tmp_path / "summary.json").read_text())
    first, last = (row["rating"] for row in summary["agents"])
    assert first["high"] is last["low"] is None
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for text in (printed(statistics), page):
        assert re.search(r"476 \[\d+, ∞\]", text)
        assert re.search(r"-476 \[-∞, -\d+\]", text)
        assert "the results set no limit" in " ".join(text.split())
    picture = plots.ratings(statistics)
    marks = [line.get_marker() for line in picture.axes[0].lines]
    assert (marks.count("<"), marks.count(">")) == (1, 1)


def test_nothing_printed_is_a_negative_zero(tmp_path):
    results = [game(n, ["xy", "yz"][n % 2], [0]) for n in range(40)]
    text = printed(report.write(tmp_path, {}, results, anchor="y"))
    assert re.search(r"y +0 +40", text), "an anchor has no interval"
    nearly = Rating("y", -0.3, -0.4, 0.2)
    assert rating_with_interval(nearly, is_anchor=False) == "0 [0, 0]"
    assert "-0" not in text.split()


@pytest.mark.parametrize("games", range(2, 60, 3))
def test_a_seat_that_wins_every_game_is_drawn(games):
    statistics = summarise(pairs("x", games, "y", 0))
    assert (statistics.seats[0].high, statistics.seats[1].low) == (1, 0)
    assert plots.seats(statistics).axes


def test_the_page_stands_alone_and_names_every_agent(tmp_path):
    settings = {
        "agents": list(TRUE),
        "seed": 4321,
        "command": "impulse tournament --agents a b",
    }
    results = [*simulated(TRUE, 2, 30, seed=3), failed_game(1000, ["a", "b"], seat=0)]
    report.write(tmp_path, settings, results)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for name in TRUE:
        assert name in unescape(page)
    for text in ("4321", "impulse tournament --agents a b", "Traceback: &lt;b&gt;boom", "Faults"):
        assert text in page
    assert not re.search(r"https?://", page)
    sources = re.findall(r'(?:src|href)="([^"]*)"', page)
    pictures = [b64decode(source.removeprefix("data:image/svg+xml;base64,")) for source in sources]
    assert len(pictures) == 6
    assert all(b"<svg" in picture for picture in pictures)


def test_a_single_deal_is_not_plural(tmp_path):
    report.write(tmp_path, {"seed": 1}, simulated({"a": 0.0, "b": 0.0}, 2, 1, 0))
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "2 games on 1 deal." in page
    assert "resamplings of 1 deal," in page
    assert "1 deals" not in page


def test_a_hostile_name_is_text_everywhere(tmp_path):
    results = [*pairs(HOSTILE, 3, "y", 2), failed_game(5, [HOSTILE, "y"], seat=0)]
    statistics = report.write(tmp_path, {"agents": [HOSTILE, "y"], HOSTILE: 1}, results)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert HOSTILE in unescape(page)
    assert HOSTILE in printed(statistics, width=140)
    assert HOSTILE in {row["agent"] for row in rows_of(tmp_path / "ratings.csv")}


def test_a_narrow_terminal_leaves_nothing_of_a_table_out():
    rows = (("policy+search:2p:300", *(f"{n}23 [100, 200]" for n in range(9))),)
    screen = Console(file=StringIO(), width=40)
    print_table(screen, Table("Title", ("Agent", *("ms per decision",) * 9), rows))
    printed = "".join(screen.file.getvalue().split())
    assert all(cell.replace(" ", "") in printed for cell in rows[0])


@pytest.mark.parametrize(
    "results",
    [
        [truncated_game(n, ["x", "y"]) for n in range(2)],
        [failed_game(n, ["x", "y"], seat=0) for n in range(2)],
        [replace(result, decisions=[0, 0]) for result in pairs("x", 1, "y", 0)],
        simulated({f"agent {n}": 0.0 for n in range(12)}, 6, 5, seed=4),
    ],
    ids=["truncated", "failed", "one game without a choice", "twelve agents"],
)
def test_every_tournament_has_a_report(tmp_path, results):
    statistics = report.write(tmp_path, {}, results)
    assert (tmp_path / "report.html").exists()
    for table in ("Ratings", "Who beats whom", "Points by source", "Seats", "Thinking time"):
        assert table in printed(statistics)


def test_a_tournament_without_games_has_no_report(tmp_path):
    with pytest.raises(TournamentError, match="no finished game"):
        report.write(tmp_path, {}, [])
    assert "No game has finished yet" in printed(summarise([]))


def test_an_unknown_anchor_writes_nothing(tmp_path):
    with pytest.raises(AnchorError):
        report.write(tmp_path / "out", {}, pairs("x", 1, "y", 1), anchor="z")
    assert not (tmp_path / "out").exists()


def finished(folder, settings, winner):
    """A folder with all games, in which a seat of that agent wins."""
    store = Store(folder, settings)
    store.begin(identities(settings.agents))
    with store.writing() as writer:
        for played in map(store.schedule.__getitem__, range(len(store.schedule))):
            names = store.schedule.names(played)
            writer.add(game(played.number, names, [names.index(winner)], deal=played.deal))


# --- The command ---------------------------------------------------------------------------------


def test_the_command_makes_the_report_of_a_folder_again(tmp_path, capsys):
    finished(tmp_path, Settings(("x", "y"), games=10), winner="x")
    assert impulse("tournament", "report", tmp_path, "--anchor", "x") == 0
    assert "x is 0" in capsys.readouterr().out
    assert "impulse_env" in (tmp_path / "report.html").read_text(encoding="utf-8")
    ratings = {row["agent"]: row["rating"] for row in rows_of(tmp_path / "ratings.csv")}
    assert ratings["x"] == "0.0"
    assert impulse("tournament", "report", tmp_path, "--anchor", "z") == 2
    assert "'z' plays in no game" in refusal(capsys)


def test_the_command_says_what_a_folder_lacks(tmp_path, capsys):
    assert impulse("tournament", "report", tmp_path) == 2
    assert "it has no settings.json" in refusal(capsys)
    Store(tmp_path, Settings(("x", "y"))).begin(identities(("x", "y")))
    assert impulse("tournament", "report", tmp_path) == 2
    assert "has no games: games.jsonl is missing" in refusal(capsys)
