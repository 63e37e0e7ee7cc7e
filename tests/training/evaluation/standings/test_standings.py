"""An agent is placed among the others by the same games as all of them."""

import json
import re
from dataclasses import asdict, replace
from math import inf, isinf

import numpy as np
import pytest

import impulse_agents
from commands import impulse, refusal
from impulse_agents import standings
from impulse_agents.checkpoints import checkpoint_for
from impulse_agents.standings import Standing, StandingsError
from impulse_training.cli.agents import standings as command
from impulse_training.evaluation.standings import place, protocol, rows
from impulse_training.evaluation.standings.picture import strength_against_time
from impulse_training.evaluation.standings.protocol import TABLES, project_agents, settings_for
from impulse_training.evaluation.standings.rows import StandingsFile
from impulse_training.evaluation.standings.table import standings_table
from impulse_training.statistics.elo import rate, rate_newcomer
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.schedule import Schedule

PANEL = ("greedy", "miner", "trader")
ROW = Standing(
    "greedy",
    2,
    None,
    12.5,
    -3.0,
    None,
    0.5,
    0.5,
    0.48,
    0.4,
    None,
    40,
    0.02,
    "abc",
    "impulse agents standings",
)


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Let the panel be quick and its games few; return where rows are kept."""
    for module in (protocol, place, rows, command):
        monkeypatch.setattr(module, "PANEL", PANEL)
    monkeypatch.setattr(protocol, "PANEL_GAMES", 60)
    monkeypatch.setattr(place, "decision_seconds", lambda agent, options: 0.001)
    monkeypatch.setattr(standings, "FILE", tmp_path / "projects.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "standings.json"


def place_it(small, *words):
    options = ("--games", 24, "--workers", 1, "--file", small, "--folder", small.parent / "games")
    return impulse("agents", "standings", *words, *options)


def game(number, deal, agents, winner):
    count = len(agents)
    empty = [0] * count
    return GameResult(
        number, deal, list(agents), [winner], "target", empty, [], 9, empty, [0.0] * count, []
    )


# --- Ratings --------------------------------------------------------------------------------------


def test_a_newcomers_rating_is_that_of_its_odds():
    # Three of four games won against one rated 100: 191 points above it, nearly.
    agents = ("new", "old")
    games = [game(k, k // 2, agents, int(k % 4 == 0)) for k in range(2000)]
    found = rate_newcomer(games, "new", {"old": 100.0})
    assert found.rating == pytest.approx(100 + 400 * np.log10(3), abs=1.5)
    assert found.low < found.rating < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * 400 / np.log(10) / 19.4, rel=0.2)


def test_a_newcomer_among_known_ones_is_rated_as_with_them_all_together():
    rng = np.random.default_rng(0)
    names, strengths = ("a", "b", "c", "new"), np.array([0.5, 0.0, -0.5, 0.8])
    games = []
    for number in range(6000):
        sitting = rng.permutation(4)[:3]
        odds = np.exp(strengths[sitting])
        winner = int(rng.choice(3, p=odds / odds.sum()))
        games.append(game(number, number, [names[one] for one in sitting], winner))
    together = {row.name: row for row in rate(games)}
    known = {name: together[name].rating for name in names[:3]}
    with_new = [one for one in games if "new" in one.agents]
    found = rate_newcomer(with_new, "new", known)
    assert found.rating == pytest.approx(together["new"].rating, abs=10)


@pytest.mark.parametrize(("winner", "open_end"), [(0, "high"), (1, "low")])
def test_who_wins_every_game_or_none_has_an_open_interval(winner, open_end):
    games = [game(k, k, ("new", "old"), winner) for k in range(40)]
    found = rate_newcomer(games, "new", {"old": 0.0})
    assert isinf(getattr(found, open_end))
    assert not isinf({"low": found.high, "high": found.low}[open_end])


# --- Games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_an_agent_meets_every_line_up_of_the_panel_on_every_side(table):
    settings = settings_for("random", table, 1)
    schedule = Schedule(settings)
    assert schedule.settings.seed == protocol.SEED
    met = {}
    for number in range(len(schedule)):
        seating = schedule.names(schedule[number])
        sides = seating[: schedule.sides]
        assert "random" in sides
        others = frozenset(sides) - {"random"}
        assert len(others) == len(sides) - 1
        met.setdefault(others, []).append(sides.index("random"))
    assert len({name for others in met for name in others}) == len(protocol.PANEL)
    assert all(sorted(places) == list(range(schedule.sides)) for places in met.values())


def test_line_ups_without_the_first_agent_are_those_that_are_left_out():
    every = Schedule(replace(settings_for("random", (3, None), 1), first_only=False))
    with_first = Schedule(settings_for("random", (3, None), 1))
    kept = [circle for circle in every.lineups if 0 in circle[0]]
    assert with_first.lineups == kept
    assert len(kept) < len(every.lineups)


# --- The command ----------------------------------------------------------------------------------


def test_an_agent_is_placed_and_stays(small, capsys):
    assert place_it(small, "random") == 0
    rows = {row.agent: row for row in standings.read(small)}
    assert set(rows) == {*PANEL, "random"}
    assert sum(rows[name].rating for name in PANEL) == pytest.approx(0, abs=0.2)
    random = rows["random"]
    assert random.rating < min(rows[name].rating for name in PANEL)
    assert (random.games, random.par, random.table) == (24, 0.5, (2, None))
    assert random.low is None or random.low < random.rating
    assert random.milliseconds > 0
    assert "2p: panel\n" in capsys.readouterr().out

    assert place_it(small, "random") == 0  # nothing is played again
    assert "2p: panel\n" not in capsys.readouterr().out
    after = {row.agent: row for row in standings.read(small)}
    assert after["random"].rating == random.rating
    assert {name: after[name] for name in PANEL} == {name: rows[name] for name in PANEL}


def test_other_tables_have_ratings_of_their_own(small, capsys):
    assert place_it(small, "random", "--players", 4, "--team-size", 2) == 0
    assert place_it(small, "random", "--players", 3) == 0
    tables = {row.table for row in standings.read(small)}
    assert tables == {(4, 2), (3, None)}
    capsys.readouterr()
    assert impulse("agents", "standings", "--file", small, "--markdown") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "| Agent | 3 players | 4 in teams | ms |"
    assert len(lines) == 2 + len(PANEL) + 1
    assert impulse("agents", "standings", "--file", small, "--players", 3, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["players"] for row in found["rows"]} == {3}


def test_results_are_reported_with_and_without_luck(small, capsys):
    assert place_it(small, "random", "--shares", "--markdown") == 0
    lines = capsys.readouterr().out.splitlines()
    table = lines[lines.index("| Table | Agent | games | par | won | luck-adjusted |") :]
    assert len(table) == 2 + len(PANEL) + 1
    rows = {row.agent: row for row in standings.read(small)}
    for name, row in rows.items():
        (line,) = (line for line in table if f"| {name} |" in line)
        assert f"| {100 * row.won:.1f} [" in line
        assert f"| {100 * row.adjusted:.1f}" in line
    # Of few games the luck is much; the panel's shares without it still make up one game each.
    assert sum(rows[name].adjusted for name in PANEL) / len(PANEL) == pytest.approx(0.5, abs=0.01)
    assert any(row.adjusted != row.won for row in rows.values())


def test_an_agent_of_ones_own_is_placed(small, tmp_path, capsys):
    (tmp_path / "mine.py").write_text(
        "from impulse_agents.heuristics.random_agent import RandomAgent\n"
        "class Mine(RandomAgent):\n    pass\n"
    )
    name = f"{tmp_path / 'mine.py'}:Mine"
    assert place_it(small, name) == 0
    (row,) = (row for row in standings.read(small) if row.agent == name)
    assert row.identity == impulse_agents.identity.identity_of(impulse_agents.make(name)).short
    assert "saved in" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("greedy",), "greedy is in the panel, whose ratings are fixed"),
        (("gredy",), "unknown agent 'gredy'; did you mean greedy"),
        (("policy:2p", "--players", 3), "policy:2p was trained for 2 players"),
        (("random", "--players", 9), "players must be"),
        (("random", "--players", 3, "--team-size", 2), "team_size|teams"),
        (("--all", "--players", 3), "--all takes no agents, --players or --team-size"),
        (("--picture", "x.gif"), "--picture must end in .svg or .png, not be x.gif"),
        (("--players", 5), "there are no standings for this table size"),
    ],
)
def test_what_cannot_be_placed_is_one_sentence(small, capsys, words, said):
    assert place_it(small, *words) == 2
    assert re.search(said, refusal(capsys))
    assert not small.exists()


def test_the_picture_is_drawn(small, capsys):
    assert place_it(small, "random") == 0
    for name in ("a.svg", "a.png"):
        assert (
            impulse("agents", "standings", "--file", small, "--picture", small.parent / name) == 0
        )
        assert (small.parent / name).stat().st_size > 3000
    svg = (small.parent / "a.svg").read_text()
    assert "<svg" in svg
    figure = strength_against_time([ROW, replace(ROW, agent="policy:2p", milliseconds=1.0)])
    (axes,) = figure.axes
    arrows = [text.arrow_patch for text in axes.texts if text.arrow_patch is not None]
    assert len(arrows) == 2, "each of the two has no upper end"


def test_a_picture_names_a_baseline_but_not_the_network_of_the_table():
    slow = [replace(ROW, agent=f"policy:{name}", milliseconds=1.0) for name in ("2p", "sb3-2p")]
    (axes,) = strength_against_time([ROW, *slow]).axes
    assert {text.get_text() for text in axes.texts} - {""} == {"greedy", "sb3-2p"}


def test_every_table_of_the_project_is_in_the_table():
    rows = [replace(ROW, players=players, team_size=size) for players, size in TABLES]
    found = standings_table(rows)
    assert found.columns[1:-1] == (
        *("2 players", "3 players", "4 players", "4 in teams", "5 players", "6 players"),
    )
    assert found.rows == (("greedy", *["12 [-3, ∞]"] * 6, "0.02"),)


def test_a_checkpoint_of_a_table_is_one_family():
    rows = [
        replace(ROW, agent=f"policy+search:{checkpoint_for(*table)}:100", players=table[0])
        for table in TABLES[:3]
    ]
    (found,) = standings_table(rows).rows
    assert found[0] == "policy+search:PLAYERS:100"
    for table in TABLES:
        assert {"random", "ismcts:1000"} <= set(project_agents(table))
    assert {"policy:2p", "policy:sb3-2p"} <= set(project_agents((2, None)))
    assert "policy:sb3-4p" not in project_agents((4, 2))


# --- The file -------------------------------------------------------------------------------------


def test_rows_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "rows.json"
    rows = [ROW, replace(ROW, players=4, team_size=2), replace(ROW, agent="b", rating=90.0)]
    standings.write(rows, path)
    assert standings.read(path) == [rows[2], rows[0], rows[1]]
    assert standings.read(tmp_path / "none.json") == []


def test_rows_of_two_commands_at_once_are_all_kept(tmp_path):
    one, other = StandingsFile(tmp_path / "rows.json"), StandingsFile(tmp_path / "rows.json")
    one.put(replace(ROW, agent="one"))
    other.put(replace(ROW, agent="other"))
    one.put(replace(ROW, agent="one", rating=90.0))
    kept = {row.agent: row.rating for row in standings.read(tmp_path / "rows.json")}
    assert kept == {"one": 90.0, "other": ROW.rating}


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("agent", 3, "agent must be a text, not 3"),
        ("players", 9, r"rows\[0\]: players must be"),
        ("players", True, "players must be a whole number, not True"),
        ("team_size", 3, r"rows\[0\]: "),
        ("rating", float("nan"), "JSON is malformed"),
        ("rating", None, "rating must be a number"),
        ("low", "x", "low must be a number or null, not 'x'"),
        ("won", 1.5, "won must be a number <= 1.0, not 1.5"),
        ("adjusted", None, "adjusted must be a number, not None"),
        ("adjusted_low", 10, "adjusted_low must be a number <= 9.0, not 10"),
        ("games", 0, "games must be a whole number >= 1, not 0"),
        ("milliseconds", inf, "JSON is malformed"),
        ("more", 1, r"rows\[0\] has an unknown field 'more'"),
    ],
)
def test_an_invalid_row_is_named(tmp_path, field, value, said):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps({"rows": [{**asdict(ROW), field: value}]}))
    with pytest.raises(StandingsError, match=said) as raised:
        standings.read(path)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("text", ["", "[", "[]", '{"rows": 3}', '{"rows": [3]}', "[" * 100_000])
def test_a_file_without_standings_is_reported(tmp_path, text):
    path = tmp_path / "rows.json"
    path.write_text(text)
    with pytest.raises(StandingsError, match="is not a file of standings"):
        standings.read(path)
