"""Who sat in which game and who won it: the results of a tournament as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from impulse_training.rollout.game_result import GameResult


@dataclass(frozen=True)
class Tally:
    """The games of a tournament in the order of their numbers; G games, k agents.

    Attributes:
        names: The agents, sorted.
        deals: Index of each game's deal, shape ``(G,)``; games of one deal have the same.
        sides: Number of sides, shape ``(G,)``: the teams, or the players where there are none.
        held: How many sides each agent held, shape ``(G, k)``.
        won: Each agent's share of the win, shape ``(G, k)``. A row adds up to 1, or to 0 if the
            game was truncated. A failed game is lost by the side that failed, and the other sides
            share its win equally.
    """

    names: tuple[str, ...]
    deals: NDArray[np.int64]
    sides: NDArray[np.int64]
    held: NDArray[np.int64]
    won: NDArray[np.float64]

    @property
    def is_decided(self) -> NDArray[np.bool_]:
        """Whether each game has a winner, shape ``(G,)``."""
        return self.won.sum(axis=1) > 0

    @property
    def par(self) -> NDArray[np.float64]:
        """The share of the win that is each agent's if all are equal, shape ``(G, k)``."""
        return self.held / self.sides[:, None]


def in_order(results: Sequence[GameResult]) -> list[GameResult]:
    """Return the games by number; raises `ValueError` if a number is there twice."""
    ordered = sorted(results, key=lambda result: result.game)
    for first, second in pairwise(ordered):
        if first.game == second.game:
            raise ValueError(f"game {first.game} is there twice")
    return ordered


def tally(results: Sequence[GameResult]) -> Tally:
    """Return the results as arrays.

    All seats of a side are taken to be played by one agent.
    """
    results = in_order(results)
    names = tuple(sorted({name for result in results for name in result.agents}))
    column = {name: index for index, name in enumerate(names)}
    sides = side_counts(results)
    held = np.zeros((len(results), len(names)), np.int64)
    won = np.zeros((len(results), len(names)))
    for row, result in enumerate(results):
        for side in range(sides[row]):
            held[row, column[result.agents[side]]] += 1
        winners = {seat % sides[row] for seat in result.winners}
        for side in winners:
            won[row, column[result.agents[side]]] += 1 / len(winners)
    # Seeds of deals have up to 64 bits: too many for int64.
    number: dict[int, int] = {}
    deals = [number.setdefault(result.deal, len(number)) for result in results]
    return Tally(names, np.array(deals, np.int64), np.array(sides, np.int64), held, won)


def side_counts(results: Sequence[GameResult]) -> list[int]:
    """Return how many sides each game has; seat `s` is on side ``s % sides``.

    The winners of a game tell: they are a whole side, or all but one if a game failed. A truncated
    game has as many sides as the others with that many players; if there are none, no teams.
    """
    counts: list[int | None] = []
    for result in results:
        players, winners = len(result.agents), len(result.winners)
        size = players - winners if result.ended == "failed" else winners
        counts.append(players // size if size else None)
    usual = {len(r.agents): count for r, count in zip(results, counts, strict=True) if count}
    return [
        count or usual.get(len(result.agents), len(result.agents))
        for result, count in zip(results, counts, strict=True)
    ]
