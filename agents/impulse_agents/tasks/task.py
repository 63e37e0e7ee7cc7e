"""A task: a position, the seat that plays it by text, its opponents, and how long it lasts.

A file of tasks is JSON Lines, one task on each line; it may be compressed by gzip.
"""

import base64
import binascii
import gzip
import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from impulse_env.errors import ImpulseError
from impulse_env.files import replacing
from impulse_env.game import Game
from impulse_env.schema import SchemaError, read_json

Length = Literal["decision", "turn", "race", "game"]
LENGTHS: Final[tuple[Length, ...]] = ("decision", "turn", "race", "game")
"""The lengths of episodes: one decision, one turn, a race to five points, a whole game."""
RACE_POINTS: Final = 5
"""Points that win a race."""
SHIPPED: Final = Path(__file__).with_name("tasks.jsonl.gz")
"""The tasks of the benchmark."""
_MOST_BYTES: Final = 64_000


class TaskError(ImpulseError, ValueError):
    """A task, or a file of tasks, is malformed; the message names the task and the field."""


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A task.

    Attributes:
        id: Its name, unique in its file.
        level: Its level, 1 to 3: decisions, turns, races and games.
        length: The length of the episode; the result of a race or a game is verified by its
            winner, that of a decision or a turn by chances to win.
        seat: The seat that plays by text, from 0.
        seed: Seed of the opponents, and of the worlds in which choices are judged.
        opponents: The agent on every other seat.
        game: The full game, `Game.to_bytes`, compressed by zlib, in base64.
        digest: First 16 hexadecimal digits of the SHA-256 of the game's bytes.
        judge: The calibrated agent that gave `chances`, and that judges the decisions of a turn.
        chances: Chance to win, 0 to 1, after each line of the decision: names of actions, joined
            by "; ". Empty for other lengths.
        errors: Standard error of each chance, in the same order.
    """

    id: str
    level: int
    length: Length
    seat: int
    seed: int
    opponents: str
    game: str
    digest: str
    judge: str = ""
    chances: dict[str, float] = {}
    errors: tuple[float, ...] = ()

    def start(self) -> Game:
        """Return the game at its first decision.

        Raises:
            TaskError: The game is damaged, of another version of the rules, or not the seat's.
        """
        try:
            packed = base64.b64decode(self.game, validate=True)
            unpacking = zlib.decompressobj()
            payload = unpacking.decompress(packed, _MOST_BYTES)
            game = Game.from_bytes(payload)
        except (binascii.Error, zlib.error, ImpulseError) as error:
            raise TaskError(f"task {self.id}: its game cannot be read: {error}") from error
        if digest_of(payload) != self.digest:
            raise TaskError(f"task {self.id}: its digest does not match its game")
        if game.seat != self.seat:
            raise TaskError(f"task {self.id}: seat {game.seat} decides, not {self.seat}")
        return game


def digest_of(payload: bytes) -> str:
    """Return the digest of a game's bytes."""
    return hashlib.sha256(payload).hexdigest()[:16]


def packed(game: Game) -> tuple[str, str]:
    """Return the text of a game and its digest, for the fields of a task."""
    payload = game.to_bytes()
    return base64.b64encode(zlib.compress(payload, 9)).decode(), digest_of(payload)


def read_tasks(path: str | Path) -> list[Task]:
    """Return the tasks of a file, JSON Lines or that compressed by gzip.

    Raises:
        TaskError: The file cannot be read, a line is not a task, or two tasks have the same name.
    """
    tasks: dict[str, Task] = {}
    for number, line in enumerate(_lines(Path(path)), 1):
        try:
            task = read_json(line, Task)
        except SchemaError as error:
            raise TaskError(f"{path}, line {number}: {error}") from error
        if task.id in tasks:
            raise TaskError(f"{path}, line {number}: there are two tasks {task.id!r}")
        tasks[task.id] = task
    return list(tasks.values())


def _lines(path: Path) -> Iterator[bytes]:
    try:
        content = path.read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise TaskError(f"{path} cannot be read: {error}") from error
    yield from filter(None, content.splitlines())


def shipped_tasks() -> list[Task]:
    """Return the tasks of the benchmark "Impulse text"."""
    return read_tasks(SHIPPED)


def write_tasks(path: Path, tasks: Iterable[Task]) -> None:
    """Write a file of tasks, compressed if its name ends in ``.gz``; equal tasks, equal bytes."""
    content = b"".join(msgspec.json.encode(task) + b"\n" for task in tasks)
    with replacing(path) as file:
        file.write(gzip.compress(content, 9, mtime=0) if path.suffix == ".gz" else content)


def append_task(path: Path, task: Task) -> None:
    """Add a line to a file of tasks, which need not exist."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(task) + b"\n")


def drop_cut_line(path: Path) -> None:
    """Remove a last line that was cut off, from a file that `append_task` may have written."""
    if path.exists():
        content = path.read_bytes()
        os.truncate(path, content.rfind(b"\n") + 1)
