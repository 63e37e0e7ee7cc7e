"""Pages that replay finished games with an analysis, or with a search's notes.

A trained agent for the number of players analyses the game; without one a search does.

The page opens at once, without its analysis, and follows the analysis from there. The agents'
processes make that piece by piece, so that questions from tables come in between.
Pages are stored with the tables, each with its record, from which the server plays branches. A
trained agent's analysis also gives the game's mistakes, in a file of their own. When nobody waits
for a page, its making stops, and the process that works on it ends.
"""

import asyncio
import logging
import re
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from impulse_agents import checkpoints
from impulse_env.options import Options
from impulse_env.records.record import Annotation, Record
from impulse_env.replay.analysis import Analysis, page_data
from impulse_table.tables.mistake_files import MistakeFiles
from impulse_table.tables.mistakes import found_in
from impulse_table.tables.store import Store
from impulse_table.workers import replay_tasks
from impulse_table.workers.pool import WorkerError, WorkerPool

ANALYST: Final = "ismcts:300"
"""The adviser without a trained agent: a search, which plays with any number of players."""
QUICK: Final = "greedy"
"""The default agent to continue a game without a trained agent."""
_PIECE: Final = 20
"""Decisions of one question: few, so that agents at other tables wait only briefly."""
_MOST_AT_ONCE: Final = 4
_HOLD: Final = 10.0
"""Longest time that a request for progress waits, in seconds."""
_POLL: Final = 0.2
"""Seconds between two checks of progress meanwhile."""
_PATIENCE: Final = 15.0
"""Seconds without a request for progress after which the making of a page stops."""
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")

_log: Final = logging.getLogger(__name__)


@dataclass
class Progress:
    """Progress in the making of a page.

    Attributes:
        done: Decisions analysed, and then also those where costly choices are explained: at the end
            twice the total.
        total: Decisions of the game.
        fault: Why it failed, in a sentence for people; None if all is well.
        followers: Number of waiting requests for progress.
        look: Timer that stops the making of the page if nobody follows it by then.
        parts: The analyses of the decisions so far; none without a trained agent.
    """

    done: int
    total: int
    fault: str | None = None
    followers: int = 0
    look: asyncio.TimerHandle | None = None
    parts: list[Analysis] = field(default_factory=list)


