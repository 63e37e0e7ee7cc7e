"""An evaluation plays a trained agent against each of a panel, and goes on where it was."""

import json
import re
from dataclasses import replace
from itertools import combinations

import pytest

from commands import impulse, refusal
from impulse_agents import RULE_BASED, AgentError, checkpoints
from impulse_training.evaluation import evaluate as command
from impulse_training.evaluation.results import Evaluation, EvaluationError, Row, default_folder
from impulse_training.evaluation.suite import MIXED, OPPONENTS, SEARCH, evaluation_suite
from impulse_training.statistics.intervals import Share
from impulse_training.tournament.settings import TournamentError
from impulse_training.tournament.store import Store
from networks import untrained

SHORT = ("--games", "3", "--workers", "1")


def save(path, players, seed=1, **more):
    untrained(players, seed=seed, **more).save(path)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Untrained agents for two and for three players, and for teams."""
    made = tmp_path_factory.mktemp("checkpoints")
    save(made / "2p.safetensors", 2)
    save(made / "3p.safetensors", 3)
    save(made / "4t.safetensors", 4, trained={"team_size": 2})
    return made


@pytest.fixture(autouse=True)
def shipped(folder, monkeypatch):
    monkeypatch.setattr(checkpoints, "FOLDER", folder)


def go(checkpoint, out, *more):
    return impulse("evaluate", checkpoint, *SHORT, *more, "--out", out)


def evaluation_of(*rows):
    return Evaluation("2p", "ab", 2, None, 0, "0.1.0", "impulse evaluate 2p", rows)


def row(wins, target, **more):
    return Row("policy:2p", "greedy", Share.of(100, wins, 50), 7.25, 0, 0, target, **more)


# --- Who is met ----------------------------------------------------------------------------------


def test_two_players_meet_everybody_and_the_search_meets_the_policy():
    met = {meeting.opponent: meeting for meeting in evaluation_suite("2p", 2, None)}
    assert list(met) == ["random", *RULE_BASED, "ismcts:300", "policy:2p"]
    assert {met["random"].target, met["greedy"].target} == {0.999, 0.90}
    assert (met["warrior"].target, met["miner"].target) == (0.86, None)
    assert met["ismcts:300"].target == met["policy:2p"].target == 0.60
    assert met["policy:2p"].agent == "policy+search:2p:300"
    assert met["policy:2p"].folder == "policy+search-300"
    assert {meeting.agent for meeting in evaluation_suite("2p", 2, None, OPPONENTS[:-1])} == {
        "policy:2p"
    }
    assert {meeting.settings.games for meeting in met.values()} == {2000}


def test_four_players_are_one_against_three():
    met = {meeting.opponent: meeting for meeting in evaluation_suite("4p", 4, None, games=10)}
    assert all(match.settings.versus for name, match in met.items() if name != MIXED)
    assert (met["core_rush"].target, met["warrior"].target) == (0.62, 0.54)
    assert met["random"].target is None
    assert met["random"].settings.games == 12


@pytest.mark.parametrize(("players", "team_size"), [(6, 2), (6, 3)])
def test_there_are_no_targets_at_other_tables(players, team_size):
    assert {meeting.target for meeting in evaluation_suite("x", players, team_size)} == {None}


def test_every_match_has_a_folder_of_its_own():
    opponents = ("ismcts:0.5s", "policy:3p", "policy:a/b.safetensors", SEARCH)
    folders = [meeting.folder for meeting in evaluation_suite("2p", 2, None, opponents, search=40)]
    assert folders == ["ismcts-0.5s", "policy-3p", "policy-a-b.safetensors", "policy+search-40"]


@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        (("random", "random"), "name each opponent once; random appears twice"),
        (("policy:2p",), "agents must all be different, but policy:2p is there twice"),
        ((), "an evaluation needs at least one opponent"),
    ],
)
def test_a_panel_that_cannot_be_met_is_refused(opponents, message):
    with pytest.raises(TournamentError, match=message):
        evaluation_suite("2p", 2, None, opponents)


# --- What comes out ------------------------------------------------------------------------------


def test_a_target_is_met_or_missed():
    table = evaluation_of(row(80, 0.8), row(79, 0.8), row(79, None)).table()
    assert [cells[-1] for cells in table.rows] == ["80 met", "80 missed", "-"]
    assert table.columns[-1].startswith("Target")
    assert not evaluation_of(row(79, None)).table().columns[-1].startswith("Target")
    assert "Target" not in evaluation_of(row(80, 0.8)).markdown()


def test_the_table_shows_share_interval_par_games_and_rounds():
    cells = evaluation_of(row(80, 0.8)).table().rows[0]
    assert cells == ("policy v greedy", "80.0 [71.1, 86.7]", "50.0", "100", "7.2", "80 met")
    others = replace(evaluation_of(row(80, None)), players=6, team_size=2)
    assert others.table().rows[0][0] == "policy v 2 x greedy"


def test_games_that_failed_are_reported():
    found = evaluation_of(replace(row(80, None), failed=3))
    assert "In policy v greedy, 3 games ended by an error" in found.table().note


def test_what_is_written_is_read(tmp_path):
    found = evaluation_of(row(80, 0.8), replace(row(0, None), rounds=None))
    found.write(tmp_path)
    assert Evaluation.read(tmp_path) == found
    page = (tmp_path / "results.md").read_text()
    assert page.startswith("# policy:2p, 2 players, seed 0\n\n| Match | Won,")
    assert "| policy v greedy | 80.0 [71.1, 86.7] | 50.0 | 100 | 7.2 |\n" in page
    assert "$ impulse evaluate 2p\n" in page


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            None,
            r"results.json does not exist; `impulse evaluate CHECKPOINT --out .*` writes it after",
        ),
        ("{", "is not an evaluation"),
        ("[]", "is not an evaluation"),
        ("{}", "is not an evaluation"),
        ('{"format": 2, "rows": [{}]}', "is not an evaluation"),
        ('{"format": 9}', "does not have format 2"),
    ],
)
def test_only_evaluations_are_read(tmp_path, text, message):
    if text is not None:
        (tmp_path / "results.json").write_text(text)
    with pytest.raises(EvaluationError, match=message):
        Evaluation.read(tmp_path)


def test_the_folder_is_named_after_the_agent(folder, tmp_path):
    assert default_folder("2p").as_posix() == "runs/evaluate-2p"
    assert default_folder(str(folder / "2p.safetensors")).as_posix() == "runs/evaluate-2p"
    path = save(tmp_path / "run_7" / "policy.safetensors", 2)
    assert default_folder(str(path)).as_posix() == "runs/evaluate-run_7"
    with pytest.raises(AgentError, match="there is no checkpoint '5p'; shipped are 2p, 3p, 4t"):
        default_folder("5p")


# --- The command ---------------------------------------------------------------------------------


def test_a_shipped_agent_is_measured(tmp_path, capsys):
    assert go("2p", tmp_path, "--opponents", "random", SEARCH, "--search", "4") == 0
    assert "policy v random" in capsys.readouterr().out
    # A terminal of 80 columns may break the line.
    written = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert "policy+search:4 v policy" in written
    found = Evaluation.read(tmp_path)
    assert [row.won.games for row in found.rows] == [4, 4]
    assert [row.won.par for row in found.rows] == [0.5, 0.5]
    assert found.rows[0].rounds > 0
    assert found.command == (
        "impulse evaluate 2p --games 3 --workers 1 --opponents random policy+search --search 4 "
        f"--out {tmp_path}"
    )
    assert len(Store.read(tmp_path / "random").results()) == 4


def test_every_deal_is_played_once_from_every_seat(tmp_path):
    assert go("3p", tmp_path, "--opponents", "random") == 0
    results = Store.read(tmp_path / "random").results()
    assert [result.agents.index("policy:3p") for result in results] == [0, 2, 1]
    assert {result.agents.count("random") for result in results} == {2}
    assert len({result.deal for result in results}) == 1
    assert Evaluation.read(tmp_path).rows[0].won.par == pytest.approx(1 / 3)


def test_a_mixed_table_has_every_line_up_of_different_rule_based_agents(tmp_path, capsys):
    assert go("3p", tmp_path, "--opponents", MIXED) == 0
    results = Store.read(tmp_path / MIXED).results()
    assert {frozenset(result.agents) for result in results} == {
        frozenset(("policy:3p", *pair)) for pair in combinations(RULE_BASED, 2)
    }
    found = Evaluation.read(tmp_path)
    assert (found.rows[0].won.games, found.rows[0].opponent) == (30, MIXED)
    assert found.rows[0].won.par == pytest.approx(1 / 3)
    assert "| policy v 2 different |" in found.markdown()
    assert "every line-up of the rule-based agents" in found.markdown()


def test_a_mixed_table_takes_three_sides(tmp_path, capsys):
    assert go("2p", tmp_path, "--opponents", MIXED) == 2
    assert "an evaluation needs at least one opponent" in refusal(capsys)
    assert [match.opponent for match in evaluation_suite("2p", 2, None)] == [
        name for name in OPPONENTS if name not in (MIXED, SEARCH)
    ] + ["policy:2p"]


def test_teams_are_those_of_the_training(tmp_path):
    assert go("4t", tmp_path, "--opponents", "greedy") == 0
    found = Evaluation.read(tmp_path)
    assert (found.players, found.team_size, found.rows[0].won.par) == (4, 2, 0.5)


def test_an_interrupted_evaluation_continues_where_it_was(tmp_path, capsys, monkeypatch):
    real = command.local.play_all

    def interrupted(schedule, numbers, workers):
        for count, result in enumerate(real(schedule, numbers, workers)):
            if "greedy" in schedule.settings.agents and count == 1:
                raise KeyboardInterrupt
            yield result

    arguments = ("2p", tmp_path, "--opponents", "random", "greedy")
    with monkeypatch.context() as patched:
        patched.setattr(command.local, "play_all", interrupted)
        assert go(*arguments) == 130
    assert "the same command plays the missing ones" in capsys.readouterr().err
    assert not (tmp_path / "results.json").exists()
    assert go(*arguments) == 0
    assert "1 games are in" in capsys.readouterr().out
    assert [row.won.games for row in Evaluation.read(tmp_path).rows] == [4, 4]


def test_what_is_finished_is_not_played_again(tmp_path, monkeypatch):
    arguments = ("2p", tmp_path, "--opponents", "random")
    assert go(*arguments) == 0
    before = {name: (tmp_path / name).read_bytes() for name in ("results.json", "results.md")}
    (tmp_path / "results.json").unlink()
    asked = []

    def nothing(schedule, numbers, workers):
        asked.extend(numbers)
        yield from ()

    monkeypatch.setattr(command.local, "play_all", nothing)
    assert go(*arguments) == 0
    assert asked == []
    assert before == {name: (tmp_path / name).read_bytes() for name in before}


@pytest.mark.parametrize(
    ("checkpoint", "more", "message"),
    [
        ("5p", (), "there is no checkpoint '5p'; shipped are 2p, 3p, 4t, and a path"),
        ("none.safetensors", (), "there is no checkpoint 'none.safetensors'; shipped are"),
        ("2p", ("--opponents", "random", "clever"), "unknown agent 'clever'"),
        ("2p", ("--opponents", "random", "policy:3p"), "policy:3p was trained for 3 players"),
        ("2p", ("--opponents",), "an evaluation needs at least one opponent"),
        ("2p", ("--search", "0"), "a search takes a number of simulations"),
        ("2p", ("--games", "0"), "games must be 1 or more, not 0"),
        ("2p", ("--workers", "0"), "workers must be 1 or more, not 0"),
    ],
)
def test_what_cannot_be_done_is_one_line_before_any_game(
    tmp_path, capsys, checkpoint, more, message
):
    assert go(checkpoint, tmp_path / "new", *more) == 2
    assert message in refusal(capsys)
    assert not (tmp_path / "new").exists()


def test_other_weights_play_again_and_another_description_does_not(tmp_path, capsys):
    path = save(tmp_path / "a.safetensors", 2)
    arguments = (str(path), tmp_path / "out", "--opponents", "random")
    assert go(*arguments) == 0
    first = json.loads((tmp_path / "out" / "results.json").read_text())
    save(path, 2, trained={"minutes": 3})
    capsys.readouterr()
    assert go(*arguments) == 0
    assert "has changed" not in capsys.readouterr().out
    save(path, 2, seed=9)
    assert go(*arguments) == 0
    assert "has changed" in capsys.readouterr().out
    second = json.loads((tmp_path / "out" / "results.json").read_text())
    assert first["weights"] != second["weights"]


def test_results_link_the_reports_of_matches_whose_games_are_shown(tmp_path):
    go("2p", tmp_path, "--opponents", "random", "miner")
    assert "report.html" not in (tmp_path / "results.md").read_text(encoding="utf-8")
    go("2p", tmp_path, "--opponents", "random", "miner", "--replays", "notable")
    links = re.findall(r"\]\(([^)]*)\)", (tmp_path / "results.md").read_text(encoding="utf-8"))
    assert len(links) == 2
    for link in links:
        report = tmp_path / link
        pages = re.findall(r'<a href="(replays/[^"]*)">', report.read_text(encoding="utf-8"))
        assert pages
        assert all((report.parent / page).exists() for page in pages)
