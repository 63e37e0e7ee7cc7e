"""The command `impulse games annotate`: what agents think of the decisions of a record.

Trained agents that played get their probabilities, and the chance to win if they are calibrated,
written beside what they chose; with `--by NAME` that agent is asked about every decision of
everybody.
"""

from dataclasses import dataclass
from pathlib import Path

from impulse_agents.advice.annotate import annotated
from impulse_env.files import check_output
from impulse_env.options import check_least
from impulse_env.records.reader import read
from impulse_training.cli.framework.command import Command

COMMAND = Command(examples=("impulse games annotate game.jsonl --by ismcts:300",), has_json=True)


@dataclass(frozen=True)
class Args:
    """Write into a record what agents think of its decisions."""

    record: Path
    """The file of the record."""
    out: Path | None = None
    """The file to write, else the record itself."""
    by: str | None = None
    """Ask this agent about every decision, such as ismcts:300."""
    seed: int = 0
    """Of the agents' chance."""


def main(args: Args) -> dict[str, str]:
    """Annotate a record and say where it is."""
    check_least(args, 0, "seed")
    out = args.record if args.out is None else args.out
    check_output("RECORD" if args.out is None else "--out", out)
    annotated(read(args.record), args.by, args.seed).save(out)
    print(out)
    return {"record": str(out)}
