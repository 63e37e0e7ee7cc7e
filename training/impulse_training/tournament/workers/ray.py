"""Plays a tournament's games on the machines of a Ray cluster.

    ray start --head                          on the first machine
    ray start --address=FIRST:6379            on every other
    impulse tournament ... --ray auto         on any of them

A machine of the cluster needs the same Python and Ray as the machine with the command, and this
project's dependencies, as ``pip install "impulse-env[ray]"`` installs them. It needs neither this
checkout nor a shared folder: the command sends the code and the files of agents. Each
machine compiles the code once per Ray session, which takes a minute or two. With
``--ray-installed`` the command sends nothing, and every machine plays with its installed code,
which must be the same.

Only the command writes files. Other machines play the games of a lost machine again. Results are
identified by the numbers of their games, so none is lost or counts twice. If an agent ended its
process, the second try shows which one, because its agents run in a separate process. The games
equal those of `local`, so the tables are the same to the last digit, unless an agent has a time
limit.
"""

import os
import sys
import tempfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any, Final

from impulse_agents import registry
from impulse_agents.asking.ask import warm
from impulse_agents.asking.guard import guarded
from impulse_agents.base import Agent
from impulse_agents.checkpoints import checkpoint_in, file_of
from impulse_agents.protocol.command import files_of, is_command, with_files
from impulse_training.run.machine.ray_cluster import ClusterError, connect
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.workers.play import TABLES, play, several
from impulse_training.tournament.workers.same_agents import digests_of, make_same_agents

DEATHS: Final = 5
"""Consecutive losses of a chunk's machine, without a finished game, that end a tournament."""

_FLUSH: Final = 0.5
"""Seconds after which finished games are sent."""
_LARGEST: Final = 1024

_folders: Final[list[tempfile.TemporaryDirectory[str]]] = []
"""Folders with programs, which exist until this process ends."""

Files = tuple[tuple[str, str, bytes], ...]
"""Files of agents: the agent's name, the path in it, and the content."""


@dataclass(eq=False)
class _Chunk:
    """The games of one task.

    Attributes:
        left: The numbers of games without a result.
        deaths: Losses of the task's machine since the last result.
    """

    left: set[int]
    deaths: int = 0


def play_all(
    schedule: Schedule,
    numbers: Sequence[int],
    address: str,
    tables: int = TABLES,
    is_installed: bool = False,
) -> Generator[GameResult, None, None]:
    """Play games on a cluster and yield each when it is over.

    Args:
        schedule: The schedule.
        numbers: The numbers of the games.
        address: The address of the cluster; "auto" for the cluster of this machine.
        tables: Maximum number of simultaneous games per task.
        is_installed: Whether every machine has this code; otherwise it is sent there.

    Raises:
        TournamentError: Ray is not installed, the cluster cannot be reached, a task fails, a
            machine has another version of an agent, or machines are lost repeatedly.
    """
    if not numbers:
        return
    ray = _connected(address, is_installed, schedule.settings)
    print("each machine of the cluster gets ready first", file=sys.stderr, flush=True)
    try:
        yield from _Tasks(ray, schedule, numbers, tables).results()
    finally:
        ray.shutdown()


def _connected(address: str, is_installed: bool, settings: Settings) -> Any:
    """Return the connected module `ray`; also sends the packages of agents by other authors."""
    packages = {package for name in settings.agents if (package := registry.code_package_of(name))}
    try:
        return connect(address, is_installed, sorted(packages))
    except ClusterError as error:
        raise TournamentError(str(error)) from error


