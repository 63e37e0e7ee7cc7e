"""However a command ends, it ends quietly: Ctrl-C, a closed pipe, an error, a missing package."""

import shlex
import signal
import subprocess
import sys

import pytest

from commands import PROGRAM, impulse, run_impulse, run_without
from impulse_env.errors import RecordError
from impulse_env.extras import EXTRA_BY_PACKAGE, missing_extra
from impulse_training.cli.framework import main as command
from recorded import TABLES, played


@pytest.fixture
def ending(monkeypatch):
    """Lets a command end with an error."""

    def let(error):
        def main(args):
            raise error

        monkeypatch.setattr("impulse_training.cli.tools.signature.main", main)
        monkeypatch.delenv(command.TRACEBACK, raising=False)
        return impulse("tools", "signature")

    return let


# --- Ctrl-C and closed pipes ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (KeyboardInterrupt(), "interrupted\n"),
        (KeyboardInterrupt("what is finished is kept"), "what is finished is kept\n"),
    ],
)
def test_ctrl_c_is_one_line_and_130(error, line, ending, capsys):
    assert ending(error) == command.INTERRUPTED == 130
    assert capsys.readouterr() == ("", line)


def test_ctrl_c_ends_a_process_with_one_line():
    code = f"""
import os, signal, sys, time
from impulse_training.cli.tools import signature
from impulse_training.cli.framework.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
def slow(args):
    os.kill(os.getpid(), {int(signal.SIGINT)})
    time.sleep(60)
signature.main = slow
sys.exit(main(["tools", "signature"]))
"""
    run = run_impulse(program=(sys.executable, "-c", code))
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "interrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes of a shell")
@pytest.mark.parametrize(
    ("words", "reader", "lines"),
    [
        ("agents", "head -n 1", 1),
        ("agents", "true", 0),
        ("tools signature --games 1", "true", 0),
        ("tools completion", "head -n 1", 1),
        ("--help", "true", 0),
        ("match --help", "true", 0),
        ("agents standings", "true", 0),
    ],
)
def test_a_reader_who_has_seen_enough_is_no_error(words, reader, lines):
    pipeline = f"{shlex.join(PROGRAM)} {words} | {reader}"
    run = subprocess.run(
        ["bash", "-o", "pipefail", "-c", pipeline], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("\n") == lines


# --- Errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("boom\n  and more"), "RuntimeError: boom and more"),
        (AssertionError(), "AssertionError: no message"),
        (KeyError("x"), "KeyError: 'x'"),
        (ImportError("no module named x", name="x"), "ImportError: no module named x"),
    ],
)
def test_what_nobody_foresaw_is_one_line_that_says_it_is_a_bug(error, said, ending, capsys):
    assert ending(error) == command.BUG == 70
    line = f"error: {said} (this is a bug; IMPULSE_TRACEBACK=1 prints the traceback)\n"
    assert capsys.readouterr() == ("", line)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RecordError("x.jsonl, line 3: torn"), "x.jsonl, line 3: torn"),
        (
            OSError(28, "No space left on device", "x.safetensors"),
            "x.safetensors: No space left on device",
        ),
        (PermissionError(13, "Permission denied", "/x"), "/x: Permission denied"),
        (OSError("the disk is gone"), "the disk is gone"),
        (ModuleNotFoundError("No module named 'torch'", name="torch"), "impulse tools sig"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(error, said, ending, capsys):
    assert ending(error) == command.FAILED == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {said}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(("error", "code"), [(RecordError("torn"), 2), (RuntimeError("boom"), 70)])
def test_where_an_error_was_raised_is_shown_if_asked(error, code, monkeypatch, capsys):
    def main(args):
        raise error

    monkeypatch.setattr("impulse_training.cli.tools.signature.main", main)
    monkeypatch.setenv(command.TRACEBACK, "1")
    assert impulse("tools", "signature") == code
    err = capsys.readouterr().err
    assert err.startswith("Traceback (most recent call last):\n")
    assert f'File "{__file__}"' in err
    assert err.splitlines()[-1].startswith("error: ")


def test_a_check_that_failed_is_1(monkeypatch, capsys):
    for passed, code in ((True, 0), (False, 1)):
        result = {"passed": passed}
        monkeypatch.setattr("impulse_training.cli.tools.signature.main", lambda args, r=result: r)
        assert impulse("tools", "signature") == code


def test_what_was_typed_is_known_while_it_runs_and_forgotten_after(monkeypatch):
    seen, before = [], list(sys.argv)
    monkeypatch.setattr(
        "impulse_training.cli.tools.signature.main", lambda args: seen.append(sys.argv)
    )
    impulse("tools", "signature", "--games", "3")
    assert seen == [["impulse", "tools", "signature", "--games", "3"]]
    assert sys.argv == before


# --- Packages that are not installed -------------------------------------------------------------


@pytest.mark.parametrize(
    ("package", "words", "what", "extra"),
    [
        ("torch", "match policy:2p random", "policy:2p", "networks"),
        ("torch", "train --minutes 1", "impulse train", "train"),
        ("torch", "agents model-card 2p", "impulse agents model-card", "train"),
        ("scipy", "agents calibrate 2p", "impulse agents calibrate", "train"),
        ("torch", "agents migrate 2p", "impulse agents migrate", "train"),
        ("stable_baselines3", "train --minutes 1", "impulse train", "train"),
        ("stable_baselines3", "demo", "impulse demo", "train"),
        ("scipy", "train fit-evaluation", "impulse train fit-evaluation", "tournament"),
        ("rich", "agents search-trials turns=3", "impulse agents search-trials", "tournament"),
        ("aiohttp", "play --no-open", "impulse play", "play"),
        ("rich", "tournament", "impulse tournament", "tournament"),
        ("matplotlib", "tournament report runs/t1", "impulse tournament report", "tournament"),
        ("rich", "evaluate 2p", "impulse evaluate", "train"),
        ("pandas", "export {folder} --out {folder}/tables", "tables", "analysis"),
        ("resvg_py", "export --out {folder}/a.png", "", "render"),
        ("ray", "train rllib --minutes 1", "impulse train rllib", "ray"),
        ("mcp,mcp_types,starlette,uvicorn", "mcp --seat 1", "impulse mcp", "mcp"),
        ("uvicorn", "mcp --seat 1", "impulse mcp needs uvicorn", "mcp"),
    ],
)
def test_a_package_that_is_missing_is_named_with_its_extra(package, words, what, extra, tmp_path):
    played(TABLES[8])[0].save(tmp_path / "game.jsonl")
    run = run_without(package, *words.format(folder=tmp_path).split(), cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.count("\n") == 1
    assert run.stderr.startswith(f"error: {what}")
    assert f'pip install "impulse-env[{extra}]"' in run.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"], "nothing was written"


@pytest.mark.parametrize("words", ["agents", "match greedy random --games 2", "info --json"])
def test_what_needs_no_extra_runs_without_any(words):
    run = run_without(",".join(EXTRA_BY_PACKAGE), *words.split())
    assert (run.returncode, run.stderr.replace(run.stdout, "")) == (0, run.stderr)


def test_a_package_of_no_extra_is_no_missing_extra():
    assert missing_extra("x", ImportError("no such name", name="impulse_env.gone")) is None
    assert missing_extra("x", ImportError("?")) is None
