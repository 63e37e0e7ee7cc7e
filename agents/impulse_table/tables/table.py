"""A table: one game, who sits where, and what has been decided. It knows of no page and no agent.

A table is its options, its seed and its actions: the same file makes the same game again.
"""

import secrets
from dataclasses import asdict
from typing import Annotated, Any, Final, Self

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from impulse_env.engine.constants import Seat
from impulse_env.errors import ImpulseError
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.records.record import Header, Move, Record, Result, SeatedAgent
from impulse_env.schema import SchemaError, read_json
from impulse_table.tables.journal import Entry, Viewer, take
from impulse_table.tables.protocol import (
    PERSON,
    AgentName,
    Minutes,
    NewTable,
    PersonName,
    Token,
    check_name,
)
from impulse_table.tables.takeback import WaysBack

VERSION: Final = 1
_TOKEN_BYTES: Final = 16
_NAME_BYTES: Final = 9

_ActionName = Annotated[str, Meta(max_length=40)]
_Seed = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]


class TableError(ImpulseError, ValueError):
    """A table cannot do what is asked of it; the message says why."""


class SeatHolder(Struct, forbid_unknown_fields=True):
    """Who plays a seat.

    Attributes:
        player: `PERSON` or an agent's name.
        token: Opens the seat to a page, for persons; nobody can guess it.
        name: What a person is called; None: nobody has said it.
    """

    player: AgentName
    token: Token | None = None
    name: PersonName | None = None

    def __post_init__(self) -> None:
        """Check the name, and who has a token; raises `ValueError`."""
        check_name(self.name)
        if self.is_person != (self.player == PERSON):
            raise ValueError("a person's seat has a token, and an agent's has none")

    @property
    def is_person(self) -> bool:
        """Whether a person plays the seat."""
        return self.token is not None


class _Version(Struct):
    version: int = VERSION


class SavedTable(Struct, kw_only=True, forbid_unknown_fields=True):
    """What is kept of a table, on disk too.

    Attributes:
        seed: Of the deal.
        agent_seed: Of the agents' chance; not the deal's, which an agent must not know.
        host: Lets whoever began the game give seats new tokens; None if nobody can.
        rematch: The name of the table at which the same persons play again, with the same tokens.
        away_minutes: After how many minutes an agent plays for a person who is away; None: never.
        listed: Whether everybody on the server is told of the table, and so may watch.
    """

    version: int = VERSION
    name: str
    options: dict[str, Any]
    seed: _Seed
    agent_seed: _Seed
    seats: list[SeatHolder]
    host: Token | None = None
    rematch: str | None = None
    away_minutes: Minutes | None = None
    listed: bool = False
    actions: list[_ActionName] = field(default_factory=list)

    @classmethod
    def read(cls, content: bytes) -> Self:
        """Return what was kept; raises `SchemaError`, which repeats nothing secret."""
        # Before a field of another version is found to be unknown.
        version = read_json(content, _Version, is_secret=True).version
        if version != VERSION:
            raise SchemaError(f"it has version {version}, and this program knows {VERSION}")
        return read_json(content, cls, is_secret=True)

    def new_game(self) -> Game:
        """Return the game as it was dealt; raises `OptionError`, TypeError, ValueError."""
        return self.header().new_game()

    def header(self) -> Header:
        """Return the first line of its record; raises `OptionError`, TypeError."""
        agents = tuple(SeatedAgent(holder.player) for holder in self.seats)
        return Header(Options(**self.options), agents, seed=self.seed)

    def replayed(self) -> Game:
        """Return the game as it stands; raises what `Table` raises, and is far quicker."""
        game = self.new_game()
        for action in self.actions:
            game.step(action)
        return game


