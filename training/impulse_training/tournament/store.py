"""A tournament's folder: ``settings.json``, then ``games.jsonl`` with a line for each game.

A game is written when it is over and never changed, so a tournament that was interrupted goes on
where it was.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final, Self

import impulse_env
from impulse_agents import registry
from impulse_agents.checkpoints import file_of
from impulse_env.files import sha256_of, write_atomically
from impulse_training.rollout.game_result import GameResult
from impulse_training.tournament.settings import Settings, TournamentError

try:
    import fcntl
except ImportError:  # Windows: there two runs into one folder are not noticed
    fcntl = None  # type: ignore[assignment]  # a module to the checker

FORMAT: Final = 2
"""Of the two files; another one is refused. The first said "truncated" for "truncation"."""


class Store:
    """The folder of a tournament.

    Attributes:
        folder: The folder.
        settings: What is played.
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.settings = settings

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Return the store of a folder that exists; raises `TournamentError`."""
        found = _settings_in(folder)
        if found is None:
            raise TournamentError(f"there is no tournament in {folder}: it has no settings.json")
        _check_format(folder, found)
        try:
            known = {field.name: found[field.name] for field in fields(Settings)}
            return cls(folder, Settings(**{**known, "agents": tuple(known["agents"])}))
        except (KeyError, TypeError) as error:
            raise TournamentError(f"{folder}/settings.json is damaged: {error!r}") from error

    def begin(self) -> None:
        """Write the settings or, if they are there, check that they are the same.

        Raises:
            TournamentError: The folder holds another tournament; the message says what differs.
        """
        wanted, found = described(self.settings), _settings_in(self.folder)
        if found is None:
            text = json.dumps(wanted, indent=1) + "\n"
            write_atomically(self.folder / "settings.json", text)
            return
        _check_format(self.folder, found)
        for key in wanted | found:
            if wanted.get(key) != found.get(key):
                raise TournamentError(
                    f"{self.folder} holds another tournament: {key} is {found.get(key)!r} there, "
                    f"{wanted.get(key)!r} here"
                )

    @property
    def games(self) -> Path:
        """The file of the games."""
        return self.folder / "games.jsonl"

    def results(self) -> list[GameResult]:
        """Return the finished games in the order of their numbers; raises `TournamentError`.

        A last line without its end, which a crash leaves behind, is passed over.
        """
        found: dict[int, GameResult] = {}
        for _, result in self.numbered():
            found.setdefault(result.game, result)
        return [found[number] for number in sorted(found)]

    def numbered(self) -> Iterator[tuple[int, GameResult]]:
        """Yield every line of the file with its number, from 1, one in memory at a time.

        A last line without its end is passed over; a game may be there twice.

        Raises:
            TournamentError: A line is no game of this tournament.
        """
        if not self.games.exists():
            return
        with self.games.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    result = GameResult.from_line(line.decode())
                except ValueError as error:
                    raise TournamentError(f"{self.games}, line {number}: {error}") from error
                if not 0 <= result.game < self.settings.games:
                    raise TournamentError(
                        f"{self.games}, line {number}: game {result.game} of {self.settings.games}"
                    )
                yield number, result

    @contextmanager
    def writing(self) -> Iterator["Writer"]:
        """Open the file of the games for more of them, removing a line that is torn.

        Raises:
            TournamentError: Another process is writing to it.
        """
        with open(self.games, "a+b", buffering=0) as file:
            if fcntl is not None:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError as error:
                    raise TournamentError(f"another process is writing to {self.games}") from error
            file.seek(0)
            whole, end, _ = file.read().rpartition(b"\n")
            file.truncate(len(whole) + len(end))
            yield Writer(file.fileno())


class Writer:
    """Appends games to a file, each with a single write."""

    def __init__(self, file: int) -> None:
        self._file = file

    def add(self, result: GameResult) -> None:
        """Write a game down; once this returns, it outlives the process."""
        line = memoryview((result.to_line() + "\n").encode())
        while line:
            line = line[os.write(self._file, line) :]


def described(settings: Settings) -> dict[str, Any]:
    """Return what ``settings.json`` holds: the settings and the versions of what they name."""
    return {
        "format": FORMAT,
        "impulse_env": impulse_env.__version__,
        **{key: list(v) if isinstance(v, tuple) else v for key, v in asdict(settings).items()},
        "sha256": {name: digest for name in settings.agents if (digest := digest_of(name))},
    }


def digest_of(name: str) -> str | None:
    """Return the SHA-256 of the file that an agent is made from, None without one."""
    path = registry.code_file_of(name) or file_of(name)
    return None if path is None else sha256_of(path)


def _check_format(folder: Path, settings: dict[str, Any]) -> None:
    """Raise `TournamentError` if the folder is one of another version."""
    found = settings.get("format")
    if found != FORMAT:
        raise TournamentError(
            f"{folder} holds a tournament of another version (format {found}, not {FORMAT}); "
            "play it anew in another folder"
        )


def _settings_in(folder: Path) -> dict[str, Any] | None:
    """Return what the folder's settings say, None if there are none."""
    path = folder / "settings.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise TournamentError(f"{path} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise TournamentError(f"{path} holds no settings")
    return found
