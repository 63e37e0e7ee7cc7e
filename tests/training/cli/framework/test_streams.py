"""What is printed can be read on every stream: of any encoding, closed, full, without colours."""

import ast
import json
import os
import shlex
import subprocess
import sys
import unicodedata

import pytest

from commands import PROGRAM, run_impulse
from impulse_training.cli.framework.streams import plain
from impulse_training.cli.framework.tree import COMMANDS
from on_a_terminal import Terminal
from paths import ROOT
from recorded import TABLES, played

posix = pytest.mark.skipif(os.name != "posix", reason="shells, terminals and locales of POSIX")
SOURCES = [
    path
    for package in ("impulse_env", "agents/impulse_agents", "training/impulse_training")
    for path in (ROOT / package).rglob("*.py")
]
WITHOUT_UTF8 = {
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "posix": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""},
}
"""Environments of streams that cannot take every character."""
_IN_TURN = """
import json, sys
from impulse_training.cli.framework.main import main
for words in json.loads(sys.argv[1]):
    code = main(words)
    assert code == 0, (words, code)
"""


def in_turn(commands, **more):
    """Run commands one after the other in a process of their own, until one fails."""
    program = (sys.executable, "-c", _IN_TURN)
    return run_impulse(json.dumps(commands), program=program, **more)


