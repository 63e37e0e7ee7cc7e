"""Games that were played, one after the other, from wherever they are kept."""

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
"""How the files end that a folder is searched for."""
_NOT_SAID: Final = float("nan")


@dataclass(frozen=True)
class RecordedGame:
    """A game with all its decisions, n in all.

    Attributes:
        where: Its file, and its line if the file holds several games.
        header: How it begins, and who plays.
        actions: Absolute, in order, shape ``(n,)``, int64; forced ones are among them only if the
            options say ``auto_forced=False``.
        end: "score", "elimination", "truncation", "stopped" or "failed".
        winners: The winning seats.
        scores: Points by seat at the end.
        notes: Chance to win, probability of the action, and seconds, as the agent said of each
            decision, shape ``(n, 3)``, float64, NaN where it did not.
        seconds: Time that each seat spent in all; NaN where that is not known.
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
        notes = np.full((len(record.moves), 3), _NOT_SAID)
        seconds = [_NOT_SAID] * record.header.options.players
        for row, move in enumerate(record.moves):
            if move.note is None:
                continue
            told = (move.note.wins, move.note.probabilities.get(move.action), move.note.seconds)
            notes[row] = [_NOT_SAID if number is None else number for number in told]
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
    """Yield the games of record files, one in memory at a time.

    Args:
        paths: Files, and folders, all of whose ``.jsonl`` files are read in the order of their
            names, those of the folders inside as well.
        played: Whether every game is played while it is read, so that a decision that is not legal
            is told with its line. Without, reading takes a third of the time; whoever plays the
            games again then finds the same, and names the file. What agents said is passed over.

    Raises:
        RecordError: A file is no record, or does not fit; the message names file and line.
        FileNotFoundError: There is no such file, or no ``.jsonl`` file in a folder.
    """
    for path in map(Path, paths):
        files = sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not files:
            raise FileNotFoundError(f"there are no {SUFFIX} files in {path}")
        for file in files:
            record = read(file) if played else skim(file)
            yield RecordedGame.of_record(record, str(file))
