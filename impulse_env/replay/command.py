"""The command `impulse replay`: a record step by step in a terminal, or as a page."""

import sys
from dataclasses import dataclass
from pathlib import Path

from impulse_env.files import check_output
from impulse_env.information import EVERYTHING
from impulse_env.options import check_range
from impulse_env.records.reader import read
from impulse_env.records.record import Record
from impulse_env.replay import page, terminal
from impulse_env.replay.steps import viewer_of


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


def main(args: Args) -> None:
    """Show a record.

    Raises:
        OptionError: The game has no such step.
        RecordError: The file is no record.
        ViewerError: Nobody has these eyes.
        OSError: The page cannot be written.
    """
    record = opened(args)
    viewer = viewer_of(args.viewer, record.header.options.players)
    if args.html is not None:
        page.write(record, args.html, None if viewer == EVERYTHING else [viewer])
        print(f"{args.html} ({args.html.stat().st_size / 1000:.0f} kB)")
    elif sys.stdin.isatty() and sys.stdout.isatty():
        terminal.step_through(record, viewer, args.step)
    else:
        for line in terminal.told(record, viewer, args.step):
            print(line)


def opened(args: Args) -> Record:
    """Return the record, once it is known that its page can be written; errors as of `main`."""
    if args.html is not None:
        check_output("--html", args.html)
    record = read(args.record, partial=args.partial)
    last = len(record.moves)
    check_range("step", args.step, last, f"{args.record} has {last} decisions")
    return record
