"""The command `impulse tournament`: plays the missing games, then reports."""

from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from impulse_env.files import check_output
from impulse_env.options import Options
from impulse_training.cli.framework.command import Command
from impulse_training.report.replay_choice import Replays
from impulse_training.run.common_options import LimitArgs, TableArgs
from impulse_training.run.terminal.interrupt import resumable
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.replay import find, record, replay
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.store import Store
from impulse_training.tournament.workers.play import TABLES

COMMAND = Command(
    examples=(
        "impulse tournament --agents greedy core_rush random --games 600 --out runs/t1",
        "impulse tournament --replay 3 --out runs/t1",
    ),
    has_json=True,
    extra="tournament",
)


@dataclass(frozen=True)
class Args(LimitArgs, TableArgs):
    """Play a tournament: every line-up of the agents on every deal, on every side of the table.

    Equal settings give equal games, on any number of processes or machines. The folder stores
    finished games. The same command continues a tournament; more --games or more agents at the end
    of --agents extend it. Games of an agent that has changed are played again.
    """

    agents: tuple[str, ...] = (
        "greedy",
        "random",
    )
    """Agents to rate; an unknown name lists all names."""
    versus: bool = False
    """Put the first of two agents on one side, and the second on all other sides."""
    first_only: bool = False
    """Play only the line-ups with the first agent."""
    games: int = 1000
    """Games of the whole tournament, rounded up to whole deals."""
    seed: int = 0
    """Random seed for the deals and the agents."""
    target_score: int = Options.target_score
    """Points that win a game."""
    max_turns: int = Options.max_turns
    """Player turns after which a game is truncated."""
    out: Path = Path("runs/tournament")
    """Folder of the tournament."""
    workers: int | None = None
    """Number of processes; one per core by default."""
    tables: int = TABLES
    """Maximum number of simultaneous games per process."""
    ray: str | None = None
    """Play on the Ray cluster at this address, or "auto"."""
    ray_installed: bool = False
    """The cluster has the code installed: do not send it."""
    anchor: str | None = None
    """Agent with rating 0; by default the mean rating is 0."""
    replays: Replays = "none"
    """Write replay pages of notable games or of all games, and link them from the report; each
    takes about 0.1 MB and two core-seconds."""
    analyse: str | None = None
    """Let this trained agent, such as policy:2p, rate every choice on the replay pages; takes a few
    more seconds per page."""
    adjust: str | None = None
    """Also report luck-adjusted results. The value names the judge: rules, or a trained agent such
    as policy:2p."""
    replay: int | None = None
    """Only print the game with this number from the folder, in words."""
    record: Path | None = None
    """With --replay: write the record of the game to this file instead."""

    @property
    def settings(self) -> Settings:
        """The settings that determine the games; raises `TournamentError`."""
        return Settings(**{field.name: getattr(self, field.name) for field in fields(Settings)})


def main(args: Args) -> dict[str, Any]:
    """Play the tournament, or replay one of its games; return the result."""
    if args.replay is not None:
        return _replay(args.out, args.replay, args.record)
    if args.record is not None:
        raise TournamentError("--record needs the number of a game: --replay N --record FILE")
    return _play(args)


def _replay(folder: Path, number: int, file: Path | None) -> dict[str, Any]:
    """Print a finished game in words, or write its record."""
    if file is not None:
        check_output("--record", file)
    store = Store.read(folder)
    result = find(store, number)
    if file is not None:
        record(store.settings, result).save(file)
        print(file)
        return {"record": str(file)}
    lines = list(replay(store.settings, result))
    print("\n".join(lines))
    return {"game": asdict(result), "lines": lines}


def _play(args: Args) -> dict[str, Any]:
    """Play the tournament and print the report."""
    from impulse_training.report.page import report_on
    from impulse_training.report.replays import check_analyst, write_replays
    from impulse_training.run.terminal.screen import Screen
    from impulse_training.tournament.luck import check_judge, luck_of_games
    from impulse_training.tournament.run import run
    from impulse_training.tournament.workers import local
    from impulse_training.tournament.workers import ray as cluster

    workers = local.processes(args.workers)
    if args.tables < 1:
        raise TournamentError(f"tables must be 1 or more, not {args.tables}")

    def players(schedule: Schedule, numbers: Sequence[int]) -> Generator[GameResult, None, None]:
        if args.ray is not None:
            return cluster.play_all(
                schedule, numbers, args.ray, args.tables, is_installed=args.ray_installed
            )
        return local.play_all(schedule, numbers, workers, args.tables)

    console = Screen()
    settings = args.settings
    if args.anchor is not None and args.anchor not in settings.agents:
        raise TournamentError(
            f"the anchor must be one of {', '.join(settings.agents)}, not {args.anchor!r}"
        )
    check_output("--out", args.out, is_folder=True)
    check_analyst(args.analyse, settings.players)
    check_judge(args.adjust, settings)
    with resumable(args.out):
        results = run(settings, args.out, players, console)
        store = Store.read(args.out)
        write_replays(store, args.replays, args.analyse, workers, console)
        luck = None if args.adjust is None else luck_of_games(store, args.adjust, workers, console)
        return report_on(args.out, results, console, args.anchor, luck)