class Table:
    """One game and who sits at it.

    Attributes:
        saved: Everything that makes the table what it is.
        game: How it stands.
        journal: What has happened, an entry for each decision.
        ways_back: Decisions that can be taken back.
        taken_back: How often that was done, since the table was read.
        stand_ins: Agents that play for persons who are away, by seat; a restart ends that.
    """

    def __init__(self, saved: SavedTable) -> None:
        """Play a kept table up to where it stood.

        Raises:
            OptionError: Its options are none of the game's; TypeError if they have other names.
            ValueError: It has more or fewer seats than its game.
            IllegalActionError: One of its actions is not legal.
            UnknownActionError: One of its actions does not exist.
        """
        self.saved = saved
        self.game = saved.new_game()
        persons = [seat for seat, holder in enumerate(saved.seats) if holder.is_person]
        self._viewers: list[Viewer] = [None, *persons]
        self.journal: list[Entry] = []
        self.ways_back = WaysBack()
        self.taken_back = 0
        self.stand_ins: dict[Seat, str] = {}
        actions, saved.actions = saved.actions, []
        for action in actions:
            self.act(action)

    @classmethod
    def create(cls, wanted: NewTable, prefix: str = "", agent_seed: int | None = None) -> Self:
        """Return a new table; raises `OptionError`.

        Args:
            wanted: Who sits where, and the options.
            prefix: What its name begins with, see `impulse_table.tables.daily_deal`.
            agent_seed: Of the agents' chance; None: a fresh one.
        """
        options = wanted.options()
        has_person = PERSON in wanted.seats
        return cls(
            SavedTable(
                name=prefix + secrets.token_urlsafe(_NAME_BYTES),
                options=asdict(options),
                seed=secrets.randbits(63) if wanted.seed is None else wanted.seed,
                agent_seed=secrets.randbits(63) if agent_seed is None else agent_seed,
                seats=[_holder(player) for player in wanted.seats],
                host=secrets.token_urlsafe(_TOKEN_BYTES) if has_person else None,
                away_minutes=wanted.away_minutes,
                listed=wanted.listed,
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
        if seat is None:
            return None
        if self.saved.seats[seat].is_person:
            return self.stand_ins.get(seat)
        return self.saved.seats[seat].player

    def seats_of(self, tokens: list[str]) -> list[Seat]:
        """Return the seats that these tokens open, ascending."""
        return [
            seat
            for seat, holder in enumerate(self.saved.seats)
            if holder.token is not None and any(_is_same(holder.token, token) for token in tokens)
        ]

    def is_host(self, token: str | None) -> bool:
        """Whether this is the token of whoever began the game."""
        host = self.saved.host
        return host is not None and token is not None and _is_same(host, token)

    def act(self, action: str) -> None:
        """Take the decision; raises `IllegalActionError` and `UnknownActionError`."""
        before = self.game.state.copy()
        entry = take(self.game, self.game.action(action), self.step, self._viewers)
        self.ways_back.took(self.step, before, entry.seat, self.game.state)
        self.saved.actions.append(action)
        self.journal.append(entry)

    def take_back(self, step: int) -> None:
        """Go on from where decision number `step`, from 0, was to be taken."""
        del self.saved.actions[step:], self.journal[step:]
        self.game = self.saved.replayed()
        self.ways_back.forget(step)
        self.taken_back += 1

    def again(self) -> Self:
        """Return a table for a new deal, everybody a seat further; tokens open it as they did this.

        Raises:
            TableError: The game is not over.
        """
        if not self.game.is_over:
            raise TableError("a rematch can begin once the game is over")
        before = self.saved
        return type(self)(
            SavedTable(
                name=secrets.token_urlsafe(_NAME_BYTES),
                options=before.options,
                seed=secrets.randbits(63),
                agent_seed=secrets.randbits(63),
                seats=[replace(holder) for holder in (*before.seats[1:], before.seats[0])],
                host=before.host,
                away_minutes=before.away_minutes,
                listed=before.listed,
            )
        )

    def replace(self, seat: Seat, agent: str) -> None:
        """Let another agent play where one does; raises `TableError`."""
        if seat in self.stand_ins:
            self.stand_ins[seat] = agent
            return
        if seat >= len(self.saved.seats) or self.saved.seats[seat].is_person:
            raise TableError(f"no agent sits at seat {seat}: only an agent can be replaced")
        self.saved.seats[seat] = _holder(agent)

    def revoke(self, seat: Seat) -> SeatHolder:
        """Give a person's seat a fresh token; returns who had it; raises `TableError`."""
        if seat >= len(self.saved.seats) or not self.saved.seats[seat].is_person:
            raise TableError(f"no person sits at seat {seat}: only a person has a link")
        before = self.saved.seats[seat]
        self.saved.seats[seat] = replace(_holder(PERSON), name=before.name)
        return before

    def record(self) -> Record:
        """Return the game so far as a record, which shows everything to whoever reads it."""
        taken = zip(self.journal, self.saved.actions, strict=True)
        moves = [Move(entry.seat, action) for entry, action in taken]
        return Record(self.saved.header(), moves, Result.of(self.game))


def _holder(player: str) -> SeatHolder:
    token = secrets.token_urlsafe(_TOKEN_BYTES) if player == PERSON else None
    return SeatHolder(player=player, token=token)


def _is_same(token: str, other: str) -> bool:
    return secrets.compare_digest(token.encode(), other.encode())
