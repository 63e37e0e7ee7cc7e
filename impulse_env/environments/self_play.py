"""Self-play: many games for one learner that plays every seat, with rewards, ends and new games.

Whoever is to act in each game is a row of the batch. A seat acts again many rows later, so what its
decision led to is not in the next row: `seat_advantages` puts together what belongs together.
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
"""What a seat's latest decision led to is not known yet."""
KNOWN: Final = 1
CUT_OFF: Final = 2
"""Its game was cut off: it will never be known."""


class Step(NamedTuple):
    """What a decision in every game led to.

    Attributes:
        rewards: What it paid to every seat, whoever acted, shape ``(num_games, players)``,
            float32; each row adds up to 0.
        terminations: Where the game was won, shape ``(num_games,)``, bool.
        truncations: Where it was cut off, shape ``(num_games,)``, bool.
        ended: The games where it was either, shape ``(k,)``; new ones are dealt there already.
        final_states: Records of the games that ended, shape ``(k,)``: ``winner``, ``score`` and
            what `observation.observe_all` shows of them.
    """

    rewards: NDArray[np.float32]
    terminations: NDArray[np.bool_]
    truncations: NDArray[np.bool_]
    ended: NDArray[np.intp]
    final_states: np.ndarray


class SelfPlayBatch:
    """Many games side by side, in each of which the learner plays every seat.

    Game ``i`` is that of the AEC environment after ``reset(seed=seed + i)``; when it ends, it goes
    on with those that ``reset()`` deals there next. So a game's course depends on its own actions
    alone, whatever is played beside it.

    `seats`, `masks` and `observations` stay the same arrays and are filled anew by every step;
    nothing is copied.

    Attributes:
        options: The options that all games share.
        batch: The games themselves, with all that is hidden: for people, not for agents.
        seats: Who acts, shape ``(num_games,)``, int8.
        masks: Its legal actions, in its own frame, shape ``(num_games, N_ACTIONS)``, int8.
        observations: What it sees, shape ``(num_games, observation.size(players))``, uint8.
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
        """Deal the games and go to their first decisions.

        Args:
            num_games: How many.
            players: 2 to 6.
            seed: Of the first game, 0 or more; the others have the numbers that follow.
            reward: "win" or "score", as of `RawEnv`.
            **options: As of `Options`.

        Raises:
            OptionError: An option has a value that the game does not know.
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
        # Copied by itself, each array would no longer be that of the batch.
        self.__dict__.update(state)
        self.seats, self.masks = self.batch.seats, self.batch.masks
        self.observations = self.batch.observations

    def step(self, actions: NDArray[np.integer[Any]]) -> Step:
        """Take one decision in every game, and deal new games where one ended.

        Args:
            actions: Legal actions in the own frame of `seats`, shape ``(num_games,)``.

        Raises:
            IllegalActionError: One of them is not legal, or they are no integers, or not one for
                each game; nothing was changed.
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
        """Deal new games in place of these."""
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

    A decision's reward is all that its seat is paid until it acts again or the game ends, and
    `gamma` counts a seat's own decisions. With `values` of 0 and `gae_lambda` of 1 the result is
    the return; else the return is the result plus `values`.

    Args:
        seats: Who acted in each of t steps of n games, shape ``(t, n)``.
        rewards: What each step paid to every seat, shape ``(t, n, players)``.
        terminations: Where the step ended a game, shape ``(t, n)``.
        truncations: Where it cut one off, shape ``(t, n)``.
        values: What the acting seat's observation was worth to it, shape ``(t, n)``.
        gamma: Discount, in [0, 1].
        gae_lambda: Bias against variance, in [0, 1].

    Returns:
        The advantages, shape ``(t, n)``, and where they are known. They are not where the seat's
        next decision lies behind the last step, or behind the end of a game that was cut off:
        such a decision is not to be learned from, and those before it take its value for the rest.
    """
    games, players = seats.shape[1], rewards.shape[2]
    numbers = np.arange(games * players).reshape(games, players)
    advantages = np.zeros(seats.shape, np.float32)
    is_known = np.zeros(seats.shape, np.bool_)
    paid = np.zeros(games * players)  # to each seat since its decision, going backwards
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
    """What followed the decisions of seats, known from the last one backwards.

    Attributes:
        fates: Of each seat's next decision: `OPEN`, `KNOWN` or `CUT_OFF`, shape ``(seats,)``, int8.
        values: What that was worth to the seat, 0 where its game ended, shape ``(seats,)``.
    """

    def __init__(
        self,
        seats: int,
        gamma: float,
        gae_lambda: float,
        dtype: type[Any] = np.float64,
    ) -> None:
        """Begin behind the last decision of so many seats; see `seat_advantages`."""
        self._gamma, self._gae_lambda = gamma, gae_lambda
        self.fates = np.full(seats, OPEN, np.int8)
        self.values, self._advantages = np.zeros((2, seats), dtype)

    def end(self, seats: NDArray[np.intp], is_truncated: NDArray[np.bool_]) -> None:
        """Let the games of seats end, whether they were cut off or not."""
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
            seats: Who took them, each seat once, shape ``(k,)``.
            paid: What it was paid until its next decision, or the end, shape ``(k,)``.
            values: What the decisions were worth, shape ``(k,)``.
        """
        fates = self.fates[seats]
        ahead = self.values[seats] + self._gae_lambda * self._advantages[seats]
        judged = paid + self._gamma * ahead - values
        found = np.where(fates == KNOWN, judged, 0).astype(np.float32)
        self.fates[seats], self.values[seats], self._advantages[seats] = KNOWN, values, found
        return found, fates
