"""Games as they were played: how each began, and what was chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from impulse_env.batch import GameBatch
from impulse_env.engine.state import STATE
from impulse_env.options import Options
from impulse_env.records.record import Record


@dataclass(frozen=True)
class Played:
    """Games of one size that were played, n of them.

    Attributes:
        options: Of all of them.
        starts: The full records at the first decision, shape ``(n,)``.
        actions: What was chosen in each game, absolute and in order.
        deals: The seed of each game's deal; None where it began in a given position.
    """

    options: Options
    starts: np.ndarray
    actions: Sequence[NDArray[np.int64]]
    deals: Sequence[int | None]

    @classmethod
    def of_deals(
        cls,
        options: Options,
        deals: Sequence[int] | NDArray[np.int64],
        actions: Sequence[Sequence[int] | NDArray[np.int64]],
    ) -> Self:
        """Return games by the seeds of their deals."""
        starts = GameBatch(options, deals).states
        chosen = [np.asarray(one, np.int64) for one in actions]
        return cls(options, starts, chosen, [int(deal) for deal in deals])

    @classmethod
    def of_records(cls, records: Sequence[Record]) -> Self:
        """Return the games of some records, which have the same options."""
        starts = np.zeros(len(records), STATE)
        actions = []
        for row, record in enumerate(records):
            game = record.header.new_game()
            starts[row] = game.state
            actions.append(np.array([game.action(move.action) for move in record.moves], np.int64))
        deals = [record.header.seed for record in records]
        return cls(records[0].header.options, starts, actions, deals)

    def __len__(self) -> int:
        """Return how many games there are."""
        return len(self.actions)
