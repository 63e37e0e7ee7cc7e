"""Evaluates a trained agent against each opponent of a suite.

Each opponent gets a tournament of its own, in which the agent plays one side and copies of the
opponent play all other sides.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from impulse_agents.asking.ask import warm
from impulse_agents.checkpoints import path_of
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.weights_file import weights_digest
from impulse_env import __version__
from impulse_training.evaluation.calibration.positions import options_of
from impulse_training.evaluation.evaluation_options import EvaluateArgs
from impulse_training.evaluation.results import Evaluation, Row
from impulse_training.evaluation.suite import SuiteMatch, evaluation_suite
from impulse_training.report.page import write_report
from impulse_training.report.replays import check_analyst, write_replays
from impulse_training.report.table import percent, with_interval
from impulse_training.tournament.run import run
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.store import Store
from impulse_training.tournament.workers import local
from impulse_training.tournament.workers.play import make_agents


def evaluate(args: EvaluateArgs, folder: Path, console: Console, typed: str) -> Evaluation:
    """Play the games that are missing in the folder; write the results there and return them.

    Raises:
        AgentError: An agent does not exist or cannot play these games. Nothing was written.
        TournamentError: The folder or the arguments are invalid.
    """
    workers = local.processes(args.workers)
    players = partial(local.play_all, workers=workers)
    trained = PolicyAgent.load(path_of(args.checkpoint))
    table = options_of(trained)
    check_analyst(args.analyse, table.players)
    asked = args.opponents, args.search, args.games, args.seed
    meetings = evaluation_suite(args.checkpoint, table.players, table.team_size, *asked)
    _prepare(meetings, folder)
    rows = []
    for number, meeting in enumerate(meetings, 1):
        console.print(f"{number} of {len(meetings)}: {meeting.agent} against {meeting.opponent}")
        results = run(meeting.settings, folder / meeting.folder, players, console)
        if args.replays != "none":
            store = Store.read(folder / meeting.folder)
            write_replays(store, args.replays, args.analyse, workers, console)
            write_report(store, results)
        rows.append(Row.of(meeting, results))
        won = rows[-1].won
        console.print(
            f"    {with_interval(won)} % won (par {percent(won.par)} %), {won.games:,} games"
        )
    settings = meetings[0].settings
    evaluation = Evaluation(
        args.checkpoint,
        weights_digest(trained.network.state_dict()),
        settings.players,
        settings.team_size,
        settings.seed,
        __version__,
        typed,
        tuple(rows),
    )
    evaluation.write(folder)
    return evaluation


def _prepare(meetings: Sequence[SuiteMatch], folder: Path) -> None:
    """Check that all matches can be played before the first starts: it may take hours."""
    schedules = [Schedule(meeting.settings) for meeting in meetings]
    for schedule, meeting in zip(schedules, meetings, strict=True):
        Store(folder / meeting.folder, schedule.settings).check()
    for schedule in schedules:
        warm(make_agents(schedule.settings.agents), schedule.settings.options)
