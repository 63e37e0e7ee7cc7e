"""Commands that the pages name exist and understand the options that stand there."""

import json
import re
import shlex
import tomllib

import pytest

from impulse_training.cli.framework.parsing import UsageError, parse
from impulse_training.cli.framework.tree import COMMANDS, find
from pages import PAGES, ROOT, blocks, blocks_in, name_of, spans, spans_in, text_of

OURS = re.compile(
    r"(?<![\w/@:.-])(?:\.venv/bin/)?impulse (-?[A-Za-z][\w-]*)((?:(?! {2,}|[#|>)]).)*)"
)
"""A command and its options: up to a comment, a pipe, or an explanation beside it."""
LEFT_OUT = ("...", "…")
ANY = "COMMAND"
"""Stands in the pages for any of the commands."""
MODULES = re.compile(r"python3? -m (?:impulse_|agents\b|training\b)")
"""How commands were typed before there was `impulse`."""

HISTORY = [page for page in PAGES if page.parent.name == "checkpoints"]
"""Model cards quote the commands of their day, which stay as they were typed."""
OF_TODAY = [page for page in PAGES if page not in HISTORY]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def lines(page):
    """Where commands stand: lines of blocks that are not Python, and words in backticks."""
    return [line for line, _ in _lines(blocks(page), spans(page))]


def _lines(found, words):
    """Lines, each with whether it is to be typed as it stands; in prose a command may be cut."""
    shown = [body.replace("\\\n", " ") for language, body in found if language != "python"]
    whole = [(line, True) for body in shown for line in body.splitlines()]
    return whole + [(line, False) for line in words]


def texts():
    """Every text of today with commands in it, by its name: pages, and what notebooks tell."""
    for page in OF_TODAY:
        yield name_of(page), text_of(page)
    for notebook in NOTEBOOKS:
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                yield name_of(notebook), "".join(cell["source"])


def commands():
    found = {}
    for name, text in texts():
        for line, is_whole in _lines(blocks_in(text), spans_in(text)):
            for command, options in OURS.findall(line):
                words = [word for word in shlex.split(options) if word not in LEFT_OUT]
                found.setdefault((command, *words), []).append((name, is_whole))
    return found


NAMED = commands()


def why_not(command, options):
    """Why a command does not understand its options; None if it does. Without any it explains."""
    try:
        parse(command.options, command.name, options or ["--help"], command.declared.has_json)
    except SystemExit as ended:
        return ended.code or None
    except UsageError as error:
        return str(error)
    return None


@pytest.mark.parametrize("command", NAMED, ids=" ".join)
def test_a_command_understands_its_options(command):
    if command[0] in ("--help", "--version"):
        assert command[1:] == ()
        return
    named = None if command[0] == ANY else find(command)
    options = command[1:] if named is None else command[len(named.name.split()) :]
    if named is not None and named.is_group:
        assert options in ((), ("--help",))
        return
    for known in COMMANDS.values() if command[0] == ANY else [named]:
        why = why_not(known, options)
        is_whole = any(whole for _, whole in NAMED[command])
        # "`impulse train --network` takes your own": in prose an option stands for itself.
        if why is not None and not is_whole and why.startswith(f"{options[-1]} needs a value"):
            continue
        assert why is None, f"{why}; see {NAMED[command]}"


def test_commands_of_every_kind_were_found():
    named = {command[0] for command in NAMED}
    assert {"train", "tournament", "replay", "play", "match", "export"} <= named
    assert len(NAMED) > 50
    where = {name for places in NAMED.values() for name, _ in places}
    assert {"README.md", "CONTRIBUTING.md", "agents/README.md", "training/README.md"} <= where
    assert any(name.startswith("docs/") for name in where)
    assert any(name.endswith(".ipynb") for name in where)


def test_every_command_is_named_in_a_page_or_made_a_target():
    targets = re.findall(r"/impulse (.*)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    typed = [command for command in NAMED if command[0] != ANY] + [line.split() for line in targets]
    assert set(COMMANDS) - {found.name for words in typed if (found := find(words))} == set()


@pytest.mark.parametrize("page", [*OF_TODAY, *NOTEBOOKS], ids=name_of)
def test_no_page_runs_a_module_in_place_of_the_command(page):
    assert MODULES.findall(text_of(page)) == []


def test_cards_are_the_only_pages_that_quote_commands_of_their_day():
    assert {page.suffix for page in HISTORY} == {".md"}
    assert {page.parent for page in HISTORY} == {ROOT / "agents/impulse_agents/checkpoints"}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_targets_and_extras_exist(page):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    near = next(found for folder in page.parents if (found := folder / "pyproject.toml").exists())
    project = tomllib.loads(near.read_text(encoding="utf-8"))["project"]
    for line in lines(page):
        command = re.match(r"(?:\$ )?make ([^#=]*?)(?:$|  |#| \w+=)", line)
        for target in command[1].split() if command else ():
            assert target in targets, line
        for names in re.findall(r"EXTRAS=([\w,-]+)|(?:impulse-env|\.)\[([\w,-]+)\]", line):
            for extra in "".join(names).split(","):
                assert extra in project["optional-dependencies"], line
