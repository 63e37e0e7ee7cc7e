r"""Records: a whole game as a small file of JSON lines.

A record is JSON lines in UTF-8. The first line is a header that describes the start of the game.
Each following line is a decision, and the last line describes the end of the game. A record without
that last line was cut off.

    {"format":"impulse-record","version":1,"impulse_env":"0.1.0","options":{"players":2,...},
     "seed":7,"agents":[{"name":"greedy","seed":3},{"name":"human"}]}
    {"seat":0,"action":"card 60"}
    {"seat":1,"action":"use","probabilities":{"use":0.9,"pass":0.1},"wins":0.6,"seconds":0.01}
    {"end":"score","winners":[0],"scores":[20,13],"points":[{"trade":20},{"battle":13}],
     "turns":31,"digest":"5f0c11d2"}

Header: a game that did not begin with a seed has `position` (from `Game.to_position`) or, inside an
effect, `bytes` (`Game.to_bytes` in base64) instead of `options` and `seed`. Decision: seats and
actions are absolute; `by`, `probabilities`, `wins` and `seconds` are an agent's optional notes.
End: "score", "elimination", "truncation", or "stopped" with the reason `why` if the game was left
unfinished; `digest` is the CRC-32 of the game's final bytes.

A record reveals all hidden information of its game.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from impulse_env._version import __version__
from impulse_env.actions import NAMES, checked_action
from impulse_env.arguments import checked_integer
from impulse_env.engine.constants import Seat
from impulse_env.errors import ArgumentError, PositionError
from impulse_env.files import write_atomically
from impulse_env.frame import AbsoluteAction, OwnAction, to_absolute
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.outcomes import END_BY_STATUS, SOURCE_NAMES, STOPPED

FORMAT: Final = "impulse-record"
VERSION: Final = 1
LONGEST: Final = 300
PRINTABLE: Final = f"text of at most {LONGEST} printable characters"


def is_printable(text: Any) -> bool:
    """Return whether a value is a short text without control characters for terminals."""
    return isinstance(text, str) and len(text) <= LONGEST and text.isprintable()


@dataclass(frozen=True)
class SeatedAgent:
    """The agent on a seat.

    Attributes:
        name: The name of an agent, or another name such as "human".
        seed: The seed of its generator; None if that is not known.
    """

    name: str
    seed: int | None = None

    def __post_init__(self) -> None:
        """Check the name and the seed; raises `ArgumentError`."""
        if not is_printable(self.name):
            raise ArgumentError(f"the name of an agent must be {PRINTABLE}, not {self.name!r:.80}")
        if self.seed is not None:
            object.__setattr__(self, "seed", checked_integer("the seed of an agent", self.seed))


@dataclass(frozen=True)
class Annotation:
    """An agent's notes on a decision, based on the information of its seat.

    Attributes:
        by: The agent's name; empty for the agent on the seat.
        probabilities: Probabilities by name of the action, each 0 to 1; legal actions only, and not
            necessarily all of them.
        wins: The chance that the seat's side wins, 0 to 1; None if not given.
        seconds: Time for the decision, in seconds; None if not measured.
    """

    by: str = ""
    probabilities: dict[str, float] = field(default_factory=dict)
    wins: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Move:
    """A decision of a game.

    Attributes:
        seat: The seat that took it.
        action: The stable name of the action, absolute.
        note: An agent's notes on it; None without notes.
    """

    seat: Seat
    action: str
    note: Annotation | None = None


@dataclass(frozen=True)
class Result:
    """The state of a game when it ended or was stopped.

    Attributes:
        end: One of `END_BY_STATUS`, or `STOPPED` for a game that was left before it was over.
        winners: The winning seats; empty without a winner.
        scores: Points by seat.
        points: Points of each seat by source; sources without points are left out.
        turns: Player turns completed.
        digest: CRC-32 of the game's bytes, 8 hexadecimal digits.
        why: The reason for stopping it, one line; empty for other ends.
    """

    end: str
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    points: tuple[dict[str, int], ...]
    turns: int
    digest: str
    why: str = ""

    @classmethod
    def of(cls, game: Game, why: str = "") -> Self:
        """Return the result of a game; `why` is the reason for stopping it if it is not over."""
        state = game.state
        return cls(
            END_BY_STATUS.get(int(state["status"]), STOPPED),
            tuple(game.winners),
            tuple(game.scores),
            tuple(points_of(game, seat) for seat in range(game.players)),
            game.turn,
            f"{zlib.crc32(game.state.tobytes()):08x}",
            "" if game.is_over else _in_one_line(why) or "left before it was over",
        )


def _in_one_line(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)[:LONGEST].strip()


def points_of(game: Game, seat: Seat) -> dict[str, int]:
    """Return a seat's points by source, without sources that gave no points."""
    row = game.state["points"][seat]
    return {name: int(points) for name, points in zip(SOURCE_NAMES, row, strict=False) if points}


