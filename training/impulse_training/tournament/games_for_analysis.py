"""The games of a tournament or of other files for `impulse_env.analysis`.

from impulse_env import analysis
from impulse_training.tournament.games_for_analysis import tournament_games

tables = analysis.tables(tournament_games("runs/t1"))
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from impulse_env.records.record import Header, SeatedAgent
from impulse_env.records.recorded_games import RecordedGame, records
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.settings import Settings
from impulse_training.tournament.store import Store


def tournament_games(folder: str | Path) -> Iterator[RecordedGame]:
    """Yield the finished games in the order of their ends, one in memory at a time.

    Args:
        folder: The folder of the tournament, which may still be running.

    Raises:
        TournamentError: The folder has no tournament, or a line is not a game of it.
    """
    store = Store.read(Path(folder))
    seen: set[int] = set()
    for line, result in store.numbered():
        if result.game not in seen:
            seen.add(result.game)
            yield _played(store.settings, result, f"{store.games}, line {line}")


def games_in(path: Path, *, played: bool = True) -> Iterator[RecordedGame]:
    """Return the games of records, of a tournament, or of exported Parquet files.

    Args:
        path: A record, or a folder.
        played: See `records`.

    Raises:
        DatasetError, RecordError, TournamentError: The games cannot be read.
        FileNotFoundError: The path does not exist, or the folder has no records.
    """
    if path.name == "games.jsonl" and path.with_name("settings.json").is_file():
        path = path.parent
    if (path / "settings.json").is_file():
        return tournament_games(path)
    if path.is_dir() and any(path.glob("games-*.parquet")):
        from impulse_env.dataset.parquet import recorded_games  # needs the extra `data`

        return recorded_games(path)
    return records(path, played=played)


def _played(settings: Settings, result: GameResult, where: str) -> RecordedGame:
    agents = tuple(SeatedAgent(name) for name in result.agents)
    return RecordedGame(
        where,
        Header(settings.options, agents, seed=result.deal),
        np.array(result.actions, np.int64),
        result.ended,
        tuple(result.winners),
        tuple(result.scores),
        np.full((len(result.actions), 3), np.nan),
        tuple(result.seconds),
    )
