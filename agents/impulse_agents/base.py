"""The base class of agents: strategies that see a seat's view and choose legal actions."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

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


@dataclass(frozen=True)
class Suggestion:
    """An action that an agent would take.

    Attributes:
        action: Its stable name, absolute.
        share: The policy's probability of the action, or its share of a search's simulations, 0 to
            1; None from an agent that only names one action.
        visits: Simulations that began with it; None without a search.
        wins: The search's chance to win after it, 0 to 1; None without a search. `Advice.error` is
            its accuracy.
    """

    action: str
    share: float | None = None
    visits: int | None = None
    wins: float | None = None


@dataclass(frozen=True)
class Advice:
    """An agent's advice on a decision.

    Attributes:
        by: The agent's name.
        suggestions: The suggestions, the best first.
        wins: The chance of the seat's side to win, 0 to 1, from the value of a calibrated policy;
            None from other agents.
        error: Mean distance of the agent's chances to win from the observed frequencies, 0 to 1, in
            games other than those of the calibration. None if it gives none, or is not calibrated.
    """

    by: str
    suggestions: tuple[Suggestion, ...]
    wins: float | None = None
    error: float | None = None


@dataclass(frozen=True)
class Variation:
    """A line of a search: an action, and the actions that follow it most often.

    Attributes:
        actions: Stable names in the absolute frame, in order. Later ones may belong to other seats,
            and may be illegal in the real game, depending on hidden information.
        visits: Simulations that began with the first action.
        share: Their share of all simulations.
        value: The deciding side's chance to win, 0 to 1, as the search found it; only a rule of
            thumb if the search is not calibrated.
    """

    actions: tuple[str, ...]
    visits: int
    share: float
    value: float

    def __str__(self) -> str:
        return (
            f"{self.visits:>7} {self.share:>5.0%}  wins {self.value:>4.0%}  "
            f"{' '.join(self.actions)}"
        )


class AgentError(ImpulseError, ValueError):
    """An agent cannot be created, or cannot play a game; the message says why."""


class BadAnswerError(AgentError):
    """An agent's answer is not one integer for each game; the message says what it is."""


class IllegalAnswerError(BadAnswerError):
    """An agent's answer is an illegal action; the message lists the legal ones."""


def whole_answers(answer: Any, count: int) -> NDArray[np.int64]:
    """Return an agent's answer for some games as integers, shape ``(count,)``.

    Raises:
        BadAnswerError: The answer is not one integer for each game.
    """
    try:
        return checked_integers("its answers", answer, (count,), BadAnswerError)
    except BadAnswerError as error:
        raise BadAnswerError(f"an agent must return an integer for each game: {error}") from error


def whole_answer(answer: Any) -> int:
    """Return an agent's answer for one game; raises `BadAnswerError` if it is not an integer."""
    number = integer_of(answer)
    if number is None:
        raise BadAnswerError(f"an agent must return an integer, not {shown(answer)}")
    return number


@dataclass(frozen=True)
class ObservationBatch:
    """The knowledge of the deciding seats, one row for each of n games.

    Attributes:
        observations: The seat's observation, in its own frame, shape
            ``(n, observation.size(players))``, uint8.
        masks: The seat's legal actions, in its own frame, shape ``(n, N_ACTIONS)``, int8, 1 for
            legal; at least one in each row.
        seats: The deciding seat, shape ``(n,)``, int8.
        views: States (dtype `STATE`, absolute frame) with everything blank that is hidden from the
            seat, shape ``(n,)``; None unless the agent sets `Agent.needs_views`.
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
        """Return the knowledge of the deciding seats in the games of a batch.

        Args:
            batch: Running games.
            games: Numbers of the games; all if not given.
            with_views: Whether to include `views`.
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
        """Return the knowledge of the deciding seat in a running game, as a single row."""
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
        """Return the view of a row as a game, for example to determinize it."""
        return Game.from_state(self._view_record(row))

    def action_name(self, row: int, action: OwnAction) -> str:
        """Return the absolute name of an action in the frame of a row's seat; needs views."""
        players = int(self._view_record(row)["players"])
        return name_of(to_absolute(int(action), players, int(self.seats[row])))

    def _view_record(self, row: int) -> State:
        if self.views is None:
            raise AgentError("this batch has no views; set `needs_views` in the agent's class")
        return self.views[row]


