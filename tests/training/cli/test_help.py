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

import pytest

from commands import impulse
from impulse_env import __version__
from impulse_training.cli.commands import COMMANDS, GROUPS, load
from impulse_training.cli.parsing import parse

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
        for field, below in zip(defined.body, defined.body[1:], strict=False):
            is_text = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            if isinstance(field, ast.AnnAssign) and is_text:
                found[field.target.id] = below.value.value
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
        "import sys; from impulse_training.cli.main import main; main(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in run.stderr.split()}


def test_the_help_takes_no_longer_than_python_takes_to_start():
    ours = cpu_seconds("-m", "impulse_training.cli.main", "--help")
    assert ours - cpu_seconds("-c", "pass") < SECONDS


def test_the_help_imports_nothing_that_takes_long():
    assert imported("--help").isdisjoint(HEAVY)


@pytest.mark.parametrize("name", ["play", "match", "train", "train-rllib", "tournament", "export"])
def test_the_help_of_a_command_imports_none_of_the_libraries_of_extras(name):
    extras = set(HEAVY) - {"numba"}  # of the rules, which come with the options of a game
    assert imported(name, "--help").isdisjoint(extras)


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("help",)], ids=str)
def test_the_help_names_every_command_with_what_it_does(words, capsys):
    assert impulse(*words) == 0
    out = capsys.readouterr().out
    for title, commands in GROUPS.items():
        assert f"\n{title}:\n" in out
        for command in commands:
            assert re.search(
                rf"^  {command.name} +{re.escape(command.summary)}$", out, re.MULTILINE
            )


@pytest.mark.parametrize("word", ["--version", "-V"])
def test_the_version_is_that_of_the_package(word, capsys):
    assert impulse(word) == 0
    assert capsys.readouterr().out == f"impulse {__version__}\n"


@EACH
def test_a_command_explains_every_option(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    assert impulse(command.name, "--help") == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    out, options = plain(printed.out), load(command.options)
    assert out.startswith(f"usage: impulse {command.name} ")
    assert plain(inspect.cleandoc(options.__doc__)) in out
    explained = docstrings(options)
    for field in fields(options):
        assert explained.get(field.name), f"{field.name} has no text below it"
        assert plain(explained[field.name]) in out
    assert ("--json Print the result as JSON" in out) == command.has_json
    for example in command.examples:
        assert f"\n  {example}\n" in printed.out


@EACH
def test_an_option_is_typed_with_hyphens_and_flags_have_no_negation(command, capsys):
    impulse(command.name, "--help")
    flags = re.findall(r"^│ +(--[\w-]+)", capsys.readouterr().out, re.MULTILINE)
    assert not any("_" in flag for flag in flags)
    names = {f"--{field.name.replace('_', '-')}" for field in fields(load(command.options))}
    assert set(flags) <= names | {"--json"}


@EACH
def test_a_commands_examples_are_understood(command):
    assert command.examples
    for example in command.examples:
        inner = re.search(r"\$\((.*)\)", example)
        first, name, *options = shlex.split(inner[1] if inner else example)
        assert (first, name) == ("impulse", command.name)
        understood, as_json = parse(load(command.options), name, options, command.has_json)
        assert isinstance(understood, load(command.options))
        assert as_json == ("--json" in options)


@EACH
def test_a_command_can_be_run(command):
    """What the table refers to is there."""
    if command.name == "train-rllib":
        pytest.importorskip("ray.rllib", exc_type=ImportError)
    assert callable(load(command.run))


def test_names_are_unique_and_options_of_one_meaning_have_one_name():
    names = [command.name for commands in GROUPS.values() for command in commands]
    assert len(set(names)) == len(names) == len(COMMANDS)
    all_options = {field.name for c in COMMANDS.values() for field in fields(load(c.options))}
    gone = {"teams", "start", "panel", "steps", "batch", "entropy", "value", "clip", "gradient"}
    assert all_options.isdisjoint(gone)


def test_the_command_is_installed():
    program = os.path.join(os.path.dirname(sys.executable), "impulse")
    run = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert run.stdout == f"impulse {__version__}\n"
