"""The command `impulse tools signature`."""

from dataclasses import dataclass
from typing import Any

from impulse_env.options import check_least
from impulse_env.testing.signature import signature, traces
from impulse_training.cli.framework.command import Command

COMMAND = Command(examples=("impulse tools signature",), has_json=True)


@dataclass(frozen=True)
class Args:
    """Print a fingerprint of the game's behaviour."""

    games: int = 1000
    """Number of random games."""
    each: bool = False
    """Print one digest per game instead."""


def main(args: Args) -> dict[str, Any]:
    """Print the signature, or each game's digest."""
    check_least(args, 1, "games")
    if args.each:
        digests = list(traces(args.games))
        print("\n".join(digests))
        return {"games": args.games, "digests": digests}
    fingerprint = signature(args.games)
    print(fingerprint)
    return {"games": args.games, "signature": fingerprint}
