"""Write a record while its game is played, so that a killed game keeps its decisions."""

from pathlib import Path
from types import TracebackType
from typing import Self

from impulse_env.arguments import checked_integer
from impulse_env.records.record import Header, Move, Result, move_line, result_line


class Writer:
    """Writes a record while the game is played: a killed game keeps its decisions.

        with Writer(path, Header(options, agents, seed=7)) as writer:
            ...
            writer.add(Move(game.seat, name))
            ...
            writer.end(Result.of(game))

    Args:
        path: The file; there must be none.
        header: What it begins with.

    Raises:
        FileExistsError: There is a file already; it is left as it is.
    """

    def __init__(self, path: str | Path, header: Header) -> None:
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("x", encoding="utf-8", newline="\n")
        self._write(header.line())
        self._starts: list[int] = []

    def add(self, move: Move) -> None:
        """Write down a decision that was taken."""
        self._starts.append(self._file.tell())
        self._write(move_line(move))

    def take_back(self, moves: int) -> None:
        """Cut off the last decisions: they were taken back.

        Args:
            moves: How many, from 1 to as many as were added.

        Raises:
            ArgumentError: It is no such number; nothing was changed.
        """
        moves = checked_integer("moves", moves, 1, len(self._starts))
        self._file.truncate(self._starts[-moves])
        self._file.seek(self._starts[-moves])
        del self._starts[-moves:]

    def end(self, result: Result) -> None:
        """Write down how it ended, and close the file."""
        self._write(result_line(result))
        self.close()

    def close(self) -> None:
        """Close the file; a record that was not ended stays cut off."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        self._file.flush()
