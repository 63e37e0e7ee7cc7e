"""`--json` prints the result and nothing else; what a command writes is what it says."""

import csv
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from commands import impulse, refusal, run_impulse
from impulse_agents import registry
from impulse_env import Game, __version__
from impulse_env.actions import NAMES
from impulse_env.options import Options
from impulse_env.records.reader import read
from impulse_env.testing.signature import signature, traces
from impulse_training.cli.framework import main as command
from impulse_training.cli.framework.tree import COMMANDS
from impulse_training.rollout.record_games import record_game
from recorded import TABLES, played


def result_of(capsys, *words):
    """What `--json` prints; all else is on standard error."""
    assert impulse(*words, "--json") == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


@pytest.fixture
def record(tmp_path):
    played(TABLES[8])[0].save(tmp_path / "game.jsonl")
    return tmp_path / "game.jsonl"


# --- The results of commands ---------------------------------------------------------------------


def test_a_match_gives_shares_with_intervals(capsys):
    found = result_of(capsys, "match", "random", "miner", "--games", "2", "--seed", "3")
    assert found["games"] == 2
    assert [one["agent"] for one in found["agents"]] == ["random", "miner"]
    for one in found["agents"]:
        assert 0 <= one["low"] <= one["share"] <= one["high"] <= 1
    assert sum(one["share"] for one in found["agents"]) == 1 - found["truncated"] / 2
    assert impulse("match", "random", "miner", "--games", "2", "--seed", "3") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"2 games, {found['truncated']} truncated; mean length ")
    assert [line.split()[0] for line in lines[1:]] == ["random", "miner"]


def test_agents_are_listed_with_what_they_do(capsys):
    found = result_of(capsys, "agents")
    listed = {one["agent"]: one for one in found["agents"]}
    assert {"random", "greedy", "core_rush", "warrior", "miner", "trader"} <= set(listed)
    assert listed["policy:2p"]["players"] == 2
    assert all(one["description"] for one in found["agents"])
    assert set(listed) - set(found["names"]) <= {
        name for name in listed if name.startswith(("ismcts:", "policy+search:"))
    }
    assert impulse("agents") == 0
    out = capsys.readouterr().out
    for name in listed:
        assert f"\n{name} " in out


def test_agents_for_so_many_players_are_listed_alone(capsys):
    found = result_of(capsys, "agents", "--players", "3")["agents"]
    assert found
    assert {one["players"] for one in found} == {3}


def test_info_says_versions_cache_hardware_and_extras(capsys):
    found = result_of(capsys, "info")
    assert found["versions"]["impulse-env"] == __version__
    assert {"python", "numpy", "numba"} <= set(found["versions"])
    assert found["cores"] >= 1
    assert {"networks", "play", "tournament", "train", "ray"} <= set(found["extras"])
    assert found["extras"]["networks"] is True
    assert set(found["cache"]) == {"rules", "agents"}


def test_the_signature_is_that_of_the_games(capsys):
    assert result_of(capsys, "tools", "signature", "--games", "2") == {
        "games": 2,
        "signature": signature(2),
    }
    assert result_of(capsys, "tools", "signature", "--games", "2", "--each")["digests"] == list(
        traces(2)
    )


def test_an_analysis_holds_the_lines_of_a_search(capsys):
    found = result_of(capsys, "games", "analyse", "ismcts:20", "--decision", "30", "--lines", "2")
    assert found["seat"] in (0, 1)
    assert 1 <= len(found["lines"]) <= 2
    assert set(found["lines"][0]["actions"]) <= set(NAMES)


@pytest.mark.parametrize("decision", [-1, 9999])
def test_a_decision_that_the_game_has_not_is_refused(decision, capsys):
    words = ("games", "analyse", "ismcts:20", "--played-by", "random", "--decision")
    assert impulse(*words, decision) == 2
    said = re.fullmatch(
        rf"decision must be from 0 to (\d+), not {decision}: the game has (\d+) decisions",
        refusal(capsys),
    )
    last, count = map(int, said.groups())
    assert last == count - 1
    assert impulse(*words, last) == 0
    assert impulse(*words, count) == 2


