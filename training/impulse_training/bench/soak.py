"""Random games with all options, every record checked after every decision.

Games are played in blocks; the number of a block determines its options, deals and choices.
"""

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

import numpy as np

from impulse_env.engine.validity.faults import FIELD, NO_FAULT
from impulse_env.errors import ImpulseError
from impulse_env.files import write_atomically
from impulse_env.options import RACE_NAMES, Options
from impulse_env.schema import SchemaError, read_json
from impulse_env.testing.checked_play import play_checked
from impulse_env.validation import sentence_of
from impulse_training.run.machine.processes import ProcessPool
from impulse_training.run.terminal.interrupt import Interrupt

TABLES: Final = ((2, None), (3, None), (4, None), (4, 2), (5, None), (6, None), (6, 2), (6, 3))
"""Players and team size of the blocks, in turn."""
GAMES: Final = 128
"""Games of a block."""
MOST_DECISIONS: Final = 200_000
"""Limit of decisions in a game, far above the length of any game."""
STATE: Final = "state.json"
SHOWN: Final = 20
"""The most faults stored as text; all faults are counted."""


class SoakError(ImpulseError, RuntimeError):
    """The soak cannot continue; the message says why."""


@dataclass
class Counts:
    """The counts of one setting.

    Attributes:
        games: Games played to their end.
        decisions: Choices in these games.
        checks: Records whose every byte was checked: one after the deal and after each choice.
        faults: Games with a fault.
    """

    games: int = 0
    decisions: int = 0
    checks: int = 0
    faults: int = 0

    def add(self, other: "Counts") -> None:
        """Count those of another block, too."""
        self.games += other.games
        self.decisions += other.decisions
        self.checks += other.checks
        self.faults += other.faults


@dataclass
class Block:
    """A finished block; `found` has a sentence for each fault."""

    number: int
    setting: str
    counts: Counts
    found: list[str] = field(default_factory=list)


@dataclass
class Soak:
    """The progress of a soak.

    Attributes:
        seed: Its random seed.
        blocks: Number of finished blocks, which are those with a smaller number.
        seconds: Time so far.
        settings: Counts by setting.
        found: The first faults, as text.
    """

    seed: int
    blocks: int = 0
    seconds: float = 0.0
    settings: dict[str, Counts] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)

    @property
    def total(self) -> Counts:
        """The counts of all settings together."""
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
    """Return the soak stored in a file, or a new one without a file; raises `SoakError`."""
    if not path.is_file():
        return Soak(seed)
    try:
        soak = read_json(path.read_bytes(), Soak)
    except SchemaError as error:
        raise SoakError(
            f"{path} does not hold a soak; --overwrite starts again ({error})"
        ) from error
    if soak.seed != seed:
        raise SoakError(
            f"{path} has seed {soak.seed}, not {seed}: choose another --out, or --overwrite it"
        )
    return soak


def go_on(
    soak: Soak, decisions: int, workers: int, path: Path, interrupt: Interrupt
) -> Iterator[Block]:
    """Play blocks until the soak has enough decisions; yield each block.

    Args:
        soak: The soak to continue; it is saved after each block.
        decisions: The total number of decisions to reach, including earlier calls.
        workers: Number of processes.
        path: The file of the soak.
        interrupt: Whether a person asked to stop after the current blocks.

    Raises:
        SoakError: A process died.
    """
    began, earlier = monotonic(), soak.seconds
    enough = lambda: interrupt.is_requested or soak.total.decisions >= decisions  # noqa: E731
    for block in _blocks(soak.seed, workers, soak.blocks, enough):
        soak.add(block)
        soak.seconds = earlier + monotonic() - began
        write_atomically(path, json.dumps(asdict(soak), indent=1) + "\n")
        yield block


def _blocks(seed: int, workers: int, first: int, enough: Callable[[], bool]) -> Iterator[Block]:
    """Yield the blocks from a number on, in order, until `enough` is true."""
    if workers == 1:
        for number in count(first):
            if enough():
                return
            yield play_block(seed, number)
    numbers = count(first)
    waiting: deque[Future[Block]] = deque()
    try:
        with ProcessPool(workers) as pool:
            while not enough():
                while len(waiting) < 2 * workers:
                    waiting.append(pool.submit(play_block, seed, next(numbers)))
                yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise SoakError(
            f"a process died in one of the blocks from {next(numbers) - 2 * workers - 1} "
            "on; --block NUMBER plays a single block"
        ) from error


def setting_of(number: int) -> str:
    """Return the row of the table that a block belongs to."""
    players, team_size = TABLES[number % len(TABLES)]
    return f"{players} players" + (f", teams of {team_size}" if team_size else "")


def options_of(number: int, rng: np.random.Generator) -> Options:
    """Return a block's options: each as by default in half of the blocks, else anything."""
    players, team_size = TABLES[number % len(TABLES)]
    names = rng.permutation(np.array(RACE_NAMES))[:players].tolist()
    some = [name if rng.random() < 0.5 else None for name in names]
    drawn: dict[str, Any] = {
        "races": ("draft", names, some)[int(rng.integers(3))],
        "start_player": int(rng.integers(players)),
        "hand_limit": int(rng.integers(6, 11)),
        "ships": int(rng.integers(3, 13)),
        "target_score": int(rng.integers(1, 101)),
        "max_turns": int(rng.integers(1, 601)),
        "max_activations": int(rng.integers(33)),
        "auto_forced": False,
    }
    chosen = {name: value for name, value in drawn.items() if rng.random() < 0.5}
    return Options(players, team_size, **chosen)


def play_block(seed: int, number: int) -> Block:
    """Play the games of a block to their end.

    Args:
        seed: Random seed of the soak.
        number: Number of the block.
    """
    rng = np.random.default_rng([seed, number])
    options = options_of(number, rng)
    states = options.new_states(rng.integers(1 << 63, size=GAMES))
    randomness = rng.integers(1, 1 << 63, GAMES, np.uint64)
    decisions, faults = play_checked(states, randomness, MOST_DECISIONS)
    is_wrong = faults[:, FIELD] != NO_FAULT
    is_endless = ~is_wrong & (states["status"] == 0)
    taken = int(decisions.sum())
    counts = Counts(GAMES, taken, taken + GAMES, int((is_wrong | is_endless).sum()))
    found = []
    for game in np.flatnonzero(is_wrong | is_endless).tolist():
        what = sentence_of(faults[game]) if is_wrong[game] else "it does not end"
        found.append(
            f"seed {seed}, block {number}, game {game}, after decision {decisions[game]}: {what} "
            f"({options})"
        )
    return Block(number, setting_of(number), counts, found)
