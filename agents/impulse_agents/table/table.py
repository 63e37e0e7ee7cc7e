"""A table: one game, who sits where, and what has been decided. It knows of no page and no agent.

A table is its options, its seed and its actions: the same file makes the same game again.
"""

import secrets
from dataclasses import asdict
from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field

from impulse_agents.table.journal import Entry, Viewer, take
from impulse_agents.table.protocol import PERSON, NewTable
from impulse_env.engine.constants import Seat
from impulse_env.errors import ImpulseError
from impulse_env.options import Options
from impulse_env.records.record import Header, Move, Record, Result, SeatedAgent

VERSION: Final = 1
_TOKEN_BYTES: Final = 16
_NAME_BYTES: Final = 9


class TableError(ImpulseError, ValueError):
    """A table cannot do what is asked of it; the message says why."""


class SeatHolder(BaseModel):
    """Who plays a seat.

    Attributes:
        player: `PERSON` or an agent's name.
        token: Opens the seat to a page, for persons; nobody can guess it.
    """

    model_config = ConfigDict(extra="forbid")

    player: str
    token: str | None = None

    @property
    def is_person(self) -> bool:
        """Whether a person plays the seat."""
        return self.token is not None


class SavedTable(BaseModel):
    """What is kept of a table, on disk too.

    Attributes:
        seed: Of the deal.
        agent_seed: Of the agents' chance; not the deal's, which an agent must not know.
    """

    model_config = ConfigDict(extra="forbid")

    version: int = VERSION
    name: str
    options: dict[str, Any]
    seed: int
    agent_seed: int
    seats: list[SeatHolder]
    actions: list[str] = Field(default_factory=list)


class Table:
    """One game and who sits at it.

    Attributes:
        saved: Everything that makes the table what it is.
        game: How it stands.
        journal: What has happened, an entry for each decision.
    """

    def __init__(self, saved: SavedTable) -> None:
        """Play a kept table up to where it stood.

        Raises:
            TableError: It is of another version.
            OptionError: Its options are none of the game's; TypeError if they have other names.
            ValueError: It has more or fewer seats than its game.
            IllegalActionError: One of its actions is not legal.
            UnknownActionError: One of its actions does not exist.
        """
        if saved.version != VERSION:
            raise TableError(f"the table has version {saved.version}; this program knows {VERSION}")
        self.saved = saved
        self.game = self._header().new_game()
        persons = [seat for seat, holder in enumerate(saved.seats) if holder.is_person]
        self._viewers: list[Viewer] = [None, *persons]
        self.journal: list[Entry] = []
        actions, saved.actions = saved.actions, []
        for action in actions:
            self.act(action)

    @classmethod
    def create(cls, wanted: NewTable) -> Self:
        """Return a new table; raises `OptionError`."""
        options = wanted.options()
        return cls(
            SavedTable(
                name=secrets.token_urlsafe(_NAME_BYTES),
                options=asdict(options),
                seed=secrets.randbits(63) if wanted.seed is None else wanted.seed,
                agent_seed=secrets.randbits(63),
                seats=[_holder(player) for player in wanted.seats],
            )
        )

    @property
    def name(self) -> str:
        """What its pages are called by; lets whoever knows it watch."""
        return self.saved.name

    @property
    def step(self) -> int:
        """How many decisions have been taken."""
        return len(self.saved.actions)

    @property
    def agent(self) -> str | None:
        """The agent that is to decide; None if a person is, or nobody."""
        seat = self.game.seat
        if seat is None or self.saved.seats[seat].is_person:
            return None
        return self.saved.seats[seat].player

    def seats_of(self, tokens: list[str]) -> list[Seat]:
        """Return the seats that these tokens open, ascending."""
        return [
            seat
            for seat, holder in enumerate(self.saved.seats)
            if holder.token is not None and any(_is_same(holder.token, token) for token in tokens)
        ]

    def act(self, action: str) -> None:
        """Take the decision; raises `IllegalActionError` and `UnknownActionError`."""
        entry = take(self.game, self.game.action(action), self.step, self._viewers)
        self.saved.actions.append(action)
        self.journal.append(entry)

    def replace(self, seat: Seat, agent: str) -> None:
        """Let another agent play an agent's seat; raises `TableError`."""
        if seat >= len(self.saved.seats) or self.saved.seats[seat].is_person:
            raise TableError(f"no agent sits at seat {seat}: only an agent can be replaced")
        self.saved.seats[seat] = _holder(agent)

    def record(self) -> Record:
        """Return the game so far as a record, which shows everything to whoever reads it."""
        taken = zip(self.journal, self.saved.actions, strict=True)
        moves = [Move(entry.seat, action) for entry, action in taken]
        return Record(self._header(), moves, Result.of(self.game))

    def _header(self) -> Header:
        agents = tuple(SeatedAgent(holder.player) for holder in self.saved.seats)
        return Header(Options(**self.saved.options), agents, seed=self.saved.seed)


def _holder(player: str) -> SeatHolder:
    token = secrets.token_urlsafe(_TOKEN_BYTES) if player == PERSON else None
    return SeatHolder(player=player, token=token)


def _is_same(token: str, other: str) -> bool:
    return secrets.compare_digest(token.encode(), other.encode())
