"""The command `impulse tools signature`."""

from dataclasses import dataclass
from typing import Any

from impulse_env.options import check_least
from impulse_env.testing.signature import signature, traces
from impulse_training.cli.framework.command import Command

COMMAND = Command(examples=("impulse tools signature",), has_json=True)


@dataclass(frozen=True)
class Args:
    """Print a fingerprint of how the game plays."""

    games: int = 1000
    """How many random games."""
    each: bool = False
    """Print a digest for each game instead."""


def main(args: Args) -> dict[str, Any]:
    """Print the signature, or each game's digest."""
    check_least(args, 1, "games")
    if args.each:
        digests = list(traces(args.games))
        print("\n".join(digests))
        return {"games": args.games, "digests": digests}
    found = signature(args.games)
    print(found)
    return {"games": args.games, "signature": found}
