"""Where a command cannot write it says so first; `-` is no file; each option of a path is here."""

import dataclasses
import typing
from pathlib import Path

import pytest

from commands import impulse, refusal
from impulse_training.cli.framework.tree import COMMANDS, find
from recorded import TABLES, played

FILES = {
    "play --terminal --record": ".jsonl",
    "mcp --record": ".jsonl",
    "replay game.jsonl --html": ".html",
    "replay game.jsonl --analyse policy:2p --html": ".html",
    "export game.jsonl --out": ".svg",
    "games explore game.jsonl --html": ".html",
    "games annotate game.jsonl --by ismcts:9 --out": ".jsonl",
    "tournament --replay 0 --record": ".jsonl",
    "agents standings --picture": ".svg",
    "agents standings policy:2p --file": ".json",
    "agents migrate 2p --out": ".safetensors",
    "tools text-tasks --scale 0.01 --out": ".jsonl",
}
"""Command lines that lack a file to write at their end, and the ending of its name."""
FOLDERS = [
    "play --no-open --dir",
    "games record random --out",
    "export game.jsonl --out",
    "export --format parquet --agents random --out",
    "tournament --out",
    "agents standings policy:2p --folder",
    "evaluate 2p --out",
    "agents weaknesses 2p --out",
    "train --minutes 1 --out",
    "train sb3 --minutes 1 --out",
    "train rllib --minutes 1 --out",
    "train imitate --out",
    "train distill --out",
    "train best-response random --out",
    "train ablation --out",
    "demo --out",
    "benchmark-text --agent random --levels 1 --out",
    "tools soak --out",
    "tools claims verify strength --out",
    "tools golden --games",
    "tools golden --drawings",
]
READ = {
    "replay RECORD",
    "export RECORD",
    "games explore GAMES",
    "games annotate RECORD",
    "play --tls-cert",
    "play --tls-key",
    "tournament report FOLDER",
    "agents model-card --results",
    "agents model-card --run",
    "agents model-card --lost-games",
    "agents model-card --weaknesses-file",
    "train --resume",
    "train rllib --resume",
    "tools claims --file",
    "benchmark-text --tasks",
}
"""Places that are read; what is written beside them is looked at below."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with a record and a file in it, where no game begins."""
    played(TABLES[8])[0].save(tmp_path / "game.jsonl")
    (tmp_path / "file").write_text("mine")
    monkeypatch.chdir(tmp_path)

    def begin(*_args, **_more):
        raise AssertionError("a game began before it was known where to write")

    monkeypatch.setattr("impulse_env.game.Game.__init__", begin)
    monkeypatch.setattr("impulse_env.batch.GameBatch.__init__", begin)
    return tmp_path


def refused(capsys, *words):
    """The sentence with which a command ends that has changed nothing."""
    before = sorted(Path().rglob("*"))
    if words[:2] == ("train", "rllib"):
        pytest.importorskip("ray")
    assert impulse(*words) == 2
    assert sorted(Path().rglob("*")) == before
    return refusal(capsys)


def path_options():
    """Every option that is a path, as it is typed; those by their place in capitals."""
    for name, command in COMMANDS.items():
        kind = command.options
        hints = typing.get_type_hints(kind)
        for field in dataclasses.fields(kind):
            if "Path" in str(hints[field.name]):
                placed = field.name.upper(), f"--{field.name.replace('_', '-')}"
                yield name, *placed


def test_every_option_that_is_a_path_is_here():
    known = READ | {f"{find(line.split()).name} {line.split()[-1]}" for line in (*FILES, *FOLDERS)}
    for name, by_place, option in path_options():
        assert {f"{name} {by_place}", f"{name} {option}"} & known, (name, option)


@pytest.mark.parametrize("typed", FILES)
def test_a_file_that_cannot_be_written_is_refused_first(typed, folder, capsys):
    *words, option = typed.split()
    name = f"a{FILES[typed]}"
    said = refused(capsys, *words, option, f"file/{name}")
    assert said == f"{option} file/{name} cannot be written: file is not a folder"
    (folder / name).mkdir()
    said = refused(capsys, *words, option, name)
    assert said == f"{option} {name} cannot be written: it is a folder"


@pytest.mark.parametrize("typed", FOLDERS)
def test_a_folder_that_cannot_be_written_is_refused_first(typed, capsys):
    *words, option = typed.split()
    for place, why in (("file", "it is not a folder"), ("file/new/a", "file is not a folder")):
        said = refused(capsys, *words, option, place)
        assert said == f"{option} {place} cannot be written: {why}"


@pytest.mark.parametrize(
    ("typed", "begins"),
    [
        ("games annotate game.jsonl --by ismcts:9", "RECORD game.jsonl "),
        ("agents calibrate 2p", "AGENT "),
        ("agents calibrate ismcts:9", "AGENT "),
        ("agents calibrate policy+search:2p:9", "AGENT "),
        ("agents fit-luck 2p", "JUDGE "),
        ("agents fit-luck rules", "JUDGE "),
        ("agents model-card 2p", "CHECKPOINT "),
        ("train --minutes 1", "--out runs "),
        ("evaluate 2p", "--out runs/evaluate-2p "),
        ("agents standings policy:2p", "--file "),
        ("replay game.jsonl --analyse policy:2p", "--html game.html "),
    ],
)
def test_the_default_place_is_read(typed, begins, capsys, monkeypatch):
    def refuse(**_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("impulse_env.files.TemporaryFile", refuse)
    said = refused(capsys, *typed.split())
    assert said.startswith(begins)
    assert said.endswith(" cannot be written: Permission denied")


NEEDED = {
    "agents model-card": "2p",
    "evaluate": "2p",
    "agents weaknesses": "2p",
    "agents migrate": "2p",
    "replay": "game.jsonl",
    "games annotate": "game.jsonl",
}
"""What goes by its place."""


@pytest.mark.parametrize(("name", "by_place", "option"), list(path_options()))
def test_a_stroke_is_no_file(name, by_place, option, capsys):
    words = [NEEDED[name]] if name in NEEDED else []
    if f"{name} {by_place}" in READ:
        words = ["-"]
    else:
        words += [option, "-"]
    said = refused(capsys, *name.split(), *words)
    assert " must name a file or a folder, not -: no command reads standard input" in said
