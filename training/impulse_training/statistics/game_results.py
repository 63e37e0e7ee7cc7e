"""Finished games: a record of each, stored as a line of ``games.jsonl``, and all as arrays."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from impulse_agents.asking.faults import FaultKind
from impulse_env.outcomes import END_BY_STATUS, FAILED, End
from impulse_env.schema import read_json
from impulse_training.statistics.intervals import Share

ENDS: Final[tuple[End, ...]] = (*END_BY_STATUS.values(), FAILED)
"""The possible ends of a game of a tournament."""
DIGITS: Final = 16
"""Hexadecimal digits of a game's digest."""


@dataclass(frozen=True)
class GameResult:
    """The result of one game of a tournament; lists are by seat.

    Attributes:
        game: Its number in the schedule, from 0.
        deal: The random seed of the deal.
        agents: Names of the agents.
        winners: The seats that won: one, a team's, or none if truncated. In a failed game all seats
            but those of the side that failed.
        ended: One of `ENDS`; "failed" if an agent did not answer with a legal action in time.
        scores: Points.
        points: Points by source, in the order of `outcomes.SOURCES`, shape (players, 6).
        turns: Player turns, the last one included.
        decisions: Choices with more than one legal answer.
        seconds: Time spent deciding. It is measured, so it differs from run to run.
        actions: Every action in the absolute frame, in order; with the deal and the options they
            determine the whole game.
        failed: The seat whose agent failed, or None.
        fault: The kind of fault, one of `FAULT_KINDS`.
        error: The agent's traceback, or a line that describes the fault.
        identities: Identities of the agents, as rows of the folder's table; empty for a game
            outside a folder.
    """

    game: int
    deal: int
    agents: list[str]
    winners: list[int]
    ended: End
    scores: list[int]
    points: list[list[int]]
    turns: int
    decisions: list[int]
    seconds: list[float]
    actions: list[int]
    failed: int | None = None
    fault: FaultKind | None = None
    error: str | None = None
    identities: list[int] = field(default_factory=list)

    @property
    def rounds(self) -> int:
        """Turns divided by players, rounded up."""
        return -(-self.turns // len(self.agents))

    @property
    def digest(self) -> str:
        """A digest of 16 hexadecimal digits that names the game, without actions and times."""
        how = (self.deal, self.agents, self.identities, self.winners, self.ended)
        described = json.dumps((*how, self.scores, self.points, self.turns, self.decisions))
        return hashlib.sha256(described.encode()).hexdigest()[:DIGITS]

    def to_line(self) -> str:
        """Return the game as a line of JSON, without its end."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_line(cls, line: str | bytes) -> Self:
        """Return the game of a line; raises `SchemaError` for an invalid line."""
        return read_json(line, cls)


@dataclass(frozen=True)
class Tally:
    """The games of a tournament in the order of their numbers; G games, k agents.

    Attributes:
        names: The agents, sorted.
        deals: Index of each game's deal, shape ``(G,)``; games of one deal have the same.
        sides: Number of sides, shape ``(G,)``: the teams, or the players in games without teams.
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
        """Each agent's expected share of the win if all are equally strong, shape ``(G, k)``."""
        return self.held / self.sides[:, None]

    def share(self, name: str) -> Share:
        """Return an agent's share of its games; on several sides it wins if one of them does."""
        column = self.names.index(name)
        wins, par = (float(part[:, column].sum()) for part in (self.won, self.par))
        return Share.of(int((self.held[:, column] > 0).sum()), wins, par)


def in_order(results: Sequence[GameResult]) -> list[GameResult]:
    """Return the games by number; raises `ValueError` for a duplicate number."""
    ordered = sorted(results, key=lambda result: result.game)
    for first, second in pairwise(ordered):
        if first.game == second.game:
            raise ValueError(f"game {first.game} appears twice")
    return ordered


def tally(results: Sequence[GameResult]) -> Tally:
    """Return the results as arrays.

    This assumes that one agent plays all seats of a side.
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
    """Return the number of sides of each game; seat `s` is on side ``s % sides``.

    It follows from the winners, who are a whole side, or all sides but one in a failed game. A
    truncated game gets the number of sides of other games with as many players; without such games
    it has no teams.
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
