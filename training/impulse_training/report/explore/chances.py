"""The chance to win before and after a choice, from the records or from a judge.

A judge (`impulse_agents.luck.values`) evaluates the game directly before the choice and directly
after it. A record only has chances where its seat decides: before the choice, and at the seat's
next decision or at the end of the game.
"""

from collections.abc import Iterable, Sequence
from math import nan
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from impulse_agents.luck.values import Values, shares_or_results
from impulse_env.batch import NOBODY, take_games
from impulse_env.engine.constants import RUNNING, Seat
from impulse_env.records.side_by_side import SideBySide
from impulse_training.report.explore.tree import Line

_WINS: Final = 0
"""The column of a recorded game's notes."""


class Chances(Protocol):
    """Writes chances into lines during the replay of their games."""

    def see(self, again: SideBySide, games: NDArray[np.intp], deciding: Sequence[Line]) -> None:
        """Record the chances at a decision, before it is applied.

        Args:
            again: The games.
            games: Rows of the running games.
            deciding: The lines with a choice now; `Line.nodes` holds the nodes before it.
        """

    def end(self, again: SideBySide) -> None:
        """Record the chances when the games have ended."""


class NotedChances:
    """Chances that agents wrote into the records.

    Args:
        row: Row of the first game among all games.
    """

    def __init__(self, row: int) -> None:
        self._first = row
        self._open: dict[tuple[int, Seat], Line] = {}

    def see(self, again: SideBySide, games: NDArray[np.intp], deciding: Sequence[Line]) -> None:
        """See `Chances`."""
        for key in [key for key in self._open if again.seats[key[0]] == key[1]]:
            self._open.pop(key).after.append(self._noted(again, key[0]))
        for line in deciding:
            game = line.game - self._first
            line.before.append(self._noted(again, game))
            self._open[game, line.seat] = line

    def end(self, again: SideBySide) -> None:
        """See `Chances`."""
        for (game, _), line in self._open.items():
            is_over = again.states["status"][game] != RUNNING
            line.after.append(line.won if is_over else nan)
        self._open.clear()

    @staticmethod
    def _noted(again: SideBySide, game: int) -> float:
        return float(again.plays[game].notes[again.taken[game], _WINS])


class JudgedChances:
    """Chances that a judge computes.

    Args:
        row: Row of the first game among all games.
        values: The judge; raises `AgentError` if it does not support these games.
    """

    def __init__(self, row: int, values: Values) -> None:
        self._first, self._values = row, values
        self._open: list[Line] = []

    def see(self, again: SideBySide, games: NDArray[np.intp], deciding: Sequence[Line]) -> None:
        """See `Chances`."""
        waiting, self._open = self._open, list(deciding)
        chances = self._chances(again, [*waiting, *deciding])
        for line in waiting:
            line.after.append(chances[line.game, line.seat])
        for line in deciding:
            line.before.append(chances[line.game, line.seat])

    def end(self, again: SideBySide) -> None:
        """See `Chances`."""
        self.see(again, np.empty(0, np.intp), [])

    def _chances(self, again: SideBySide, lines: Iterable[Line]) -> dict[tuple[int, Seat], float]:
        """Return the chance of each line's seat, by game and seat."""
        found: dict[tuple[int, Seat], float] = {}
        by_table: dict[tuple[int, int], list[Line]] = {}
        for line in lines:
            state = again.states[line.game - self._first]
            by_table.setdefault((int(state["players"]), int(state["teams"])), []).append(line)
        for (_, sides), same in by_table.items():
            rows = np.array([line.game - self._first for line in same])
            shares = shares_or_results(
                self._values, take_games(again.states, rows), again.seats[rows], sides
            )
            is_left = (again.seats[rows] == NOBODY) & (again.states["status"][rows] == RUNNING)
            shares[is_left] = nan
            for line, share in zip(same, shares, strict=True):
                found[line.game, line.seat] = float(share[line.seat % sides])
        return found
