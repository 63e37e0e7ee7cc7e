"""A finished game as a line of ``games.jsonl``."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Final, Self

from impulse_agents.asking.faults import FaultKind
from impulse_env.outcomes import END_BY_STATUS, FAILED, End

ENDS: Final[tuple[End, ...]] = (*END_BY_STATUS.values(), FAILED)
"""How games of a tournament end."""
DIGITS: Final = 16
"""Of a game's digest."""


@dataclass(frozen=True)
class GameResult:
    """How one game of a tournament ended; lists are by seat.

    Attributes:
        game: Its number in the schedule, from 0.
        deal: The seed of the deal.
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
            are the whole game.
        failed: The seat whose agent failed, None if none did.
        fault: What it did, one of `FAULT_KINDS`.
        error: Its traceback, or a line that says what it did.
        identities: What the agents were, as rows of the table of the folder; empty where no folder
            holds the game.
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
        """What the game is called by, 16 hexadecimal digits; actions and times do not count."""
        how = (self.deal, self.agents, self.identities, self.winners, self.ended)
        told = json.dumps((*how, self.scores, self.points, self.turns, self.decisions))
        return hashlib.sha256(told.encode()).hexdigest()[:DIGITS]

    def to_line(self) -> str:
        """Return the game as a line of JSON, without its end."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_line(cls, line: str) -> Self:
        """Return the game of a line; raises `ValueError` if it is none."""
        try:
            return cls(**json.loads(line))
        except TypeError as error:
            raise ValueError(f"this is no line of a finished game: {error}") from error