def test_an_annotation_says_where_it_is(record, capsys):
    words = (
        "games",
        "annotate",
        record,
        "--by",
        "ismcts:4",
        "--out",
        record.with_name("noted.jsonl"),
    )
    assert result_of(capsys, *words) == {"record": str(record.with_name("noted.jsonl"))}
    assert read(record.with_name("noted.jsonl")).moves[0].note.by == "ismcts:4"


def test_a_tournament_and_its_report_give_the_summary(tmp_path, capsys):
    out = tmp_path / "t"
    agents = ("--agents", "random", "miner", "--games", "2", "--target-score", "4")
    found = result_of(capsys, "tournament", *agents, "--workers", "1", "--out", out)
    assert found["games"] == 2
    assert found["folder"] == str(out)
    assert {one["rating"]["name"] for one in found["agents"]} == {"random", "miner"}
    assert result_of(capsys, "tournament", "report", out) == found
    retold = result_of(capsys, "tournament", "--replay", "1", "--out", out)
    assert retold["game"]["game"] == 1
    assert retold["lines"]


# --- Records and what is made of them ------------------------------------------------------------


def test_recorded_games_have_numbers_as_names_and_agents_that_move_on(tmp_path, capsys):
    words = ("games", "record", "random", "miner", "--games", "2", "--seed", "7", "--out", tmp_path)
    found = result_of(capsys, *words)
    files = [str(tmp_path / "7.jsonl"), str(tmp_path / "8.jsonl")]
    assert found == {"records": files, "faults": [], "passed": True}
    first, second = (read(path) for path in found["records"])
    assert [agent.name for agent in first.header.agents] == ["random", "miner"]
    assert [agent.name for agent in second.header.agents] == ["miner", "random"]
    assert (first.header.seed, second.header.seed) == (7, 8)
    before = (tmp_path / "7.jsonl").read_bytes()
    assert result_of(capsys, *words) == found
    assert (tmp_path / "7.jsonl").read_bytes() == before


def test_one_agent_may_have_every_seat_of_a_record(tmp_path, capsys):
    found = result_of(capsys, "games", "record", "random", "--players", "3", "--out", tmp_path)
    header = read(found["records"][0]).header
    assert [agent.name for agent in header.agents] == ["random"] * 3
    assert len({agent.seed for agent in header.agents}) == 3


def exported(capsys, name, *words):
    """The text of a file that `export` writes."""
    assert result_of(capsys, "export", *words, "--out", name) == {"files": [str(name)]}
    return name.read_text(encoding="utf-8")


@pytest.mark.parametrize("viewer", ["all", "public", "1"])
def test_a_game_becomes_a_picture_text_and_a_page(viewer, record, tmp_path, capsys):
    *_, last = read(record).games()
    by = {"all": "all", "public": None, "1": 1}[viewer]
    svg = exported(capsys, tmp_path / "a.svg", record, "--viewer", viewer)
    assert svg == last.svg(by)
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    text = exported(capsys, tmp_path / "a.txt", record, "--viewer", viewer)
    assert "Cell: number and card" in text
    page = exported(capsys, tmp_path / "a.html", record, "--viewer", viewer)
    assert page.startswith("<!doctype html>")


