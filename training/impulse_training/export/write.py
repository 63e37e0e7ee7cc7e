"""Parts of data on disk: each is written atomically, and a stopped export can continue."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

from impulse_agents.asking.faults import AgentFault
from impulse_env.dataset.parquet import (
    AnnotatedGame,
    DatasetError,
    games_in_part,
    parts_in,
    write_part,
)
from impulse_env.files import write_atomically
from impulse_env.options import Options
from impulse_env.outcomes import END_BY_STATUS
from impulse_env.records.recorded_games import RecordedGame
from impulse_training.export.annotated_games import play_annotated
from impulse_training.run.machine.processes import spread_out
from impulse_training.run.terminal.interrupt import resumable
from impulse_training.tournament.workers.play import make_agents

GAMES_OF_PART: Final = 250
SOURCE: Final = "source.json"
"""The file with the source of the data: the same source continues, another is rejected."""


Written = tuple[int, list[AgentFault]]
"""The number of games of a part, and agents' faults in the games that were left out."""


@dataclass(frozen=True)
class Source:
    """The source of data; the same source gives the same data.

    Attributes:
        agents: An agent for each seat.
        options: Options of the games.
        games: Number of games.
        seed: Random seed for the deals and the agents.
        observations: Whether decisions include the observation.
    """

    agents: tuple[str, ...]
    options: Options
    games: int
    seed: int
    observations: bool

    @property
    def parts(self) -> range:
        """The numbers of the parts."""
        return range(-(-self.games // GAMES_OF_PART))

    def described(self) -> dict[str, Any]:
        """Return it as JSON would."""
        written: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return written


def write_played(
    source: Source,
    folder: Path,
    workers: int,
    note: Callable[[list[AgentFault]], None] = lambda faults: None,
) -> Iterator[int]:
    """Play and write the missing games; yield the number of games repeatedly.

    Games in which an agent fails are left out; a part without other games is not written.

    Args:
        source: The source of the data.
        folder: The folder to write to; created if necessary.
        workers: Number of processes; with 1, this process plays.
        note: Called with agents' faults.

    Raises:
        AgentError: An agent does not exist, or does not play such games.
        DatasetError: The folder holds data of another source, or an agent failed in every game.
    """
    make_agents(source.agents)  # reject a wrong name before anything is written
    _open(folder, source)
    there = set(parts_in(folder))
    missing = [part for part in source.parts if part not in there]
    done = sum(games_in_part(folder, part) for part in source.parts if part in there)
    yield done
    write = partial(_play_part, source, folder)
    with resumable(folder, "games-*.parquet"):
        for count, found in spread_out(write, missing, workers):
            note(found)
            done += count
            yield done
    if not done:
        raise DatasetError("an agent failed in every game")


def write_recorded(
    plays: Iterator[RecordedGame], folder: Path, with_observations: bool
) -> Iterator[int]:
    """Write recorded games over existing data; yield the number of games done.

    Games that stopped before their end are skipped.

    Raises:
        DatasetError: No game was played to its end.
        RecordError: A game does not replay as recorded, or has another number of players.
    """
    ended = (play for play in plays if play.end in END_BY_STATUS.values())
    done = part = 0
    while some := list(islice(ended, GAMES_OF_PART)):
        if part == 0:
            _remove(folder)
        write_part(folder, part, [AnnotatedGame(play) for play in some], done, with_observations)
        done, part = done + len(some), part + 1
        yield done
    if not done:
        raise DatasetError("no game was played to its end")


def _games_of(source: Source, part: int) -> int:
    return min(GAMES_OF_PART, source.games - part * GAMES_OF_PART)


def _play_part(source: Source, folder: Path, part: int) -> Written:
    """Play and write a part. May run in a process of its own."""
    entrants = make_agents(source.agents)
    games, first = _games_of(source, part), part * GAMES_OF_PART
    games_played, faults = play_annotated(entrants, source.options, games, source.seed, part, first)
    if games_played:
        write_part(folder, part, games_played, first, source.observations)
    return len(games_played), faults


def _open(folder: Path, source: Source) -> None:
    """Create the folder, or check that it has this source, possibly with fewer games."""
    path = folder / SOURCE
    described = source.described()
    if path.is_file():
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            grown = found["games"] < source.games
        except (ValueError, KeyError, TypeError) as error:
            raise DatasetError(f"{path} does not hold the source of the data") from error
        if found == described:
            return
        if {**found, "games": source.games} != described or not grown:
            raise DatasetError(
                f"{folder} holds data of another source, {found}; not of {described}"
            )
        if found["games"] % GAMES_OF_PART:  # its last part is not full
            _remove_part(folder, found["games"] // GAMES_OF_PART)
    elif parts_in(folder):
        raise DatasetError(f"{folder} holds data without a {SOURCE} that describes them")
    write_atomically(path, json.dumps(described, indent=1) + "\n")


def _remove(folder: Path) -> None:
    (folder / SOURCE).unlink(missing_ok=True)
    for part in parts_in(folder):
        _remove_part(folder, part)


def _remove_part(folder: Path, part: int) -> None:
    for name in ("games", "decisions"):  # the games first: a part without games does not count
        (folder / f"{name}-{part:05d}.parquet").unlink(missing_ok=True)


def same_for_all(agents: Sequence[str], players: int) -> tuple[str, ...]:
    """Return an agent for each seat, from one name for all seats or one name each.

    Raises:
        DatasetError: The number of agents does not fit.
    """
    if len(agents) not in (1, players):
        raise DatasetError(f"name one agent, or one for each of {players} seats, not {len(agents)}")
    return tuple(agents) * (players // len(agents))
