"""Writing of a record during its game, so that no decision is lost if the process is killed."""

from pathlib import Path
from types import TracebackType
from typing import Self

from impulse_env.arguments import checked_integer
from impulse_env.records.record import Header, Move, Result, move_line, result_line


class Writer:
    """Writes a record during its game: no decision is lost if the process is killed.

        with Writer(path, Header(options, agents, seed=7)) as writer:
            ...
            writer.add(Move(game.seat, name))
            ...
            writer.end(Result.of(game))

    Args:
        path: The file; it must not exist.
        header: The header of the record.

    Raises:
        FileExistsError: The file exists already; it stays unchanged.
    """

    def __init__(self, path: str | Path, header: Header) -> None:
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("x", encoding="utf-8", newline="\n")
        self._write(header.line())
        self._starts: list[int] = []

    def add(self, move: Move) -> None:
        """Write a decision."""
        self._starts.append(self._file.tell())
        self._write(move_line(move))

    def take_back(self, moves: int) -> None:
        """Remove the last decisions, which were taken back.

        Args:
            moves: Number of decisions, from 1 to the number of added ones.

        Raises:
            ArgumentError: The number is out of range; nothing was changed.
        """
        moves = checked_integer("moves", moves, 1, len(self._starts))
        self._file.truncate(self._starts[-moves])
        self._file.seek(self._starts[-moves])
        del self._starts[-moves:]

    def end(self, result: Result) -> None:
        """Write the result, and close the file."""
        self._write(result_line(result))
        self.close()

    def close(self) -> None:
        """Close the file; a record without a result stays cut off."""
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
