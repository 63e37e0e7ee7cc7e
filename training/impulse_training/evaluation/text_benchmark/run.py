"""Plays the tasks of the benchmark, several at a time; a finished task is never played again."""

from collections.abc import Callable, Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Final

import msgspec
from msgspec.structs import asdict

from impulse_agents.tasks.episode import Episode, Reward
from impulse_agents.tasks.task import Task, drop_cut_line
from impulse_env.schema import SchemaError, read_json
from impulse_training.evaluation.text_benchmark.players import ModelError, Player
from impulse_training.run.terminal.interrupt import Interrupt

RESULTS: Final = "results.jsonl"
SETTINGS: Final = "settings.json"

Tell = Callable[[int, int, "Outcome"], None]
"""Takes the number of finished tasks, that of all tasks, and the newest result."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that results of one folder have in common; agents have no sampling."""

    player: str
    reward: Reward
    with_legal: bool
    bad_replies: int
    temperature: float | None = None
    max_tokens: int | None = None
    history: int | None = None


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a task.

    Attributes:
        id: The task's name.
        digest: The digest of its game.
        level: Its level.
        reward: The reward of the task's seat.
        refused: Number of bad replies.
        forfeited: Whether the player forfeited.
        requests: See `Cost`; also the next two.
        prompt_tokens: Tokens of the prompts.
        completion_tokens: Tokens of the replies.
    """

    id: str
    digest: str
    level: int
    reward: float
    refused: int
    forfeited: bool
    requests: int
    prompt_tokens: int
    completion_tokens: int


def play_task(task: Task, player: Player, settings: Settings) -> Outcome:
    """Play a task; raises `ModelError`, `AgentError` or `TaskError`."""
    episode = Episode(
        task,
        reward=settings.reward,
        with_legal=settings.with_legal,
        bad_replies=settings.bad_replies,
    )
    cost = player.play(episode)
    return Outcome(
        task.id,
        task.digest,
        task.level,
        round(episode.rewards[task.seat], 6),
        episode.refused,
        episode.forfeited is not None,
        cost.requests,
        cost.prompt_tokens,
        cost.completion_tokens,
    )


def finished(folder: Path, settings: Settings, tasks: Sequence[Task]) -> dict[str, Outcome]:
    """Return the results that a folder has of some tasks, by the task's name.

    Raises:
        ModelError: The folder has results of other settings, or of other tasks with these names.
    """
    try:
        if (folder / SETTINGS).exists():
            before = read_json((folder / SETTINGS).read_bytes(), Settings)
            if before != settings:
                theirs, ours = asdict(before), asdict(settings)
                other = [f"{name} {theirs[name]}" for name in ours if theirs[name] != ours[name]]
                raise ModelError(
                    f"{folder} has results with other settings ({', '.join(other)}); "
                    "name another folder with --out"
                )
        drop_cut_line(folder / RESULTS)
        lines = (folder / RESULTS).read_bytes().splitlines() if _has_results(folder) else []
        done = {outcome.id: outcome for outcome in (read_json(line, Outcome) for line in lines)}
    except SchemaError as error:
        raise ModelError(f"{folder} cannot be read: {error}") from error
    digests = {task.id: task.digest for task in tasks}
    for name, outcome in done.items():
        if name in digests and digests[name] != outcome.digest:
            raise ModelError(f"{folder} has a result of another task {name!r}")
    return {name: outcome for name, outcome in done.items() if name in digests}


def _has_results(folder: Path) -> bool:
    return (folder / RESULTS).exists()


def play_tasks(
    tasks: Sequence[Task],
    player: Player,
    settings: Settings,
    folder: Path,
    interrupt: Interrupt,
    *,
    at_once: int = 1,
    tell: Tell = lambda done, of, newest: None,
) -> list[Outcome]:
    """Play the tasks without a result, add each result to the folder, and return all of them.

    Args:
        tasks: The tasks.
        player: The player; several threads may use it at once.
        settings: The settings.
        folder: The folder, which exists.
        interrupt: No task begins after its request.
        at_once: Tasks that are played at the same time.
        tell: Called after each task.

    Raises:
        ModelError: The folder cannot be continued; or the model failed. Finished tasks are saved.
        AgentError: An agent does not exist or cannot play.
    """
    done = finished(folder, settings, tasks)
    (folder / SETTINGS).write_bytes(msgspec.json.encode(settings))
    missing = iter([task for task in tasks if task.id not in done])
    ended: SimpleQueue[Outcome | BaseException | None] = SimpleQueue()
    fault: Exception | None = None

    def play() -> None:
        """Play missing tasks, with None after the last."""
        try:
            while not interrupt.is_requested and fault is None:
                task = next(missing, None)
                if task is None:
                    break
                ended.put(play_task(task, player, settings))
        except BaseException as error:
            ended.put(error)
        ended.put(None)

    for _ in range(threads := at_once):
        # Daemons, so that a second Ctrl-C waits for no task.
        Thread(target=play, daemon=True).start()
    with (folder / RESULTS).open("ab") as file:
        while threads:
            found = ended.get()
            if found is None:
                threads -= 1
            elif isinstance(found, BaseException):
                fault = found if isinstance(found, Exception) else RuntimeError(repr(found))
            else:
                file.write(msgspec.json.encode(found) + b"\n")
                file.flush()
                done[found.id] = found
                tell(len(done), len(tasks), found)
    if fault is not None:
        raise fault
    return [done[task.id] for task in tasks if task.id in done]
