"""The luck of a tournament's games, kept in its folder: ``luck.jsonl``, a line for each game.

A line tells which game (its digest), who judged (a digest of the values, the factors and the
worlds), and what to take out of each side's result. Nothing is computed twice.
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
"""Games that a process is given at a time."""
_DIGITS: Final = 16


class _Line(Struct):
    """The luck of a game: its digest, a digest of who judged, and what to take out of each side."""

    game: str
    judge: str
    luck: list[float]


def check_judge(judge: str | None, settings: Settings) -> None:
    """Raise `AgentError` if that judge does not know such games."""
    if judge is not None:
        values_of(judge).check_players(settings.players)


def luck_of_games(store: Store, judge: str, workers: int, console: Console) -> JudgedLuck:
    """Return the luck of all finished games; what the folder does not hold yet is computed.

    Args:
        store: The folder of the tournament.
        judge: Who sees the luck: "rules", or a trained agent.
        workers: How many processes; with one, this one computes.
        console: Where a bar shows how far it is.

    Raises:
        AgentError: There is no such judge, or it does not know such games.
        TournamentError: A game does not go as recorded, or the file is damaged.
    """
    values = values_of(judge)
    key = _key(values, store.settings)
    results = [result for result in store.results() if result.failed is None]
    found = _read(store.folder / FILE, key)
    missing = [result for result in results if result.digest not in found]
    parts = [missing[at : at + _AT_ONCE] for at in range(0, len(missing), _AT_ONCE)]
    computed = spread_out(partial(_luck_of_part, store.settings, judge), parts, workers)
    with open(store.folder / FILE, "a", encoding="utf-8") as file:
        for part, luck in zip(
            track(parts, "Luck", console=console, disable=not console.is_terminal),
            computed,
            strict=True,
        ):
            for result, sides in zip(part, luck, strict=True):
                found[result.digest] = sides
                line = {"game": result.digest, "judge": key, "luck": sides}
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
            file.flush()
    return JudgedLuck(judge, {result.game: found[result.digest] for result in results})


def _key(values: Values, settings: Settings) -> str:
    """Return a digest of all that a game's luck follows from but the game."""
    told = f"{values.identity()} {_factors(values, settings)} {WORLDS}"
    return hashlib.sha256(told.encode()).hexdigest()[:_DIGITS]


def _factors(values: Values, settings: Settings) -> list[float]:
    options = settings.options
    factors: list[float] = values.coefficients(options.players, options.team_count).by_kind.tolist()
    return factors


def _read(path: Path, key: str) -> dict[str, list[float]]:
    """Return what is known of games, by their digests; a torn last line is removed."""
    found: dict[str, list[float]] = {}
    if not path.exists():
        return found
    whole, end, torn = path.read_bytes().rpartition(b"\n")
    if torn:
        write_atomically(path, (whole + end).decode())
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            said = read_json(line, _Line)
        except SchemaError as error:
            raise TournamentError(f"{path}, line {number}: {error}") from error
        if said.judge == key:
            found[said.game] = said.luck
    return found


def _luck_of_part(
    settings: Settings, judge: str, results: Sequence[GameResult]
) -> list[list[float]]:
    """Return what to take out of each side's result, for each game."""
    entrants = make_agents(settings.agents)
    number = {name: row for row, name in enumerate(settings.agents)}
    seats = np.array([[number[name] for name in result.agents] for result in results])
    played = Played.of_deals(
        settings.options, [result.deal for result in results], [r.actions for r in results]
    )
    luck = luck_to_take_out(played, values_of(judge), entrants, seats)
    sides: list[list[float]] = luck.round(6).tolist()
    return sides
