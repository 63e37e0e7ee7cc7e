"""Runs a tournament: plays the games that are missing in its folder."""

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

from impulse_agents.asking.ask import warm
from impulse_agents.asking.guard import guarded
from impulse_agents.identity import identity_of
from impulse_training.statistics.elo import fit
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings
from impulse_training.tournament.sorting import sort_games
from impulse_training.tournament.store import Change, Store
from impulse_training.tournament.workers.play import make_agents

Players = Callable[[Schedule, Sequence[int]], Generator[GameResult, None, None]]
"""A function that plays games by number, in any order, and yields each when it is over."""


def run(settings: Settings, folder: Path, players: Players, console: Console) -> list[GameResult]:
    """Play the missing games of a folder; return all games by number, without actions.

    Games whose agents have changed are played again.

    Raises:
        AgentError: An agent does not exist, or cannot play these games; nothing was written.
        TournamentError: The folder cannot be used, or the games cannot be played.
    """
    schedule = Schedule(settings)
    store = Store(folder, schedule.settings)
    store.check()
    if len(schedule) != settings.games:
        console.print(
            f"{settings.games} games are rounded up to {len(schedule)}: every deal is played "
            f"{schedule.games_per_deal} times, with each line-up turned all the way round"
        )
    entrants = make_agents(settings.agents)
    with guarded(entrants, settings.limits, settings.options) as asked:
        warm(asked, settings.options)
    with store.alone():
        changes = store.begin([identity_of(agent) for agent in entrants])
        moved = sort_games(store)
        for change in changes:
            _report_change(change, moved[change.now.agent], store, console)
        return _play_missing(store, players, console)


def _report_change(change: Change, games: int, store: Store, console: Console) -> None:
    """Print that an agent has changed."""
    console.print(
        f"{change.now.agent} has changed ({change.before.short} before, "
        f"{change.now.short} now): {games} of its games are played again"
        + (f", the old ones are in {store.replaced}" if games else "")
    )


def _play_missing(store: Store, players: Players, console: Console) -> list[GameResult]:
    """Play the missing games; return all games by number, without actions."""
    schedule = store.schedule
    with store.writing() as writer:
        # Tables need no actions, which would take most of the memory.
        done = {result.game: replace(result, actions=[]) for result in store.results()}
        missing = [number for number in range(len(schedule)) if number not in done]
        if done and missing:
            console.print(
                f"{len(done)} games are in {store.folder} already, {len(missing)} are missing"
            )
        with _Bar(len(schedule), list(done.values()), console) as bar:
            with closing(players(schedule, missing)) as games:
                for result in games:
                    if result.game in done:
                        continue
                    written = writer.add(result)
                    done[result.game] = replace(written, actions=[])
                    bar.show(done[result.game])
    return [done[number] for number in sorted(done)]


class _Bar:
    """A progress bar with the number of games, the speed, the remaining time and the ratings."""

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
            # This takes at most a twentieth of the time.
            self._next_fit = monotonic() + max(1.0, 20 * (monotonic() - now))
