"""The games of `impulse train`: decisions of every seat of the policy, in large batches.

An environment with one learner per game must wait until every game reaches a decision of the
learner. It then asks the last opponents in small batches, where a network takes forty times as long
per game. This environment has more games than rows. In each step, the policy decides in as many
games as there are rows. Opponents decide in all others, each in one call. The policy learns from
all seats that the pool gives to the current policy.

So the same row of two steps belongs to different games, and a reward is known only when the same
seat decides again. `rollout` joins the decisions of a seat, from `SeatGames.steps`.
"""

from time import perf_counter
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from impulse_env.arguments import checked_integers
from impulse_env.batch import NOBODY, take_games
from impulse_env.engine.constants import TRUNCATED
from impulse_env.environments.rewards import score_margins, win_rewards
from impulse_env.errors import IllegalActionError
from impulse_env.options import Options
from impulse_training.selfplay.environment.games import CURRENT, SelfPlayGames
from impulse_training.selfplay.environment.opponent_pool import OpponentPool

GAMES_PER_ROW: Final = 2
"""Games per decision of a step: about half of the games wait for opponents."""


class Decisions(NamedTuple):
    """The seats that decide in the rows of a step: arrays, or tensors of `DeviceGames`.

    Attributes:
        seats: Global seat numbers ``game * players + seat``, all different, shape ``(width,)``,
            int64.
        paid: Return of each seat in its game so far, shape ``(width,)``, float32.
    """

    seats: Any
    paid: Any


class Ends(NamedTuple):
    """The policy's seats in games that ended: arrays, or tensors of `DeviceGames`.

    Attributes:
        seats: Global seat numbers, as in `Decisions`, shape ``(k,)``, int64.
        paid: Return of each seat in its game, shape ``(k,)``, float32.
        is_truncated: Whether the game was truncated, shape ``(k,)``, bool.
    """

    seats: Any
    paid: Any
    is_truncated: Any


class Step(NamedTuple):
    """The decisions of a step, and the games that ended before the next decisions."""

    decisions: Decisions
    ends: list[Ends]


