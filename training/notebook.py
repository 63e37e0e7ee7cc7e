"""What the notebooks share: how large they run, where they write, and tournaments to look at.

`IMPULSE_NOTEBOOKS=small` in the environment makes each of them run in about a minute, as the tests
do: the same cells, with fewer games and decisions, in a folder that is thrown away.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from io import StringIO
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeVar

from IPython.display import display
from rich.console import Console

from training.tournament import local
from training.tournament.play import TABLES
from training.tournament.result import GameResult
from training.tournament.run import run
from training.tournament.schedule import Schedule
from training.tournament.settings import Settings

SMALL: Final = os.environ.get("IMPULSE_NOTEBOOKS") == "small"
"""Whether the notebooks run to be tested, not to be read."""
FOLDER: Final = Path("runs") if SMALL else Path(__file__).parents[1] / "runs" / "notebooks"
"""Where their games and agents are kept; the next run goes on with them."""

T = TypeVar("T")


def full_or_small(full: T, small: T) -> T:
    """Return the first where the notebook is to be read, the second where it is tested."""
    return small if SMALL else full


def tournament(name: str, agents: Sequence[str], games: int, **settings: Any) -> Path:
    """Play a tournament, or what is missing of it, and show how far it is.

    Args:
        name: Of its folder in `FOLDER`.
        agents: Who plays.
        games: How many; rounded up to whole deals.
        settings: More of `training.tournament.settings.Settings`: players, seed, versus, …

    Returns:
        Its folder, for `training.tournament.played.played`.

    Raises:
        AgentError: There is no such agent, or it cannot play these games.
        TournamentError: The folder holds another tournament.
    """
    folder = FOLDER / name
    shown = _Shown(name)

    def players(schedule: Schedule, numbers: Sequence[int]) -> Iterator[GameResult]:
        workers = 1 if SMALL else os.cpu_count() or 1
        with closing(local.play_all(schedule, numbers, workers, TABLES)) as played:  # type: ignore[type-var]
            for done, result in enumerate(played, 1):
                shown.progress(done, len(numbers))
                yield result

    entered = Settings(tuple(agents), games=games, **settings)
    results = run(entered, folder, players, Console(file=StringIO()))
    shown.end(len(results), entered)
    return folder


class _Shown:
    """A line under the cell, written anew about once a second."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._begin = self._latest = monotonic()
        self._line = display({"text/plain": f"{name}: …"}, raw=True, display_id=True)

    def progress(self, done: int, games: int) -> None:
        """Say how far it is, how fast it goes and how long it takes yet."""
        now = monotonic()
        if now - self._latest >= 1:
            self._latest = now
            pace = done / (now - self._begin)
            left = (games - done) / pace / 60
            self._say(f"{done} of {games} games, {pace:.2g} a second, {left:.0f} min left")

    def end(self, games: int, settings: Settings) -> None:
        """Say what was played."""
        self._say(
            f"{games} games of {settings.players} players, deals from seed {settings.seed}: "
            f"{', '.join(settings.agents)}"
        )

    def _say(self, text: str) -> None:
        self._line.update({"text/plain": f"{self._name}: {text}"}, raw=True)
