"""Games with their starts and their actions."""

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
    """n games with the same options.

    Attributes:
        options: The options of all games.
        starts: The full states at the first decision, shape ``(n,)``.
        actions: The actions of each game, absolute and in order.
        deals: The seed of each game's deal; None if the game started from a position.
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
        """Return games from the seeds of their deals."""
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
        """Return the number of games."""
        return len(self.actions)
