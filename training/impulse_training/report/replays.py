"""Pages that tell the games of a tournament again, a file for each, in the folder ``replays``.

A file is called by a digest of its game: the name stays the same when the tournament grows, and a
game that is played again gets another one.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console
from rich.progress import track

from impulse_env.information import EVERYTHING
from impulse_env.replay import page
from impulse_training.rollout.game_result import GameResult
from impulse_training.tournament.replay import record
from impulse_training.tournament.settings import Settings
from impulse_training.tournament.store import Store

FOLDER: Final = "replays"
_NAME: Final = 16
"""Digits of a file's name."""
_AT_ONCE: Final = 4
"""Games that a process is given at a time."""


class ReplayLink(NamedTuple):
    """A game of the report's list.

    Attributes:
        result: How it ended.
        link: The page that tells it again, seen from the folder of the tournament.
    """

    result: GameResult
    link: str


def write_replays(store: Store, workers: int, console: Console) -> int:
    """Write the pages of all finished games that have none yet; return how many those were.

    Args:
        store: The folder of the tournament.
        workers: How many processes; with one, this one writes.
        console: Where a bar shows how far it is.

    Raises:
        TournamentError: A game does not go as recorded.
    """
    folder = store.folder / FOLDER
    missing = [r for r in store.results() if not (store.folder / link_of(r)).exists()]
    folder.mkdir(exist_ok=True)
    written = _written(store, missing, min(workers, len(missing)))
    for _ in track(
        written, "Replays", len(missing), console=console, disable=not console.is_terminal
    ):
        pass
    return len(missing)


def links(folder: Path, results: Sequence[GameResult]) -> list[ReplayLink]:
    """Return the games whose pages are there, in the order of their numbers."""
    found = [ReplayLink(result, link_of(result)) for result in results]
    there = [link for link in found if (folder / link.link).exists()]
    return sorted(there, key=lambda link: link.result.game)


def link_of(result: GameResult) -> str:
    """Return where the page of a game is, seen from the folder; actions and times do not count."""
    how = (result.deal, result.agents, result.identities, result.winners, result.ended)
    told = json.dumps((*how, result.scores, result.points, result.turns, result.decisions))
    return f"{FOLDER}/{hashlib.sha256(told.encode()).hexdigest()[:_NAME]}.html"


def _written(store: Store, games: Sequence[GameResult], workers: int) -> Iterator[Path]:
    """Write the page of each game; yield its file."""
    if workers <= 1:
        for game in games:
            yield _write(store.settings, store.folder, game)
        return
    # A forked child would share the threads' locks of numba, but not the threads.
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        several = [store.settings] * len(games), [store.folder] * len(games), games
        yield from pool.map(_write, *several, chunksize=_AT_ONCE)


def _write(settings: Settings, folder: Path, game: GameResult) -> Path:
    path = folder / link_of(game)
    page.write(record(settings, game), path, [EVERYTHING])
    return path