class _Tasks:
    """The waiting and the running chunks."""

    def __init__(self, ray: Any, schedule: Schedule, numbers: Sequence[int], tables: int) -> None:
        self.ray = ray
        size = min(_LARGEST, -(-len(numbers) // (4 * self.cores)))
        parts = [numbers[start : start + size] for start in range(0, len(numbers), size)]
        self.waiting = [_Chunk(set(part)) for part in reversed(parts)]
        self.playing: dict[Any, _Chunk] = {}
        # Once for all tasks.
        self.files = ray.put(_files(schedule.settings))
        self.arguments = schedule.settings, tables, digests_of(schedule.settings.agents)
        # This class plays the missing games of a lost task; Ray would play all of them again.
        self.task = ray.remote(
            num_cpus=1, max_retries=0, num_returns="streaming", scheduling_strategy="SPREAD"
        )(_play_chunk)

    @property
    def cores(self) -> int:
        """Current number of cores of the cluster, at least 1."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def results(self) -> Iterator[GameResult]:
        """Yield each game's result once."""
        while self.waiting or self.playing:
            # More tasks than cores, so that an autoscaling cluster sees the demand.
            while self.waiting and len(self.playing) < 2 * self.cores:
                self.start(self.waiting.pop())
            ready, _ = self.ray.wait(list(self.playing), num_returns=1, timeout=10)
            for stream in ready:
                yield from self.received(stream)

    def start(self, chunk: _Chunk) -> None:
        """Start a task on the cluster."""
        settings, tables, digests = self.arguments
        numbers, has_guard = sorted(chunk.left), bool(settings.limits) or chunk.deaths > 0
        stream = self.task.remote(settings, numbers, self.files, tables, digests, has_guard)
        self.playing[stream] = chunk

    def received(self, stream: Any) -> Iterator[GameResult]:
        """Yield the new results of a task; if the task has ended, requeue its missing games."""
        chunk = self.playing[stream]
        errors = self.ray.exceptions
        try:
            lines = self.ray.get(next(stream))
        except StopIteration:
            reason = "it ended early"
        except (errors.RayTaskError, errors.RuntimeEnvSetupError) as error:
            raise TournamentError(f"a task on the cluster failed: {error}") from error
        except errors.RayError as error:
            reason = repr(error)
        else:
            for result in map(GameResult.from_line, lines):
                chunk.deaths = 0
                chunk.left.remove(result.game)
                yield result
            return
        del self.playing[stream]
        if not chunk.left:
            return
        chunk.deaths += 1
        if chunk.deaths >= DEATHS:
            raise TournamentError(
                f"games {sorted(chunk.left)} were lost {DEATHS} times on the cluster: {reason}"
            )
        self.waiting.append(chunk)


# --- On the machines of the cluster --------------------------------------------------------------


def _play_chunk(
    settings: Settings,
    numbers: Sequence[int],
    files: Files,
    tables: int,
    digests: tuple[str, ...],
    has_guard: bool,
) -> Iterator[list[str]]:
    """Play games; yield the lines of finished games, several at a time.

    With `has_guard` the agents run in a separate process.
    """
    with ExitStack() as opened:
        if has_guard:
            # The files stay while it plays: an agent whose process ended is made again.
            folder = opened.enter_context(tempfile.TemporaryDirectory())
            made = _made_here(settings, files, digests, Path(folder))
            schedule, guard = (
                Schedule(settings),
                guarded(made, settings.limits, settings.options, always=True),
            )
            with _one_at_a_time():
                entrants = opened.enter_context(guard)
        else:
            schedule, entrants = _prepared(settings, files, digests)
        games = several([schedule[number] for number in numbers])
        lines, since = [], monotonic()
        for result in play(schedule, entrants, games, min(tables, len(numbers))):
            lines.append(result.to_line())
            if monotonic() - since > _FLUSH:
                yield lines
                lines, since = [], monotonic()
        yield lines


@cache
def _prepared(
    settings: Settings, files: Files, digests: tuple[str, ...]
) -> tuple[Schedule, Sequence[Agent]]:
    """Return the schedule and the warm agents; cached per process."""
    schedule = Schedule(settings)
    with ExitStack() as opened:
        folder = tempfile.TemporaryDirectory()
        if any(map(is_command, settings.agents)):
            _folders.append(folder)  # a program starts from its file, and again after a fault
        else:
            opened.enter_context(folder)
        entrants = _made_here(settings, files, digests, Path(folder.name))
    with _one_at_a_time():  # the first process on a machine may compile
        warm(entrants, settings.options)
    return schedule, entrants


def _files(settings: Settings) -> Files:
    """Return the files of the agents."""
    return tuple(
        (name, given, path.read_bytes())
        for name in settings.agents
        for given, path in _files_in(name).items()
    )


def _files_in(name: str) -> dict[str, Path]:
    """Return the files of an agent, by the parts of its name: checkpoint, code or program."""
    if is_command(name):
        return files_of(name)
    code = registry.code_file_of(name)
    given, path = (str(code), code) if code is not None else (checkpoint_in(name), file_of(name))
    return {given: path} if given and path else {}


def _made_here(
    settings: Settings, files: Files, digests: Sequence[str], folder: Path
) -> list[Agent]:
    """Return the agents, with their files in a folder of this machine."""
    moved: dict[str, dict[str, Path]] = {name: {} for name in settings.agents}
    for number, (name, given, content) in enumerate(files):
        copied = folder / f"{number}{Path(given).suffix}"
        copied.write_bytes(content)
        if is_command(name):
            copied.chmod(0o700)
        moved[name][given] = copied
    return make_same_agents([_renamed(name, moved[name]) for name in settings.agents], digests)


def _renamed(name: str, moved: Mapping[str, Path]) -> str:
    """Return the name of an agent whose files, by the parts of its name, are in other places."""
    if is_command(name):
        return with_files(name, moved)
    for given, copied in moved.items():
        # The agent's kind comes before the file, its arguments after it.
        before, _, behind = name.partition(given)
        if checkpoint_in(name) == given:
            kind, _, rest = name.partition(":")
            before, behind = f"{kind}:", rest.removeprefix(given)
        return f"{before}{copied}{behind}"
    return name


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Wait until no other process of this machine is in this block."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(Path(tempfile.gettempdir()) / f"impulse_env-{os.getuid()}.lock", "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
