"""The command `impulse bench`."""

import os
from dataclasses import asdict, dataclass
from typing import Any

from impulse_env.options import check_least
from impulse_training.bench.environment import Result, measurements
from impulse_training.bench.peers import MissingPeerError
from impulse_training.cli.framework.command import Command

COMMAND = Command(examples=("impulse bench --no-cold", "impulse bench --peers"), has_json=True)


@dataclass(frozen=True)
class Args:
    """Measure the environment's speed, memory, compilation and copying."""

    peers: bool = False
    """Also measure other environments in the same run; needs the extra `bench`."""
    seconds: float = 1.0
    """Seconds per measurement."""
    repeats: int = 6
    """Measurements per median; fewer than 6 give no 95 % interval."""
    no_cold: bool = False
    """Skip the start-up times: a cold start takes half a minute."""


def main(args: Args) -> dict[str, Any]:
    """Print all measurements; ``passed`` is false if one misses its target."""
    check_least(args, 1, "repeats")
    check_least(args, 0.001, "seconds")
    if hasattr(os, "getloadavg"):
        print(f"{os.cpu_count()} cores, load average before the start {os.getloadavg()[0]:.1f}")
    print(f"{'measured':<48}{'ours':>18}  {'beside it':<46}{'value':>8} {'target':>8}")
    results, is_complete = [], True
    for measure in measurements(args.peers, not args.no_cold, args.seconds, args.repeats):
        try:
            results.append(measure())
        except MissingPeerError as error:
            print(error)
            is_complete = False
            continue
        _show(results[-1])
    passed = is_complete and all(result.has_passed for result in results)
    return {"passed": passed, "results": [asdict(result) for result in results]}


def _show(result: Result) -> None:
    """Print a line of the report."""
    verdict = "pass" if result.has_passed else "FAIL"
    sign = "≥" if result.at_least else "≤"
    target = f"{sign} {result.target:g}" if result.target else "-"
    unit = "x" if result.at_least else ""
    print(
        f"{result.what:<48}{result.ours:>18}  {result.peer:<46}"
        f"{result.value:>8.2f}{unit:1}{target:>8}  {verdict if result.target else ''}",
        flush=True,
    )