@dataclass(frozen=True)
class Header:
    """The start of a game, and its agents.

    Attributes:
        options: The options of the game.
        agents: The agent of each seat.
        seed: The seed of the deal; None if the game begins with `start`.
        start: The game at the beginning of the record; None if it begins with a seed.
    """

    options: Options
    agents: tuple[SeatedAgent, ...]
    seed: int | None = None
    start: Game | None = None

    def __post_init__(self) -> None:
        """Check that it has one kind of start and names every seat; raises `ArgumentError`."""
        if self.seed is not None:
            object.__setattr__(self, "seed", checked_integer("seed", self.seed))
        if (self.seed is None) == (self.start is None):
            raise ArgumentError("a record begins with either a seed or a game")
        if len(self.agents) != self.options.players:
            raise ArgumentError(
                f"a record of {self.options.players} players names as many agents, "
                f"not {len(self.agents)}"
            )

    @classmethod
    def of_game(cls, game: Game, agents: tuple[SeatedAgent, ...]) -> Self:
        """Return the header of a record that begins in the middle of a game."""
        return cls(options_of(game), agents, start=game.copy())

    def new_game(self) -> Game:
        """Return a new game at the beginning of the record."""
        if self.start is not None:
            return self.start.copy()
        return Game(seed=self.seed, **asdict(self.options))

    def line(self) -> str:
        """Return the header as a line, without a line end."""
        begins: dict[str, Any] = {"options": asdict(self.options), "seed": self.seed}
        if self.start is not None:
            try:
                begins = {"position": self.start.to_position()}
            except PositionError:
                begins = {"bytes": base64.b64encode(self.start.to_bytes()).decode()}
        return _line(
            {
                "format": FORMAT,
                "version": VERSION,
                "impulse_env": __version__,
                **begins,
                "agents": [_without_defaults(agent) for agent in self.agents],
            }
        )


def options_of(game: Game) -> Options:
    """Return the options of a running game, with its actual races and start player."""
    state = game.state
    teams = int(state["teams"])
    return Options(
        game.players,
        game.players // teams if teams < game.players else None,
        target_score=int(state["target_score"]),
        hand_limit=int(state["hand_limit"]),
        ships=int(state["ships"]),
        max_turns=int(state["max_turns"]),
        max_activations=int(state["max_activations"]),
        auto_forced=bool(state["auto_forced"]),
    )


@dataclass
class Record:
    """A recorded game.

    Attributes:
        header: The start of the game, and its agents.
        moves: The decisions, in order.
        result: The result; None if the record was cut off.
    """

    header: Header
    moves: list[Move] = field(default_factory=list)
    result: Result | None = None

    def games(self) -> Iterator[Game]:
        """Yield the game at each decision and at the end: always the same object, stepped.

        Raises:
            IllegalActionError: A decision is not legal; never for a record from `read`.
        """
        game = self.header.new_game()
        yield game
        for move in self.moves:
            game.step(move.action)
            yield game

    def text(self) -> str:
        """Return the whole file."""
        lines = [self.header.line(), *map(move_line, self.moves)]
        if self.result is not None:
            lines.append(result_line(self.result))
        return "".join(line + "\n" for line in lines)

    def save(self, path: str | Path) -> None:
        """Write the file; an existing file is replaced."""
        write_atomically(path, self.text())


def record_of(
    header: Header,
    actions: Iterable[AbsoluteAction | OwnAction],
    *,
    are_own: bool = False,
    why: str = "",
) -> Record:
    """Return the record of a game with these actions.

    Args:
        header: The start of the game, and its agents.
        actions: The actions as numbers, in order.
        are_own: Whether they are in the own frame of the deciding seat; if False, absolute.
        why: The reason for stopping the game, if the actions do not lead to its end.

    Raises:
        IllegalActionError: An action is not an integer, or not legal.
    """
    record, game = Record(header), header.new_game()
    for action in actions:
        number = checked_action(action)
        if game.seat is not None and are_own:
            number = to_absolute(number, game.players, game.seat)
        seat = game.seat
        game.step(number)
        assert seat is not None, "a finished game has no legal actions"
        record.moves.append(Move(seat, NAMES[number]))
    record.result = Result.of(game, why)
    return record


# --- Lines ------------------------------------------------------------------------------------


def move_line(move: Move) -> str:
    """Return a decision as a line, without a line end."""
    note = {} if move.note is None else _without_defaults(move.note)
    return _line({"seat": move.seat, "action": move.action, **note})


def result_line(result: Result) -> str:
    """Return the result as a line, without a line end."""
    fields = asdict(result)
    if not result.why:
        del fields["why"]
    return _line(fields)


def _without_defaults(entry: SeatedAgent | Annotation) -> dict[str, Any]:
    return {name: value for name, value in asdict(entry).items() if value not in (None, "", {})}


def _line(fields: dict[str, Any]) -> str:
    return json.dumps(fields, separators=(",", ":"), default=_plain)


def _plain(value: Any) -> Any:
    """Convert a numpy number, which notes may contain, to a Python number."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a record cannot hold {value!r}")
