"""`impulse games explore`: what it prints and writes, and what it refuses."""

import json
import re

import pytest

from commands import impulse, refusal, run_without
from impulse_training.report.explore.page import folder_of
from openings import by_hand, save

GAMES = [(8, seed) for seed in range(6)] + [(1, 0)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("games")
    save(made, GAMES)
    return made


def printed(capsys, *words):
    assert impulse("games", "explore", *words, "--json") == 0
    return json.loads(capsys.readouterr().out)


def test_json_tells_what_a_recount_finds(folder, tmp_path, capsys):
    records = save(tmp_path, GAMES)
    told = printed(capsys, folder, "--least", "1", "--depth", "3")
    counts, _ = by_hand(records, 3)
    assert (told["games"], told["lines"]) == (7, 15)
    assert sorted(node["played"] for node in told["nodes"]) == sorted(counts.values())
    assert told["nodes"][0]["choice"] == ""


def test_the_terminal_shows_the_most_played(folder, capsys):
    assert impulse("games", "explore", folder, "--least", "2", "--rows", "3") == 0
    out = capsys.readouterr().out
    assert out.startswith("Games: 7; lines, each of one seat: 15; choices: ")
    assert out.count("home: card") <= 3
    assert "Chance" not in out
    assert impulse("games", "explore", folder, "--judge", "rules", "--least", "2") == 0
    assert re.search(r"\d+ to \d+", capsys.readouterr().out)


def test_where_nothing_was_played_often_it_says_so(folder, capsys):
    assert impulse("games", "explore", folder, "--least", "99") == 0
    assert "try a smaller --least" in capsys.readouterr().out


def test_a_page_links_the_games_that_it_wrote(folder, tmp_path, capsys):
    file = tmp_path / "deep" / "openings.html"
    told = printed(capsys, folder, "--html", file, "--replays", "1", "--least", "2")
    pages = sorted(path.name for path in folder_of(file).iterdir())
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert 0 < told["replays"] == len(pages) <= 7
    assert (told["games"], told["lines"]) == (7, 15)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.html")}
    printed(capsys, folder, "--html", file, "--replays", "1", "--least", "2")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.html")} == before


def test_without_replays_there_is_one_file(folder, tmp_path):
    assert impulse("games", "explore", folder, "--html", tmp_path / "openings.html") == 0
    assert [path.name for path in tmp_path.iterdir()] == ["openings.html"]


def test_files_folders_and_tournaments_may_be_mixed(folder, tmp_path, capsys):
    arguments = ("--agents", "random", "greedy", "--games", "4", "--max-turns", "6")
    assert impulse("tournament", *arguments, "--workers", "1", "--out", tmp_path / "t1") == 0
    capsys.readouterr()
    told = printed(capsys, folder / "8-0.jsonl", tmp_path / "t1")
    assert (told["games"], told["lines"]) == (5, 10)
    told = printed(capsys, folder, tmp_path / "t1", "--agent", "greedy")
    assert (told["games"], told["read"], told["lines"]) == (4, 11, 4)


def test_exported_data_is_read(tmp_path, capsys):
    pytest.importorskip("pyarrow")
    data = tmp_path / "data"
    arguments = ("--format", "parquet", "--agents", "random", "--games", "3", "--workers", "1")
    assert impulse("export", *arguments, "--out", data) == 0
    capsys.readouterr()
    assert printed(capsys, data)["lines"] == 6
    run = run_without("pyarrow", "games", "explore", data)
    assert run.returncode == 2
    assert 'pip install "impulse-env[data,tournament]"' in run.stderr


REFUSED = {
    "": "name the games to explore: records, folders of them, or a tournament",
    "none.jsonl": "none.jsonl: there is no such file or folder",
    ". --agent greedi": "no agent 'greedi' in these games; they have random 0, random 1",
    ". --seat 6": "--seat must be from 0 to 5, not 6",
    ". --players 7": "--players must be from 2 to 6, not 7",
    ". --race areik": "--race must be one of piscesish, ariek, herculese, draconians, "
    "triangulumnists, caelumnites, not 'areik'; did you mean ariek?",
    ". --home 0": "--home must be from 1 to ",
    ". --players 6 --seat 3": "no seat of these games (7) has --seat 3, --players 6",
    ". --depth 0": "depth must be 1 or more, not 0",
    ". --least 0": "least must be 1 or more, not 0",
    ". --rows 0": "rows must be 1 or more, not 0",
    ". --drawings -1": "drawings must be 0 or more, not -1",
    ". --replays 2": "--replays needs --html FILE: the replays belong to that page",
    ". --html page.svg": "page.svg cannot be written: --html must end in .html",
    ". --judge greedy --html page.html": "luck is judged by a trained agent",
    ". --eyes all": "--eyes must be one of seat, public",
}


@pytest.mark.parametrize("typed", REFUSED)
def test_a_mistake_is_one_sentence_and_nothing_is_written(typed, folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    before = sorted(folder.rglob("*"))
    assert impulse("games", "explore", *typed.split()) == 2
    assert refusal(capsys).startswith(REFUSED[typed])
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no record\n", "line 1: this is not a record"),
        ("", "line 1: the file is empty"),
    ],
)
def test_an_invalid_record_is_named(text, said, tmp_path, capsys):
    (tmp_path / "a.jsonl").write_text(text)
    assert impulse("games", "explore", tmp_path, "--html", tmp_path / "o.html") == 2
    assert said in refusal(capsys)
    assert not (tmp_path / "o.html").exists()
    (tmp_path / "empty").mkdir()
    assert impulse("games", "explore", tmp_path / "empty") == 2
    assert refusal(capsys).startswith("there are no .jsonl files in ")
