"""Self-play: many games for one learner that plays every seat, with rewards, ends and new games.

A row of the batch belongs to the seat that acts in that game. A seat acts again many rows later, so
the consequences of its decision are not in the next row: `seat_advantages` joins them by seat.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from impulse_env.arguments import checked_integer
from impulse_env.batch import NOBODY, GameBatch, take_games
from impulse_env.engine.constants import TRUNCATED
from impulse_env.environments.checks import checked_choice
from impulse_env.environments.rewards import REWARDS, outcome_rewards, score_rewards
from impulse_env.options import OPTION_NAMES, OptionError, Options, check_keywords

OPEN: Final = 0
"""The consequences of a seat's latest decision are not known yet."""
KNOWN: Final = 1
CUT_OFF: Final = 2
"""The game was truncated: the consequences will never be known."""


class Step(NamedTuple):
    """The result of one decision in every game.

    Attributes:
        rewards: The reward of every seat, shape ``(num_games, players)``, float32; each row adds
            up to 0.
        terminations: Whether the game was won, shape ``(num_games,)``, bool.
        truncations: Whether the game was truncated, shape ``(num_games,)``, bool.
        ended: Indices of the games that ended, shape ``(k,)``; new games are already dealt there.
        final_states: Records of the games that ended, shape ``(k,)``. Valid are ``winner``,
            ``score`` and the fields that `observation.observe_all` reads.
    """

    rewards: NDArray[np.float32]
    terminations: NDArray[np.bool_]
    truncations: NDArray[np.bool_]
    ended: NDArray[np.intp]
    final_states: np.ndarray


class SelfPlayBatch:
    """A batch of games in which the learner plays every seat.

    Game ``i`` is that of the AEC environment after ``reset(seed=seed + i)``. When it ends, the next
    game is the one that ``reset()`` would deal. So a game depends only on its own actions, not on
    the other games of the batch.

    `seats`, `masks` and `observations` stay the same arrays; every step overwrites their contents
    without a copy.

    Attributes:
        options: The options that all games share.
        batch: The games with all hidden information: for people, not for agents.
        seats: The seats that act, shape ``(num_games,)``, int8.
        masks: Their legal actions, in their own frames, shape ``(num_games, N_ACTIONS)``, int8.
        observations: Their observations, shape ``(num_games, observation.size(players))``, uint8.
    """

    def __init__(
        self,
        num_games: int,
        players: int = 2,
        *,
        seed: int = 0,
        reward: str = "win",
        **options: Any,
    ) -> None:
        """Deal the games and advance them to their first decisions.

        Args:
            num_games: Number of games.
            players: Number of players, 2 to 6.
            seed: The seed of the first game, 0 or more; game ``i`` gets ``seed + i``.
            reward: "win" or "score", as in `RawEnv`.
            **options: Options of the game, see `Options`.

        Raises:
            OptionError: An option has a value that is not allowed.
        """
        check_keywords(options, ("seed", "reward", *OPTION_NAMES))
        self.options = Options(players=players, **options)
        self._reward = checked_choice("reward", reward, REWARDS)
        count = checked_integer("num_games", num_games, 1, error=OptionError)
        first = checked_integer("seed", seed, 0, error=OptionError)
        seeds = range(first, first + count)
        self._rngs = [np.random.default_rng(one) for one in seeds]
        self.batch = GameBatch(self.options, seeds)
        self.seats = self.batch.seats
        self.masks = self.batch.masks
        self.observations = self.batch.observations
        self._scores = self._points()

    def __len__(self) -> int:
        return len(self.seats)

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Copied on its own, each array would no longer be that of the batch.
        self.__dict__.update(state)
        self.seats, self.masks = self.batch.seats, self.batch.masks
        self.observations = self.batch.observations

    def step(self, actions: NDArray[np.integer[Any]]) -> Step:
        """Take one decision in every game, and deal new games where one ended.

        Args:
            actions: Legal actions in the own frame of `seats`, shape ``(num_games,)``.

        Raises:
            IllegalActionError: An action is illegal, or `actions` does not hold one integer per
                game; nothing was changed.
        """
        self.batch.step(actions)
        count, players = len(self.seats), self.options.players
        rewards = np.zeros((count, players), np.float32)
        if self._reward == "score":
            scores = self._points()
            gains = scores - self._scores
            scored = np.flatnonzero(gains.any(1))  # few decisions score
            targets = np.full(len(scored), self.options.target_score)
            rewards[scored] = score_rewards(gains[scored], self.options.team_count, targets)
            self._scores = scores
        ended = np.flatnonzero(self.seats == NOBODY)
        final = take_games(self.batch.states, ended)
        truncations = np.zeros(count, np.bool_)
        is_over = truncations.copy()
        if len(ended):
            rewards[ended] += outcome_rewards(final[:, None], np.arange(players))
            truncations[ended] = final["status"] == TRUNCATED
            is_over[ended] = True
            self._deal(ended)
        return Step(rewards, is_over & ~truncations, truncations, ended, final)

    def _deal(self, games: NDArray[np.intp]) -> None:
        """Replace these games by new ones."""
        deals = [int(self._rngs[game].integers(1 << 63)) for game in games.tolist()]
        self.batch.restart(games, deals)
        self._scores[games] = 0

    def _points(self) -> NDArray[np.int64]:
        return self.batch.states["score"][:, : self.options.players].astype(np.int64)


