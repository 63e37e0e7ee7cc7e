"""What an agent is: a strategy that knows what its seat may know and answers with legal actions."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from impulse_agents.explanation import Advice, Suggestion, Variation
from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS, name_of
from impulse_env.arguments import checked_integers, integer_of, shown
from impulse_env.batch import GameBatch, take_games
from impulse_env.engine.constants import State
from impulse_env.engine.state import STATE
from impulse_env.errors import ImpulseError
from impulse_env.frame import AbsoluteAction, OwnAction, own_frame, to_absolute
from impulse_env.game import Game
from impulse_env.information import redact_all, view_of
from impulse_env.observation import observe


class AgentError(ImpulseError, ValueError):
    """An agent cannot be made, or cannot play what it is given; the message says why."""


class BadAnswerError(AgentError):
    """An agent's answer is no integer, or not one for each game; the message says what it is."""


class IllegalAnswerError(BadAnswerError):
    """An agent's answer is no legal action; the message says which are."""


def whole_answers(answer: Any, count: int) -> NDArray[np.int64]:
    """Return an agent's answer for some games, shape ``(count,)``.

    Raises:
        BadAnswerError: It is not an integer for each game.
    """
    try:
        return checked_integers("its answers", answer, (count,), BadAnswerError)
    except BadAnswerError as error:
        raise BadAnswerError(f"an agent answers with an integer for each game: {error}") from error


def whole_answer(answer: Any) -> int:
    """Return an agent's answer for a single game; raises `BadAnswerError` if it is no integer."""
    number = integer_of(answer)
    if number is None:
        raise BadAnswerError(f"an agent answers with an integer, not {shown(answer)}")
    return number


@dataclass(frozen=True)
class ObservationBatch:
    """What the seats that decide know, a row for each of n games.

    Attributes:
        observations: What the seat sees, in its own frame, shape
            ``(n, observation.size(players))``, uint8.
        masks: Its legal actions, in its own frame, shape ``(n, N_ACTIONS)``, int8, 1 for legal; at
            least one in each row.
        seats: Which seat it is, shape ``(n,)``, int8.
        views: Records (dtype `STATE`, absolute frame) in which everything hidden from that seat is
            blank, shape ``(n,)``; for agents that ask for them by `Agent.needs_views`, else None.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.int8]
    seats: NDArray[np.int8]
    views: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.masks)

    @classmethod
    def from_batch(
        cls, batch: GameBatch, games: NDArray[np.intp] | None = None, with_views: bool = False
    ) -> Self:
        """Return what is known to whoever decides in the games of a batch.

        Args:
            batch: Running games.
            games: Which of them; all if not given.
            with_views: Whether records of the views are wanted too.
        """
        if games is None:
            games = np.arange(len(batch.seats))
        views = None
        if with_views:
            views = take_games(batch.states, games)
            redact_all(views, batch.seats[games].astype(np.int64))
        return cls(batch.observations[games], batch.masks[games], batch.seats[games], views)

    @classmethod
    def from_game(cls, game: Game) -> Self:
        """Return what is known to whoever decides in a running game, as the only row."""
        seat = game.seat
        if seat is None:
            raise AgentError("the game is over: there is nothing to choose")
        mask = np.zeros((1, N_ACTIONS), np.int8)
        mask[0, own_frame(game.players)[seat]] = game.legal_mask()
        views = np.zeros(1, STATE)
        views[0] = view_of(game.state, seat)
        return cls(observe(game, seat)[None], mask, np.array([seat], np.int8), views)

    def take(self, rows: NDArray[np.intp]) -> Self:
        """Return some of the rows."""
        views = None if self.views is None else take_games(self.views, rows)
        return type(self)(self.observations[rows], self.masks[rows], self.seats[rows], views)

    def view(self, row: int) -> Game:
        """Return the view of a row as a game: to be looked at, or to be determinized."""
        return Game.from_state(self._view_record(row))

    def action_name(self, row: int, action: OwnAction) -> str:
        """Return the absolute name of an action in the own frame of a row's seat; needs views."""
        players = int(self._view_record(row)["players"])
        return name_of(to_absolute(int(action), players, int(self.seats[row])))

    def _view_record(self, row: int) -> State:
        if self.views is None:
            raise AgentError("the views were not asked for; set `needs_views` in the agent's class")
        return self.views[row]


