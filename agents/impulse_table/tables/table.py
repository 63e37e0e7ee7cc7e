"""A table: one game, the players of its seats, and its decisions; without pages and agents.

Options, seed and actions determine a table: the same file always gives the same game.
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
from impulse_env.records.record import LONGEST, Header, Move, Record, Result, SeatedAgent
from impulse_env.schema import SchemaError, read_json
from impulse_table.tables.journal import Entry, Viewer, take
from impulse_table.tables.protocol import (
    PERSON,
    AgentName,
    GameMinutes,
    Minutes,
    NewTable,
    PersonName,
    Token,
    TurnSeconds,
    check_name,
)
from impulse_table.tables.takeback import WaysBack

VERSION: Final = 1
STAND_IN: Final = "greedy"
"""The default agent to play for a person: it needs no extra, and decides at once."""
_TOKEN_BYTES: Final = 16
_NAME_BYTES: Final = 9

_ActionName = Annotated[str, Meta(max_length=40)]
_Seed = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]


class TableError(ImpulseError, ValueError):
    """A request to a table is not possible; the message says why."""


class SeatHolder(Struct, forbid_unknown_fields=True):
    """The player of a seat.

    Attributes:
        player: `PERSON` or an agent's name.
        token: For persons: the secret that opens the seat to a page. None for agents.
        name: A person's name; None if the person has not given one.
        agent: The agent that the person lets play the seat; None: the person plays.
        has_resigned: Whether the person has given up the seat for good.
        helpers: Agents that have decided for the person, in the order of their first decision.
    """

    player: AgentName
    token: Token | None = None
    name: PersonName | None = None
    agent: AgentName | None = None
    has_resigned: bool = False
    helpers: list[AgentName] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Check the name and the token; raises `ValueError`."""
        check_name(self.name)
        if self.is_person != (self.player == PERSON):
            raise ValueError("a person's seat must have a token, and an agent's must not")

    @property
    def is_person(self) -> bool:
        """Whether a person plays the seat."""
        return self.token is not None

    @property
    def recorded_name(self) -> str:
        """The name in a record, which shows that a person resigned or that agents decided, too."""
        notes = ["resigned"] if self.has_resigned else []
        if self.helpers:
            notes.append(f"in part {', '.join(self.helpers)}")
        return f"{self.player} ({'; '.join(notes)})"[:LONGEST] if notes else self.player


class Limits(Struct, forbid_unknown_fields=True):
    """The clock of a table: the time of persons, and what they have used.

    Attributes:
        turn_seconds: Seconds for the decisions of a turn; None: any time.
        game_minutes: Minutes for all decisions; None: any time.
        agent: The agent that plays for a person without time.
        used: Seconds that each seat has used.
    """

    turn_seconds: TurnSeconds | None
    game_minutes: GameMinutes | None
    agent: AgentName
    used: list[float]

    def __post_init__(self) -> None:
        """Check that it has a limit; raises `ValueError`."""
        if self.turn_seconds is None and self.game_minutes is None:
            raise ValueError("a clock must have seconds for a turn or minutes for a game")

    def is_up(self, seat: Seat) -> bool:
        """Whether a seat has used its time for the game."""
        return self.game_minutes is not None and self.used[seat] >= 60 * self.game_minutes


class _Version(Struct):
    version: int = VERSION


