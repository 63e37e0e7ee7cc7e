"""`impulse --help` is there at once, and every command explains each of its options."""

import ast
import inspect
import os
import re
import resource
import shlex
import subprocess
import sys
import textwrap
from dataclasses import fields
from pathlib import Path

import pytest

from commands import impulse
from impulse_env import __version__
from impulse_env.extras import EXTRA_BY_PACKAGE
from impulse_training import cli
from impulse_training.cli.commands import TREE
from impulse_training.cli.framework.parsing import parse
from impulse_training.cli.framework.tree import COMMANDS, ROWS, below, find

HEAVY = ("torch", "numba", "pandas", "aiohttp", "rich", "matplotlib", "ray")
"""What would let people wait for help."""
SECONDS = 0.5
"""What the help may take above a bare start of Python."""
EACH = pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda command: command.name)


def plain(text):
    """The words of a help text without its frame."""
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", text).split())


def docstrings(options):
    """The text below each field in the source of a dataclass and of those it is derived from."""
    found = {}
    for base in reversed(options.__mro__[:-1]):
        (defined,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        for field, text in zip(defined.body, defined.body[1:], strict=False):
            is_text = isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
            if isinstance(field, ast.AnnAssign) and is_text:
                found[field.target.id] = text.value.value
    return found


def cpu_seconds(*arguments):
    """The processor's time that a fresh Python takes, the least of several."""
    measured = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        measured.append(
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime  # no waiting
        )
    return min(measured)


def imported(*words):
    """The modules that are imported once a command has been called in a fresh Python."""
    code = (
        "import sys; from impulse_training.cli.framework.main import main; main(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in run.stderr.split()}


def test_the_help_takes_no_longer_than_python_takes_to_start():
    ours = cpu_seconds("-m", "impulse_training.cli", "--help")
    assert ours - cpu_seconds("-c", "pass") < SECONDS


def test_the_help_imports_nothing_that_takes_long():
    assert imported("--help").isdisjoint(HEAVY)


def test_the_files_of_all_commands_import_none_of_the_libraries_of_extras():
    """Completion reads the options of each, as the help of each does."""
    extras = set(EXTRA_BY_PACKAGE) - {"scipy"}  # numba imports it where it is installed
    assert imported("tools", "completion").isdisjoint(extras)


def test_every_file_is_a_command_and_every_command_has_a_file():
    top = Path(cli.__file__).parent
    files = {path for path in top.rglob("*.py") if not path.name.startswith("_")}
    files -= {top / "commands.py", *(top / "framework").iterdir()}
    assert {Path(sys.modules[row.run.__module__].__file__) for row in COMMANDS.values()} == files


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("help",)], ids=str)
def test_the_help_names_every_command_with_what_it_does(words, capsys):
    assert impulse(*words) == 0
    out = capsys.readouterr().out
    for title, rows in TREE.items():
        assert f"\n{title}:\n" in out
        for name, summary in rows.items():
            shown = re.search(rf"^  {name} +{re.escape(summary)}", out, re.MULTILINE)
            assert bool(shown) == (" " not in name)


def test_few_words_are_at_the_top_and_their_help_fits_a_screen(capsys):
    assert len([name for name in ROWS if " " not in name]) <= 17
    assert all(name.split()[0] in ROWS and name.count(" ") <= 1 for name in ROWS)
    impulse("--help")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("word", [name for name in ROWS if below(name)])
def test_the_help_of_a_word_lists_the_commands_below_it(word, capsys):
    assert impulse(word, "--help") == 0
    out = capsys.readouterr().out
    assert out.startswith(f"usage: impulse {word} ")
    for name, command in below(word).items():
        assert re.search(rf"^  {name} +{re.escape(command.summary)}$", out, re.MULTILINE)
    if ROWS[word].is_group:
        assert impulse(word) == 0
        assert capsys.readouterr().out == out
    else:  # or what goes by its place would be taken for a command
        kind = ROWS[word].options
        assert kind() == parse(kind, word, [], False)[0]


@pytest.mark.parametrize("word", ["--version", "-V"])
def test_the_version_is_that_of_the_package(word, capsys):
    assert impulse(word) == 0
    assert capsys.readouterr().out == f"impulse {__version__}\n"


@EACH
def test_a_command_explains_every_option(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    assert impulse(*command.name.split(), "--help") == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    out, options = plain(printed.out), command.options
    assert out.startswith(f"usage: impulse {command.name} ")
    assert plain(inspect.cleandoc(options.__doc__)) in out
    explained = docstrings(options)
    for field in fields(options):
        assert explained.get(field.name), f"{field.name} has no text below it"
        assert plain(explained[field.name]) in out
    assert ("--json Print the result as JSON" in out) == command.declared.has_json
    for example in command.declared.examples:
        assert f"\n  {example}\n" in printed.out


@EACH
def test_an_option_is_typed_with_hyphens_and_flags_have_no_negation(command, capsys):
    impulse(*command.name.split(), "--help")
    flags = re.findall(r"^│ +(--[\w-]+)", capsys.readouterr().out, re.MULTILINE)
    assert not any("_" in flag for flag in flags)
    names = {f"--{field.name.replace('_', '-')}" for field in fields(command.options)}
    assert set(flags) <= names | {"--json"}


@EACH
def test_a_commands_examples_are_understood(command):
    assert command.declared.examples
    for example in command.declared.examples:
        inner = re.search(r"\$\((.*)\)", example)
        first, *words = shlex.split(inner[1] if inner else example)
        assert (first, find(words)) == ("impulse", command)
        options = words[len(command.name.split()) :]
        understood, as_json = parse(command.options, "impulse", options, command.declared.has_json)
        assert isinstance(understood, command.options)
        assert as_json == ("--json" in options)


@EACH
def test_a_command_can_be_run(command):
    """What the table refers to is there."""
    if command.name == "train rllib":
        pytest.importorskip("ray.rllib", exc_type=ImportError)
    assert callable(command.run)


def test_names_are_unique_and_options_of_one_meaning_have_one_name():
    assert len(ROWS) == sum(map(len, TREE.values()))
    all_options = {field.name for c in COMMANDS.values() for field in fields(c.options)}
    gone = {"teams", "start", "panel", "steps", "batch", "entropy", "value", "clip", "gradient"}
    assert all_options.isdisjoint(gone)


def test_the_command_is_installed():
    program = os.path.join(os.path.dirname(sys.executable), "impulse")
    run = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert run.stdout == f"impulse {__version__}\n"
