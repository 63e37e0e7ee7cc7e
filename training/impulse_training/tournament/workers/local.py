"""Plays a tournament's games in several processes of this machine.

Workers request games when they have free tables, and send each result when its game is over. If a
worker dies, another one plays its games again, with its agents in a separate process. If an agent
ends that process, the worker knows which agent it had asked.
"""

import multiprocessing
import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

from impulse_agents.asking.ask import warm
from impulse_agents.asking.guard import guarded
from impulse_training.run.machine.hardware import usable_cores
from impulse_training.run.machine.processes import become_worker, deaf_to_ctrl_c, tell_start
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.schedule import Schedule, ScheduledGame
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.workers.play import TABLES, make_agents, play, several
from impulse_training.tournament.workers.same_agents import digests_of, make_same_agents

DEATHS: Final = 5
"""Consecutive deaths of workers, without a finished game between them, that end a tournament."""

_GRACE: Final = 5.0
"""Seconds for a worker to end by itself."""

# A forked child would share the threads' locks of numba and torch, but not the threads.
_CONTEXT: Final = multiprocessing.get_context("spawn")


def processes(workers: int | None) -> int:
    """Return the number of worker processes; one per usable core if `workers` is None.

    Raises:
        TournamentError: `workers` is below 1.
    """
    if workers is not None and workers < 1:
        raise TournamentError(f"workers must be 1 or more, not {workers}")
    return workers or usable_cores()


def play_all(
    schedule: Schedule, numbers: Sequence[int], workers: int, tables: int = TABLES
) -> Generator[GameResult, None, None]:
    """Play games and yield each when it is over.

    Args:
        schedule: The schedule.
        numbers: The numbers of the games.
        workers: Number of processes; with 1, this process plays.
        tables: Maximum number of simultaneous games per process.

    Raises:
        TournamentError: Workers die repeatedly, or an agent in a worker differs from the one here.
    """
    workers = min(workers, len(numbers))
    if workers <= 1:
        settings = schedule.settings
        games = several([schedule[number] for number in numbers])
        made = make_agents(settings.agents)
        with guarded(made, settings.limits, settings.options) as entrants:
            yield from play(schedule, entrants, games, tables)
        return
    pool = _Pool(schedule.settings, numbers, workers, tables)
    try:
        yield from pool.results()
    finally:
        pool.stop()


class _Worker:
    """A process, the pipe to it, and its unfinished games.

    With `has_guard` its agents run in a separate process.
    """

    def __init__(
        self, settings: Settings, digests: Sequence[str], tables: int, has_guard: bool
    ) -> None:
        self.has_guard = has_guard
        self.pipe, other = _CONTEXT.Pipe()
        self.process: BaseProcess = _CONTEXT.Process(
            target=_work,
            args=(other, settings, digests, tables, has_guard),
            daemon=not has_guard,  # daemons cannot have child processes
        )
        with deaf_to_ctrl_c():
            self.process.start()
        other.close()
        self.games: set[int] = set()


class _Pool:
    """The workers and the waiting games, the next one last."""

    def __init__(
        self, settings: Settings, numbers: Sequence[int], workers: int, tables: int
    ) -> None:
        self.settings = settings
        self.digests = digests_of(settings.agents)
        self.tables = tables
        self.waiting = sorted(numbers, reverse=True)
        self.left = len(numbers)
        self.deaths = 0
        tell_start(workers)
        self.workers = [self.another(bool(settings.limits)) for _ in range(workers)]

    def another(self, has_guard: bool) -> _Worker:
        """Start a worker."""
        return _Worker(self.settings, self.digests, self.tables, has_guard)

    def results(self) -> Iterator[GameResult]:
        """Yield results until all games are finished."""
        while self.left:
            workers: dict[object, _Worker] = {worker.pipe: worker for worker in self.workers}
            for pipe in wait([worker.pipe for worker in self.workers]):
                worker = workers[pipe]
                try:
                    kind, content = worker.pipe.recv()
                except (EOFError, OSError):
                    self.replace(worker)
                    continue
                if kind == "result":
                    worker.games.remove(content.game)
                    self.left -= 1
                    self.deaths = 0
                    yield content
                elif kind == "more":
                    self.give(worker, content)
                else:
                    raise TournamentError(content)

    def give(self, worker: _Worker, count: int) -> None:
        """Send games to a worker, but leave the other workers their share of the last ones."""
        count = min(count, -(-len(self.waiting) // len(self.workers)))
        games = [self.waiting.pop() for _ in range(count)]
        worker.games.update(games)
        with suppress(OSError):  # it has died, which `results` will notice
            worker.pipe.send(games)

    def replace(self, worker: _Worker) -> None:
        """Take back the games of a dead worker, and start another one if necessary."""
        self.workers.remove(worker)
        worker.pipe.close()
        worker.process.join()
        if worker.process.exitcode == 0 and not worker.games:
            return  # it had nothing left to do
        self.waiting = sorted({*self.waiting, *worker.games}, reverse=True)
        self.deaths += worker.has_guard
        if self.deaths >= DEATHS:
            raise TournamentError(
                f"{DEATHS} workers have died and no game was finished between; the last had exit "
                f"code {worker.process.exitcode} and was playing games {sorted(worker.games)}"
            )
        self.workers.append(self.another(has_guard=True))

    def stop(self) -> None:
        """End all processes."""
        for worker in self.workers:
            # A worker ends its guard, whose agents may never return.
            worker.process.terminate() if worker.has_guard else worker.process.kill()
        for worker in self.workers:
            worker.process.join(_GRACE)
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()


class _Parent:
    """The worker's end of the pipe; the worker ends if the parent is gone."""

    def __init__(self, pipe: Connection, schedule: Schedule) -> None:
        self.pipe = pipe
        self.schedule = schedule

    def send(self, kind: str, content: Any) -> None:
        try:
            self.pipe.send((kind, content))
        except OSError as error:
            raise SystemExit(0) from error

    def more(self, count: int) -> list[ScheduledGame]:
        """Request games and wait for them."""
        self.send("more", count)
        try:
            return [self.schedule[number] for number in self.pipe.recv()]
        except (EOFError, OSError) as error:
            raise SystemExit(0) from error


def _work(
    pipe: Connection, settings: Settings, digests: Sequence[str], tables: int, has_guard: bool
) -> None:
    """Play the parent's games until it sends none; the main function of a worker."""
    become_worker()
    if has_guard:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    schedule = Schedule(settings)
    parent = _Parent(pipe, schedule)
    try:
        made, options = make_same_agents(settings.agents, digests), settings.options
        with guarded(made, settings.limits, options, always=has_guard) as entrants:
            warm(entrants, options)  # loads compiled code, which must not count as thinking time
            for result in play(schedule, entrants, parent.more, tables):
                parent.send("result", result)
    except KeyboardInterrupt:
        return  # the parent stops
    except Exception as error:
        parent.send("broken", f"a worker cannot continue: {error!r}")