class SeatGames(SelfPlayGames):
    """The policy's decisions in a larger number of games.

    Attributes:
        batch: The games.
        opponent_pool: The opponents; the first agent represents the policy and is never asked.
        learner_seats: The seat in each game whose results go to the opponent pool, shape
            ``(games,)``.
        seconds: Time in `step` so far: in total, and for the opponents' choices, shape ``(2,)``.
        steps: The steps since the user of this list last cleared it.
        decisions: The seats that decide next.
    """

    saved_arrays: ClassVar[tuple[str, ...]] = (*SelfPlayGames.saved_arrays, "_asked_at")

    def __init__(
        self,
        options: Options,
        num_envs: int,
        opponent_pool: OpponentPool,
        reward: str = "win",
        seed: int = 0,
        threads: int = 1,
        alike_fraction: float = 0.0,
        played_starts: float = 0.0,
    ) -> None:
        """Deal the games and play them until there are enough decisions."""
        self.steps: list[Step] = []
        games = GAMES_PER_ROW * num_envs
        shares = (alike_fraction, played_starts)
        super().__init__(options, games, num_envs, opponent_pool, reward, seed, threads, *shares)

    # --- Playing ---------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin a rollout: clear `steps`."""
        self.steps.clear()

    def end(self) -> list[dict[str, Any]]:
        """End a rollout; `step` has described all games that ended."""
        return []

    def step(self, actions: NDArray[np.integer[Any]]) -> list[dict[str, Any]]:
        """Play the policy's actions, then the opponents' until there are enough decisions.

        Args:
            actions: Legal actions of the decisions, shape ``(width,)``.

        Returns:
            A description of every game that ended: ``is_truncated``, ``has_won``, ``seat``,
            ``opponents``, their names in turn order after the seat; ``return``; ``length``,
            decisions of the seat; ``rounds``, including the last one; ``points`` by source.

        Raises:
            IllegalActionError: An action is illegal, or `actions` does not hold one integer per
                decision.
        """
        numbers = checked_integers("actions", actions, (self.width,), IllegalActionError)
        began = perf_counter()
        decided, rows = self.decisions, self._rows
        self._lengths[rows[self.batch.seats[rows] == self.learner_seats[rows]]] += 1
        self._note_positions(rows)
        self._step(rows, numbers)
        self._asked_at[rows] = self._now
        self._now += 1
        ends, episodes = self._go_on()
        self.steps.append(Step(decided, ends))
        self.seconds[0] += perf_counter() - began
        return episodes

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of the decisions, shape ``(width, N_ACTIONS)``, bool."""
        return self.batch.masks[self._rows].astype(bool)

    def observations(self) -> NDArray[np.uint8]:
        """Return the observations of the decisions, shape ``(width, size(players))``, uint8."""
        return self.batch.observations[self._rows]

    def hands(self) -> NDArray[np.int8]:
        """Return the hands of all seats in the decisions' games, for a critic alone.

        Shape ``(width, MAX_PLAYERS, HAND_SLOTS)``, int8.
        """
        hands: NDArray[np.int8] = self.batch.states["hand"][self._rows]
        return hands

    # --- Decisions -------------------------------------------------------------------------------

    def _paid(self, games: NDArray[np.intp], seats: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the return of a seat of each game since its start, with 0 points."""
        states = take_games(self.batch.states, games)
        paid = win_rewards(states, seats)
        if self.reward == "score":
            paid += score_margins(states, seats)
        return paid

    def _is_policys(self) -> NDArray[np.bool_]:
        """Return whether the policy plays each seat, shape ``(games, players)``."""
        is_learners = np.arange(self.options.players) == self.learner_seats[:, None]
        return is_learners | (self._opponents == CURRENT)

    # --- Games -----------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return the complete state of the games, see `SelfPlayGames`."""
        return {**super().state_dict(), "now": self._now}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from a `state_dict`, see `SelfPlayGames`."""
        super().load_state_dict(state)
        self._now = state["now"]
        self._choose_rows(self._ready())
        self.steps.clear()

    def _deal(self, seed: int) -> None:
        super()._deal(seed)
        self._asked_at = np.zeros(self._games, np.int64)
        self._now = 1
        self.steps.clear()
        self._draw_seats(np.arange(self._games))
        self._go_on()

    def _go_on(self) -> tuple[list[Ends], list[dict[str, Any]]]:
        """Let the opponents decide once, and again while the policy has too few decisions.

        Returns:
            The policy's seats in games that ended, and a description of each game.
        """
        ends: list[Ends] = []
        episodes: list[dict[str, Any]] = []
        has_asked = False
        while True:
            over = np.flatnonzero(self.batch.seats == NOBODY)
            if len(over):
                ends.append(self._ends(over))
                won = self._paid(over, self.learner_seats[over])
                episodes += self._episodes(over, won)
                self._restart(over)
                self._asked_at[over] = self._now
                continue
            is_ready = self._ready()
            if has_asked and np.count_nonzero(is_ready) >= self.width:
                break
            has_asked = True
            waiting = np.flatnonzero(~is_ready)
            if len(waiting):
                self._ask_opponents(waiting)
        self._choose_rows(is_ready)
        return ends, episodes

    def _ready(self) -> NDArray[np.bool_]:
        """Return whether the policy decides in each running game, shape ``(games,)``."""
        games = np.arange(self._games)
        return self._is_policys()[games, self.batch.seats]

    def _choose_rows(self, is_ready: NDArray[np.bool_]) -> None:
        """Choose the games that have waited longest, in ascending order, for the next decisions."""
        ready = np.flatnonzero(is_ready)
        first = np.argsort(self._asked_at[ready], kind="stable")[: self.width]
        self._rows = rows = np.sort(ready[first])
        seats = self.batch.seats[rows].astype(np.int64)
        self.decisions = Decisions(rows * self.options.players + seats, self._paid(rows, seats))

    def _ends(self, over: NDArray[np.intp]) -> Ends:
        """Return the ends of finished games for the policy's seats."""
        rows, seats = np.nonzero(self._is_policys()[over])
        games = over[rows]
        return Ends(
            games * self.options.players + seats,
            self._paid(games, seats),
            self.batch.states["status"][games] == TRUNCATED,
        )