class SavedTable(Struct, kw_only=True, forbid_unknown_fields=True):
    """The data of a table, as in its file.

    Attributes:
        seed: Seed of the deal.
        agent_seed: Seed of the agents; differs from the deal's, which an agent must not know.
        host: Token of the person who began the game and can give seats new tokens; None: nobody.
        rematch: Name of the table of the rematch, which the same tokens open; None: no rematch.
        away_minutes: Minutes until an agent plays for a person who is away; None: never.
        listed: Whether the server lists the table for everybody, who can then watch.
        is_agreed: Whether the persons agreed to end the game before its end.
        clock: The time of the persons; None: any time.
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
    is_agreed: bool = False
    clock: Limits | None = None
    actions: list[_ActionName] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Check the clock; raises `ValueError`."""
        if self.clock is not None and len(self.clock.used) != len(self.seats):
            raise ValueError("a clock must have the time of every seat")

    @classmethod
    def read(cls, content: bytes) -> Self:
        """Return the data of a file; raises `SchemaError`, which repeats nothing secret."""
        # First the version, as fields of another version may be unknown.
        version = read_json(content, _Version, is_secret=True).version
        if version != VERSION:
            raise SchemaError(f"it has version {version}, and this program reads {VERSION}")
        return read_json(content, cls, is_secret=True)

    def new_game(self) -> Game:
        """Return the game at its start; raises `OptionError`, TypeError, ValueError."""
        return self.header().new_game()

    def header(self) -> Header:
        """Return the first line of its record; raises `OptionError`, TypeError."""
        agents = tuple(SeatedAgent(holder.recorded_name) for holder in self.seats)
        return Header(Options(**self.options), agents, seed=self.seed)

    @property
    def stopped(self) -> str | None:
        """Why the persons ended the game before its end, as in a record; None if they did not.

        A resignation ends a game of two, and a game that all its persons have left. Otherwise
        an agent continues.
        """
        if self.is_agreed:
            return "ended by agreement"
        resigned = [seat for seat, holder in enumerate(self.seats) if holder.has_resigned]
        persons = [seat for seat, holder in enumerate(self.seats) if holder.is_person]
        if not resigned or (len(self.seats) > 2 and resigned != persons):
            return None
        return f"seat{'s' * (len(resigned) > 1)} {' and '.join(map(str, resigned))} resigned"

    @property
    def winners_by_resignation(self) -> list[Seat]:
        """The seat whose opponent in a game of two has resigned; empty in all other cases."""
        if len(self.seats) > 2 or self.is_agreed:
            return []
        return [1 - seat for seat, holder in enumerate(self.seats) if holder.has_resigned]

    def seats_of(self, tokens: list[str]) -> list[Seat]:
        """Return the seats that these tokens open, ascending."""
        return [
            seat
            for seat, holder in enumerate(self.seats)
            if holder.token is not None and any(_is_same(holder.token, token) for token in tokens)
        ]

    def before(self, step: int) -> Self:
        """Return the data as they were before decision number `step`, all persons at their seats.

        They are for looking back, and not for a file: name and tokens are the same.
        """
        holders = [SeatHolder(holder.player, holder.token, holder.name) for holder in self.seats]
        earlier = {"seats": holders, "actions": self.actions[:step]}
        return replace(self, clock=None, is_agreed=False, **earlier)

    def replayed(self) -> Game:
        """Return the game after all decisions; much faster than `Table`, with the same errors."""
        game = self.new_game()
        for action in self.actions:
            game.step(action)
        return game


