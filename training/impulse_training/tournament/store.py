"""A tournament's folder: ``settings.json``, then ``games.jsonl`` with a line for each game.

A game is written when it is over and never changes, so an interrupted tournament continues. Each
line has the versions of its agents, as rows of the table of identities in ``settings.json``. Games
of agents that have changed move to ``replaced.jsonl``; if an agent changes back, they are valid
again.

A tournament can grow by more games, and by more agents after the existing ones. Existing games
keep their deals, seats and random seeds, and get the numbers of the larger tournament.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Final, Self

from msgspec import Meta, Struct

from impulse_agents.identity import Identity
from impulse_env.files import write_atomically
from impulse_env.records import mistaken
from impulse_env.schema import SchemaError, checked, read_json
from impulse_training.run.storage.folder_lock import FolderInUseError, locked
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.growth import check_growth
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings, TournamentError

FORMAT: Final = 5
"""Version of the two files; other versions are rejected. Format 2 renamed "truncated" to
"truncation", 3 added the versions of agents, 4 `first_only`, and 5 the limits."""
_NAMES: Final = tuple(field.name for field in fields(Settings))


class _Agents(Struct):
    """The part of ``settings.json`` outside `Settings`: identities, and the row of each agent."""

    rows: list[Annotated[int, Meta(ge=0)]]
    identities: list[Identity]


@dataclass(frozen=True)
class Change:
    """An agent that has changed.

    Attributes:
        before: Its earlier identity.
        now: Its current identity.
    """

    before: Identity
    now: Identity


class Store:
    """The folder of a tournament.

    Attributes:
        folder: The folder.
        schedule: The scheduled games.
        identities: The table of earlier and current identities of agents.
        rows: The row of each agent's current identity, by name; empty before `begin`.
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.schedule = Schedule(settings)
        self.identities: list[Identity] = []
        self.rows: dict[str, int] = {}

    @property
    def settings(self) -> Settings:
        """The settings, with `games` rounded up to whole deals."""
        return self.schedule.settings

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Return the store of a folder that exists; raises `TournamentError`."""
        found = _settings_in(folder)
        if found is None:
            is_other = mistaken.told(folder)
            raise TournamentError(
                f"there is no tournament in {folder}: it has no settings.json{is_other}"
            )
        try:
            settings = checked({name: found[name] for name in _NAMES if name in found}, Settings)
            played = checked(found, _Agents)
            below = len(played.identities)
            if len(played.rows) != len(settings.agents) or max(played.rows) >= below:
                raise SchemaError(f"rows must be a number below {below} for each agent")
        except SchemaError as error:
            raise TournamentError(f"{folder}/settings.json is damaged: {error}") from error
        store = cls(folder, settings)
        store.identities = played.identities
        store.rows = dict(zip(settings.agents, played.rows, strict=True))
        return store

    def check(self) -> "Store | None":
        """Return the store in the folder, or None for a new one; writes nothing.

        Raises:
            TournamentError: The folder has a tournament that this one does not extend.
        """
        if _settings_in(self.folder) is None:
            return None
        there = Store.read(self.folder)
        check_growth(self.folder, there.schedule, self.schedule)
        return there

    def begin(self, identities: Sequence[Identity]) -> list[Change]:
        """Write ``settings.json``; return the agents that have changed.

        Args:
            identities: The identities of the settings' agents, in the same order.

        Raises:
            TournamentError: See `check`.
        """
        there = self.check()
        self.identities = [] if there is None else list(there.identities)
        before = {} if there is None else there.rows
        for identity in identities:
            if identity not in self.identities:
                self.identities.append(identity)
            self.rows[identity.agent] = self.identities.index(identity)
        text = json.dumps(self.described(), indent=1) + "\n"
        if there is None or text != (self.folder / "settings.json").read_text(encoding="utf-8"):
            write_atomically(self.folder / "settings.json", text)
        return [
            Change(self.identities[before[name]], self.identities[row])
            for name, row in self.rows.items()
            if before.get(name, row) != row
        ]

    def described(self) -> dict[str, Any]:
        """Return the content of ``settings.json``."""
        settings = asdict(self.settings) | {"agents": list(self.settings.agents)}
        return {
            "format": FORMAT,
            **settings,
            "rows": list(self.rows.values()),
            "identities": [
                {"agent": identity.agent, "digest": identity.digest, "parts": identity.parts}
                for identity in self.identities
            ],
        }

    @property
    def games(self) -> Path:
        """The file of the games."""
        return self.folder / "games.jsonl"

    @property
    def replaced(self) -> Path:
        """The file of games whose agents have changed."""
        return self.folder / "replaced.jsonl"

    def results(self) -> list[GameResult]:
        """Return the finished games in the order of their numbers; raises `TournamentError`.

        An incomplete last line, which a crash leaves, is ignored.
        """
        by_number: dict[int, GameResult] = {}
        for _, result in self.numbered():
            by_number.setdefault(result.game, result)
        return [by_number[number] for number in sorted(by_number)]

    def numbered(self) -> Iterator[tuple[int, GameResult]]:
        """Yield every valid game with its line number, from 1, one in memory at a time.

        An incomplete last line is ignored; a game may occur twice.

        Raises:
            TournamentError: A line is not a game of this tournament.
        """
        for number, _, result in self.lines(self.games):
            if result is not None:
                yield number, result

    def lines(self, path: Path) -> Iterator[tuple[int, bytes, GameResult | None]]:
        """Yield every line of a file of games with its number, from 1, and its game.

        The game has its number in this tournament; it is None if one of its agents has changed. An
        incomplete last line is ignored; a missing file has no lines.

        Raises:
            TournamentError: A line is not a game of this tournament.
        """
        if not path.exists():
            return
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    yield number, line, self._counted(line)
                except ValueError as error:
                    raise TournamentError(f"{path}, line {number}: {error}") from error

    def _counted(self, line: bytes) -> GameResult | None:
        result = GameResult.from_line(line)
        if result.identities != [self.rows.get(name) for name in result.agents]:
            return None
        number = self.schedule.number_of(result.deal, result.agents)
        if number is None:
            who = ", ".join(result.agents)
            raise ValueError(f"no game of this tournament has deal {result.deal} with {who}")
        return replace(result, game=number)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Lock the folder, and create it if necessary; raises `TournamentError` if it is in use."""
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            with locked(self.folder):
                yield
        except FolderInUseError as error:
            raise TournamentError(str(error)) from error

    @contextmanager
    def writing(self) -> Iterator["Writer"]:
        """Open the file of the games to append to it; removes an incomplete last line."""
        with open(self.games, "a+b", buffering=0) as file:
            file.seek(0)
            whole, end, _ = file.read().rpartition(b"\n")
            file.truncate(len(whole) + len(end))
            yield Writer(file.fileno(), self.rows)


class Writer:
    """Appends games to a file, each with a single write.

    Args:
        file: The file's descriptor.
        rows: The row of each agent's current identity, by name.
    """

    def __init__(self, file: int, rows: dict[str, int]) -> None:
        self._file = file
        self._rows = rows

    def add(self, result: GameResult) -> GameResult:
        """Write a game and return it as written; it survives the end of the process."""
        written = replace(result, identities=[self._rows[name] for name in result.agents])
        line = memoryview((written.to_line() + "\n").encode())
        while line:
            line = line[os.write(self._file, line) :]
        return written


def _settings_in(folder: Path) -> dict[str, Any] | None:
    """Return the content of a folder's settings, or None; raises `TournamentError`."""
    path = folder / "settings.json"
    try:
        found = read_json(path.read_bytes(), dict[str, Any])
    except FileNotFoundError:
        return None
    except (OSError, SchemaError) as error:
        raise TournamentError(f"{path} cannot be read: {error}") from error
    if found.get("format") != FORMAT:
        raise TournamentError(
            f"{folder} holds a tournament of another version (format {found.get('format')}, not "
            f"{FORMAT}); choose another folder"
        )
    return found
