"""The games that `impulse train` learns from: every seat that the policy plays, in large batches.

An environment that waits until each of its games is at a decision of its one learner asks the last
opponents about a few games at a time, which costs a network forty times as much a game. This one
has more games than it hands out: in a step as many of them as there are rows are at a decision of
the policy, and in all others the opponents decide, each in one call. A seat that the pool gives to
the policy as it is, is learned from like the learner's own.

So a row of one step and the same row of the next are of different games, and rewards are known
when the same seat decides again. `rollout_buffer` puts together what belongs together, from
`SeatVecEnv.steps`; the rewards and dones that `step` returns are all 0.
"""

from time import perf_counter
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from impulse_env.batch import NOBODY, take_games
from impulse_env.engine.constants import TRUNCATED
from impulse_env.environments.rewards import score_margins, win_rewards
from impulse_env.options import Options
from impulse_training.selfplay.environment.games import CURRENT, SelfPlayGames
from impulse_training.selfplay.environment.opponent_pool import OpponentPool

GAMES_PER_ROW: Final = 2
"""Games for each decision of a step: about half of them wait for opponents."""


class Decisions(NamedTuple):
    """Who decides in the rows of a step.

    Attributes:
        seats: Number of the seat among all, ``game * players + seat``, each once, shape
            ``(num_envs,)``, int64.
        paid: What that seat was paid in this game so far, shape ``(num_envs,)``, float32.
    """

    seats: NDArray[np.int64]
    paid: NDArray[np.float32]


class Ends(NamedTuple):
    """The policy's seats in games that ended.

    Attributes:
        seats: Their numbers, as of `Decisions`, shape ``(k,)``, int64.
        paid: What each was paid in its game, shape ``(k,)``, float32.
        is_truncated: Whether nobody won because the game was cut off, shape ``(k,)``.
    """

    seats: NDArray[np.int64]
    paid: NDArray[np.float32]
    is_truncated: NDArray[np.bool_]


class Step(NamedTuple):
    """A step: who decided in it, and which games ended before the next decisions."""

    decisions: Decisions
    ends: list[Ends]


class SeatVecEnv(SelfPlayGames):
    """Hands out decisions of the policy from a larger number of games, see above.

    The infos of a step are those of episodes that ended in it, in its first rows:
    ``TimeLimit.truncated``, ``episode`` (``r``, ``l``, ``t``, as from `VecMonitor`; ``rounds``, the
    last one included; ``points`` by source), ``is_success``, ``seat`` and ``opponents``, the names
    of the others in turn order after it. `MaskablePPO` of sb3-contrib learns from it with a
    `SeatRolloutBuffer`. Algorithms that know no masks cannot: an illegal action is an error.

    Attributes:
        batch: The games.
        opponent_pool: The opponents; its first agent stands for the policy and is never asked.
        learner_seats: The seat in each game whose results the opponent pool is told, shape
            ``(games,)``.
        seconds: Time spent in `step` so far: in all, and waiting for the opponents' choices.
        steps: What happened since they were last cleared, by whoever uses them.
    """

    kept: ClassVar[tuple[str, ...]] = (*SelfPlayGames.kept, "_asked_at")

    def __init__(
        self,
        options: Options,
        num_envs: int,
        opponent_pool: OpponentPool,
        reward: str = "win",
        seed: int = 0,
        threads: int = 1,
        alike_fraction: float = 0.0,
    ) -> None:
        """Deal the games and play them until there are decisions enough."""
        self.steps: list[Step] = []
        games = GAMES_PER_ROW * num_envs
        super().__init__(
            options, games, num_envs, opponent_pool, reward, seed, threads, alike_fraction
        )

    # --- What Stable-Baselines3 calls ------------------------------------------------------------

    def step_wait(self) -> VecEnvStepReturn:
        """Play the policy's actions, then the opponents' until there are decisions enough."""
        began = perf_counter()
        decided, rows = self.decisions, self._rows
        self._lengths[rows[self.batch.seats[rows] == self.learner_seats[rows]]] += 1
        self._step(rows, self._actions)
        self._asked_at[rows] = self._now
        self._now += 1
        ends, infos = self._go_on()
        self.steps.append(Step(decided, ends))
        infos = [*infos, *({} for _ in range(self.num_envs - len(infos)))][: self.num_envs]
        observations = self._observations()
        self.seconds[0] += perf_counter() - began
        nothing = np.zeros(self.num_envs, np.float32)
        return observations, nothing, nothing.astype(bool), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of the decisions, shape ``(num_envs, N_ACTIONS)``."""
        return self.batch.masks[self._rows].astype(bool)

    def _observations(self) -> NDArray[np.uint8]:
        return self.batch.observations[self._rows]

    # --- Who decides -----------------------------------------------------------------------------

    @property
    def decisions(self) -> Decisions:
        """Who is to decide next."""
        seats = self.batch.seats[self._rows].astype(np.int64)
        states = take_games(self.batch.states, self._rows)
        return Decisions(self._rows * self.options.players + seats, self._paid(states, seats))

    def _paid(self, states: np.ndarray, seats: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return what seats were paid since their games began, where everybody had 0 points."""
        paid = win_rewards(states, seats)
        if self.reward == "score":
            paid += score_margins(states, seats)
        return paid

    def _is_policys(self) -> NDArray[np.bool_]:
        """Return which seats the policy plays, shape ``(games, players)``."""
        is_learners = np.arange(self.options.players) == self.learner_seats[:, None]
        return is_learners | (self._opponents == CURRENT)

    # --- Games -----------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return everything that decides how the games go on, see `SelfPlayGames`."""
        return {**super().state_dict(), "now": self._now}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a `state_dict`, see `SelfPlayGames`."""
        super().load_state_dict(state)
        self._now = state["now"]
        self._rows = self._next_rows(self._ready())
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
            The policy's seats in games that ended, and an info of each game.
        """
        ends: list[Ends] = []
        episodes: list[dict[str, Any]] = []
        has_asked = False
        while True:
            over = np.flatnonzero(self.batch.seats == NOBODY)
            if len(over):
                ends.append(self._ends(over))
                won = self._paid(take_games(self.batch.states, over), self.learner_seats[over])
                episodes += self._episodes(over, won)
                self._restart(over)
                self._asked_at[over] = self._now
                continue
            is_ready = self._ready()
            if has_asked and np.count_nonzero(is_ready) >= self.num_envs:
                break
            has_asked = True
            waiting = np.flatnonzero(~is_ready)
            if len(waiting):
                self._ask_opponents(waiting)
        self._rows = self._next_rows(is_ready)
        return ends, episodes

    def _ready(self) -> NDArray[np.bool_]:
        """Return in which games the policy decides, shape ``(games,)``; all of them are running."""
        games = np.arange(self._games)
        return self._is_policys()[games, self.batch.seats]

    def _next_rows(self, is_ready: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return the games that have waited longest, ascending, shape ``(num_envs,)``."""
        ready = np.flatnonzero(is_ready)
        first = np.argsort(self._asked_at[ready], kind="stable")[: self.num_envs]
        return np.sort(ready[first])

    def _ends(self, over: NDArray[np.intp]) -> Ends:
        """Return what the policy's seats were paid in games that are over."""
        rows, seats = np.nonzero(self._is_policys()[over])
        states = take_games(self.batch.states, over[rows])
        return Ends(
            over[rows] * self.options.players + seats,
            self._paid(states, seats),
            states["status"] == TRUNCATED,
        )
