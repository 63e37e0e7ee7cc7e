"""The luck of a tournament's games is kept in its folder, and computed once."""

import json

import pytest
from rich.console import Console

from impulse_agents.base import AgentError
from impulse_training.report.page import report_on
from impulse_training.report.tournament_tables import tables
from impulse_training.statistics.luck_adjusted import JudgedLuck, adjusted_shares
from impulse_training.statistics.summary import summarise
from impulse_training.tournament import luck
from impulse_training.tournament.luck import check_judge, luck_of_games
from impulse_training.tournament.run import run
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.store import Store
from impulse_training.tournament.workers.local import play_all

QUIET = Console(quiet=True)


@pytest.fixture
def store(tmp_path):
    """Return a tournament of three agents that was played."""
    settings = Settings(("greedy", "warrior", "core_rush"), games=60, target_score=8)
    run(settings, tmp_path, lambda schedule, numbers: play_all(schedule, numbers, 1), QUIET)
    return Store.read(tmp_path)


def test_it_is_computed_once_and_what_is_missing_later(store, monkeypatch):
    first = luck_of_games(store, "rules", 1, QUIET)
    assert len(first.by_game) == 60
    assert all(sum(sides) == pytest.approx(0, abs=1e-5) for sides in first.by_game.values())
    path = store.folder / luck.FILE
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == 60

    path.write_text("".join(lines[:50]) + lines[50][:20])  # torn by a crash
    again = luck_of_games(store, "rules", 1, QUIET)
    assert again.by_game == first.by_game
    assert len(path.read_text().splitlines()) == 60
    monkeypatch.setattr(luck, "luck_to_take_out", None)
    assert luck_of_games(store, "rules", 1, QUIET).by_game == first.by_game


def test_several_processes_find_the_same(store, monkeypatch):
    first = luck_of_games(store, "rules", 1, QUIET)
    (store.folder / luck.FILE).unlink()
    monkeypatch.setattr(luck, "_AT_ONCE", 20)
    assert luck_of_games(store, "rules", 2, QUIET) == first


def test_another_judge_sees_another_luck_beside(store, monkeypatch):
    rules = luck_of_games(store, "rules", 1, QUIET)
    monkeypatch.setattr(luck, "WORLDS", 9)  # other values, other factors, other worlds: all count
    luck_of_games(store, "rules", 1, QUIET)
    assert len((store.folder / luck.FILE).read_text().splitlines()) == 120
    monkeypatch.undo()
    assert luck_of_games(store, "rules", 1, QUIET) == rules


def test_a_damaged_line_is_named(store):
    (store.folder / luck.FILE).write_text('{"game": 1}\n')
    with pytest.raises(TournamentError, match=r"luck.jsonl, line 1: .*"):
        luck_of_games(store, "rules", 1, QUIET)


def test_a_judge_of_other_games_is_refused_before_anything_is_played():
    check_judge(None, Settings(("greedy", "warrior")))
    check_judge("policy:2p", Settings(("greedy", "warrior")))
    with pytest.raises(AgentError, match="2 players"):
        check_judge("policy:2p", Settings(("greedy", "warrior"), players=3))


def test_the_report_tells_it_in_a_table_a_file_and_the_summary(store, capsys):
    results = store.results()
    found = luck_of_games(store, "rules", 1, QUIET)
    summary = report_on(store.folder, results, Console(width=200), None, found)
    printed = capsys.readouterr().out
    assert "Without luck" in printed
    assert "the luck that rules sees" in " ".join(printed.split())
    rows = (store.folder / "luck.csv").read_text().splitlines()
    assert len(rows) == 4
    assert summary["judge"] == "rules"
    assert len(json.loads((store.folder / "summary.json").read_text())["adjusted"]) == 3
    assert "Without luck" in (store.folder / "report.html").read_text()
    titles = [table.title for table in tables(summarise(results))]
    assert "Without luck" not in titles


def test_shares_are_those_of_the_games_an_agent_sat_in(store):
    results = store.results()
    nothing = JudgedLuck("nobody", {})
    names = ["core_rush", "greedy", "warrior"]
    by_name = {row.name: row.won.share for row in summarise(results).agents}
    for name, found in zip(names, adjusted_shares(names, results, nothing), strict=True):
        assert found.share == found.plain == pytest.approx(by_name[name])
    all_of_it = JudgedLuck("fate", {
        result.game: [float(side in result.winners) for side in (0, 1)] for result in results
    })  # fmt: skip
    for found in adjusted_shares(names, results, all_of_it):
        assert found.share == pytest.approx(0)
