"""Pages that tell finished games again with an analysis, or with what a search thinks of them.

A trained agent for so many players analyses the game; without one a search is asked.

They are made piece by piece in the processes of the agents, whose questions come in between, and
kept beside the tables, each with the record that branches of its game are played from. A page that
nobody waits for any more is given up, and the process that works on it is ended.
"""

import asyncio
import logging
import re
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from impulse_agents import checkpoints
from impulse_env.options import Options
from impulse_env.records.record import Annotation, Record
from impulse_env.replay.analysis import Analysis
from impulse_table.tables.store import Store
from impulse_table.workers import replay_tasks
from impulse_table.workers.pool import WorkerError, WorkerPool

ANALYST: Final = "ismcts:300"
"""Who is asked where there is no trained agent: a search that plays with any number."""
QUICK: Final = "greedy"
"""Who plays on there."""
_PIECE: Final = 20
"""Decisions of one question, so that agents at other tables need not wait long."""
_MOST_AT_ONCE: Final = 4
_HOLD: Final = 10.0
"""Seconds that a question about progress waits for an answer at most."""
_LOOK: Final = 0.2
"""Seconds between two looks at progress meanwhile."""
_PATIENCE: Final = 15.0
"""Seconds without such a question after which nobody waits for a page any more."""
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")

_log: Final = logging.getLogger(__name__)


@dataclass
class Progress:
    """How far a page is made.

    Attributes:
        done: Decisions looked at.
        total: Decisions of the game.
        fault: Why it is made no more, for people; None if all is well.
        followers: Questions about it that wait for an answer.
        look: Gives the page up if it is not followed by then.
    """

    done: int
    total: int
    fault: str | None = None
    followers: int = 0
    look: asyncio.TimerHandle | None = None


class Replays:
    """The pages of finished games.

    Args:
        store: Where the tables are; pages lie in its folder ``replays``.
        workers: Who make them.
    """

    def __init__(self, store: Store, workers: WorkerPool) -> None:
        self._folder = store.folder / "replays"
        self._workers = workers
        self._progress: dict[str, Progress] = {}
        self._making: dict[str, asyncio.Task[None]] = {}

    def path(self, name: str) -> Path:
        """Return where the page of a game is kept; a name has letters, digits, - and _ in it."""
        return self._folder / f"{name}.html"

    def is_made(self, name: str) -> bool:
        """Whether the page of a game is there, and the record for its branches."""
        path = self.path(name)
        return path.is_file() and path.with_suffix(".jsonl").is_file()

    def record(self, name: str) -> str | None:
        """Return the text of the record of a game that has a page; None if it has none."""
        if not _NAME.fullmatch(name) or not self.is_made(name):
            return None
        try:
            return self.path(name).with_suffix(".jsonl").read_text(encoding="utf-8")
        except FileNotFoundError:  # the page has just made room for newer ones
            return None

    def remove(self, page: Path) -> None:
        """Remove a page and its record."""
        for path in (page, page.with_suffix(".jsonl")):
            path.unlink(missing_ok=True)

    def analyst(self, options: Options) -> str:
        """Return the agent that analyses games with such options."""
        return adviser(options)

    def player(self, options: Options) -> str:
        """Return the agent that is to play on at first: a search would take its time."""
        return _trained(options) or QUICK

    @property
    def is_busy(self) -> bool:
        """Whether so many pages are being made that others have to wait."""
        return len(self._making) >= _MOST_AT_ONCE

    def state(self, name: str, total: int = 0) -> dict[str, Any]:
        """Return how far the page of a game with so many decisions is made, JSON-able."""
        progress = self._progress.get(name, Progress(0, total))
        return {
            "ready": self.is_made(name),
            "running": name in self._making,
            "done": progress.done,
            "total": progress.total,
            "fault": progress.fault,
        }

    def begin(self, name: str, record: Record) -> None:
        """Make the page of a game, unless it is there or being made, while somebody follows it."""
        if name in self._making or self.is_made(name):
            return
        self._progress[name] = Progress(0, len(record.moves))
        trained = _trained(record.header.options)
        making = asyncio.create_task(self._make(name, record.text(), trained))
        self._making[name] = making
        making.add_done_callback(lambda _: self._making.pop(name))
        self._expect(name, _PATIENCE)

    async def follow(self, name: str, seen: int) -> None:
        """Wait until more is made of a page than was seen, it is made no more, or some seconds.

        Whoever is cancelled here has gone; a page that nobody else follows is given up.

        Args:
            name: Of the game.
            seen: Decisions that the asker knows to be looked at; -1: none are waited for.
        """
        making, progress = self._making.get(name), self._progress.get(name)
        if making is None or progress is None:
            return
        patience, ends = _PATIENCE, time.monotonic() + _HOLD
        progress.followers += 1
        try:
            while not making.done() and progress.done <= seen and time.monotonic() < ends:
                await asyncio.wait({making}, timeout=_LOOK)
        except asyncio.CancelledError:
            patience = 0.0
            raise
        finally:
            progress.followers -= 1
            self._expect(name, patience)

    def _expect(self, name: str, seconds: float) -> None:
        """Give a page up unless somebody follows it again within some seconds."""

        def look() -> None:
            if name in self._making and not progress.followers:
                _log.info("table %s: nobody waits for the analysis any more", name)
                self._making[name].cancel()

        progress = self._progress[name]
        if progress.look is not None:
            progress.look.cancel()
        progress.look = asyncio.get_running_loop().call_later(seconds, look)

    def close(self) -> None:
        """Make nothing any more."""
        for task in self._making.values():
            task.cancel()

    async def _make(self, name: str, text: str, trained: str | None) -> None:
        progress = self._progress[name]
        try:
            parts, notes = list[Analysis](), list[Annotation]()
            while progress.done < progress.total:
                piece = progress.done, min(progress.done + _PIECE, progress.total)
                if trained is None:
                    notes += await self._workers.ask(replay_tasks.weigh, text, ANALYST, *piece)
                else:
                    parts.append(await self._workers.ask(replay_tasks.judge, text, trained, *piece))
                progress.done = piece[1]
            if trained is None:
                await self._workers.ask(replay_tasks.write_page, text, notes, self.path(name))
            else:
                await self._workers.ask(replay_tasks.write_analysis, text, parts, self.path(name))
        except WorkerError as error:
            _log.warning("table %s: no analysis: %s", name, error)
            progress.fault = f"The game could not be analysed: {error}."


def adviser(options: Options) -> str:
    """Return the agent that is asked about games with such options unless another is named."""
    return _trained(options) or ANALYST


def _trained(options: Options) -> str | None:
    """Return the trained agent for games with such options; None if there is none, or no torch."""
    name = checkpoints.trained_for(options.players, options.team_size)
    is_there = name is not None and find_spec("torch") is not None
    return f"policy:{name}" if is_there else None
