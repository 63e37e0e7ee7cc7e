"""The command `impulse bench`."""

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from impulse_env.options import OptionError, check_least
from impulse_training.bench.c_program import measurements as c_measurements
from impulse_training.bench.environment import Result, measurements
from impulse_training.bench.gpu import SIZES, Games
from impulse_training.bench.gpu import measurements as gpu_measurements
from impulse_training.bench.peers import MissingPeerError
from impulse_training.cli.framework.command import Command

COMMAND = Command(
    examples=(
        "impulse bench --no-cold",
        "impulse bench --peers",
        "impulse bench --gpu",
        "impulse bench --c-library",
    ),
    has_json=True,
)


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
    gpu: bool = False
    """Measure games on an NVIDIA GPU instead, beside this machine's cores and, if `pgx` is
    installed, Pgx; needs the extra `gpu`."""
    device: str = "cuda"
    """Device of `--gpu`: `cuda`, `cuda:1`, …, or `cpu` to try the same kernels without a GPU."""
    games: tuple[int, ...] = SIZES
    """Numbers of games of `--gpu`, ascending."""
    c_library: bool = False
    """Measure a program in C with `libimpulse` instead, beside the engine in Python; needs a C
    compiler."""


def main(args: Args) -> dict[str, Any]:
    """Print all measurements; ``passed`` is false if one misses its target."""
    check_least(args, 1, "repeats")
    check_least(args, 0.001, "seconds")
    if hasattr(os, "getloadavg"):
        print(f"{os.cpu_count()} cores, load average before the start {os.getloadavg()[0]:.1f}")
    if args.gpu and args.c_library:
        raise OptionError("give either --gpu or --c-library")
    if args.gpu:
        measured = _gpu_measurements(args)
    elif args.c_library:
        measured = c_measurements(args.seconds, args.repeats)
    else:
        measured = measurements(args.peers, not args.no_cold, args.seconds, args.repeats)
    print(f"{'measured':<48}{'ours':>18}  {'beside it':<46}{'value':>8} {'target':>8}")
    results, is_complete = [], True
    for measure in measured:
        try:
            results.append(measure())
        except MissingPeerError as error:
            print(error)
            is_complete = False
            continue
        _show(results[-1])
    passed = is_complete and all(result.has_passed for result in results)
    shares = _show_parts(args) if args.gpu else {}
    return {"passed": passed, "results": [asdict(result) for result in results], **shares}


def _gpu_measurements(args: Args) -> Iterator[Callable[[], Result]]:
    """Check the options of `--gpu`, name the device, and return what is measured."""
    from impulse_env.gpu.programs import checked_device, describe

    check_least(args, 1, "games")
    if tuple(sorted(set(args.games))) != args.games:
        raise OptionError(f"--games must be ascending, not {' '.join(map(str, args.games))}")
    print(describe(checked_device(args.device)))
    return gpu_measurements(args.device, args.games, args.seconds, args.repeats)


def _show_parts(args: Args) -> dict[str, Any]:
    """Print what a step's time is made of."""
    print(f"\nA step of {args.games[-1]:,} games of 2 players, nanoseconds a game:")
    parts = Games(args.device, 2, args.games[-1]).parts(args.seconds)
    for what, nanoseconds in parts.items():
        print(f"  {what:<30}{nanoseconds:>8.2f}")
    return {"parts": parts}


def _show(result: Result) -> None:
    """Print a line of the report."""
    verdict = "pass" if result.has_passed else "FAIL"
    sign = "≥" if result.at_least else "≤"
    target = f"{sign} {result.target:g}" if result.target else "-"
    unit = result.unit if result.at_least else ""
    print(
        f"{result.what:<48}{result.ours:>18}  {result.peer:<46}"
        f"{result.value:>8.2f}{unit:1}{target:>8}  {verdict if result.target else ''}",
        flush=True,
    )
