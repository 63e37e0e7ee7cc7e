"""Sorts the games of a folder after a change of the tournament or of an agent.

Valid games are in ``games.jsonl`` with their numbers, games of changed agents in
``replaced.jsonl``. A crash never loses a game: a line leaves a file only after the other has it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from impulse_env.files import replacing
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.store import Store


def sort_games(store: Store) -> Counter[str]:
    """Sort the lines of both files; return the number of games set aside for each agent.

    A game counts for each of its agents that has changed. If every line is in its place, nothing is
    written.

    Raises:
        TournamentError: A line is not a game of this tournament.
    """
    moved: Counter[str] = Counter()
    is_sorted = all(game is None for _, _, game in store.lines(store.replaced))
    for _, line, game in store.lines(store.games):
        if game is None:
            moved.update(_changed_agents(store, line))
        is_sorted = is_sorted and game is not None and line == _line(game)
    if is_sorted:
        return moved
    _write(store.replaced, _once(chain(_lines(store, store.replaced), _aside(store, store.games))))
    _write(store.games, _counting(store))
    _write(store.replaced, _aside(store, store.replaced))
    if not store.replaced.stat().st_size:
        store.replaced.unlink()
    return moved


def _changed_agents(store: Store, line: bytes) -> set[str]:
    """Return the agents of a game that have changed since."""
    result = GameResult.from_line(line)
    before = zip(result.agents, result.identities, strict=False)
    return {name for name, row in before if store.rows.get(name) != row}


def _line(game: GameResult) -> bytes:
    return (game.to_line() + "\n").encode()


def _lines(store: Store, path: Path) -> Iterator[bytes]:
    return (line for _, line, _ in store.lines(path))


def _aside(store: Store, path: Path) -> Iterator[bytes]:
    """Yield the lines of a file with games of changed agents."""
    return (line for _, line, game in store.lines(path) if game is None)


def _counting(store: Store) -> Iterator[bytes]:
    """Yield the valid games of both files, each once, with their numbers."""
    seen: set[int] = set()
    for _, _, game in chain(store.lines(store.games), store.lines(store.replaced)):
        if game is not None and game.game not in seen:
            seen.add(game.game)
            yield _line(game)


def _once(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield each line once: after a crash, both files may have it."""
    seen: set[int] = set()
    for line in lines:
        if hash(line) not in seen:
            seen.add(hash(line))
            yield line


def _write(path: Path, lines: Iterable[bytes]) -> None:
    with replacing(path) as file:
        file.writelines(lines)
