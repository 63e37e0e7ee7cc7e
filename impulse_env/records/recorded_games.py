"""Recorded games, one after another, from files and folders."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import action_of
from impulse_env.records.reader import read, skim
from impulse_env.records.record import Header, Record

SUFFIX: Final = ".jsonl"
"""The suffix that record files in a folder have."""
_NOT_RECORDED: Final = float("nan")


@dataclass(frozen=True)
class RecordedGame:
    """A game with all its decisions, n in all.

    Attributes:
        where: Its file, with the line if the file holds several games.
        header: The start of the game, and its agents.
        actions: Absolute actions in order, shape ``(n,)``, int64; forced ones are included only
            with the option ``auto_forced=False``.
        end: "score", "elimination", "truncation", "stopped" or "failed".
        winners: The winning seats.
        scores: Points by seat at the end.
        notes: The agent's chance to win, probability of the action, and seconds, for each decision,
            shape ``(n, 3)``, float64, NaN where not recorded.
        seconds: Total time of each seat in seconds; NaN where not recorded.
    """

    where: str
    header: Header
    actions: NDArray[np.int64]
    end: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    notes: NDArray[np.float64]
    seconds: tuple[float, ...]

    @classmethod
    def of_record(cls, record: Record, where: str) -> Self:
        """Return the game of a record that has a result."""
        result = record.result
        assert result is not None, "a record that was cut off has no result"
        notes = np.full((len(record.moves), 3), _NOT_RECORDED)
        seconds = [_NOT_RECORDED] * record.header.options.players
        for row, move in enumerate(record.moves):
            if move.note is None:
                continue
            note = (move.note.wins, move.note.probabilities.get(move.action), move.note.seconds)
            notes[row] = [_NOT_RECORDED if number is None else number for number in note]
            if move.note.seconds is not None:
                so_far = seconds[move.seat]
                seconds[move.seat] = move.note.seconds + (0 if np.isnan(so_far) else so_far)
        return cls(
            where,
            record.header,
            np.array([action_of(move.action) for move in record.moves], np.int64),
            result.end,
            result.winners,
            result.scores,
            notes,
            tuple(seconds),
        )


def records(*paths: str | Path, played: bool = True) -> Iterator[RecordedGame]:
    """Yield the games in record files, one in memory at a time.

    Args:
        paths: Files and folders; of a folder, all ``.jsonl`` files are read in the order of their
            names, including those in subfolders.
        played: Whether to play every game while reading it, so that an error about an illegal
            decision names its line. If False, reading takes a third of the time and leaves out the
            notes of agents; a later replay still finds illegal decisions and names the file.

    Raises:
        RecordError: A file is not a valid record; the message names file and line.
        FileNotFoundError: A file does not exist, or a folder has no ``.jsonl`` file.
    """
    for path in map(Path, paths):
        files = sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not files:
            raise FileNotFoundError(f"there are no {SUFFIX} files in {path}")
        for file in files:
            record = read(file) if played else skim(file)
            yield RecordedGame.of_record(record, str(file))
