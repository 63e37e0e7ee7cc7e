"""Parts of data on disk: each is written whole, and what was stopped goes on where it was."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

from impulse_agents.asking.faults import AgentFault
from impulse_env.dataset.parquet import (
    DatasetError,
    ToldGame,
    games_in_part,
    parts_in,
    write_part,
)
from impulse_env.files import write_atomically
from impulse_env.options import Options
from impulse_env.outcomes import END_BY_STATUS
from impulse_env.records.recorded_games import RecordedGame
from impulse_training.export.told import play_told
from impulse_training.run.machine.processes import spread_out
from impulse_training.run.terminal.interrupt import resumable
from impulse_training.tournament.workers.play import make_agents

GAMES_OF_PART: Final = 250
SOURCE: Final = "source.json"
"""What the data are made from: another source is refused, the same one goes on."""


Written = tuple[int, list[AgentFault]]
"""How many games a part has, and what agents did wrong in those that were left out."""


@dataclass(frozen=True)
class Source:
    """What data are made from; the same source gives the same data.

    Attributes:
        agents: One for each seat.
        options: Of the games.
        games: How many.
        seed: Of the deals and the agents.
        observations: Whether decisions have what the seat saw.
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
        told: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return told


def write_played(
    source: Source,
    folder: Path,
    workers: int,
    note: Callable[[list[AgentFault]], None] = lambda faults: None,
) -> Iterator[int]:
    """Play and write what is missing; yield how many games are there, again and again.

    Games in which an agent fails are left out; a part without any other is not there.

    Args:
        source: What is played.
        folder: Where to; made if need be.
        workers: How many processes; with one, this one plays.
        note: Told what agents did wrong.

    Raises:
        AgentError: There is no such agent, or it does not play such games.
        DatasetError: The folder holds data of another source, or an agent failed in every game.
    """
    make_agents(source.agents)  # a wrong name is told before anything is written
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
        raise DatasetError("there is no game in which no agent failed")


def write_recorded(
    plays: Iterator[RecordedGame], folder: Path, with_observations: bool
) -> Iterator[int]:
    """Write games that were played, in place of data that are there; yield how many are done.

    Games that were left before they were over are passed over.

    Raises:
        DatasetError: There is no game that was played to its end.
        RecordError: A game does not go as recorded, or has another number of players.
    """
    ended = (play for play in plays if play.end in END_BY_STATUS.values())
    done = part = 0
    while some := list(islice(ended, GAMES_OF_PART)):
        if part == 0:
            _remove(folder)
        write_part(folder, part, [ToldGame(play) for play in some], done, with_observations)
        done, part = done + len(some), part + 1
        yield done
    if not done:
        raise DatasetError("there is no game that was played to its end")


def _games_of(source: Source, part: int) -> int:
    return min(GAMES_OF_PART, source.games - part * GAMES_OF_PART)


def _play_part(source: Source, folder: Path, part: int) -> Written:
    """Play and write a part. May run in a process of its own."""
    entrants = make_agents(source.agents)
    games, first = _games_of(source, part), part * GAMES_OF_PART
    told, faults = play_told(entrants, source.options, games, source.seed, part, first)
    if told:
        write_part(folder, part, told, first, source.observations)
    return len(told), faults


def _open(folder: Path, source: Source) -> None:
    """Make the folder, or see that it is one of this source, with fewer games perhaps."""
    path = folder / SOURCE
    wanted = source.described()
    if path.is_file():
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            grown = found["games"] < source.games
        except (ValueError, KeyError, TypeError) as error:
            raise DatasetError(f"{path} does not tell what the data are made from") from error
        if found == wanted:
            return
        if {**found, "games": source.games} != wanted or not grown:
            raise DatasetError(f"{folder} holds data of another source, {found}; not of {wanted}")
        if found["games"] % GAMES_OF_PART:  # its last part is not full
            _remove_part(folder, found["games"] // GAMES_OF_PART)
    elif parts_in(folder):
        raise DatasetError(f"{folder} holds data, and no {SOURCE} that tells what they are")
    write_atomically(path, json.dumps(wanted, indent=1) + "\n")


def _remove(folder: Path) -> None:
    (folder / SOURCE).unlink(missing_ok=True)
    for part in parts_in(folder):
        _remove_part(folder, part)


def _remove_part(folder: Path, part: int) -> None:
    for name in ("games", "decisions"):  # the games first: a part without them is not there
        (folder / f"{name}-{part:05d}.parquet").unlink(missing_ok=True)


def same_for_all(agents: Sequence[str], players: int) -> tuple[str, ...]:
    """Return an agent for each seat of those named: one for all, or one each.

    Raises:
        DatasetError: It is another number of agents.
    """
    if len(agents) not in (1, players):
        raise DatasetError(f"one agent, or one for each of {players} seats; not {len(agents)}")
    return tuple(agents) * (players // len(agents))