def characters(path):
    """The characters in the texts of a source file that are not ASCII."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from (character for character in node.value if not character.isascii())


# --- Characters ----------------------------------------------------------------------------------


def test_every_character_of_the_sources_has_plain_ones_that_say_the_same():
    found = {character for path in SOURCES for character in characters(path)}
    assert {"∞", "…", "→"} <= found
    unknown = {c: unicodedata.name(c) for c in found if plain(c) in ("", "?")}
    assert not unknown, "cli/streams.py says what stands for it"
    assert all(plain(character).isascii() for character in found)


@pytest.mark.parametrize(
    ("text", "said"),
    [("\u2013∞, 5", "-inf, 5"), ("½ Čapek…", "12 Capek..."), ("漢", "?"), ("e\u0301", "e")],
)
def test_other_characters_are_taken_apart(text, said):
    assert "".join(map(plain, text)).replace(chr(0x2044), "") == said


@posix
@pytest.mark.parametrize("name", WITHOUT_UTF8)
def test_every_command_can_be_read_without_utf_8(name, tmp_path):
    played(TABLES[8])[0].save(tmp_path / "game.jsonl")
    folder = ["--out", "t"]
    commands = [
        ["--help"],
        *([*command.split(), "--help"] for command in COMMANDS if command != "train rllib"),
        ["info"],
        ["agents"],
        ["agents", "standings"],
        ["replay", "game.jsonl"],
        ["games", "record", "random", "--players", "2", "--out", "\udcff"],
        ["tournament", "--agents", "random", "greedy", "--games", "2", "--workers", "1", *folder],
        ["tournament", "report", "t", "--json"],
    ]
    run = in_turn(commands, environment=WITHOUT_UTF8[name], cwd=tmp_path, text=False)
    assert run.returncode == 0, run.stderr
    text = run.stdout.replace(b"\xff/0.jsonl\n", b"").decode(
        "cp1252" if name == "cp1252" else "ascii"
    )
    assert "-inf" in text
    assert "cpu, cuda, " + ("…" if name == "cp1252" else "...") in text
    lines = text[text.index("\nRatings") :].splitlines()[2:7]
    assert len({len(line) for line in lines}) == 1, "columns stand below one another"
    assert (tmp_path / "t/report.html").read_text(encoding="utf-8").count("∞")


@posix
def test_processes_of_a_command_print_what_an_agent_prints():
    code = (
        "from impulse_training.cli.framework.streams import prepare;"
        "import subprocess, sys; prepare();"
        r"subprocess.run([sys.executable, '-c', 'print(chr(0x2192))'], check=True)"
    )
    run = run_impulse(program=(sys.executable, "-c", code), environment=WITHOUT_UTF8["ascii"])
    assert (run.returncode, run.stdout) == (0, "\\u2192\n")


@posix
@pytest.mark.parametrize("typed", [b"\xff\nq\n", "é\nq\n".encode()])
def test_any_byte_can_be_typed(typed):
    run = run_impulse(
        *("play", "--terminal", "--opponents", "random", "--seed", "1"),
        environment=WITHOUT_UTF8["ascii"],
        input=typed,
        text=False,
    )
    assert run.returncode == 0, run.stderr
    assert b"is not an option" in run.stdout
    assert run.stdout.endswith(b"the player left.\n")


# --- Colours -------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize(
    "words",
    [
        ("match", "--help"),
        (
            "agents",
            "standings",
        ),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("setting", "has_codes"),
    [(("TERM", "xterm"), True), (("NO_COLOR", "1"), False), (("TERM", "dumb"), False)],
)
def test_a_terminal_gets_no_codes_that_it_should_not(words, setting, has_codes, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(*setting)
    with Terminal(*words) as terminal:
        text = terminal.wait_for(
            "impulse match policy:2p" if words[0] == "match" else "odds of ten to one"
        )
    assert ("\x1b[" in text) == has_codes


# --- Streams that take nothing -------------------------------------------------------------------

NO_SPACE = "error: standard output: No space left on device\n"


@posix
@pytest.mark.parametrize("words", ["--help", "agents", "match --help", "agents standings"])
@pytest.mark.parametrize(
    ("where", "code", "said"),
    [
        ("> /dev/full", 2, NO_SPACE),
        ("-u > /dev/full", 2, NO_SPACE),
        (">&-", 0, ""),
        (">&- 2>&- <&-", 0, ""),
    ],
)
def test_a_stream_that_takes_nothing_is_one_sentence_at_most(words, where, code, said):
    *unbuffered, where = where.rsplit("-u ", 1)
    run = subprocess.run(
        ["bash", "-c", f"{shlex.join(PROGRAM)} {words} {where}"],
        env={**os.environ, "PYTHONUNBUFFERED": "1" if unbuffered else ""},
        capture_output=True,
        text=True,
    )
    assert (run.returncode, run.stdout, run.stderr) == (code, "", said)


@posix
@pytest.mark.parametrize("where", ["2> /dev/full", "2>&-"])
def test_an_error_that_cannot_be_printed_keeps_its_code(where):
    run = subprocess.run(["bash", "-c", f"{shlex.join(PROGRAM)} nonsense {where}"])
    assert run.returncode == 2


@pytest.mark.slow
@posix
def test_a_training_does_not_take_a_full_output_for_a_full_disk(tmp_path):
    words = f"train --timesteps 64 --num-envs 2 --rollout-steps 32 --out {tmp_path / 'run'}"
    run = subprocess.run(
        ["bash", "-c", f"{shlex.join(PROGRAM)} {words} > /dev/full"], capture_output=True, text=True
    )
    assert (run.returncode, run.stderr) == (2, NO_SPACE)


# --- Folders -------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("words", ["agents", "match --help", "--version", "nonsense"])
def test_a_folder_that_is_gone_is_one_sentence(words, tmp_path):
    gone = tmp_path / "gone"
    script = f"mkdir {gone}; cd {gone}; rmdir {gone}; exec {shlex.join(PROGRAM)} {words}"
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    sentence = "error: the current folder no longer exists: change to another one\n"
    assert (run.returncode, run.stdout, run.stderr) == (2, "", sentence)


@posix
@pytest.mark.parametrize("home", [None, "", "/proc/nothing"])
def test_no_home_is_needed(home):
    environment = {name: value for name, value in os.environ.items() if name != "HOME"}
    environment |= {} if home is None else {"HOME": home}
    run = subprocess.run([*PROGRAM, "agents"], env=environment, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
