"""The command `impulse games annotate`: adds agents' evaluations of the decisions to a record.

Each decision of a trained agent gets the agent's action probabilities, and its win probability if
it is calibrated. With `--by NAME`, that agent evaluates every decision of every seat.
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
    """Add agents' evaluations of the decisions to a record."""

    record: Path
    """File of the record."""
    out: Path | None = None
    """File to write; by default the record itself."""
    by: str | None = None
    """Agent that evaluates every decision, such as ismcts:300."""
    seed: int = 0
    """Random seed for the agents."""


def main(args: Args) -> dict[str, str]:
    """Annotate a record and print its path."""
    check_least(args, 0, "seed")
    out = args.record if args.out is None else args.out
    check_output("RECORD" if args.out is None else "--out", out)
    annotated(read(args.record), args.by, args.seed).save(out)
    print(out)
    return {"record": str(out)}
