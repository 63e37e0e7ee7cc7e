"""The command `impulse benchmark-text`."""

import os
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from impulse_agents.tasks.episode import Reward
from impulse_agents.tasks.task import Task, read_tasks, shipped_tasks
from impulse_env.errors import ArgumentError
from impulse_env.files import check_output
from impulse_env.options import check_least, check_once
from impulse_training.cli.framework.command import Command
from impulse_training.run.storage.folder_lock import locked
from impulse_training.run.terminal.interrupt import interruptible

if TYPE_CHECKING:
    from impulse_training.evaluation.text_benchmark.players import Player

LEVELS = 1, 2, 3

COMMAND = Command(
    examples=(
        "impulse benchmark-text --base-url http://localhost:8000/v1 --model my-model",
        "impulse benchmark-text --agent greedy --levels 1 2",
        "impulse benchmark-text --agent policy+search:{}:100",
    ),
    has_json=True,
    extra="train",
)


@dataclass(frozen=True)
class Args:
    """Measure a language model, or an agent, on 1,000 tasks at three levels.

    The model is asked by the chat completions of an OpenAI-compatible server. Results go to a
    folder, and the same command plays the missing tasks.
    """

    base_url: str | None = None
    """Address of the server, such as http://localhost:8000/v1."""
    model: str | None = None
    """Name of the model on the server."""
    key_variable: str = "OPENAI_API_KEY"
    """Environment variable with the key for the server; it may be missing."""
    agent: str | None = None
    """An agent instead of a model; {} in its name stands for the released agent of the table."""
    tasks: Path | None = None
    """File of tasks; the shipped ones by default."""
    levels: tuple[int, ...] = LEVELS
    """Levels to play: 1 decisions, 2 turns, 3 races and games."""
    most: int | None = None
    """Play only the first tasks of each level, at most this many."""
    reward: Reward = "adjusted"
    """Reward of races and games: the result without its luck, or the plain result."""
    hide_legal: bool = False
    """Leave the legal actions out of prompts and refusals."""
    bad_replies: int = 3
    """Bad replies in a row with which the model forfeits a task."""
    temperature: float = 0.0
    """Sampling temperature of the model."""
    max_tokens: int = 1024
    """Most tokens of a reply."""
    history: int = 2
    """Earlier replies that a request repeats with their prompts."""
    timeout: float = 120.0
    """Seconds that a request may take."""
    at_once: int = 4
    """Tasks that a model plays at the same time; an agent plays one."""
    out: Path | None = None
    """Folder of the results; a folder for the player under runs/benchmark-text by default."""


def main(args: Args) -> dict[str, Any]:
    """Play the missing tasks and print the results by level, and by table."""
    from impulse_training.evaluation.text_benchmark.report import (
        by_level,
        by_table,
        level_table,
        table_table,
    )
    from impulse_training.evaluation.text_benchmark.run import Outcome, Settings, play_tasks
    from impulse_training.report.printing import print_table
    from impulse_training.run.terminal.screen import Screen

    check_least(args, 1, "bad_replies", "max_tokens", "at_once", "most")
    check_least(args, 0, "history")
    check_once(args, "levels")
    _check_seconds_and_temperature(args)
    name, player, at_once = _player(args)
    tasks = _tasks(args)
    safe = "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in name)
    folder = args.out or Path("runs/benchmark-text") / safe
    check_output("--out", folder, is_folder=True)
    folder.mkdir(parents=True, exist_ok=True)
    sampling = (args.temperature, args.max_tokens, args.history) if args.agent is None else ()
    settings = Settings(name, args.reward, not args.hide_legal, args.bad_replies, *sampling)
    console = Screen()

    def tell(done: int, total: int, newest: Outcome) -> None:
        bad = f", {newest.refused} bad replies" if newest.refused else ""
        console.print(f"{done:,} of {total:,}  {newest.id}  {newest.reward:+.3f}{bad}")

    with locked(folder), interruptible(after="the tasks under way") as interrupt:
        outcomes = play_tasks(
            tasks, player, settings, folder, interrupt, at_once=at_once, tell=tell
        )
    levels, tables = by_level(outcomes), by_table(tasks, outcomes)
    print_table(console, level_table(name, levels))
    print_table(console, table_table(name, tables))
    if len(outcomes) < len(tasks):
        console.print(f"interrupted; the same command plays the other {len(tasks) - len(outcomes)}")
    return {"player": name, "folder": str(folder), "levels": levels, "tables": tables}


def _check_seconds_and_temperature(args: Args) -> None:
    if not (isfinite(args.timeout) and args.timeout > 0):
        raise ArgumentError(f"--timeout must be a number of seconds above 0, not {args.timeout}")
    if not (isfinite(args.temperature) and args.temperature >= 0):
        raise ArgumentError(f"--temperature must be 0 or more, not {args.temperature}")


def _player(args: Args) -> "tuple[str, Player, int]":
    """Return the name of the player, the player, and the number of tasks that it plays at once."""
    from impulse_training.evaluation.text_benchmark.players import AgentPlayer, ModelPlayer

    if args.agent is not None:
        if args.base_url is not None or args.model is not None:
            raise ArgumentError("--agent plays without --base-url and --model; give one of both")
        return args.agent, AgentPlayer(args.agent), 1
    if args.base_url is None or args.model is None:
        raise ArgumentError("give --base-url and --model for a model, or --agent for an agent")
    if not args.base_url.startswith(("http://", "https://")):
        raise ArgumentError(
            f"--base-url must begin with http:// or https://, not {args.base_url!r}"
        )
    key = os.environ.get(args.key_variable, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise ArgumentError(
            f"the key in {args.key_variable} has a character that no header may have"
        )
    sampling = args.temperature, args.max_tokens, args.history, args.timeout
    return args.model, ModelPlayer(args.base_url, args.model, key, *sampling), args.at_once


def _tasks(args: Args) -> list[Task]:
    """Return the tasks to play, level by level."""
    for level in args.levels:
        if level not in LEVELS:
            raise ArgumentError(f"--levels must be of 1, 2 and 3, not {level}")
    every = shipped_tasks() if args.tasks is None else read_tasks(args.tasks)
    tasks = [
        task
        for level in args.levels
        for task in [task for task in every if task.level == level][: args.most]
    ]
    if not tasks:
        raise ArgumentError(f"there are no tasks of the levels {args.levels}; there are 1, 2 and 3")
    return tasks
