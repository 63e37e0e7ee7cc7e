"""The environment for one seat, many games at once: what `gymnasium.make_vec` makes."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from impulse_env.arguments import checked_integer, checked_integers
from impulse_env.batch import NOBODY, GameBatch, put_games, random_actions, step_some
from impulse_env.compiled.compilation import call
from impulse_env.engine.constants import NO_SEAT
from impulse_env.environments.aec import ILLEGAL, ILLEGAL_REWARD
from impulse_env.environments.batched_opponents import (
    BatchOpponent,
    are_legal,
    choose_by_agent,
    choose_in_games,
    is_waiting,
    play_others,
    refusal,
)
from impulse_env.environments.checks import (
    checked_choice,
    checked_limit,
    checked_mode,
    checked_seeds,
    warn_of_illegal,
)
from impulse_env.environments.opponents import (
    GameOpponent,
    Opponent,
    checked_opponents,
    random_opponent,
    randomness_of,
)
from impulse_env.environments.outcome_arrays import end_games, no_outcomes
from impulse_env.environments.rewards import REWARDS, outcome_rewards, score_margins
from impulse_env.environments.spaces import ActionSpace, vector_space
from impulse_env.errors import IllegalActionError
from impulse_env.options import OPTION_NAMES, OptionError, Options, check_keywords

_KEYWORDS: Final = (
    *("opponents", "seat", "reward", "illegal", "autoreset_mode", "max_episode_steps", "copy"),
    *("render_mode", *OPTION_NAMES),
)


class ImpulseVectorEnv(VectorEnv[NDArray[np.uint8], NDArray[np.int64], NDArray[Any]]):
    """`ImpulseEnv`, many games at once: all are stepped in one compiled call.

    Every game has the episodes that an `ImpulseEnv` of the same seed and opponents has, one after
    another. Opponents decide in all games that wait for them at a time.

    Attributes:
        options: The options of the games.
        batch: The games themselves, with all that is hidden: for people, not for agents.
        seats: The own seat in every game, shape ``(num_envs,)``, int64.
        autoreset_mode: What follows the end of an episode, as Gymnasium's own have it.
        copy: Whether `reset` and `step` return copies.
    """

    def __init__(
        self,
        num_envs: int = 1,
        players: int = 2,
        *,
        opponents: str
        | Opponent
        | GameOpponent
        | BatchOpponent
        | Sequence[str | Opponent | GameOpponent | BatchOpponent] = "random",
        seat: int | None = None,
        reward: str = "win",
        illegal: str = "terminate",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        copy: bool = True,
        render_mode: None = None,
        **options: Any,
    ) -> None:
        """Check the options; `reset` deals.

        Args:
            num_envs: Games side by side.
            players: 2 to 6.
            opponents: Who plays the other seats, as of `ImpulseEnv`, or a `BatchOpponent`. Agents
                and "random" decide in many games in one call, functions in one after another.
            seat: The own seat, None: drawn for every episode.
            reward: As of `RawEnv`.
            illegal: "terminate": an illegal action ends its episode with reward -1. "raise":
                `IllegalActionError`, and nothing changes in any game.
            autoreset_mode: What follows an episode's end: an `AutoresetMode` or its value.
                NEXT_STEP: the next step only deals a new game, whatever the action. SAME_STEP: the
                step that ends it deals the new one, and ``final_obs`` and ``final_info`` tell of
                the old. DISABLED: nothing, see `reset`.
            max_episode_steps: Steps after which an episode is truncated, as Gymnasium's `TimeLimit`
                does it: the game is not over, and its mask says what would be legal. None or -1:
                no limit.
            copy: False: observations, and the masks in the info, are the arrays that the next step
                fills again, not copies of them.
            render_mode: None; `gymnasium.make_vec` draws with ``vectorization_mode="sync"``.
            **options: As of `Options`.

        Raises:
            OptionError: An option has a value that the environment does not know.
            ImpulseError: There is no agent of that name, or it cannot be made.
        """
        check_keywords(options, _KEYWORDS)
        self.options = Options(players=players, **options)
        players = self.options.players
        num_envs = checked_integer("num_envs", num_envs, 1, error=OptionError)
        self.num_envs = num_envs
        self.copy = bool(copy)
        self._reward = checked_choice("reward", reward, REWARDS)
        self._illegal = checked_choice("illegal", illegal, ILLEGAL)
        self._fixed_seat = checked_choice("seat", seat, (None, *range(players)))
        self.render_mode = checked_choice("render_mode", render_mode, (None,))
        self.autoreset_mode = checked_mode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self._most_steps = checked_limit(max_episode_steps)
        self._set_opponents(checked_opponents(opponents, players - 1, BatchOpponent))
        self.single_observation_space = vector_space(players)
        self.single_action_space = ActionSpace()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seats = np.full(num_envs, self._fixed_seat or 0, np.int64)
        self._rngs: list[np.random.Generator] = []
        self._rng_seeds: tuple[int, ...] = ()
        self._randomness = np.zeros(num_envs, np.uint64)  # the random opponents'
        self._margins = np.zeros(num_envs, np.float32)
        # Over, and not begun anew: all of them before the first `reset`.
        self._is_over = np.ones(num_envs, np.bool_)
        self._steps = np.zeros(num_envs, np.int64)  # of the episode so far
        self._outcome = no_outcomes(num_envs, players)
        self._payments = _payments(self.options)

    # --- Gymnasium -------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Deal new games and play them to the own seats' first decisions.

        Args:
            seed: Of the first game, the others have the numbers that follow; or one for each,
                where None goes on from the last one.
            options: None, or ``{"reset_mask": mask}``, a bool for each game: the others go on, as
                Gymnasium's own vector environments do it.

        Raises:
            OptionError: There are too many seeds or too few, or the mask is none.
            ArgumentError: A seed is no integer of 0 or more.
        """
        chosen = self._reset_mask(options)
        if not self._rngs and not chosen.all():
            raise gymnasium.error.ResetNeeded("the first reset() begins all games, without a mask")
        self._seed(seed, chosen)
        if not hasattr(self, "batch"):
            self.batch = GameBatch(self.options, np.zeros(self.num_envs, np.int64))
        self._begin(np.flatnonzero(chosen))
        return self._seen(), self._info()

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[
        NDArray[np.uint8],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Take the decisions, and let the others play until the own seats decide again.

        Args:
            actions: Shape ``(num_envs,)``, integers; not looked at where a game is only dealt.

        Returns:
            Observations, rewards, terminations, truncations and the info, see the environment's
            page.

        With ``illegal="terminate"`` an integer that is no legal action ends its episode, and
        `gymnasium.logger` warns of the first one.

        Raises:
            IllegalActionError: The actions are no integers, or one is not legal with
                ``illegal="raise"``; nothing was changed. Or an opponent's is not legal; after that
                only `reset` goes on.
            gymnasium.error.ResetNeeded: An episode is over or not begun, and nothing begins it.
        """
        numbers = checked_integers("actions", actions, (self.num_envs,), IllegalActionError)
        ended = self._is_over  # by the step before
        if not self._rngs or (self.autoreset_mode is AutoresetMode.DISABLED and ended.any()):
            raise gymnasium.error.ResetNeeded("an episode is over or not begun: call reset()")
        refused = ~ended & ~are_legal(self.batch.masks, numbers)
        if refused.any():
            self._refuse(numbers, refused)
        if ended.any():
            self._deal(np.flatnonzero(ended))
        self._play(numbers, ~refused)
        is_over, truncations, rewards = self._ends(refused)
        terminations = is_over & ~truncations
        if self._reward == "score":
            rewards += self._gains(ended, refused)
        if self._most_steps is not None:
            self._steps += 1
            self._steps[ended] = 0
            truncations |= self._steps >= self._most_steps
            is_over |= truncations
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            self._is_over = is_over
            return self._seen(), rewards, terminations, truncations, self._info()
        final = self._final(is_over)
        if is_over.any():
            self._begin(np.flatnonzero(is_over))
        info = {**self._info(), **final}
        return self._seen(), rewards, terminations, truncations, info

    def action_masks(self) -> NDArray[np.int8]:
        """Return 1 for every legal action, shape ``(num_envs, N_ACTIONS)``; all 0 if over.

        Raises:
            gymnasium.error.ResetNeeded: No game has begun.
        """
        if not self._rngs:
            raise gymnasium.error.ResetNeeded("no game has begun: call reset()")
        return self.batch.masks.copy()

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seed of each game's generator."""
        return self._rng_seeds

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The generator of each game: its deals, own seats and opponents draw from it."""
        return tuple(self._rngs)

    # --- Inside ----------------------------------------------------------------------------

    def _set_opponents(self, opponents: Sequence[Any]) -> None:
        """Number the opponents: one that has several seats decides for all of them in one call."""
        self._opponents: list[Any] = []
        self._number_by_place = np.zeros(len(opponents) + 1, np.int64)
        for place, opponent in enumerate(opponents, 1):
            known = [number for number, one in enumerate(self._opponents) if one is opponent]
            if not known:
                self._opponents.append(opponent)
            self._number_by_place[place] = known[0] if known else len(self._opponents) - 1
        self._are_random = self._opponents == [random_opponent]

    def _reset_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_))
        is_mask = isinstance(mask, np.ndarray) and mask.dtype == np.bool_
        if not is_mask or mask.shape != (self.num_envs,) or not mask.any():
            raise OptionError(
                f"options['reset_mask'] must be a numpy array of {self.num_envs} bools with a True "
                f"among them, not {mask!r}"
            )
        return np.array(mask)

    def _seed(self, seed: int | Sequence[int | None] | None, chosen: NDArray[np.bool_]) -> None:
        """Give games new generators, where there is a seed or none before."""
        count = self.num_envs
        seeds = checked_seeds(seed, count)
        first = not self._rngs
        rngs = list(self._rngs) if self._rngs else [self.action_space.np_random] * count
        numbers = list(self._rng_seeds) or [0] * count
        for game in np.flatnonzero(chosen).tolist():
            if first or seeds[game] is not None:
                rngs[game], numbers[game] = seeding.np_random(seeds[game])
        self._rngs, self._rng_seeds = rngs, tuple(numbers)

    def _refuse(self, actions: NDArray[np.int64], refused: NDArray[np.bool_]) -> None:
        """Raise the error of the first illegal action, or warn of it."""
        if self._illegal == "raise":
            game = int(refused.argmax())
            raise IllegalActionError(refusal(self.batch, game, actions[game], game))
        warn_of_illegal()

    def _play(self, actions: NDArray[np.int64], is_playing: NDArray[np.bool_]) -> None:
        """Take one's own decisions in those games, and then the others'."""
        games = np.flatnonzero(is_playing)
        self._step(games, actions[games])
        self._play_others(games)

    def _step(self, games: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Take a decision in some games, and those of the others if all of these are random."""
        if not self._are_random:
            step_some(self.batch, games, actions)
            return
        randomness = self._randomness[games]
        step_some(self.batch, games, actions, randomness, self.seats[games].astype(np.int8))
        self._randomness[games] = randomness

    def _play_others(self, games: NDArray[np.intp]) -> None:
        if self._are_random:
            return  # they have decided in the step
        waiting = games[is_waiting(self.batch.seats[games], self.seats[games])]
        try:
            play_others(self.batch, waiting, self.seats, self._choose)
        except Exception:
            self._rngs = []  # some games stand where others decide: nobody may go on with them
            raise

    def _choose(self, batch: GameBatch, games: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return the opponents' actions in a batch of some games."""
        rows = np.arange(len(games))
        if len(self._opponents) == 1:
            return self._ask(batch, games, 0, rows)
        places = (batch.seats - self.seats[games]) % self.options.players
        return choose_by_agent(
            rows, self._number_by_place[places], partial(self._ask, batch, games)
        )

    def _ask(
        self, batch: GameBatch, games: NDArray[np.intp], number: int, rows: NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """Return what one opponent chooses in some rows of a batch of these games."""
        opponent, asked = self._opponents[number], games[rows]
        if opponent is random_opponent:
            return self._random_actions(batch.masks[rows], asked)
        return choose_in_games(opponent, batch, rows, [self._rngs[game] for game in asked.tolist()])

    def _random_actions(
        self, masks: NDArray[np.int8], games: NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """Return what the random opponent chooses in games with these masks."""
        randomness = self._randomness[games]
        actions = random_actions(masks, randomness)
        self._randomness[games] = randomness
        return actions

    def _begin(self, games: NDArray[np.intp]) -> None:
        """Replace these games by new ones, at their own seats' first decisions."""
        self._deal(games)
        self._step(games, np.zeros(len(games), np.int64))
        self._play_others(games)
        self._is_over[games] = False
        self._steps[games] = 0
        if self._reward == "score":
            self._margins[games] = score_margins(self.batch.states, self.seats)[games]

    def _deal(self, games: NDArray[np.intp]) -> None:
        """Replace these games by new ones, which the next step deals.

        No game ends before its own seat's first decision: the setup asks every seat.
        """
        rngs = [self._rngs[game] for game in games.tolist()]
        deals = [int(rng.integers(1 << 63)) for rng in rngs]
        drawn = [int(rng.integers(self.options.players)) for rng in rngs]
        self.seats[games] = drawn if self._fixed_seat is None else self._fixed_seat
        self._randomness[games] = randomness_of(rngs)
        put_games(self.batch.states, games, self.options.new_states(deals))
        self.batch.seats[games] = NOBODY
        for values in self._outcome.values():
            values[games] = 0

    def _gains(self, ended: NDArray[np.bool_], refused: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return what the points since each own seat's last decision pay."""
        margins = score_margins(self.batch.states, self.seats)
        gains = np.where(ended | refused, 0.0, margins - self._margins)
        self._margins = margins
        return gains

    def _ends(
        self, refused: NDArray[np.bool_]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.float64]]:
        """Return whose episodes end with this step, which are truncated, and what the ends pay.

        Outcome and what the own seat sees last are written where they belong.
        """
        batch, count = self.batch, self.num_envs
        ends = np.empty(count, np.bool_), np.empty(count, np.bool_), np.empty(count)
        rows = batch.states, self.seats, refused, batch.seats, batch.masks, batch.observations
        call(end_games, *rows, *self._outcome.values(), self._payments, *ends)
        return ends

    def _seen(self) -> NDArray[np.uint8]:
        return self.batch.observations.copy() if self.copy else self.batch.observations

    def _info(self) -> dict[str, Any]:
        masks = self.batch.masks
        return {**self._told(), "action_mask": masks.copy() if self.copy else masks}

    def _told(self) -> dict[str, Any]:
        outcome = {name: values.copy() for name, values in self._outcome.items()}
        return {**outcome, "seat": self.seats.astype(np.int8)}

    def _final(self, is_over: NDArray[np.bool_]) -> dict[str, Any]:
        """Return what is told of episodes that ended, whose games are about to be replaced."""
        if not is_over.any():
            return {}
        seen = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(is_over):
            seen[game] = self.batch.observations[game].copy()
        info = {**self._told(), "action_mask": self.batch.masks.copy()}
        return {
            "final_obs": seen,
            "_final_obs": is_over.copy(),
            "final_info": info,
            "_final_info": is_over.copy(),
        }


def _payments(options: Options) -> NDArray[np.float64]:
    """Return what ends pay, as `end_games` takes it."""
    winners = (*range(options.team_count), NO_SEAT)
    ends = options.new_states([0] * len(winners))
    ends["winner"] = winners
    by_seat = outcome_rewards(ends[:, None], np.arange(options.players))
    return np.pad(by_seat, ((0, 0), (0, 1)), constant_values=ILLEGAL_REWARD)
