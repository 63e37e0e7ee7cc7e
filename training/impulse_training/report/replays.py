"""Pages that tell the games of a tournament again, a file for each, in the folder ``replays``.

A file is called by a digest of its game: the name stays the same when the tournament grows, and a
game that is played again gets another one. With an analysis it ends in a digest of the weights of
the agent that analysed.
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
"""Games that a process is given at a time."""


def check_analyst(by: str | None, players: int) -> None:
    """Raise `AgentError` if games of so many players cannot be analysed by that agent."""
    if by is not None:
        judge_of(by, players)


def write_replays(
    store: Store, which: Replays, by: str | None, workers: int, console: Console
) -> int:
    """Write the pages of finished games that have none yet; return how many those were.

    Args:
        store: The folder of the tournament.
        which: Of all games, of those worth a look, or of none.
        by: A trained agent that says how well each choice was made; None for pages without.
        workers: How many processes; with one, this one writes.
        console: Where a bar shows how far it is.

    Raises:
        AgentError: That agent cannot analyse these games.
        TournamentError: A game does not go as recorded.
    """
    if which == "none":  # all games are not read for that
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
    """Return the page of each game that has one, by the game's number, in the order of these.

    They are as seen from the folder; one with an analysis goes before one without.
    """
    there = {path.name for path in (folder / FOLDER).glob("*.html")}
    by_game: dict[str, str] = {}
    for name in sorted(there, key=len):  # those with an analysis are longer
        by_game[name[:DIGITS]] = f"{FOLDER}/{name}"
    found = {result.game: by_game.get(result.digest) for result in results}
    return {number: link for number, link in sorted(found.items()) if link is not None}


def link_of(result: GameResult, weights: str | None = None) -> str:
    """Return where the page of a game is, seen from the folder.

    Args:
        result: The game.
        weights: The digest of the weights of the agent that analyses it; None without an analysis.
    """
    analysis = "" if weights is None else f"-{weights[:DIGITS]}"
    return f"{FOLDER}/{result.digest}{analysis}.html"


def _write(
    settings: Settings, folder: Path, by: str | None, weights: str | None, game: GameResult
) -> Path:
    path, told = folder / link_of(game, weights), record(settings, game)
    if by is None:
        page.write(told, path, [EVERYTHING])
    else:
        page.write(told, path, analysis=analysed(told, by))
    return path
