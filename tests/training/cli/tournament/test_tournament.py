"""`impulse tournament` from its options to its exit code."""

import os
import signal
import subprocess
import sys

import pytest

from commands import impulse, refusal, run_impulse
from impulse_env.records.reader import read
from impulse_training.tournament.workers import local

SHORT = ("--games", "4", "--target-score", "5", "--max-turns", "40", "--workers", "1")


def test_a_tournament_is_played_and_reported_again(tmp_path, capsys):
    out = tmp_path / "t"
    assert impulse("tournament", "--agents", "random", "greedy", *SHORT, "--out", out) == 0
    assert "Ratings" in capsys.readouterr().out
    assert len((tmp_path / "t" / "games.jsonl").read_text().splitlines()) == 4
    assert impulse("tournament", "--replay", "3", "--out", out) == 0
    assert capsys.readouterr().out.startswith("Game 3, deal ")
    file = tmp_path / "game.jsonl"
    assert impulse("tournament", "--replay", "3", "--record", file, "--out", out) == 0
    assert capsys.readouterr().out == f"{file}\n"
    assert read(file).result is not None


def test_rounding_up_is_reported(tmp_path, capsys):
    arguments = ["--agents", "random", "greedy", *SHORT, "--players", "3"]
    assert impulse("tournament", *arguments, "--out", tmp_path) == 0
    assert "4 games are rounded up to 6: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "7"], "players must be an integer from 2 to 6, not 7"),
        (["--agents", "random"], "a tournament takes 2 agents or more, not random"),
        (["--agents", "random", "clever"], "unknown agent 'clever'; there are random, greedy"),
        (["--players", "5", "--team-size", "2"], "team_size (players per team) with 5 players"),
        (["--workers", "0"], "workers must be 1 or more, not 0"),
        (["--tables", "0"], "tables must be 1 or more, not 0"),
        (["--anchor", "warrior"], "the anchor must be one of greedy, random, not 'warrior'"),
        (["--replay", "0"], "there is no tournament in"),
        (["--record", "game.jsonl"], "--record needs the number of a game: --replay N --record"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path, capsys, arguments, message):
    assert impulse("tournament", *arguments, "--out", tmp_path / "t") == 2
    assert message in refusal(capsys)
    assert not (tmp_path / "t").exists()


def test_ctrl_c_keeps_what_is_finished_and_says_how_to_continue(tmp_path, capsys, monkeypatch):
    real = local.play_all

    def interrupted(*arguments):
        for number, result in enumerate(real(*arguments)):
            if number == 2:
                raise KeyboardInterrupt
            yield result

    monkeypatch.setattr(local, "play_all", interrupted)
    arguments = ["tournament", "--agents", "random", "greedy", *SHORT, "--out", tmp_path]
    assert impulse(*arguments) == 130
    assert "the same command plays the missing ones" in capsys.readouterr().err
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 2
    monkeypatch.undo()
    assert impulse(*arguments) == 0
    assert "2 games are in" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "phase"),
    [
        ("tournament --agents random greedy --games 2 --out", "tournament.run.warm"),
        ("evaluate 2p --games 2 --out", "evaluation.evaluate.warm"),
        ("agents weaknesses 2p --games 2 --out", "tournament.run.warm"),
        ("agents standings ismcts:2 --games 2 --folder", "evaluation.standings.place.warm"),
        ("export --agents random --format parquet --out", "export.write._play_part"),
    ],
)
def test_ctrl_c_before_the_first_game_promises_none(words, phase, tmp_path, capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    pytest.importorskip("pyarrow")
    monkeypatch.setattr(f"impulse_training.{phase}", interrupted)
    assert impulse(*words.split(), tmp_path / "t", *["--workers", "1"]) == 130
    assert capsys.readouterr().err == "interrupted; no finished game was saved yet\n"


def test_a_folder_of_another_tournament_is_refused_before_anything_is_compiled(
    tmp_path, capsys, monkeypatch
):
    arguments = ["tournament", "--agents", "random", "greedy", *SHORT, "--out", tmp_path]
    assert impulse(*arguments) == 0
    capsys.readouterr()
    monkeypatch.setattr("impulse_training.tournament.run.warm", None)
    assert impulse(*arguments, "--seed", "1") == 2
    assert "holds another tournament" in refusal(capsys)


@pytest.mark.skipif(os.name != "posix", reason="groups of processes as POSIX has them")
def test_ctrl_c_while_processes_start_is_one_line_and_130(tmp_path):
    arguments = ["--agents", "random", "greedy", *SHORT[:-1], "2", "--out", str(tmp_path)]
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "import sys; from impulse_training.cli.framework.main import main; sys.exit(main())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, "tournament", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stderr.readline() == "starting 2 processes …\n"
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr.read() == "interrupted; no finished game was saved yet\n"
    assert process.returncode == 130


def test_the_command_runs_in_a_process_of_its_own(tmp_path):
    arguments = ["--agents", "random", "greedy", *SHORT, "--workers", "2", "--out", tmp_path]
    done = run_impulse("tournament", *arguments)
    assert done.returncode == 0, done.stderr
    assert "Ratings" in done.stdout
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 4
