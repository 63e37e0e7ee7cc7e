"""The command `impulse tournament`: plays what is missing, then reports."""

from collections.abc import Generator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from impulse_env.files import check_output
from impulse_training.report.page import report_on
from impulse_training.report.replays import check_analyst, write_replays
from impulse_training.report.tournament_options import TournamentArgs
from impulse_training.run.interrupt import resumable
from impulse_training.run.screen import Screen
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament import local
from impulse_training.tournament import ray as cluster
from impulse_training.tournament.luck import check_judge, luck_of_games
from impulse_training.tournament.replay import find, record, replay
from impulse_training.tournament.run import run
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import TournamentError
from impulse_training.tournament.store import Store


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


def _play(args: TournamentArgs) -> dict[str, Any]:
    """Play the tournament and print what came out."""
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


def main(args: TournamentArgs) -> dict[str, Any]:
    """Play the tournament, or tell a game of it again; return what came out."""
    if args.replay is not None:
        return _replay(args.out, args.replay, args.record)
    if args.record is not None:
        raise TournamentError("--record takes the number of a game: --replay N --record FILE")
    return _play(args)
