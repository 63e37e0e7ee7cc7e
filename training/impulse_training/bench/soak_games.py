"""Blocks of random games for `impulse tools soak`: the number says options, deals and choices."""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from impulse_env.engine.validity.faults import FIELD, NO_FAULT
from impulse_env.options import RACE_NAMES, Options
from impulse_env.testing.checked_play import play_checked
from impulse_env.validation import sentence_of

TABLES: Final = ((2, None), (3, None), (4, None), (4, 2), (5, None), (6, None), (6, 2), (6, 3))
"""Players and team size of the blocks, in turn."""
GAMES: Final = 128
"""Games of a block."""
MOST_DECISIONS: Final = 200_000
"""Of one game: far more than any takes."""


@dataclass
class Counts:
    """What was done with one setting.

    Attributes:
        games: Games played to their end.
        decisions: Choices taken in them.
        checks: Records of which every byte was checked: one after the deal and after each choice.
        faults: Games in which something was wrong.
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
    """A block that was played; `found` has a sentence for each fault."""

    number: int
    setting: str
    counts: Counts
    found: list[str] = field(default_factory=list)


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
    kept = {name: value for name, value in drawn.items() if rng.random() < 0.5}
    return Options(players, team_size, **kept)


def play_block(seed: int, number: int) -> Block:
    """Play the games of a block to their end.

    Args:
        seed: Of the whole soak.
        number: Of the block.
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
