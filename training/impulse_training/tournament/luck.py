"""The luck adjustment of a tournament's games, in ``luck.jsonl`` with a line for each game.

A line has the game's digest, the judge (a digest of values, factors and worlds), and the luck to
subtract from each side's result. Nothing is computed twice.
"""

import hashlib
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct
from rich.console import Console
from rich.progress import track

from impulse_agents.luck.corrections import WORLDS, luck_to_take_out
from impulse_agents.luck.game_log import Played
from impulse_agents.luck.values import Values, values_of
from impulse_env.files import write_atomically
from impulse_env.schema import SchemaError, read_json
from impulse_training.run.machine.processes import spread_out
from impulse_training.statistics.game_results import GameResult
from impulse_training.statistics.luck_adjusted import JudgedLuck
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.store import Store
from impulse_training.tournament.workers.play import make_agents

FILE: Final = "luck.jsonl"
_AT_ONCE: Final = 100
"""Games per task of a process."""
_DIGITS: Final = 16


class _Line(Struct):
    """A line of the file: digests of the game and the judge, and the luck of each side."""

    game: str
    judge: str
    luck: list[float]


def check_judge(judge: str | None, settings: Settings) -> None:
    """Raise `AgentError` if a judge does not exist or does not support these games."""
    if judge is not None:
        values_of(judge).check_players(settings.players)


def luck_of_games(store: Store, judge: str, workers: int, console: Console) -> JudgedLuck:
    """Return the luck of all finished games; computes and stores missing values.

    Args:
        store: The folder of the tournament.
        judge: Judge of the luck: "rules", or a trained agent.
        workers: Number of processes; with 1, this process computes.
        console: Console of the progress bar.

    Raises:
        AgentError: The judge does not exist, or does not support these games.
        TournamentError: The replay of a game differs from its recording, or the file is damaged.
    """
    values = values_of(judge)
    key = _key(values, store.settings)
    results = [result for result in store.results() if result.failed is None]
    luck_by_game = _read(store.folder / FILE, key)
    missing = [result for result in results if result.digest not in luck_by_game]
    parts = [missing[at : at + _AT_ONCE] for at in range(0, len(missing), _AT_ONCE)]
    computed = spread_out(partial(_luck_of_part, store.settings, judge), parts, workers)
    with open(store.folder / FILE, "a", encoding="utf-8") as file:
        for part, luck in zip(
            track(parts, "Luck", console=console, disable=not console.is_terminal),
            computed,
            strict=True,
        ):
            for result, sides in zip(part, luck, strict=True):
                luck_by_game[result.digest] = sides
                line = {"game": result.digest, "judge": key, "luck": sides}
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
            file.flush()
    return JudgedLuck(judge, {result.game: luck_by_game[result.digest] for result in results})


def _key(values: Values, settings: Settings) -> str:
    """Return a digest of everything except the game that determines its luck."""
    text = f"{values.identity()} {_factors(values, settings)} {WORLDS}"
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _factors(values: Values, settings: Settings) -> list[float]:
    options = settings.options
    factors: list[float] = values.coefficients(options.players, options.team_count).by_kind.tolist()
    return factors


def _read(path: Path, key: str) -> dict[str, list[float]]:
    """Return the stored luck by the games' digests; removes an incomplete last line."""
    luck_by_game: dict[str, list[float]] = {}
    if not path.exists():
        return luck_by_game
    whole, end, torn = path.read_bytes().rpartition(b"\n")
    if torn:
        write_atomically(path, (whole + end).decode())
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            parsed = read_json(line, _Line)
        except SchemaError as error:
            raise TournamentError(f"{path}, line {number}: {error}") from error
        if parsed.judge == key:
            luck_by_game[parsed.game] = parsed.luck
    return luck_by_game


def _luck_of_part(
    settings: Settings, judge: str, results: Sequence[GameResult]
) -> list[list[float]]:
    """Return the luck to subtract from each side's result, for each game."""
    entrants = make_agents(settings.agents)
    number = {name: row for row, name in enumerate(settings.agents)}
    seats = np.array([[number[name] for name in result.agents] for result in results])
    played = Played.of_deals(
        settings.options, [result.deal for result in results], [r.actions for r in results]
    )
    luck = luck_to_take_out(played, values_of(judge), entrants, seats)
    sides: list[list[float]] = luck.round(6).tolist()
    return sides
