"""The mistakes of finished games on disk, one file for each game."""

import logging
import threading
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final

import msgspec

from impulse_env.errors import ImpulseError
from impulse_env.files import write_atomically
from impulse_env.schema import SchemaError, read_json
from impulse_table.tables.mistakes import Mistake, SavedMistakes
from impulse_table.tables.store import content_of

_log: Final = logging.getLogger(__name__)


class NotDueError(ImpulseError, ValueError):
    """A puzzle was answered before its day, which is `due`."""

    def __init__(self, due: date) -> None:
        super().__init__(f"this puzzle is not asked before {due.isoformat()}")
        self.due = due


class MistakeFiles:
    """A folder of files ``NAME.mistakes.json``; threads can share it.

    Args:
        folder: The folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writing = threading.Lock()

    def path(self, name: str) -> Path:
        """Return the file of a game."""
        return self._folder / f"{name}.mistakes.json"

    def keep(self, name: str, saved: SavedMistakes) -> None:
        """Write a file atomically; raises OSError."""
        write_atomically(self.path(name), msgspec.json.encode(saved), mode=0o600)

    def read(self, name: str) -> SavedMistakes | None:
        """Return the mistakes of a game; None if there is no file.

        A damaged file is logged and renamed to ``NAME.mistakes.damaged``, so that a new analysis
        can replace it.
        """
        path = self.path(name)
        try:
            return read_json(content_of(path), SavedMistakes, is_secret=True)
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.error("%s cannot be read: %s", path, error.strerror or error)
            return None
        except SchemaError as error:
            aside = path.with_suffix(".damaged")
            _log.error("%s is damaged, and now %s: %s", path, aside.name, error)
            with suppress(OSError):
                path.replace(aside)
            return None

    def answer(self, name: str, step: int, action: str, today: date) -> tuple[Mistake, bool]:
        """Take an answer to a puzzle and write the file; return the mistake, and if it is right.

        Raises:
            LookupError: There is no such puzzle, or the action is not legal.
            NotDueError: The puzzle is not due.
            OSError: The file cannot be written.
        """
        with self._writing:
            saved = self.read(name)
            mistakes = [] if saved is None else saved.mistakes
            mistake = next((one for one in mistakes if one.step == step), None)
            if saved is None or mistake is None:
                raise LookupError(step)
            if mistake.due is not None and not mistake.is_due(today):
                raise NotDueError(mistake.due)
            is_right = mistake.answer(action, today)
            self.keep(name, saved)
            return mistake, is_right
