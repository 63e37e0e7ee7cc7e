"""Write games as data to share: the part of `impulse export` with `--format`."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

import impulse_env
from impulse_agents import registry
from impulse_agents.asking.faults import AgentFault
from impulse_agents.identity import identity_of
from impulse_env.dataset import croissant
from impulse_env.dataset.parquet import DatasetError, parts_in
from impulse_env.errors import ImpulseError
from impulse_env.options import Options, check_least
from impulse_training.export import data_card
from impulse_training.export.export_options import ExportArgs
from impulse_training.export.write import Source, same_for_all, write_played, write_recorded
from impulse_training.rollout.faults import tell_faults
from impulse_training.run.screen import Screen
from impulse_training.tournament.games_for_analysis import games_in
from impulse_training.tournament.local import processes


def write_dataset(args: ExportArgs, out: Path) -> dict[str, Any]:
    """Write what is asked for, with a bar, and print where it is.

    Args:
        args: With a format.
        out: The folder, or what Minari calls the dataset.

    Raises:
        AgentError, OptionError: There is no such agent or game.
        DatasetError: The folder holds other data, or there is no game.
        RecordError, TournamentError: A game does not go as recorded.
    """
    if (args.record is None) == (not args.agents):
        raise DatasetError("data are made of records or of games that --agents play: name one")
    if args.format == "minari":
        return _minari(args, str(out))
    console = Screen()
    faults: list[AgentFault] = []
    games, agents = _parquet(args, out, console, faults)
    told = tell_faults(faults, games + len(faults), "they are left out")
    command = shlex.join(["impulse", *sys.argv[1:]])
    data_card.write(out, command, agents, args.observations)
    croissant.write(
        out,
        f"impulse-{out.resolve().name}",
        f"{games:,} games of the board game Impulse and their decisions, made with "
        f"impulse-env {impulse_env.__version__} by: {command}",
    )
    console.print(
        f"{games:,} games are in {out}; {data_card.FILE} and {croissant.FILE} describe them"
    )
    parts = len(parts_in(out))
    return {"folder": str(out), "games": games, "parts": parts, "faults": told}


def _parquet(
    args: ExportArgs, out: Path, console: Console, faults: list[AgentFault]
) -> tuple[int, list[str]]:
    """Write Parquet files; return how many games there are, and who played."""
    if args.record is not None:
        done = _shown(
            write_recorded(games_in(args.record, played=False), out, args.observations),
            None,
            console,
        )
        return done, [f"as recorded in `{args.record}`"]
    check_least(args, 1, "games")
    options = Options(args.players, args.team_size)
    names = same_for_all(args.agents, options.players)
    source = Source(names, options, args.games, args.seed, args.observations)
    written = write_played(source, out, processes(args.workers), faults.extend)
    done = _shown(written, args.games, console)
    told = [identity_of(registry.make(name)) for name in dict.fromkeys(names)]
    return done, [f"`{one.agent}`, {one.short}" for one in told]


def _shown(done: Iterator[int], games: int | None, console: Console) -> int:
    """Show how far it is; return how many games there are in the end."""
    count = 0
    with Progress(
        TextColumn("games"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task("games", total=games)
        for count in done:
            bar.update(task, completed=count)
    return count


def _minari(args: ExportArgs, name: str) -> dict[str, Any]:
    if args.record is None:
        raise DatasetError(
            "a Minari dataset is made of games on disk: write them with --format parquet, then "
            "export that folder with --format minari"
        )
    try:
        from impulse_env.dataset.minari import to_minari  # not of any extra: it pins other packages
    except ImportError as error:
        raise MinariError(str(error)) from error
    made = to_minari(games_in(args.record, played=False), name)
    print(f"{name}: {made.total_episodes} episodes, {made.total_steps} steps")
    return {"dataset": name, "episodes": int(made.total_episodes), "steps": int(made.total_steps)}


class MinariError(ImpulseError, ImportError):
    """Minari is not installed; the message says how to get it."""
