"""The command `impulse replay`: a record in a terminal or as a page, and an analysis if wanted."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from impulse_agents.advice.game_analysis import WORLDS, analysed
from impulse_env.information import EVERYTHING
from impulse_env.options import check_least
from impulse_env.replay import command, page
from impulse_env.replay.steps import ViewerError


@dataclass(frozen=True)
class Args(command.Args):
    """Step through a recorded game in the terminal, or write it as a page.

    Into a pipe or a file the whole game is printed.
    """

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
    if args.analyse is None:
        return command.main(args)
    check_least(args, 2, "worlds")
    check_least(args, 0, "seed")
    if args.viewer != EVERYTHING:
        raise ViewerError("an analysis tells what every seat could choose: leave out --viewer")
    path = Path(args.record).with_suffix(".html") if args.html is None else args.html
    record, began = command.opened(replace(args, html=path)), perf_counter()
    found = analysed(record, args.analyse, args.seed, args.worlds, _tell)
    page.write(record, path, analysis=found)
    seconds = perf_counter() - began
    print(f"{path} ({path.stat().st_size / 1000:.0f} kB, analysed in {seconds:.1f} s)")
    return None


def _tell(done: int, of: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == of else ""
        print(f"\rtried {done} of {of} choices", end=end, file=sys.stderr, flush=True)
