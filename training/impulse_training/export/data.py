"""Games as data sets: Parquet files with a data card, or a Minari dataset."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from impulse_agents import registry
from impulse_agents.asking.faults import AgentFault
from impulse_agents.identity import identity_of
from impulse_env import __version__
from impulse_env.dataset import croissant
from impulse_env.dataset.parquet import DatasetError, parts_in
from impulse_env.errors import ImpulseError
from impulse_env.options import Options, check_least
from impulse_training.export import data_card
from impulse_training.export.export_options import ExportArgs
from impulse_training.export.write import Source, same_for_all, write_played, write_recorded
from impulse_training.run.terminal.command_line import command
from impulse_training.tournament.games_for_analysis import games_in
from impulse_training.tournament.workers.local import processes


@dataclass(frozen=True)
class Written:
    """The content of a folder of Parquet files.

    Attributes:
        games: Number of games.
        parts: Number of parts.
        faults: Agents' faults in the games that were left out.
    """

    games: int
    parts: int
    faults: list[AgentFault]


def write_parquet(args: ExportArgs, out: Path, console: Console) -> Written:
    """Write Parquet files of recorded or newly played games, with their card and metadata.

    Raises:
        AgentError, OptionError: An agent does not exist, or the options are invalid.
        DatasetError: The folder holds other data, or the source has no game.
        RecordError, TournamentError: A game does not replay as recorded.
    """
    _check_source(args)
    faults: list[AgentFault] = []
    games, agents = _parquet(args, out, console, faults)
    data_card.write(out, command(), agents, args.observations)
    croissant.write(
        out,
        f"impulse-{out.resolve().name}",
        f"{games:,} games of the board game Impulse and their decisions, made with "
        f"impulse-env {__version__} by: {command()}",
    )
    return Written(games, len(parts_in(out)), faults)


def write_minari(args: ExportArgs, name: str) -> tuple[int, int]:
    """Write a Minari dataset from games on disk; return its numbers of episodes and steps.

    Raises:
        DatasetError: The source has no game on disk.
        MinariError: Minari is not installed.
    """
    _check_source(args)
    if args.record is None:
        raise DatasetError(
            "a Minari dataset needs games on disk: write them with --format parquet, then "
            "export that folder with --format minari"
        )
    try:
        from impulse_env.dataset.minari import to_minari  # not of any extra: it pins other packages
    except ImportError as error:
        raise MinariError(str(error)) from error
    made = to_minari(games_in(args.record, played=False), name)
    return int(made.total_episodes), int(made.total_steps)


class MinariError(ImpulseError, ImportError):
    """Minari is not installed; the message says how to get it."""


def _check_source(args: ExportArgs) -> None:
    if (args.record is None) == (not args.agents):
        raise DatasetError(
            "data come from records or from games that --agents play: name one of them"
        )


def _parquet(
    args: ExportArgs, out: Path, console: Console, faults: list[AgentFault]
) -> tuple[int, list[str]]:
    """Write Parquet files; return the number of games, and the agents."""
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
    identities = [identity_of(registry.make(name)) for name in dict.fromkeys(names)]
    return done, [f"`{one.agent}`, {one.short}" for one in identities]


def _shown(done: Iterator[int], games: int | None, console: Console) -> int:
    """Show the progress; return the final number of games."""
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
