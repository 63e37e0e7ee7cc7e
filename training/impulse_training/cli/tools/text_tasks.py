"""The command `impulse tools text-tasks`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from impulse_env.files import check_output
from impulse_env.options import check_least
from impulse_training.cli.framework.command import Command
from impulse_training.run.terminal.interrupt import interruptible

COMMAND = Command(
    examples=("impulse tools text-tasks --out runs/tasks.jsonl --scale 0.1",), extra="networks"
)
_EVERY: Final = 10
"""Tasks between two progress lines."""


@dataclass(frozen=True)
class Args:
    """Make tasks for language models from games of the released agents.

    The same options give the same tasks. The shipped file has seed 0 and scale 1. The tasks that
    are made go to OUT.made, so that the same command continues after an interruption.
    """

    out: Path = Path("runs/tasks.jsonl.gz")
    """File to write: JSON Lines, compressed if its name ends in .gz."""
    scale: float = 1.0
    """Factor on the number of tasks, which is 1,000."""
    seed: int = 0
    """Random seed of the games."""


def main(args: Args) -> None:
    """Make the missing tasks and write the file."""
    from impulse_agents.tasks.task import append_task, drop_cut_line, read_tasks, write_tasks
    from impulse_training.evaluation.text_benchmark.make import make_tasks, mixed, planned

    check_least(args, 0, "seed")
    check_output("--out", args.out)
    part = args.out.with_name(f"{args.out.name}.made")
    total = len(planned(args.scale))
    drop_cut_line(part)
    tasks = read_tasks(part) if part.exists() else []
    with interruptible(after="this task") as interrupt:
        for task in make_tasks(args.scale, args.seed, {task.id for task in tasks}):
            append_task(part, task)
            tasks.append(task)
            if len(tasks) % _EVERY == 0:
                print(f"{len(tasks):,} of {total:,} tasks", flush=True)
            if interrupt.is_requested:
                print(f"interrupted; {part} has {len(tasks):,} tasks; the same command continues")
                return
    write_tasks(args.out, mixed(tasks, args.seed))
    part.unlink(missing_ok=True)
    print(f"{args.out} has {len(tasks):,} tasks")