class Replays:
    """The pages of finished games.

    Args:
        store: The tables on disk; pages are in its folder ``replays``.
        workers: The processes that make them.

    Attributes:
        mistakes: The mistakes of these games.
    """

    def __init__(self, store: Store, workers: WorkerPool) -> None:
        self._tables = store
        self._folder = store.folder / "replays"
        self.mistakes = MistakeFiles(self._folder)
        self._workers = workers
        self._progress: dict[str, Progress] = {}
        self._making: dict[str, asyncio.Task[None]] = {}

    def path(self, name: str) -> Path:
        """Return the file of a game's page; a name has only letters, digits, - and _."""
        return self._folder / f"{name}.html"

    def begun(self, name: str) -> Path:
        """Return the file of a game's page as it is before the analysis is finished."""
        return self._folder / f"{name}.begun"

    def page(self, name: str) -> Path | None:
        """Return the file of the page to show; None if there is none yet."""
        return next((path for path in (self.path(name), self.begun(name)) if path.is_file()), None)

    def is_made(self, name: str) -> bool:
        """Whether the page of a game and the record for its branches exist."""
        path = self.path(name)
        return path.is_file() and path.with_suffix(".jsonl").is_file()

    def record(self, name: str) -> str | None:
        """Return the text of a game's record; None if the game has no page."""
        if not _NAME.fullmatch(name) or self.page(name) is None:
            return None
        try:
            return self.path(name).with_suffix(".jsonl").read_text(encoding="utf-8")
        except FileNotFoundError:  # the page was just deleted to make room for newer ones
            return None

    def remove(self, page: Path) -> None:
        """Remove a page with its record and its mistakes."""
        for path in (page, page.with_suffix(".begun"), page.with_suffix(".jsonl")):
            path.unlink(missing_ok=True)
        self.mistakes.path(page.stem).unlink(missing_ok=True)

    def analyst(self, options: Options) -> str:
        """Return the agent that analyses games with these options."""
        return adviser(options)

    def player(self, options: Options) -> str:
        """Return the default agent to continue a game: a fast one, as a search takes long."""
        return _trained(options) or QUICK

    def finds_mistakes(self, options: Options) -> bool:
        """Whether the analysis of games with these options finds mistakes; a search finds none."""
        return _trained(options) is not None

    @property
    def is_busy(self) -> bool:
        """Whether as many pages are in the making as are allowed at once."""
        return len(self._making) >= _MOST_AT_ONCE

    def state(self, name: str, total: int = 0) -> dict[str, Any]:
        """Return the progress of a game's page, JSON-able; `total` is its number of decisions."""
        progress = self._progress.get(name, Progress(0, total))
        return {
            "open": self.page(name) is not None,
            "ready": self.is_made(name),
            "running": name in self._making,
            "done": progress.done,
            "total": progress.total,
            "fault": progress.fault,
        }

    def analysis(self, name: str, record: Record) -> dict[str, Any] | None:
        """Return the analysis of the decisions so far, as a page shows it; None without one."""
        progress = self._progress.get(name)
        if progress is None or not progress.parts:
            return None
        analysis, options = Analysis.of_parts(progress.parts), record.header.options
        seats = [move.seat for move in record.moves[: len(analysis.wins)]]
        return page_data(analysis, seats, options.players, options.team_count)

    def begin(self, name: str, record: Record, *, again: bool = False) -> None:
        """Start to make a game's page, unless it exists or is in the making.

        It stops when nobody follows it.

        Args:
            name: The game.
            record: Its record.
            again: Whether to make it even if it exists, because its mistakes are not known.
        """
        if name in self._making or (self.is_made(name) and not again):
            return
        for other in self._progress.keys() - self._making.keys():
            self._progress[other].parts.clear()  # their pages have all
        self._progress[name] = Progress(0, len(record.moves))
        trained = _trained(record.header.options)
        making = asyncio.create_task(self._make(name, record, trained))
        self._making[name] = making
        making.add_done_callback(lambda _: self._making.pop(name))
        self._expect(name, _PATIENCE)

    async def follow(self, name: str, seen: int) -> None:
        """Wait until a page has made progress or is finished, but at most ten seconds.

        Cancelling this means that the follower has gone; a page without followers is given up.

        Args:
            name: The game.
            seen: Analysed decisions that the follower knows of; -1: return at once.
        """
        making, progress = self._making.get(name), self._progress.get(name)
        if making is None or progress is None:
            return
        patience, ends, was_open = _PATIENCE, time.monotonic() + _HOLD, self.page(name) is not None
        progress.followers += 1
        try:
            while not making.done() and progress.done <= seen and time.monotonic() < ends:
                if not was_open and self.page(name) is not None:
                    break
                await asyncio.wait({making}, timeout=_POLL)
        except asyncio.CancelledError:
            patience = 0.0
            raise
        finally:
            progress.followers -= 1
            self._expect(name, patience)

    def _expect(self, name: str, seconds: float) -> None:
        """Give up a page unless somebody follows it again within some seconds."""

        def look() -> None:
            if name in self._making and not progress.followers:
                _log.info("table %s: nobody waits for the analysis any more", name)
                self._making[name].cancel()

        progress = self._progress[name]
        if progress.look is not None:
            progress.look.cancel()
        progress.look = asyncio.get_running_loop().call_later(seconds, look)

    def close(self) -> None:
        """Stop the making of all pages."""
        for task in self._making.values():
            task.cancel()

    async def _make(self, name: str, record: Record, trained: str | None) -> None:
        progress, text = self._progress[name], record.text()
        try:
            if self.page(name) is None:
                files = self.begun(name), self.path(name).with_suffix(".jsonl")
                follows = f"/api/replays/{name}"
                await self._workers.ask(replay_tasks.write_begun, text, *files, follows)
            parts, notes = progress.parts, list[Annotation]()
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
                await self._explain(progress, text, trained)
                parts = progress.parts
                await self._workers.ask(replay_tasks.write_analysis, text, parts, self.path(name))
                await asyncio.to_thread(self._keep_mistakes, name, record, parts)
            self.begun(name).unlink(missing_ok=True)
        except WorkerError as error:
            _log.warning("table %s: no analysis: %s", name, error)
            progress.fault = f"The game could not be analysed: {error}."
        except OSError as error:
            _log.error("table %s: its mistakes could not be saved: %s", name, error)
            progress.fault = f"The mistakes could not be saved: {error.strerror or error}."

    def _keep_mistakes(self, name: str, record: Record, parts: list[Analysis]) -> None:
        """Write the mistakes of a table's game, unless a file has them with the answers so far."""
        if not self._tables.path(name).is_file():
            return  # the record of a game played elsewhere
        known = self.mistakes.read(name)
        if known is None or known.steps != len(record.moves):
            self.mistakes.keep(name, found_in(record, Analysis.of_parts(parts)))

    async def _explain(self, progress: Progress, text: str, by: str) -> None:
        """Replace the parts of an analysis by those with the causes of costly decisions."""
        first = 0
        for place, part in enumerate(progress.parts):
            explained = await self._workers.ask(replay_tasks.explain, text, by, part, first)
            progress.parts[place] = explained
            first += len(part.wins)
            progress.done += len(part.wins)


def adviser(options: Options) -> str:
    """Return the default agent for advice on games with these options."""
    return _trained(options) or ANALYST


def _trained(options: Options) -> str | None:
    """Return the trained agent for games with these options; None without one or without torch."""
    name = checkpoints.trained_for(options.players, options.team_size)
    is_there = name is not None and find_spec("torch") is not None
    return f"policy:{name}" if is_there else None