def seat_advantages(
    seats: NDArray[np.integer[Any]],
    rewards: NDArray[np.floating[Any]],
    terminations: NDArray[np.bool_],
    truncations: NDArray[np.bool_],
    values: NDArray[np.floating[Any]],
    gamma: float = 1.0,
    gae_lambda: float = 1.0,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return generalised advantage estimates of decisions, each for the seat that took it.

    A decision's reward is the sum of its seat's rewards until that seat acts again or the game
    ends. `gamma` discounts per decision of the same seat. With `values` of 0 and `gae_lambda` of 1
    the result is the return; otherwise the return is the result plus `values`.

    Args:
        seats: The seat that acted in each of t steps of n games, shape ``(t, n)``.
        rewards: The reward of every seat in each step, shape ``(t, n, players)``.
        terminations: Whether the step ended the game, shape ``(t, n)``.
        truncations: Whether the step truncated the game, shape ``(t, n)``.
        values: The value of the acting seat's observation, shape ``(t, n)``.
        gamma: Discount, in [0, 1].
        gae_lambda: Trade-off between bias (0) and variance (1), in [0, 1].

    Returns:
        The advantages, shape ``(t, n)``, float32, and whether each is known, shape ``(t, n)``,
        bool. An advantage is unknown if the seat's next decision comes after the last step or
        after a truncation. Do not learn from such a decision; earlier decisions bootstrap from its
        value.
    """
    games, players = seats.shape[1], rewards.shape[2]
    numbers = np.arange(games * players).reshape(games, players)
    advantages = np.zeros(seats.shape, np.float32)
    is_known = np.zeros(seats.shape, np.bool_)
    paid = np.zeros(games * players)  # each seat's reward since its decision, backwards in time
    sequel = Sequel(games * players, gamma, gae_lambda)
    for t in reversed(range(len(seats))):
        over = terminations[t] | truncations[t]
        paid[numbers[over]] = 0
        sequel.end(numbers[over], truncations[t][over, None])
        paid += rewards[t].ravel()
        acting = numbers[numbers[:, 0] // players, seats[t]]
        advantages[t], fates = sequel.take(acting, paid[acting], values[t])
        is_known[t] = fates == KNOWN
        paid[acting] = 0
    return advantages, is_known


class Sequel:
    """The consequences of the decisions of seats, collected from the last decision backwards.

    Attributes:
        fates: The status of each seat's next decision: `OPEN`, `KNOWN` or `CUT_OFF`, shape
            ``(seats,)``, int8.
        values: The value of that decision, 0 where the seat's game ended, shape ``(seats,)``.
    """

    def __init__(self, seats: int, gamma: float, gae_lambda: float) -> None:
        """Start after the last decision of `seats` seats; see `seat_advantages`."""
        self._gamma, self._gae_lambda = gamma, gae_lambda
        self.fates = np.full(seats, OPEN, np.int8)
        self.values, self._advantages = np.zeros((2, seats))

    def end(self, seats: NDArray[np.intp], is_truncated: NDArray[np.bool_]) -> None:
        """Mark the ends of the games of some seats, given whether each was truncated."""
        self.fates[seats] = np.where(is_truncated, CUT_OFF, KNOWN)
        self.values[seats] = self._advantages[seats] = 0

    def take(
        self,
        seats: NDArray[np.intp],
        paid: NDArray[np.floating[Any]],
        values: NDArray[np.floating[Any]],
    ) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Return the advantages of decisions, 0 where they are not known, and their fates.

        Args:
            seats: The seats that took them, each once, shape ``(k,)``.
            paid: The reward of each until its next decision, or the end, shape ``(k,)``.
            values: The values of the decisions, shape ``(k,)``.
        """
        fates = self.fates[seats]
        ahead = self.values[seats] + self._gae_lambda * self._advantages[seats]
        judged = paid + self._gamma * ahead - values
        advantages = np.where(fates == KNOWN, judged, 0).astype(np.float32)
        self.fates[seats], self.values[seats], self._advantages[seats] = KNOWN, values, advantages
        return advantages, fates
