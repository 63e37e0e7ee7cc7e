"""The command `impulse replay`: a record in a terminal or as a page, and an analysis if wanted."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from impulse_agents.advice.game_analysis import WORLDS, analysed
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

    Into a pipe or a file the whole game is printed.
    """

    record: Path
    """The file of the record."""
    viewer: str = EVERYTHING
    """Whose eyes: all (everything), public, or a seat; a page by all lets one choose, any other one
    tells nothing that is hidden from those eyes."""
    html: Path | None = None
    """Write one page that needs nothing else into this file."""
    step: int = 0
    """Begin after so many decisions; a page begins there if its address ends in #STEP."""
    partial: bool = False
    """Show what there is of a record that was cut off."""
    analyse: str | None = None
    """Let this trained agent, such as policy:2p, say how well each choice was made, in a page."""
    worlds: int = WORLDS
    """Of an analysis: in how many worlds, drawn from what a seat knew, each choice is tried."""
    seed: int = 0
    """Of an analysis: of those worlds."""


def main(args: Args) -> None:
    """Show a record.

    Raises:
        AgentError: The agent cannot analyse the game.
        OptionError: A number is too small, or the game has no such step.
        RecordError: The file is no record.
        ViewerError: Nobody has these eyes, or an analysis is not for them.
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
        for line in terminal.told(record, viewer, args.step):
            print(line)
    return None


def _analyse(args: Args, agent: str) -> None:
    check_least(args, 2, "worlds")
    check_least(args, 0, "seed")
    if args.viewer != EVERYTHING:
        raise ViewerError("an analysis tells what every seat could choose: leave out --viewer")
    path = Path(args.record).with_suffix(".html") if args.html is None else args.html
    record, began = _opened(replace(args, html=path)), perf_counter()
    found = analysed(record, agent, args.seed, args.worlds, _tell)
    page.write(record, path, analysis=found)
    seconds = perf_counter() - began
    print(f"{path} ({path.stat().st_size / 1000:.0f} kB, analysed in {seconds:.1f} s)")


def _opened(args: Args) -> Record:
    """Return the record, once it is known that its page can be written; errors as of `main`."""
    if args.html is not None:
        check_output("--html", args.html)
    record = read(args.record, partial=args.partial)
    last = len(record.moves)
    check_range("step", args.step, last, f"{args.record} has {last} decisions")
    return record


def _tell(done: int, of: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == of else ""
        print(f"\rtried {done} of {of} choices", end=end, file=sys.stderr, flush=True)
