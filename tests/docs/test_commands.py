"""Commands that the pages name exist and understand the options that stand there."""

import argparse
import re
import runpy
import shlex
import sys
import tomllib
import warnings

import pytest

from pages import PAGES, ROOT, blocks, name_of, spans

OURS = re.compile(r"python -m ((?:impulse_env|agents|training)[\w.]*)((?:(?! {2,}|[#|>]).)*)")
"""A command and its options: up to a comment, a pipe, or an explanation beside it."""
NEED_RAY = ("impulse_training.rllib.train",)
LEFT_OUT = ("...", "…")


class ParsedError(Exception):
    """The options were understood; nothing else is wanted."""


def lines(page):
    """Where commands stand: lines of blocks that are not Python, and words in backticks."""
    shown = [body.replace("\\\n", " ") for language, body in blocks(page) if language != "python"]
    return [line for body in shown for line in body.splitlines()] + spans(page)


def commands():
    found = {}
    for page in PAGES:
        for line in lines(page):
            for module, options in OURS.findall(line):
                words = [word for word in shlex.split(options) if word not in LEFT_OUT]
                found.setdefault((module, *words), name_of(page))
    return found


COMMANDS = commands()


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            command,
            id=" ".join(command),
            marks=pytest.mark.ray if command[0] in NEED_RAY else (),
        )
        for command in COMMANDS
    ],
)
def test_a_command_understands_its_options(command, monkeypatch):
    """One that is only named explains its options."""
    parse = argparse.ArgumentParser.parse_args

    def parse_only(parser, args=None, namespace=None):
        parse(parser, args, namespace)
        raise ParsedError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_only)
    module, *options = command
    monkeypatch.setattr(sys, "argv", [module, *(options or ["--help"])])
    # The module is imported already; here it only reads its options.
    warnings.filterwarnings("ignore", message=".*found in sys.modules after import")
    with pytest.raises(ParsedError if options else SystemExit) as ended:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    assert options or ended.value.code == 0


def test_commands_of_every_kind_were_found():
    assert {
        "impulse_training.selfplay.train",
        "impulse_training.tournament",
        "impulse_env.replay",
    } <= {command[0] for command in COMMANDS}
    assert len(COMMANDS) > 20


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_targets_and_extras_exist(page):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for line in lines(page):
        command = re.match(r"(?:\$ )?make ([^#=]*?)(?:$|  |#| \w+=)", line)
        for target in command[1].split() if command else ():
            assert target in targets, line
        for names in re.findall(r"EXTRAS=([\w,]+)|(?:impulse-env|\.)\[([\w,]+)\]", line):
            for extra in "".join(names).split(","):
                assert extra in project["optional-dependencies"], line
