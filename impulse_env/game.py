"""A game as a Python object, in absolute coordinates: for people, tests, search and notebooks."""

import copy
import struct
import zlib
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from impulse_env import drawing, information
from impulse_env.actions import N_ACTIONS, action_of, checked_action, is_legal, name_of, with_name
from impulse_env.arguments import checked_integer
from impulse_env.batch import NOBODY, step_games
from impulse_env.engine.constants import RUNNING, TRUNCATED, Seat, State
from impulse_env.engine.state import STATE
from impulse_env.errors import GameBytesError, HiddenGameError, IllegalActionError
from impulse_env.frame import AbsoluteAction
from impulse_env.options import Options
from impulse_env.positions.reader import from_position
from impulse_env.positions.writer import to_position
from impulse_env.text.describe import describe_action, kind_of, prompt_of
from impulse_env.validation import fault_in

_MAGIC: Final = b"IMPULSE"
_VERSION: Final = 1
_HEADER: Final = struct.Struct("<7sBHI")
"""Magic, version, bytes of the record, checksum of the record."""


class Decision(NamedTuple):
    """A decision to take: a short stable word (`kind`) and an English sentence (`prompt`)."""

    kind: str
    prompt: str


class Game:
    """One game of Impulse.

    Equal games have equal bytes; `copy.deepcopy` and pickling work at any time.
    """

    def __init__(
        self,
        players: int = 2,
        seed: int | None = None,
        *,
        team_size: int | None = None,
        races: str | Sequence[str | None] | None = None,
        start_player: int | None = None,
        target_score: int = Options.target_score,
        hand_limit: int = Options.hand_limit,
        ships: int = Options.ships,
        max_turns: int = Options.max_turns,
        max_activations: int = Options.max_activations,
        auto_forced: bool = Options.auto_forced,
    ) -> None:
        """Deal a game and go to its first decision.

        Args:
            players: Number of players, 2 to 6.
            seed: Any integer; the same seed and options give the same game. None: a random seed.
            team_size: Players per team; `Options` describes this and the following options.
            races: None (random), "draft" or a list of names.
            start_player: A seat, or None (random).
            target_score: Points needed to win.
            hand_limit: Highest number of cards in hand.
            ships: Ships of each player.
            max_turns: Player turns until the game is truncated.
            max_activations: Highest number of map activations in one turn.
            auto_forced: Whether the engine takes decisions that have one legal action.

        Raises:
            OptionError: An option has a value that is not allowed.
            ArgumentError: The seed is not an integer.
        """
        options = Options(
            players,
            team_size,
            races,
            start_player,
            target_score,
            hand_limit,
            ships,
            max_turns,
            max_activations,
            auto_forced,
        )
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self._states = options.new_states([seed])
        self._mask = np.zeros((1, N_ACTIONS), np.int8)
        self._seat = np.full(1, NOBODY, np.int8)
        self._advance(0)

    @classmethod
    def from_state(cls, state: State) -> Self:
        """Return a game over a copy of a full record, taken at any point of a game.

        The record is not checked: an impossible one may hang or crash the process. Use `from_bytes`
        for data from outside.
        """
        game = cls.__new__(cls)
        game._states = np.zeros(1, STATE)
        game._states[0] = state
        game._mask = np.zeros((1, N_ACTIONS), np.int8)
        game._seat = np.full(1, NOBODY, np.int8)
        game._advance(0)
        return game

    def _advance(self, action: AbsoluteAction) -> None:
        step_games(self._states, np.array([action]), self._mask, self._seat)

    # --- Current state ---------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The record (dtype `STATE`), shared with the game: do not write to it."""
        return self._states[0]

    @property
    def players(self) -> int:
        """Number of players."""
        return int(self.state["players"])

    @property
    def seat(self) -> Seat | None:
        """The seat that decides now; None if the game is over."""
        return int(self._seat[0]) if self._seat[0] >= 0 else None

    @property
    def decision(self) -> Decision:
        """The decision to take now."""
        return Decision(kind_of(self.state), prompt_of(self.state))

    @property
    def scores(self) -> list[int]:
        """Points by seat."""
        return [int(points) for points in self.state["score"][: self.players]]

    @property
    def turn(self) -> int:
        """Player turns completed."""
        return int(self.state["turn"])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended in any way."""
        return bool(self.state["status"] != RUNNING)

    @property
    def is_truncated(self) -> bool:
        """Whether the game ended at `max_turns` without a winner (R5)."""
        return bool(self.state["status"] == TRUNCATED)

    @property
    def winners(self) -> list[Seat]:
        """The seats that won, one or a team; empty if there is no winner."""
        teams = int(self.state["teams"])
        winner = int(self.state["winner"])
        return [seat for seat in range(self.players) if seat % teams == winner]

    @property
    def is_view(self) -> bool:
        """Whether this is a seat's view, in which hidden fields are blank."""
        return bool(self.state["rng"] == 0)

    # --- Playing ---------------------------------------------------------------------------

    def legal_mask(self) -> NDArray[np.int8]:
        """Return 1 for every legal action, shape ``(N_ACTIONS,)``; all 0 if the game is over."""
        return self._mask[0].copy()

    def legal_actions(self) -> list[AbsoluteAction]:
        """Return the legal actions, ascending; empty if the game is over."""
        return [int(action) for action in np.flatnonzero(self._mask[0])]

    def step(self, action: AbsoluteAction | str) -> None:
        """Take the decision.

        Args:
            action: A legal action, as a number or by its name.

        Raises:
            IllegalActionError: The action is not legal, or neither an integer nor a name; nothing
                was changed.
            UnknownActionError: No action has that name.
            HiddenGameError: This game is a seat's view.
        """
        number = action_of(action) if isinstance(action, str) else checked_action(action)
        if self.is_view:
            raise HiddenGameError("a seat's view cannot be stepped; use determinize(seat, rng)")
        self._advance(self._checked_legal(number))

    def _checked_legal(self, number: int) -> AbsoluteAction:
        if is_legal(self._mask[0], number):
            return number
        where = f"turn {self.turn}, seat {self.seat}, {self.decision.kind}"
        allowed = ", ".join(name_of(legal) for legal in self.legal_actions()) or "none: it is over"
        raise IllegalActionError(
            f"illegal action {with_name(number)} at {where}; legal are: {allowed}"
        )

    def name(self, action: AbsoluteAction) -> str:
        """Return the stable name of an action; raises `UnknownActionError`."""
        return name_of(action)

    def action(self, name: str) -> AbsoluteAction:
        """Return the action of a stable name; raises `UnknownActionError`."""
        return action_of(name)

    def describe(self, action: AbsoluteAction | str) -> str:
        """Return the meaning of a legal action now, in English; raises `IllegalActionError`."""
        number = action_of(action) if isinstance(action, str) else checked_action(action)
        return describe_action(self.state, self._checked_legal(number))

    # --- Copies, bytes, positions ----------------------------------------------------------

    def copy(self) -> Self:
        """Return an independent copy."""
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        other = type(self).__new__(type(self))
        other._states = self._states.copy()
        other._mask = self._mask.copy()
        other._seat = self._seat.copy()
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._states.tobytes() == other._states.tobytes()

    def __hash__(self) -> int:
        return hash(self._states.tobytes())

    def __repr__(self) -> str:
        scores = "-".join(map(str, self.scores))
        status = self.decision.kind if self.seat is None else f"seat {self.seat} decides"
        return f"<Game: {self.players} players, turn {self.turn}, {scores}, {status}>"

    def to_bytes(self) -> bytes:
        """Return the game as bytes with a versioned header; inverse of `from_bytes`."""
        payload = self._states.tobytes()
        return _HEADER.pack(_MAGIC, _VERSION, len(payload), zlib.crc32(payload)) + payload

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the game that `to_bytes` wrote, after a check of every byte.

        Raises:
            GameBytesError: The bytes are not a game; the message names the first wrong field and
                its allowed values.
        """
        size = _HEADER.size + STATE.itemsize
        if len(data) < _HEADER.size or data[: len(_MAGIC)] != _MAGIC:
            raise GameBytesError(
                f"these {len(data)} bytes are not a game: they must begin with {_MAGIC!r}"
            )
        _, version, length, checksum = _HEADER.unpack_from(data)
        if version != _VERSION:
            raise GameBytesError(f"the game has version {version}; this package reads {_VERSION}")
        if len(data) != size or length != STATE.itemsize:
            raise GameBytesError(f"the game has {len(data)} bytes; it must have {size}")
        payload = bytes(data[_HEADER.size :])
        if zlib.crc32(payload) != checksum:
            raise GameBytesError("the game is damaged: its checksum does not match its bytes")
        state = np.frombuffer(payload, STATE)[0]
        if state["rng"] == 0:
            raise GameBytesError("these bytes are a seat's view; only full games can be read")
        if fault := fault_in(state):
            raise GameBytesError(f"these bytes are not a game: {fault}")
        game = cls.from_state(state)
        if game.state.tobytes() != payload:
            raise GameBytesError(
                "these bytes are not a game at a decision: nobody has a choice there"
            )
        return game

    def to_position(self) -> dict[str, Any]:
        """Return the game at the start of a phase as a JSON-able dict; see `positions.writer`.

        Raises:
            PositionError: The game is inside an effect (use `to_bytes`), or over.
        """
        return to_position(self.state)

    @classmethod
    def from_position(cls, position: dict[str, Any]) -> Self:
        """Return the game of a position; raises `PositionError`, which names the field."""
        return cls.from_state(from_position(position))

    # --- Drawing ---------------------------------------------------------------------------

    def svg(self, by: Seat | str | None = None) -> str:
        """Return a drawing of the game, an SVG document.

        Args:
            by: A seat, None for public information only (no hand), or "all" for everything.

        Raises:
            ArgumentError: `by` has another value.
        """
        return drawing.svg(self.state, by)

    def _repr_svg_(self) -> str:
        """Draw the game in a notebook: its public information, or everything in a seat's view."""
        return self.svg(drawing.EVERYTHING if self.is_view else None)

    # --- Information of a seat -------------------------------------------------------------

    def view(self, seat: Seat) -> Self:
        """Return the game as a seat sees it, with every hidden field blank.

        Raises:
            ArgumentError: The game does not have that seat.
        """
        seat = self._checked_seat(seat)
        other = self.copy()
        other._states[0] = information.view_of(self.state, seat)
        if self.seat != seat:
            other._mask[:] = 0
        return other

    def determinize(self, seat: Seat, rng: np.random.Generator) -> Self:
        """Return a full game, drawn uniformly from those consistent with the view of `seat`.

        The game may itself be a view of that seat. `rng` also determines the future randomness.
        If another seat is to decide, its hidden cards must leave it a choice: draws in which they
        do not are rejected.

        Raises:
            ArgumentError: The game does not have that seat.
        """
        seat = self._checked_seat(seat)
        while True:
            drawn = information.determinized(self.state, seat, rng)
            game = self.from_state(drawn)
            if game.state.tobytes() == drawn.tobytes():
                return game

    def _checked_seat(self, seat: Seat) -> Seat:
        return checked_integer("seat", seat, 0, self.players - 1)