class Table:
    """One game, and the players of its seats.

    Attributes:
        saved: The data of the table.
        game: The game after all decisions.
        journal: The events, one entry for each decision.
        ways_back: Decisions that can be taken back.
        taken_back: How many decisions were taken back since the table was read.
        stand_ins: Agents that play for persons who are away, by seat; a restart ends that.
        late: Seats of persons who have used their time for the current turn.
    """

    def __init__(self, saved: SavedTable) -> None:
        """Replay a saved table.

        Raises:
            OptionError: Its options have impossible values; TypeError if their names are unknown.
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
        self.late: set[Seat] = set()
        actions, saved.actions = saved.actions, []
        for action in actions:
            self.act(action)

    @classmethod
    def create(cls, new: NewTable, prefix: str = "", agent_seed: int | None = None) -> Self:
        """Return a new table; raises `OptionError`.

        Args:
            new: The players and the options.
            prefix: The start of its name, see `impulse_table.tables.daily_deal`.
            agent_seed: Seed of the agents; None: a random one.
        """
        options = new.options()
        has_person = PERSON in new.seats
        clock = None
        if has_person and (new.turn_seconds or new.game_minutes):
            agent = new.clock_agent or STAND_IN
            clock = Limits(new.turn_seconds, new.game_minutes, agent, [0.0] * len(new.seats))
        return cls(
            SavedTable(
                name=prefix + secrets.token_urlsafe(_NAME_BYTES),
                options=asdict(options),
                seed=secrets.randbits(63) if new.seed is None else new.seed,
                agent_seed=secrets.randbits(63) if agent_seed is None else agent_seed,
                seats=[_holder(player) for player in new.seats],
                host=secrets.token_urlsafe(_TOKEN_BYTES) if has_person else None,
                away_minutes=new.away_minutes,
                listed=new.listed,
                clock=clock,
            )
        )

    @property
    def name(self) -> str:
        """The name in the address of its pages; anybody who knows it can watch."""
        return self.saved.name

    @property
    def step(self) -> int:
        """The number of decisions so far."""
        return len(self.saved.actions)

    @property
    def is_over(self) -> bool:
        """Whether the game is over, by the rules or because the persons have ended it."""
        return self.game.is_over or self.saved.stopped is not None

    @property
    def winners(self) -> list[Seat]:
        """The seats that have won; after a resignation in a game of two, the other one."""
        return self.game.winners or self.saved.winners_by_resignation

    @property
    def agent(self) -> str | None:
        """The agent that must decide next; None if a person must, or the game is over."""
        seat = self.game.seat
        return None if seat is None or self.is_over else self.agent_at(seat)

    @property
    def deciding_person(self) -> Seat | None:
        """The seat of the person who must decide next; None if an agent must, or nobody."""
        return None if self.is_over or self.agent is not None else self.game.seat

    def agent_at(self, seat: Seat) -> str | None:
        """Return the agent that plays a seat, its own or for a person; None: the person plays."""
        holder, clock = self.saved.seats[seat], self.saved.clock
        if not holder.is_person:
            return holder.player
        if clock is not None and (seat in self.late or clock.is_up(seat)):
            return holder.agent or clock.agent
        return holder.agent or self.stand_ins.get(seat)

    def is_host(self, token: str | None) -> bool:
        """Whether this is the token of the person who began the game."""
        host = self.saved.host
        return host is not None and token is not None and _is_same(host, token)

    def act(self, action: str, by: str | None = None) -> None:
        """Take a decision.

        Args:
            action: The action's stable name.
            by: The agent that decided; None: the person, or somebody whom the table knows already.

        Raises:
            IllegalActionError: The action is not legal.
            UnknownActionError: The action does not exist.
        """
        before = self.game.state.copy()
        entry = take(self.game, self.game.action(action), self.step, self._viewers)
        holder = self.saved.seats[entry.seat]
        if by is not None and holder.is_person and by not in holder.helpers:
            holder.helpers.append(by)
        self.ways_back.took(self.step, before, entry.seat, self.game.state)
        self.saved.actions.append(action)
        self.journal.append(entry)

    def take_back(self, step: int) -> None:
        """Go back to the position before decision number `step`, from 0."""
        del self.saved.actions[step:], self.journal[step:]
        self.game = self.saved.replayed()
        self.ways_back.forget(step)
        self.taken_back += 1

    def again(self) -> Self:
        """Return a table with a new deal and all players one seat on; the same tokens open it.

        Raises:
            TableError: The game is not over.
        """
        if not self.is_over:
            raise TableError("a rematch can begin only once the game is over")
        before = self.saved
        clock = before.clock and replace(before.clock, used=[0.0] * len(before.seats))
        seats = [SeatHolder(holder.player, holder.token, holder.name) for holder in before.seats]
        return type(self)(
            SavedTable(
                name=secrets.token_urlsafe(_NAME_BYTES),
                options=before.options,
                seed=secrets.randbits(63),
                agent_seed=secrets.randbits(63),
                seats=[*seats[1:], seats[0]],
                host=before.host,
                away_minutes=before.away_minutes,
                listed=before.listed,
                clock=clock,
            )
        )

    def replace(self, seat: Seat, agent: str) -> None:
        """Replace the agent at a seat; raises `TableError`."""
        if seat < len(self.saved.seats) and self.saved.seats[seat].agent is not None:
            self.saved.seats[seat].agent = agent
            return
        if seat in self.stand_ins:
            self.stand_ins[seat] = agent
            return
        if seat >= len(self.saved.seats) or self.saved.seats[seat].is_person:
            raise TableError(f"no agent sits at seat {seat}: only an agent can be replaced")
        self.saved.seats[seat] = _holder(agent)

    def revoke(self, seat: Seat) -> SeatHolder:
        """Give a person's seat a new token; return the former holder; raises `TableError`."""
        if seat >= len(self.saved.seats) or not self.saved.seats[seat].is_person:
            raise TableError(f"no person sits at seat {seat}: only a person has a link")
        before = self.saved.seats[seat]
        self.saved.seats[seat] = replace(before, token=secrets.token_urlsafe(_TOKEN_BYTES))
        return before

    def record(self) -> Record:
        """Return the game so far as a record, which shows all hidden information."""
        taken = zip(self.journal, self.saved.actions, strict=True)
        moves = [Move(entry.seat, action) for entry, action in taken]
        return Record(self.saved.header(), moves, Result.of(self.game, self.saved.stopped or ""))


def _holder(player: str) -> SeatHolder:
    token = secrets.token_urlsafe(_TOKEN_BYTES) if player == PERSON else None
    return SeatHolder(player=player, token=token)


def _is_same(token: str, other: str) -> bool:
    return secrets.compare_digest(token.encode(), other.encode())
