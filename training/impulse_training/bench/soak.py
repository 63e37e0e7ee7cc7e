"""The command `impulse tools soak`: 10**8 random decisions, every record checked after each."""

import json
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any, Final

from impulse_env.errors import ImpulseError
from impulse_env.files import check_output, write_atomically
from impulse_env.options import check_least
from impulse_training.bench.config import SoakArgs
from impulse_training.bench.soak_games import Block, Counts, play_block
from impulse_training.run.folder_lock import locked
from impulse_training.run.interrupt import Interrupt, interruptible
from impulse_training.run.processes import ProcessPool

STATE: Final = "state.json"
SHOWN: Final = 20
"""Faults that are kept in words; all are counted."""
_EVERY: Final = 10.0
"""Seconds between two lines of progress."""


class SoakError(ImpulseError, RuntimeError):
    """The soak cannot go on; the message says why."""


@dataclass
class Soak:
    """How far a soak has come.

    Attributes:
        seed: Its seed.
        blocks: Blocks that are finished: all with a smaller number.
        seconds: How long that took.
        settings: What was done, by setting.
        found: Faults in words, the first of them.
    """

    seed: int
    blocks: int = 0
    seconds: float = 0.0
    settings: dict[str, Counts] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)

    @property
    def total(self) -> Counts:
        """What was done with all settings."""
        total = Counts()
        for counts in self.settings.values():
            total.add(counts)
        return total

    def add(self, block: Block) -> None:
        """Count the next block."""
        self.blocks = block.number + 1
        self.settings.setdefault(block.setting, Counts()).add(block.counts)
        self.found = [*self.found, *block.found][:SHOWN]


def load(path: Path, seed: int) -> Soak:
    """Return the soak of a file, or a new one if there is none; raises `SoakError`."""
    if not path.is_file():
        return Soak(seed)
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        soak = Soak(**kept)
        soak.settings = {name: Counts(**counts) for name, counts in kept["settings"].items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise SoakError(f"{path} says nothing of a soak; --overwrite begins anew") from error
    if soak.seed != seed:
        raise SoakError(
            f"{path} is of seed {soak.seed}, not {seed}: choose another --out, or --overwrite it"
        )
    return soak


def main(args: SoakArgs) -> dict[str, Any]:
    """Play until there are enough decisions, then print what was done."""
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
    if interrupt.is_wanted and soak.total.decisions < args.decisions:
        again = " without --overwrite" if args.overwrite else ""
        print(f"interrupted; the same command{again} goes on")
    return result


def _play(args: SoakArgs, soak: Soak, interrupt: Interrupt) -> None:
    """Add block after block, keeping the state after each."""
    began, before, earlier = monotonic(), soak.total.decisions, soak.seconds
    said = began
    enough = lambda: interrupt.is_wanted or soak.total.decisions >= args.decisions  # noqa: E731
    for block in _blocks(args, soak.blocks, enough):
        now = monotonic()
        soak.add(block)
        soak.seconds = earlier + now - began
        write_atomically(args.out / STATE, json.dumps(asdict(soak), indent=1) + "\n")
        for line in block.found:
            print(line, flush=True)
        if now - said >= _EVERY:
            said = now
            _show(soak.total, args.decisions, (soak.total.decisions - before) / (now - began))


def _blocks(args: SoakArgs, first: int, enough: Callable[[], bool]) -> Iterator[Block]:
    """Yield the blocks from a number on, in their order, until there are enough."""
    if args.workers == 1:
        for number in count(first):
            if enough():
                return
            yield play_block(args.seed, number)
    numbers = count(first)
    waiting: deque[Future[Block]] = deque()
    try:
        with ProcessPool(args.workers) as pool:
            while not enough():
                while len(waiting) < 2 * args.workers:
                    waiting.append(pool.submit(play_block, args.seed, next(numbers)))
                yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise SoakError(
            f"a process has died in one of the blocks from {next(numbers) - 2 * args.workers - 1} "
            "on; --block NUMBER plays one alone"
        ) from error


def _show(done: Counts, wanted: int, rate: float) -> None:
    left = max(wanted - done.decisions, 0) / max(rate, 1e-9)
    print(
        f"{done.decisions:,} of {wanted:,} decisions, {rate:,.0f} a second, "
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
