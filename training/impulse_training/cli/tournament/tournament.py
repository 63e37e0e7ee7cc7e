"""The command `impulse tournament`: plays what is missing, then reports."""

from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from impulse_env.files import check_output
from impulse_env.options import Options
from impulse_training.cli.framework.command import Command
from impulse_training.report.replay_choice import Replays
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
class Args:
    """Play a tournament: every line-up of the agents on every deal, on every side of the table.

    The same settings give the same games, however many processes or machines play them. Finished
    games are kept: the same command again plays the missing ones, with more --games those too, and
    with more agents behind the first ones theirs. Games of an agent that has changed since are
    played again.
    """

    agents: tuple[str, ...] = (
        "greedy",
        "random",
    )
    """Who plays; an unknown name lists those that exist."""
    players: int = 2
    """Players of a game, 2 to 6."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    versus: bool = False
    """The first of two agents on one side, the second on all others."""
    first_only: bool = False
    """Play only the line-ups with the first agent."""
    games: int = 1000
    """Of the whole tournament; rounded up to whole deals."""
    seed: int = 0
    """Of the deals and the agents."""
    target_score: int = Options.target_score
    """Points that win."""
    max_turns: int = Options.max_turns
    """Player turns after which a game is truncated."""
    time_limit: float | None = None
    """Seconds that an agent may take for a decision; who takes longer fails. Agents then decide in
    a process of their own, in one game at a time."""
    game_time_limit: float | None = None
    """Seconds that a seat may take for all of its decisions in a game."""
    memory_limit: float | None = None
    """GiB that agents may take beside what they have when they are made; on Linux alone."""
    out: Path = Path("runs/tournament")
    """Folder of the tournament."""
    workers: int | None = None
    """Processes; as many as there are cores if not given."""
    tables: int = TABLES
    """Most games side by side in a process."""
    ray: str | None = None
    """Play on the Ray cluster of this address, or "auto"."""
    ray_installed: bool = False
    """Do not send the code to the cluster: it is there."""
    anchor: str | None = None
    """Agent that has rating 0; else the mean is 0."""
    replays: Replays = "none"
    """Write pages of the games worth a look, or of all, and link them from the report: about 0.1 MB
    and two seconds of a core for each."""
    analyse: str | None = None
    """On these pages, let this trained agent, such as policy:2p, say how well each choice was made:
    some seconds more for each."""
    adjust: str | None = None
    """Also tell what agents won with the luck taken out, as judged by this: rules, or a trained
    agent such as policy:2p."""
    replay: int | None = None
    """Print this game of the folder again instead, in words."""
    record: Path | None = None
    """With --replay: write the game into this file instead."""

    @property
    def settings(self) -> Settings:
        """What determines the games; raises `TournamentError`."""
        return Settings(
            self.agents,
            self.players,
            self.team_size,
            self.games,
            self.seed,
            self.versus,
            self.target_score,
            self.max_turns,
            self.first_only,
            self.time_limit,
            self.game_time_limit,
            self.memory_limit,
        )


def main(args: Args) -> dict[str, Any]:
    """Play the tournament, or tell a game of it again; return what came out."""
    if args.replay is not None:
        return _replay(args.out, args.replay, args.record)
    if args.record is not None:
        raise TournamentError("--record takes the number of a game: --replay N --record FILE")
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
    """Play the tournament and print what came out."""
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
        raise TournamentError(f"the anchor {args.anchor!r} is none of {', '.join(settings.agents)}")
    check_output("--out", args.out, is_folder=True)
    check_analyst(args.analyse, settings.players)
    check_judge(args.adjust, settings)
    with resumable(args.out):
        results = run(settings, args.out, players, console)
        store = Store.read(args.out)
        write_replays(store, args.replays, args.analyse, workers, console)
        luck = None if args.adjust is None else luck_of_games(store, args.adjust, workers, console)
        return report_on(args.out, results, console, args.anchor, luck)
