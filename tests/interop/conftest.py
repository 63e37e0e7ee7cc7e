"""What the tests with other libraries share."""

import runpy

import pytest

from impulse_agents.tasks import Task
from impulse_agents.tasks.task import RACE_POINTS, packed, write_tasks
from impulse_env import Game
from pages import blocks
from paths import ROOT


@pytest.fixture
def shown(request, tmp_path, monkeypatch):
    """The names that the page of the library leaves behind.

    The Python blocks of `docs/libraries/NAME.md` are run as one program, in an empty folder, by
    the test module `test_NAME`.
    """
    name = request.module.__name__.rpartition(".")[2].removeprefix("test_")
    page = ROOT / f"docs/libraries/{name}.md"
    program = tmp_path / f"{name}_page.py"
    code = [body for language, body in blocks(page) if language == "python"]
    program.write_text("\n".join(code), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return runpy.run_path(str(program), run_name="__main__")


@pytest.fixture
def tasks_file(tmp_path, monkeypatch):
    """A file of six short races, which the examples find in `IMPULSE_TASKS`."""
    tasks = []
    for seed in range(6):
        game = Game(2 + seed % 2, seed, target_score=RACE_POINTS)
        text, digest = packed(game)
        tasks.append(Task(f"race-{seed}", 3, "race", game.seat, seed, "core_rush", text, digest))
    path = tmp_path / "tasks.jsonl"
    write_tasks(path, tasks)
    monkeypatch.setenv("IMPULSE_TASKS", str(path))
    return path
