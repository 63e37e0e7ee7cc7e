"""Replay pages of the games of a tournament, one file each, in the folder ``replays``.

The name of a file is a digest of its game. It stays the same when the tournament grows, and changes
when a game is replayed differently. For an analysed game, a digest of the analyst's weights
follows.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import track

from impulse_agents.advice.game_analysis import analysed, judge_of
from impulse_env.information import EVERYTHING
from impulse_env.replay import page
from impulse_training.report.notable import notable
from impulse_training.report.replay_choice import Replays
from impulse_training.run.machine.processes import spread_out
from impulse_training.statistics.game_results import DIGITS, GameResult
from impulse_training.statistics.summary import summarise
from impulse_training.tournament.replay import record
from impulse_training.tournament.settings import Settings
from impulse_training.tournament.store import Store

FOLDER: Final = "replays"
_AT_ONCE: Final = 4
"""Games sent to a process at a time."""


def check_analyst(by: str | None, players: int) -> None:
    """Raise `AgentError` if the agent cannot analyse games of that many players."""
    if by is not None:
        judge_of(by, players)


def write_replays(
    store: Store, which: Replays, by: str | None, workers: int, console: Console
) -> int:
    """Write the pages of finished games without one; return the number of pages written.

    Args:
        store: The folder of the tournament.
        which: The games: all, the notable ones, or none.
        by: A trained agent that analyses the choices; None for pages without an analysis.
        workers: Number of processes; with 1, this process writes.
        console: Console for the progress bar.

    Raises:
        AgentError: The agent cannot analyse these games.
        TournamentError: A game does not replay as recorded.
    """
    if which == "none":  # saves reading all games
        return 0
    results = store.results()
    if not results:
        return 0
    if which == "notable":
        results = [game.result for game in notable(results, summarise(results, None))]
    players = store.settings.options.players
    weights = None if by is None else judge_of(by, players).weights_digest()
    missing = [r for r in results if not (store.folder / link_of(r, weights)).exists()]
    (store.folder / FOLDER).mkdir(exist_ok=True)
    write = partial(_write, store.settings, store.folder, by, weights)
    written = spread_out(write, missing, workers, at_once=1 if by else _AT_ONCE)
    for _ in track(
        written, "Replays", len(missing), console=console, disable=not console.is_terminal
    ):
        pass
    return len(missing)


def links(folder: Path, results: Sequence[GameResult]) -> dict[int, str]:
    """Return the pages by number of the game, in ascending order.

    Paths are relative to the folder. A page with an analysis replaces one without.
    """
    there = {path.name for path in (folder / FOLDER).glob("*.html")}
    by_game: dict[str, str] = {}
    for name in sorted(there, key=len):  # those with an analysis are longer
        by_game[name[:DIGITS]] = f"{FOLDER}/{name}"
    found = {result.game: by_game.get(result.digest) for result in results}
    return {number: link for number, link in sorted(found.items()) if link is not None}


def link_of(result: GameResult, weights: str | None = None) -> str:
    """Return the path of a game's page, relative to the folder.

    Args:
        result: The game.
        weights: The digest of the analyst's weights; None without an analysis.
    """
    analysis = "" if weights is None else f"-{weights[:DIGITS]}"
    return f"{FOLDER}/{result.digest}{analysis}.html"


def _write(
    settings: Settings, folder: Path, by: str | None, weights: str | None, game: GameResult
) -> Path:
    path, replayed = folder / link_of(game, weights), record(settings, game)
    if by is None:
        page.write(replayed, path, [EVERYTHING])
    else:
        page.write(replayed, path, analysis=analysed(replayed, by))
    return path