class Agent(ABC):
    """A strategy that plays any number of games at once.

    An agent gets only what the deciding seat may know. All randomness comes from the given
    generators, one for each game: an action depends only on its own row and generator, not on the
    other games. An agent may reuse results of an earlier decision of the same game and seat, if the
    generator's state is still the one that it left.

    Attributes:
        name: The name that creates this agent, see `impulse_agents.make`.
        needs_views: Whether it needs `ObservationBatch.views`, which cost a copy of each game.
        is_batched: Whether one call for many games is much faster than one call for each.
        rows_per_thread: Number of games that justify a thread of their own, if several threads may
            call `act` at once; None if only one thread may.
        is_stochastic: Whether it samples actions from its `action_probabilities`; other agents take
            the action with the largest share.
        gives_probabilities: Whether its advice has probabilities and is as fast as `act`; records
            of its games then contain them.
        version: For agents of other authors: a text that changes when the agent plays differently,
            such as the digest of weights that it reads. It is part of the agent's identity, beside
            its sources.
        identity: If not empty, it replaces the digest of the sources, see
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
            seen: The knowledge of the deciding seats, one row for each of n games; must not be
                changed.
            streams: The random generators, one for each game.

        Returns:
            A legal action for each game, in the seat's own frame, shape ``(n,)``.
        """

    def action_probabilities(
        self, seen: ObservationBatch, streams: RngStreams
    ) -> NDArray[np.float32]:
        """Return a share for each action, 1 in sum for every game, 0 for illegal actions.

        By default, the chosen action has the whole share.

        Returns:
            Shape ``(n, N_ACTIONS)``, in the seat's own frame. The action that `act` would choose
            with the same generators has the largest share. If `is_stochastic`, the shares are
            instead the probabilities with which `act` samples.
        """
        shares = np.zeros(seen.masks.shape, np.float32)
        chosen = whole_answers(self.act(seen, streams), len(seen))
        shares[np.arange(len(seen)), chosen] = 1
        return shares

    def advise(self, seen: ObservationBatch, streams: RngStreams, count: int = 3) -> Advice:
        """Return suggestions for a decision in a single game.

        By default, the only suggestion is the chosen action.

        Args:
            seen: The knowledge of the deciding seat, one row with its view; must not be changed.
            streams: One random generator.
            count: Largest number of suggestions.

        Raises:
            AgentError: The agent does not play such games.
        """
        chosen = int(whole_answers(self.act(seen, streams), 1)[0])
        return Advice(self.name, (Suggestion(seen.action_name(0, chosen)),))

    def variations(
        self, seen: ObservationBatch, streams: RngStreams, count: int = 3, depth: int = 6
    ) -> list[Variation]:
        """Search in a single game, and return the lines with the most visits.

        Args:
            seen: The knowledge of the deciding seat, one row with its view; must not be changed.
            streams: One random generator.
            count: Largest number of lines.
            depth: Largest number of actions in a line.

        Raises:
            AgentError: The agent does not search, or does not play such games.
        """
        raise AgentError(
            f"{self.name} does not search; use ismcts:BUDGET or policy+search:PATH:BUDGET"
        )

    def check_players(self, players: int) -> None:  # noqa: B027 - most agents play any table
        """Raise `AgentError` unless the agent plays games with this number of players."""

    def act_in_batch(
        self, batch: GameBatch, games: NDArray[np.intp], streams: RngStreams, rows: NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """Choose in some running games of a batch, as `act` does.

        Args:
            batch: The games.
            games: Numbers of the games, shape ``(k,)``.
            streams: Any number of generators; the used ones advance.
            rows: The row in `streams` of each game's generator, all different, shape ``(k,)``.
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
        """Choose in some running games of a batch, in each as `act_in_game` does.

        Args:
            batch: The games.
            games: Numbers of the games, shape ``(k,)``.
            rngs: A generator for each of the k games; each advances by one draw.
        """
        drawn = [RngStreams.from_generator(rng, 1).states for rng in rngs]
        seen = ObservationBatch.from_batch(batch, games, self.needs_views)
        return whole_answers(self.act(seen, RngStreams(np.concatenate(drawn))), len(games))

    def act_on_observation(
        self, observation: NDArray[np.uint8], mask: NDArray[np.int8], rng: np.random.Generator
    ) -> OwnAction:
        """Choose from an environment's observation and mask, in the seat's own frame.

        Agents that search need more: use `act_in_game` for them.
        """
        if self.needs_views:
            raise AgentError(
                f"{self.name} looks ahead in the seat's view: use act_in_game(game, rng)"
            )
        seen = ObservationBatch(observation[None], mask[None], np.zeros(1, np.int8))
        return int(whole_answers(self.act(seen, RngStreams.from_generator(rng, 1)), 1)[0])

    def act_in_game(self, game: Game, rng: np.random.Generator) -> AbsoluteAction:
        """Choose for the deciding seat of a running game; the action is absolute.

        The agent sees only what that seat may know, even if `game` contains more.
        """
        seen = ObservationBatch.from_game(game)
        action = int(whole_answers(self.act(seen, RngStreams.from_generator(rng, 1)), 1)[0])
        if not 0 <= action < N_ACTIONS:
            raise IllegalAnswerError(f"action {action} is not in 0 to {N_ACTIONS - 1}")
        return to_absolute(action, game.players, int(seen.seats[0]))
