"""A tournament from its settings to its last game: what is missing in the folder is played."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import monotonic

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from impulse_training.ratings.elo import fit
from impulse_training.rollout.game_result import GameResult
from impulse_training.tournament.play import make_agents, warm
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings
from impulse_training.tournament.store import Store

Players = Callable[[Schedule, Sequence[int]], Generator[GameResult, None, None]]
"""Plays the games of these numbers, in any order, and yields each when it is over."""


def run(settings: Settings, folder: Path, players: Players, console: Console) -> list[GameResult]:
    """Play the games that the folder does not hold yet; return all by number, without actions.

    Raises:
        AgentError: There is no such agent, or it cannot play these games; nothing was written.
        TournamentError: The folder cannot be used, or the games not be played.
    """
    schedule = Schedule(settings)
    if len(schedule) != settings.games:
        console.print(
            f"{settings.games} games are rounded up to {len(schedule)}: every deal is played "
            f"{schedule.games_per_deal} times, with each line-up turned all the way round"
        )
    warm(schedule, make_agents(settings.agents))
    store = Store(folder, schedule.settings)
    store.begin()
    with store.writing() as writer:
        # Tables need no actions, and they would be most of the memory.
        done = {result.game: replace(result, actions=[]) for result in store.results()}
        missing = [number for number in range(len(schedule)) if number not in done]
        if done and missing:
            console.print(f"{len(done)} games are in {folder} already, {len(missing)} are missing")
        with _Bar(len(schedule), list(done.values()), console) as bar:
            with closing(players(schedule, missing)) as games:
                for result in games:
                    if result.game in done:
                        continue
                    writer.add(result)
                    done[result.game] = replace(result, actions=[])
                    bar.show(done[result.game])
    return [done[number] for number in sorted(done)]


class _Bar:
    """The bar while games are played: how many, how fast, how long yet, and the ratings so far."""

    def __init__(self, games: int, done: list[GameResult], console: Console) -> None:
        self._results = done
        self._start, self._before = monotonic(), len(done)
        self._next_fit = 0.0
        self._bar = Progress(
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[standing]}"),
            console=console,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task(
            "games", total=games, completed=len(done), pace="", standing=""
        )

    def __enter__(self) -> "_Bar":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def show(self, result: GameResult) -> None:
        """Count a game."""
        self._results.append(result)
        if self._bar.disable:
            return
        now = monotonic()
        pace = (len(self._results) - self._before) / max(now - self._start, 1e-3)
        self._bar.update(self._task, advance=1, pace=f"{pace:.3g} games/s")
        if now >= self._next_fit:
            standing = "  ".join(f"{name} {elo:+.0f}" for name, elo in fit(self._results).items())
            self._bar.update(self._task, standing=standing)
            # At most a twentieth of the time goes into this.
            self._next_fit = monotonic() + max(1.0, 20 * (monotonic() - now))
