"""The check of bots passes good ones, in any language, and says what is wrong with others."""

import shutil
import subprocess
import sys

import pytest

from bots import bot
from commands import impulse
from impulse_agents.serving import conformance
from paths import ROOT

BOTS = ROOT / "docs/examples/bots"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Short games, and little patience."""
    game = conformance.Game
    monkeypatch.setattr(
        conformance, "Game", lambda *given, **options: game(*given, max_turns=3, **options)
    )
    monkeypatch.setattr("impulse_agents.protocol.conversation._GRACE", 0.2)
    monkeypatch.setattr(conformance, "_END", 1.5)
    monkeypatch.setattr(conformance, "_SILENCE", 0.05)


def results(kind):
    return {check.name: check for check in conformance.checks(bot(kind).removeprefix("cmd:"), 1)}


def failed(kind):
    return [name for name, check in results(kind).items() if not check.passed]


@pytest.mark.parametrize("kind", ["first", "ahead", "thinks", "two"])
def test_a_good_bot_passes(kind):
    assert failed(kind) == []


def test_what_is_wrong_with_a_bot_is_one_sentence():
    assert failed("stale") == [
        "plays whole games with legal actions",
        "ignores lines and fields of later versions",
        "answers in order what it accepts ahead",
        "answers once when it is stopped, and is silent otherwise",
        "thinks about chances and lines, or ignores the question",
        "repeats its answers to the same seeds",
        "is quick",
    ]
    plays = results("illegal")["plays whole games with legal actions"]
    assert "illegal action" in plays.detail
    assert plays.detail.endswith("(2 players, decision 0)")


def test_nothing_else_is_checked_without_a_hello():
    (check,) = conformance.checks(bot("later").removeprefix("cmd:"), 1)
    assert (check.passed, check.detail) == (False, "it speaks protocol 2, and this is 1")


def test_the_command_tells_by_its_exit_code(capsys):
    assert impulse("protocol-check", bot("first").removeprefix("cmd:"), "--games", "1") == 0
    assert "ok      says hello: no name; 2, 3, 4, 5, 6 players" in capsys.readouterr().out
    assert impulse("protocol-check", bot("dies").removeprefix("cmd:")) == 1
    assert "FAILED  plays whole games with legal actions" in capsys.readouterr().out
    assert impulse("protocol-check", "./there_is_none") == 2


# --- The bots of the guide ------------------------------------------------------------------------


def commands(tmp_path):
    return {
        "first.py": [sys.executable, str(BOTS / "first.py")],
        "uniform.c": [str(tmp_path / "uniform")],
        "talker.js": [shutil.which("node"), str(BOTS / "talker.js")],
    }


@pytest.mark.parametrize("name", sorted(commands(ROOT)))
def test_a_bot_of_the_guide_passes(name, tmp_path):
    compiler = shutil.which("cc")
    if name.endswith(".c"):
        if compiler is None:
            pytest.skip("there is no C compiler")
        built = [compiler, "-Wall", "-Wextra", "-Werror", "-O2", "-o", str(tmp_path / "uniform")]
        subprocess.run([*built, str(BOTS / name)], check=True)
    words = commands(tmp_path)[name]
    if words[0] is None:
        pytest.skip("there is no Node.js")
    checked = list(conformance.checks(" ".join(words), 1))
    assert [check.name for check in checked if not check.passed] == []


def test_every_bot_of_the_guide_is_tested():
    assert {path.name for path in BOTS.iterdir() if path.is_file()} == set(commands(ROOT))