class Agent(ABC):
    """A strategy for any number of games at once.

    An agent gets what the seat that decides may know, and nothing else. All chance comes from the
    generators that it is given, one for each game: an action depends on its own row and generator
    alone, not on the games beside it. What it found out at one decision it may use at the next of
    that game and seat, if the generator still stands where it left it.

    Attributes:
        name: The name that makes this agent, see `impulse_agents.make`.
        needs_views: Whether it wants `ObservationBatch.views`; making them costs a copy of each
            game.
        is_batched: Whether it decides in many games in much less time than in one after
            another, however long it takes.
        rows_per_thread: Games that are worth a thread of their own, where several threads may let
            it `act` at once; None if only one may.
        is_stochastic: Whether it draws its actions by their `action_probabilities`, where others
            take the one with the largest share.
        gives_probabilities: Whether its advice says how probable it finds each action, as quickly
            as it acts: the records of its games then hold that, too.
        version: Of an agent of another author: a text that changes when it plays another way. It
            counts beside its sources where results are kept, as the digest of weights that it
            reads.
        identity: Not empty, it stands for the sources, which then do not count at all; see
            `impulse_agents.identity`.
    """

    name: str
    needs_views: ClassVar[bool] = False
    is_batched: bool = False
    rows_per_thread: ClassVar[int | None] = None
    is_stochastic: bool = False
    gives_probabilities: ClassVar[bool] = False
    version: str = ""
    identity: str = ""

    @abstractmethod
    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Choose an action in every game.

        Args:
            seen: What is known, a row for each of n games; not to be changed.
            streams: Where chance comes from, a generator for each game.

        Returns:
            A legal action for each game, in the seat's own frame, shape ``(n,)``.
        """

    def action_probabilities(
        self, seen: ObservationBatch, streams: RngStreams
    ) -> NDArray[np.float32]:
        """Return how much speaks for each action: in every game a share of 1, 0 if illegal.

        An agent that has nothing but its choice to tell gives that the whole share.

        Returns:
            Shape ``(n, N_ACTIONS)``, in the seat's own frame. The largest share is that of the
            action that `act` would choose with the same generators, unless `is_stochastic`: then
            `act` draws, and the shares say how probable each action is.
        """
        shares = np.zeros(seen.masks.shape, np.float32)
        chosen = whole_answers(self.act(seen, streams), len(seen))
        shares[np.arange(len(seen)), chosen] = 1
        return shares

    def advise(self, seen: ObservationBatch, streams: RngStreams, count: int = 3) -> Advice:
        """Say what speaks for which action, in a single game.

        An agent that has nothing but its choice to tell suggests that.

        Args:
            seen: What is known, one row, with its view; not to be changed.
            streams: Where chance comes from, one generator.
            count: How many suggestions at most.

        Raises:
            AgentError: It does not play such games.
        """
        chosen = int(whole_answers(self.act(seen, streams), 1)[0])
        return Advice(self.name, (Suggestion(seen.action_name(0, chosen)),))

    def variations(
        self, seen: ObservationBatch, streams: RngStreams, count: int = 3, depth: int = 6
    ) -> list[Variation]:
        """Search in a single game, and return the lines tried most.

        Args:
            seen: What is known, one row, with its view; not to be changed.
            streams: Where chance comes from, one generator.
            count: How many lines at most.
            depth: How many actions of each at most.

        Raises:
            AgentError: It does not search, or does not play such games.
        """
        raise AgentError(
            f"{self.name} does not search; use ismcts:BUDGET or policy+search:PATH:BUDGET"
        )

    def check_players(self, players: int) -> None:  # noqa: B027 - most agents play any table
        """Raise `AgentError` unless it plays games of so many players."""

    def act_in_batch(
        self, batch: GameBatch, games: NDArray[np.intp], streams: RngStreams, rows: NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """Choose in some running games of a batch, as `act` does.

        Args:
            batch: The games.
            games: Which of them, shape ``(k,)``.
            streams: Any number of generators; those that are used move on.
            rows: The generator of each of the games, all different, shape ``(k,)``.
        """
        own = streams.take(rows)
        actions = self.act(ObservationBatch.from_batch(batch, games, self.needs_views), own)
        streams.put(rows, own)
        return actions

    def act_in_games(
        self,
        batch: GameBatch,
        games: NDArray[np.intp],
        rngs: Sequence[np.random.Generator],
    ) -> NDArray[np.int64]:
        """Choose in some running games of a batch, in each as `act_in_game` does in it alone.

        Args:
            batch: The games.
            games: Which of them, shape ``(k,)``.
            rngs: The generator of each of them, k of them; each moves on by one draw.
        """
        drawn = [RngStreams.from_generator(rng, 1).states for rng in rngs]
        seen = ObservationBatch.from_batch(batch, games, self.needs_views)
        return whole_answers(self.act(seen, RngStreams(np.concatenate(drawn))), len(games))

    def act_on_observation(
        self, observation: NDArray[np.uint8], mask: NDArray[np.int8], rng: np.random.Generator
    ) -> OwnAction:
        """Choose from what an environment hands out; the action is in the seat's own frame.

        Agents that search need more than that: use `act_in_game` for them.
        """
        if self.needs_views:
            raise AgentError(
                f"{self.name} looks ahead in the seat's view: use act_in_game(game, rng)"
            )
        seen = ObservationBatch(observation[None], mask[None], np.zeros(1, np.int8))
        return int(whole_answers(self.act(seen, RngStreams.from_generator(rng, 1)), 1)[0])

    def act_in_game(self, game: Game, rng: np.random.Generator) -> AbsoluteAction:
        """Choose for the seat that decides in a running game; the action is absolute, as there.

        The agent is shown what that seat may know, however much the game knows.
        """
        seen = ObservationBatch.from_game(game)
        action = int(whole_answers(self.act(seen, RngStreams.from_generator(rng, 1)), 1)[0])
        if not 0 <= action < N_ACTIONS:
            raise IllegalAnswerError(f"action {action} is not in 0 to {N_ACTIONS - 1}")
        return to_absolute(action, game.players, int(seen.seats[0]))
