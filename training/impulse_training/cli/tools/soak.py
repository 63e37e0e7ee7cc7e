"""The command `impulse tools soak`."""

from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final

from impulse_env.files import check_output
from impulse_env.options import check_least
from impulse_training.bench.soak import STATE, Counts, Soak, go_on, load, play_block
from impulse_training.cli.framework.command import Command
from impulse_training.run.storage.folder_lock import locked
from impulse_training.run.terminal.interrupt import Interrupt, interruptible

COMMAND = Command(
    examples=("impulse tools soak", "impulse tools soak --decisions 1000000 --workers 1"),
    has_json=True,
)
_EVERY: Final = 10.0
"""Seconds between two progress lines."""


@dataclass(frozen=True)
class Args:
    """Play random games in all settings, and check the state at every decision.

    The same command continues after an interruption. Its exit code is 1 if a check failed.
    """

    decisions: int = 100_000_000
    """Minimum number of decisions, including earlier calls."""
    workers: int = 2
    """Number of processes."""
    seed: int = 0
    """Random seed for everything; each seed needs its own folder."""
    out: Path = Path("runs/soak")
    """Folder of the progress file `state.json`."""
    overwrite: bool = False
    """Start again, and overwrite the folder."""
    block: int | None = None
    """Play only the block with this number, as in a reported fault; writes no files."""


def main(args: Args) -> dict[str, Any]:
    """Play until there are enough decisions, then print a table."""
    check_least(args, 1, "decisions", "workers")
    check_least(args, 0, "seed", "block")
    if args.block is not None:
        soak = Soak(args.seed)
        soak.add(play_block(args.seed, args.block))
        return _report(soak)
    check_output("--out", args.out, is_folder=True)
    args.out.mkdir(parents=True, exist_ok=True)
    with locked(args.out):
        soak = Soak(args.seed) if args.overwrite else load(args.out / STATE, args.seed)
        with interruptible(after="the blocks under way") as interrupt:
            _play(args, soak, interrupt)
        result = _report(soak)
    if interrupt.is_requested and soak.total.decisions < args.decisions:
        again = " without --overwrite" if args.overwrite else ""
        print(f"interrupted; to continue, run the same command{again}")
    return result


def _play(args: Args, soak: Soak, interrupt: Interrupt) -> None:
    """Play block after block, and print the faults and the progress."""
    began, before = monotonic(), soak.total.decisions
    reported = began
    for block in go_on(soak, args.decisions, args.workers, args.out / STATE, interrupt):
        for line in block.found:
            print(line, flush=True)
        now = monotonic()
        if now - reported >= _EVERY:
            reported = now
            _show(soak.total, args.decisions, (soak.total.decisions - before) / (now - began))


def _show(done: Counts, target: int, rate: float) -> None:
    left = max(target - done.decisions, 0) / max(rate, 1e-9)
    print(
        f"{done.decisions:,} of {target:,} decisions, {rate:,.0f} a second, "
        f"{left / 60:.0f} min left, {done.faults} faults",
        flush=True,
    )


def _report(soak: Soak) -> dict[str, Any]:
    """Print the table and return it."""
    columns = ("setting", "games", "decisions", "checks", "faults")
    print("| " + " | ".join(columns) + " |\n| --- | ---: | ---: | ---: | ---: |")
    for name, counts in [*sorted(soak.settings.items()), ("all", soak.total)]:
        print(f"| {name} | " + " | ".join(f"{n:,}" for n in asdict(counts).values()) + " |")
    for line in soak.found:
        print(line)
    return {"passed": soak.total.faults == 0, **asdict(soak), "total": asdict(soak.total)}
