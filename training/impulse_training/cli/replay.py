"""The command `impulse replay`: a recorded game in the terminal or as a page, or its analysis."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from impulse_agents.advice.game_analysis import WORLDS, analysed, with_causes
from impulse_env.files import check_output
from impulse_env.information import EVERYTHING
from impulse_env.options import check_least, check_range
from impulse_env.records.reader import read
from impulse_env.records.record import Record
from impulse_env.replay import page, terminal
from impulse_env.replay.steps import ViewerError, viewer_of
from impulse_training.cli.framework.command import Command

COMMAND = Command(
    examples=(
        "impulse replay game.jsonl",
        "impulse replay game.jsonl --html game.html",
        "impulse replay game.jsonl --analyse policy:2p",
    )
)


@dataclass(frozen=True)
class Args:
    """Step through a recorded game in the terminal, or write it as a page.

    If the output is a pipe or a file, the command prints the whole game.
    """

    record: Path
    """File of the record."""
    viewer: str = EVERYTHING
    """Viewpoint: all (everything), public, or a seat. A page with all lets readers choose; any
    other page contains nothing that is hidden from its viewpoint."""
    html: Path | None = None
    """Write a self-contained page to this file."""
    step: int = 0
    """Start after this number of decisions; for a page, append #STEP to its address."""
    partial: bool = False
    """Show the readable part of a truncated record."""
    analyse: str | None = None
    """Write a page where this trained agent, such as policy:2p, rates every choice."""
    worlds: int = WORLDS
    """With --analyse: determinizations of the seat's information in which each choice is tried."""
    seed: int = 0
    """With --analyse: random seed for the determinizations."""


def main(args: Args) -> None:
    """Show a record.

    Raises:
        AgentError: The agent cannot analyse the game.
        OptionError: A number is too small, or the game has no such step.
        RecordError: The file is not a record.
        ViewerError: The viewpoint does not exist, or an analysis does not support it.
        OSError: The page cannot be written.
    """
    if args.analyse is not None:
        return _analyse(args, args.analyse)
    record = _opened(args)
    viewer = viewer_of(args.viewer, record.header.options.players)
    if args.html is not None:
        page.write(record, args.html, None if viewer == EVERYTHING else [viewer])
        print(f"{args.html} ({args.html.stat().st_size / 1000:.0f} kB)")
    elif sys.stdin.isatty() and sys.stdout.isatty():
        terminal.step_through(record, viewer, args.step)
    else:
        for line in terminal.narrated(record, viewer, args.step):
            print(line)
    return None


def _analyse(args: Args, agent: str) -> None:
    check_least(args, 2, "worlds")
    check_least(args, 0, "seed")
    if args.viewer != EVERYTHING:
        raise ViewerError("an analysis shows the choices of every seat: omit --viewer")
    path = Path(args.record).with_suffix(".html") if args.html is None else args.html
    record, began = _opened(replace(args, html=path)), perf_counter()
    analysis = analysed(record, agent, args.seed, args.worlds, _report_choices)
    analysis = with_causes(analysis, record, agent, args.seed, tell=_report_tests)
    page.write(record, path, analysis=analysis)
    seconds = perf_counter() - began
    print(f"{path} ({path.stat().st_size / 1000:.0f} kB, analysed in {seconds:.1f} s)")


def _opened(args: Args) -> Record:
    """Return the record after a check that its page can be written; raises as `main` does."""
    if args.html is not None:
        check_output("--html", args.html)
    record = read(args.record, partial=args.partial)
    last = len(record.moves)
    check_range("step", args.step, last, f"{args.record} has {last} decisions")
    return record


def _report_choices(done: int, of: int) -> None:
    _report("tried", done, of, "choices")


def _report_tests(done: int, of: int) -> None:
    _report("tested", done, of, "costly decisions")


def _report(verb: str, done: int, of: int, what: str) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == of else ""
        print(f"\r{verb} {done} of {of} {what}", end=end, file=sys.stderr, flush=True)
