"""Rates an agent among the others: plays its games and times its decisions."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite
from pathlib import Path

from rich.console import Console

from impulse_agents import registry
from impulse_agents.asking.ask import warm
from impulse_agents.base import Agent
from impulse_agents.checkpoints import checkpoint_for
from impulse_agents.identity import identity_of
from impulse_agents.playing.decision_speed import decision_seconds
from impulse_agents.standings import Standing
from impulse_training.evaluation.standings.protocol import (
    JUDGE,
    PANEL,
    Table,
    panel_settings,
    settings_for,
)
from impulse_training.statistics.elo import Rating, rate, rate_newcomer
from impulse_training.statistics.game_results import GameResult, tally
from impulse_training.statistics.luck_adjusted import Adjusted, adjusted_shares
from impulse_training.tournament.luck import luck_of_games
from impulse_training.tournament.run import run
from impulse_training.tournament.settings import Settings
from impulse_training.tournament.store import Store
from impulse_training.tournament.workers import local
from impulse_training.tournament.workers.play import make_agents


class Placing:
    """Rates agents at one kind of table.

    Args:
        table: The kind of table.
        games: Games of each agent.
        folder: Folder for the games.
        workers: Number of processes.
        command: The command line, stored in the rows.
        console: Console for the progress.
    """

    def __init__(
        self,
        table: Table,
        games: int,
        folder: Path,
        workers: int,
        command: str,
        console: Console,
    ) -> None:
        self.table, self._games, self._command = table, games, command
        self._folder = folder / checkpoint_for(*table)
        self._workers = workers
        self._players = partial(local.play_all, workers=workers)
        self._console = console

    def check(self, name: str) -> None:
        """Raise `AgentError` or `TournamentError` if an agent cannot be rated; play nothing."""
        settings = settings_for(name, self.table, self._games)
        warm(make_agents(settings.agents[:1]), settings.options)

    def panel(self) -> list[Standing]:
        """Return the rows of the panel, from games among its agents."""
        settings = panel_settings(self.table)
        results = self._run(settings, "panel")
        ratings = rate(results)
        adjusted = self._adjusted("panel", [rating.name for rating in ratings], results)
        return [
            self._row(rating, results, settings, share)
            for rating, share in zip(ratings, adjusted, strict=True)
        ]

    def place(self, name: str, panel: Mapping[str, float]) -> Standing:
        """Return the row of an agent.

        Args:
            name: Name of the agent.
            panel: The ratings of the panel, in Elo points by name.
        """
        settings = settings_for(name, self.table, self._games)
        results = self._run(settings, name)
        (adjusted,) = self._adjusted(name, [name], results)
        return self._row(rate_newcomer(results, name, panel), results, settings, adjusted)

    def _run(self, settings: Settings, name: str) -> list[GameResult]:
        self._console.print(f"{checkpoint_for(*self.table)}: {name}")
        return run(settings, self._games_of(name), self._players, self._console)

    def _games_of(self, name: str) -> Path:
        slug = "".join(letter if letter.isalnum() or letter in "+-." else "_" for letter in name)
        return self._folder / slug

    def _adjusted(
        self, name: str, agents: Sequence[str], results: list[GameResult]
    ) -> tuple[Adjusted, ...]:
        """Return the luck-adjusted shares of agents in the games of `name`."""
        store = Store.read(self._games_of(name))
        luck = luck_of_games(store, JUDGE, self._workers, self._console)
        return adjusted_shares(agents, results, luck)

    def _row(
        self, rating: Rating, results: list[GameResult], settings: Settings, adjusted: Adjusted
    ) -> Standing:
        agent: Agent = registry.make(rating.name)
        won = tally(results).share(rating.name)
        assert won.share is not None
        assert won.par is not None
        low, high = adjusted.interval or (None, None)
        return Standing(
            rating.name,
            *self.table,
            round(rating.rating, 1),
            _end(rating.low),
            _end(rating.high),
            round(won.share, 4),
            round(won.par, 4),
            round(adjusted.share, 4),
            None if low is None else round(low, 4),
            None if high is None else round(high, 4),
            won.games,
            float(f"{1000 * decision_seconds(agent, settings.options):.3g}"),
            identity_of(agent).short,
            self._command,
        )


def missing_panel(rows: Mapping[str, Standing]) -> list[str]:
    """Return the agents of the panel without a row."""
    return [name for name in PANEL if name not in rows]


def _end(end: float) -> float | None:
    return round(end, 1) if isfinite(end) else None
