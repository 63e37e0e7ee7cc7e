"""The command ``python -m impulse_env.replay``; ``--help`` explains every option."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from impulse_env.errors import RecordError
from impulse_env.information import EVERYTHING
from impulse_env.records.reader import read
from impulse_env.replay import page, terminal
from impulse_env.replay.steps import ViewerError, viewer_of


def main(arguments: Sequence[str] | None = None) -> int:
    """Show a record; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m impulse_env.replay",
        description="Step through a recorded game in the terminal, or write it as a page. Into a "
        "pipe or a file the whole game is printed.",
    )
    parser.add_argument("record", type=Path, help="the file of the record")
    parser.add_argument(
        "--by",
        default=EVERYTHING,
        help="whose eyes: all (everything), public, or a seat; a page by all lets one choose, any "
        "other one tells nothing that is hidden from those eyes",
    )
    parser.add_argument(
        "--html", type=Path, metavar="OUT", help="write one page that needs nothing else"
    )
    parser.add_argument("--step", type=int, default=0, help="begin after so many decisions")
    parser.add_argument(
        "--partial", action="store_true", help="show what there is of a record that was cut off"
    )
    args = parser.parse_args(arguments)
    try:
        record = read(args.record, partial=args.partial)
        by = viewer_of(args.by, record.header.options.players)
        if args.html is not None:
            page.write(record, args.html, None if by == EVERYTHING else [by])
            print(f"{args.html} ({args.html.stat().st_size / 1000:.0f} kB)")
        elif sys.stdin.isatty() and sys.stdout.isatty():
            terminal.step_through(record, by, args.step)
        else:
            for line in terminal.told(record, by):
                print(line)
    except BrokenPipeError:  # whoever read the output has seen enough
        sys.stderr.close()
    except (RecordError, ViewerError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
