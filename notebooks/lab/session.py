"""Tools of all notebooks: their size, tournaments, cached tables, and one plot.

With `IMPULSE_NOTEBOOKS=small` in the environment each notebook runs in about a minute, as in the
tests. It runs the same cells with fewer games and decisions, in a temporary folder.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from copy import deepcopy
from dataclasses import fields
from io import BytesIO, StringIO
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeVar

import pandas as pd
import torch
from IPython.display import DisplayHandle, Image, display
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from rich.console import Console

from impulse_agents.base import Agent
from impulse_agents.identity import identity_of
from impulse_agents.network.agent import PolicyAgent
from impulse_env import analysis
from impulse_training.recipes import recipe, results
from impulse_training.run.machine.hardware import usable_cores
from impulse_training.run.provenance.checkout import checkout
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.games_for_analysis import tournament_games
from impulse_training.tournament.run import run
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings
from impulse_training.tournament.workers import local
from impulse_training.tournament.workers.play import TABLES

SMALL: Final = os.environ.get("IMPULSE_NOTEBOOKS") == "small"
"""Whether the notebooks run as tests."""
FOLDER: Final = Path("runs") if SMALL else (checkout() or Path()) / "runs" / "notebooks"
"""The folder for games and agents, which the next run reuses. It is below the top of the checkout,
or below the current folder outside a checkout."""
COLORS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Colors of items to compare, from Okabe and Ito's palette for the colour-blind."""

T = TypeVar("T")


def full_or_small(full: T, small: T) -> T:
    """Return the first value in a full run, the second in a test."""
    return small if SMALL else full


def stages(agent: PolicyAgent) -> dict[int, Path]:
    """Return the weights after each stage of an agent's recipe, by number, each beside its curve.

    They are those in `runs/recipes`, which `impulse train --recipe` writes. Small notebooks take
    the agent's own weights in their place, with more noise the earlier the stage.

    Raises:
        FileNotFoundError: The result of a stage is missing.
    """
    runs = FOLDER / "recipes" if SMALL else (checkout() or Path()) / results.RUNS
    found = results.learned(agent, runs)
    for stage, path in found.items():
        if SMALL:
            _stand_in(agent, path, noise=0.05 * (max(found) - stage))
        elif not path.is_file():
            command = f"impulse train --recipe {path.parent.name}"
            raise FileNotFoundError(f"{path} is missing: `{command}` writes it, which takes hours")
    return found


def _stand_in(agent: PolicyAgent, path: Path, noise: float) -> None:
    network = deepcopy(agent.network)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weights in network.parameters():
            drawn = torch.randn(weights.shape, generator=generator)
            weights.add_(noise * weights.std(correction=0) * drawn)
    path.parent.mkdir(parents=True, exist_ok=True)
    PolicyAgent(network, agent.config, agent.name).save(path)
    curve = recipe.folder() / path.parent.name / f"{path.stem}.csv"
    shutil.copy(curve, path.with_suffix(".csv"))


def tournament(name: str, agents: Sequence[str], games: int, **settings: Any) -> Path:
    """Play a tournament, or its missing games, and show the progress.

    Args:
        name: Name of its folder in `FOLDER`.
        agents: The agents.
        games: Number of games, rounded up to whole deals.
        settings: More of `impulse_training.tournament.settings.Settings`: players, seed, versus, …

    Returns:
        Its folder, for `impulse_training.tournament.games_for_analysis.tournament_games`.

    Raises:
        AgentError: An agent does not exist, or cannot play these games.
        TournamentError: The folder holds another tournament.
    """
    folder = FOLDER / name
    shown = _Shown(name)

    def players(schedule: Schedule, numbers: Sequence[int]) -> Generator[GameResult, None, None]:
        workers = 1 if SMALL else usable_cores()
        with closing(local.play_all(schedule, numbers, workers, TABLES)) as games:
            for done, result in enumerate(games, 1):
                shown.progress(done, len(numbers))
                yield result

    entered = Settings(tuple(agents), games=games, **settings)
    results = run(entered, folder, players, Console(file=StringIO()))
    shown.end(len(results), entered)
    return folder