def test_a_picture_of_pixels_needs_its_extra_and_is_one(record, tmp_path, capsys):
    pytest.importorskip("resvg_py")
    assert impulse("export", record, "--out", tmp_path / "a.png") == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_turn_and_a_step_are_found(record, tmp_path, capsys):
    words = (record, "--viewer", "all")
    at_phase = [
        number
        for number, game in enumerate(read(record).games())
        if game.decision.kind == "use_impulse"
    ]
    text = exported(capsys, tmp_path / "a.json", *words, "--step", at_phase[3])
    for number, game in enumerate(read(record).games()):
        if number == at_phase[3]:
            assert json.loads(text) == game.to_position()
    text = exported(capsys, tmp_path / "b.json", *words, "--turn", "3")
    at_turn = Game.from_position(json.loads(text))
    assert at_turn.turn == 3
    assert at_turn.decision.kind == "use_tech"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--turn", "3"), "a position includes hidden information: use --viewer all"),
        (
            ("--turn", "3", "--viewer", "1"),
            "a position includes hidden information: use --viewer all",
        ),
        (("--viewer", "all"), "a position is written at the start of a phase"),
        (
            ("--viewer", "all", "--step", "9999"),
            "step must be from 0 to {0}, not 9999: the game has",
        ),
        (
            ("--viewer", "all", "--step", "-1"),
            "step must be from 0 to {0}, not -1: the game has {0} d",
        ),
        (
            ("--viewer", "all", "--turn", "999"),
            "turn must be from 0 to {1}, not 999: the game ends in",
        ),
        (
            ("--viewer", "all", "--turn", "-1"),
            "turn must be from 0 to {1}, not -1: the game ends in t",
        ),
        (("--viewer", "all", "--step", "1", "--turn", "1"), "use --turn or --step, not both"),
    ],
)
def test_a_missing_position_is_refused(words, why, record, tmp_path, capsys):
    assert impulse("export", record, "--out", tmp_path / "a.json", *words) == 2
    kept = read(record)
    assert why.format(len(kept.moves), kept.result.turns - 1) in refusal(capsys)
    assert not (tmp_path / "a.json").exists()


def test_a_turn_without_a_choice_of_techs_is_shown_as_it_begins(tmp_path, capsys):
    record = record_game([registry.make("random")] * 4, Options(4), 2)
    record.save(tmp_path / "game.jsonl")
    turns = [game.turn for game in record.games() if game.decision.kind == "use_tech"]
    assert 57 not in turns
    words = (tmp_path / "game.jsonl", "--viewer", "all")
    first = next(step for step, game in enumerate(record.games()) if game.turn == 57)
    one = exported(capsys, tmp_path / "a.svg", *words, "--turn", "57")
    assert one == exported(capsys, tmp_path / "b.svg", *words, "--step", first)


def test_a_whole_game_can_be_described_in_words(record, tmp_path, capsys):
    text = exported(capsys, tmp_path / "a.txt", record, "--whole", "--viewer", "all")
    moves = [move.action for move in read(record).moves]
    assert len(text.splitlines()) > len(moves)


def test_without_a_record_a_random_game_is_shown(tmp_path, capsys):
    words = ("--players", "3", "--seed", "8", "--turn", "4", "--viewer", "all")
    one, two = (exported(capsys, tmp_path / f"{name}.json", *words) for name in "ab")
    assert one == two
    assert json.loads(one)["players"] == 3


def test_tables_of_a_folder_of_records_are_csv(tmp_path, capsys):
    pytest.importorskip("pandas")
    words = ("games", "record", "random", "miner", "--games", "2", "--out", tmp_path / "games")
    result_of(capsys, *words)
    out = tmp_path / "tables"
    files, rows = result_of(capsys, "export", tmp_path / "games", "--out", out)["files"], {}
    assert {path.removeprefix(f"{out}/") for path in files} >= {
        "games.csv",
        "seats.csv",
        "turns.csv",
        "decisions.csv",
        "battles.csv",
    }
    for name in files:
        with open(name, encoding="utf-8", newline="") as file:
            rows[Path(name).stem] = list(csv.DictReader(file))
    assert len(rows["games"]) == 2
    assert [row["agents"] for row in rows["games"]] == ["random;miner", "miner;random"]
    assert {row["winners"] for row in rows["games"]} <= {"", "0", "1"}
    cells = [cell for table in rows.values() for row in table for cell in row.values()]
    assert not [cell for cell in cells if cell.startswith(("(", "["))]
    hands = {row["hand"] for row in rows["decisions"] + rows["turns"]}
    assert all(re.fullmatch(r"(\d+(;\d+)*)?", hand) for hand in hands)
    assert max(len(hand.split(";")) for hand in hands) > 5


