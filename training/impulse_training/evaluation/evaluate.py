"""Measures a trained agent: `python -m impulse_training.evaluation.evaluate 2p`, or a path in the name's place.

It meets each opponent of `impulse_training.evaluation.suite` in a tournament of its own, alone against as many of them
as there are other sides.
"""

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console

import impulse_env
from impulse_agents import registry
from impulse_agents.checkpoints import path_of
from impulse_training.arguments import parse
from impulse_training.evaluation.results import Evaluation, Row, default_folder, sha256_of
from impulse_training.evaluation.suite import OPPONENTS, SuiteMatch, panel
from impulse_training.report.printing import print_table
from impulse_training.report.table import percent, with_interval
from impulse_training.tournament import local
from impulse_training.tournament.play import make_agents, warm
from impulse_training.tournament.run import run
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import TournamentError
from impulse_training.tournament.store import Store

COMMAND: Final = "python -m impulse_training.evaluation.evaluate"
FAILED: Final = 2
INTERRUPTED: Final = 130


@dataclass(frozen=True)
class Args:
    """Measure a trained agent against a panel of others, at the table it was trained for.

    It plays alone against each: with more than two sides, the other agent plays all others. Every
    deal is played from every side. Finished games are kept: the same command plays the missing
    ones.
    """

    checkpoint: str
    """The trained agent: a shipped name such as 2p, or a path."""
    games: int = 2000
    """Of each match; rounded up to whole deals."""
    seed: int = 0
    """Of the deals and the agents."""
    search: int = 300
    """Simulations of a decision where the agent itself searches."""
    opponents: tuple[str, ...] = OPPONENTS
    """"policy+search" is the agent with a search, against itself without."""
    out: Path | None = None
    """Folder to write to; runs/evaluate-NAME if not given."""
    workers: int | None = None
    """Processes; as many as there are cores if not given."""


def evaluate(args: Args, folder: Path, console: Console, command: str) -> Evaluation:
    """Play what the folder does not hold yet; return the results, which are written there too.

    Raises:
        AgentError: There is no such agent, or it cannot play these games; nothing was written.
        TournamentError: The folder or the arguments cannot be used.
    """
    workers = os.cpu_count() or 1 if args.workers is None else args.workers
    if workers < 1:
        raise TournamentError(f"workers must be 1 or more, not {workers}")
    players = partial(local.play_all, workers=workers)
    meetings = _meetings(args)
    _prepare(meetings, folder)
    sha256 = sha256_of(path_of(args.checkpoint))
    rows = []
    for number, meeting in enumerate(meetings, 1):
        console.print(f"{number} of {len(meetings)}: {meeting.agent} against {meeting.opponent}")
        results = run(meeting.settings, folder / meeting.folder, players, console)
        rows.append(Row.of(meeting, results))
        won = rows[-1].won
        console.print(
            f"    {with_interval(won)} % won (par {percent(won.par)} %), {won.games:,} games"
        )
    settings = meetings[0].settings
    evaluation = Evaluation(
        args.checkpoint,
        sha256,
        settings.players,
        settings.team_size,
        settings.seed,
        impulse_env._version.__version__,
        command,
        tuple(rows),
    )
    evaluation.write(folder)
    return evaluation


def _meetings(args: Args) -> list[SuiteMatch]:
    """Return the matches, at the table that the agent was trained for."""
    from impulse_agents.network.agent import PolicyAgent  # torch takes seconds to import

    trained = registry.make(f"policy:{args.checkpoint}")
    assert isinstance(trained, PolicyAgent)
    return panel(
        args.checkpoint,
        trained.config["players"],
        trained.config.get("trained", {}).get("team_size"),
        args.opponents,
        args.search,
        args.games,
        args.seed,
    )


def _prepare(meetings: Sequence[SuiteMatch], folder: Path) -> None:
    """See whether all can be played before the first is: the last may be hours away."""
    schedules = [Schedule(meeting.settings) for meeting in meetings]
    for schedule in schedules:
        warm(schedule, make_agents(schedule.settings.agents))
    for schedule, meeting in zip(schedules, meetings, strict=True):
        Store(folder / meeting.folder, schedule.settings).begin()


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; return the exit code."""
    args = parse(Args, COMMAND, arguments)
    typed = sys.argv[1:] if arguments is None else arguments
    folder = args.out
    console = Console(highlight=False, soft_wrap=True)
    try:
        folder = folder or default_folder(args.checkpoint)
        evaluation = evaluate(args, folder, console, f"{COMMAND} {shlex.join(typed)}")
    except (TournamentError, registry.AgentError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print(
            f"\ninterrupted; the finished games are in {folder}, "
            "and the same command plays the missing ones",
            file=sys.stderr,
        )
        return INTERRUPTED
    print_table(console, evaluation.table())
    console.print(f"results.md and results.json are in {folder}, and a folder for each match,")
    console.print("of which `python -m impulse_training.report.page FOLDER` tells more")
    return 0


if __name__ == "__main__":
    sys.exit(main())