def load_tables(*folders: Path, kinds: Mapping[str, str] | None = None) -> analysis.Tables:
    """Return the tables of the games of several tournaments, numbered consecutively.

    Args:
        folders: The folders of the tournaments.
        kinds: A word for the kind of each agent, by its name.

    Returns:
        Tables with more columns: ``folder`` (the tournament's name), ``players`` and ``deal``
        (int64, equal for games with the same cards). With `kinds` also ``who``, which is the
        attacker's kind in the table of battles and is missing in the table of games.
    """
    found = analysis.tables(chain.from_iterable(map(tournament_games, folders)))
    games = found.games.set_index("game")
    about = pd.DataFrame(
        {
            "folder": games.source.map(lambda source: Path(source).parent.name),
            "players": games.players,
            "deal": games.groupby(["players", "seed"]).ngroup(),
        }
    )
    tables = {}
    for field in fields(found):
        rows = getattr(found, field.name).drop(columns="players", errors="ignore")
        rows = rows.join(about, on="game")
        agent = "attacker_agent" if field.name == "battles" else "agent"
        if kinds is not None and agent in rows:
            rows["who"] = rows[agent].map(kinds)
        tables[field.name] = rows
    return analysis.Tables(**tables)


def cached(
    name: str,
    play: Callable[[], pd.DataFrame],
    agents: Sequence[Agent],
    folder: Path = FOLDER / "tables",
    **about: Any,
) -> pd.DataFrame:
    """Return a table that takes long to compute, from its file if it exists.

    As with tournaments, a file is reused only for the same agents, rules and arguments. Without the
    folder everything is played again.

    Args:
        name: Name of the file without its suffix; a word for the question.
        play: Computes the table, with numbers, truth values and texts.
        agents: The agents. A changed agent with the same name counts as a different agent.
        folder: The folder of the files.
        about: Everything else that the table depends on, such as the number of games; JSON-able.

    Raises:
        AgentError: The sources of an agent cannot be read.
    """
    inputs = {**about, "agents": [identity_of(agent).digest for agent in agents]}
    key = hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()[:16]
    path = folder / f"{name}-{key}.csv.gz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"part-{path.name}")
        play().to_csv(part, index=False)
        part.replace(path)
    return pd.read_csv(path)


def plot_estimates(axes: Axes, found: pd.DataFrame, shift: float = 0.0, **style: Any) -> None:
    """Draw the result of `estimates.estimate`: a dot for each row, with its interval as a line.

    Args:
        axes: The axes; the rows are at 0, 1, … from the top, with the index as labels.
        found: The estimates.
        shift: Vertical shift from these positions, downwards.
        style: Colour, label, …
    """
    places = [place + shift for place in range(len(found))]
    lengths = [found["mean"] - found.low, found.high - found["mean"]]
    axes.errorbar(found["mean"], places, xerr=lengths, fmt="o", capsize=2, **style)
    axes.set_yticks(range(len(found)), [str(label) for label in found.index])
    if not axes.yaxis_inverted():
        axes.invert_yaxis()


def show(figure: Figure, title: str) -> None:
    """Show a figure made without pyplot, such as those of a tournament's report.

    Args:
        figure: The figure.
        title: Its title, above its first axes.
    """
    figure.axes[0].set_title(title)
    file = BytesIO()
    figure.savefig(file, format="png", dpi=100, bbox_inches="tight")
    display(Image(file.getvalue()))


class _Shown:
    """A line under the cell, updated about once a second."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._begin = self._latest = monotonic()
        self._line = DisplayHandle()
        self._line.display({"text/plain": f"{name}: …"}, raw=True)

    def progress(self, done: int, games: int) -> None:
        """Show the progress, the speed and the remaining time."""
        now = monotonic()
        if now - self._latest >= 1:
            self._latest = now
            pace = done / (now - self._begin)
            left = (games - done) / pace / 60
            self._say(f"{done} of {games} games, {pace:.2g} a second, {left:.0f} min left")

    def end(self, games: int, settings: Settings) -> None:
        """Show the finished games and their settings."""
        agents = ", ".join(settings.agents).replace(f"{FOLDER}/", "")
        if (top := checkout()) is not None:
            agents = agents.replace(f"{top}/", "")
        seed = settings.seed
        self._say(f"{games} games of {settings.players} players, deals of seed {seed}: {agents}")

    def _say(self, text: str) -> None:
        self._line.update({"text/plain": f"{self._name}: {text}"}, raw=True)