@pytest.mark.parametrize(
    ("by", "empty"),
    [
        (None, ("wins (`impulse games annotate` ", "probability (`impulse games ", "seconds (`")),
        ("ismcts:4", ("wins (`impulse games annotate` ", "seconds (`impulse play --terminal` ")),
        ("policy:2p", ("seconds (`impulse play --terminal` ",)),
    ],
)
def test_empty_columns_are_reported_with_what_fills_them(by, empty, record, tmp_path, capsys):
    pytest.importorskip("pandas")
    if by is not None:
        assert impulse("games", "annotate", record, "--by", by) == 0
    capsys.readouterr()
    assert impulse("export", record, "--out", tmp_path / "tables.v1") == 2, "no such ending"
    (tmp_path / "tables.v1").mkdir()
    capsys.readouterr()
    assert impulse("export", record, "--out", tmp_path / "tables.v1") == 0
    said = capsys.readouterr().out.splitlines()[0]
    assert said.startswith(f"decisions.csv: these columns are empty: {empty[0]}")
    assert [name for name in ("wins", "probability", "seconds") if f"{name} (" in said] == [
        one.split()[0] for one in empty
    ]


def test_tables_are_made_of_a_tournament_too(tmp_path, capsys):
    pytest.importorskip("pandas")
    words = ("--games", "2", "--workers", "1", "--out", tmp_path / "t1")
    result_of(capsys, "tournament", "--agents", "random", "miner", *words)
    for place in (tmp_path / "t1", tmp_path / "t1" / "games.jsonl"):
        files = result_of(capsys, "export", place, "--out", tmp_path / "tables")["files"]
        assert len(Path(files[0]).read_text(encoding="utf-8").splitlines()) == 3


def test_the_golden_games_are_those_that_are_kept(tmp_path, capsys, monkeypatch):
    from impulse_env.testing.playthroughs import golden_text
    from impulse_training.cli.tools import golden

    name = next(iter(golden.GOLDEN))
    monkeypatch.setattr(golden, "GOLDEN", {name: golden.GOLDEN[name]})
    assert impulse("tools", "golden", "--games", tmp_path) == 0
    assert capsys.readouterr().out == f"{tmp_path / name}.txt\n"
    assert (tmp_path / f"{name}.txt").read_text(encoding="utf-8") == golden_text(name)


# --- JSON ----------------------------------------------------------------------------------------


def test_a_process_prints_json_alone_on_standard_output():
    run = run_impulse("match", "random", "random", "--games", "2", "--json")
    assert run.returncode == 0
    assert json.loads(run.stdout)["games"] == 2
    assert "2 games, " in run.stderr


@pytest.mark.parametrize(
    ("result", "printed"),
    [
        ({"share": float("inf"), "low": float("nan")}, {"share": None, "low": None}),
        ({1: ("a", None, True), "b": 2.5}, {"1": ["a", None, True], "b": 2.5}),
        (None, None),
    ],
)
def test_whatever_a_command_returns_is_valid_json(result, printed, capsys, monkeypatch):
    monkeypatch.setattr("impulse_training.cli.tools.signature.main", lambda args: result)
    assert impulse("tools", "signature", "--json") == 0
    assert json.loads(capsys.readouterr().out, parse_constant=pytest.fail) == printed


def test_numbers_of_numpy_and_paths_are_plain_in_json(tmp_path):
    import numpy as np

    given = {"n": np.int64(3), "x": np.float32(0.5), "row": np.arange(2), "path": tmp_path}
    assert command._plain(given) == {"n": 3, "x": 0.5, "row": [0, 1], "path": str(tmp_path)}
    assert command._plain({"low": np.float64("-inf")}) == {"low": None}


def test_commands_without_a_result_have_no_json():
    without = {name for name, command in COMMANDS.items() if not command.declared.has_json}
    assert without == {
        *("play", "replay", "mcp", "engine"),
        *("tools golden", "tools completion", "tools text-tasks"),
    }
