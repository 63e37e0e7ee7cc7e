"""The single-seat environment for many games at once, which `gymnasium.make_vec` returns."""

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
from impulse_env.environments.rewards import REWARDS, payments, score_margins
from impulse_env.environments.spaces import ActionSpace, vector_space
from impulse_env.errors import IllegalActionError
from impulse_env.options import OPTION_NAMES, OptionError, Options, check_keywords

_KEYWORDS: Final = (
    *("opponents", "seat", "reward", "illegal", "autoreset_mode", "max_episode_steps", "copy"),
    *("render_mode", *OPTION_NAMES),
)


class ImpulseVectorEnv(VectorEnv[NDArray[np.uint8], NDArray[np.int64], NDArray[Any]]):
    """`ImpulseEnv` for many games at once, stepped in one compiled call.

    Every game has the same episodes as an `ImpulseEnv` with the same seed and opponents, one after
    another. An opponent decides in one call in all games that wait for it.

    Attributes:
        options: The options that all games share.
        batch: The games with all hidden information: for people, not for agents.
        seats: The own seat in every game, shape ``(num_envs,)``, int64.
        autoreset_mode: The handling of the end of an episode, as in Gymnasium's own environments.
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
            num_envs: Number of games.
            players: Number of players, 2 to 6.
            opponents: The agents on the other seats, as in `ImpulseEnv`, or a `BatchOpponent`.
                Agents and "random" decide in many games in one call, functions game by game.
            seat: The own seat; None: drawn for every episode.
            reward: "win" or "score", as in `RawEnv`.
            illegal: "terminate": an illegal action ends its episode with reward -1. "raise":
                `IllegalActionError`, and nothing changes in any game.
            autoreset_mode: The handling of an episode's end: an `AutoresetMode` or its value.
                NEXT_STEP: the next step ignores the action and only deals a new game. SAME_STEP:
                the step that ends the episode deals the new game, and ``final_obs`` and
                ``final_info`` describe the old one. DISABLED: nothing happens, see `reset`.
            max_episode_steps: Steps after which an episode is truncated, as in Gymnasium's
                `TimeLimit`: the game is not over, and its mask has legal actions. None or -1: no
                limit.
            copy: If False, observations, and the masks in the info, are arrays that the next step
                overwrites, not copies.
            render_mode: None; `gymnasium.make_vec` draws with ``vectorization_mode="sync"``.
            **options: Options of the game, see `Options`.

        Raises:
            OptionError: An option has a value that is not allowed.
            ImpulseError: A name is unknown, or its agent cannot be made.
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
        self._randomness = np.zeros(num_envs, np.uint64)  # generator states of random opponents
        self._margins = np.zeros(num_envs, np.float32)
        # Games that are over and not yet replaced; all of them before the first `reset`.
        self._is_over = np.ones(num_envs, np.bool_)
        self._steps = np.zeros(num_envs, np.int64)  # in the current episode
        self._outcome = no_outcomes(num_envs, players)
        # The last column is the reward of an illegal action, see `end_games`.
        self._payments = np.pad(
            payments(self.options), ((0, 0), (0, 1)), constant_values=ILLEGAL_REWARD
        )

    # --- Gymnasium -------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Deal new games and play them to the own seats' first decisions.

        Args:
            seed: The seed of the first game, with consecutive seeds for the others; or one seed
                for each game, where None continues with its generator.
            options: None, or ``{"reset_mask": mask}`` with a bool for each game: games with False
                continue, as in Gymnasium's own vector environments.

        Raises:
            OptionError: The mask is not valid.
            ArgumentError: A seed is not an integer of 0 or more, or the number of seeds is wrong.
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
            actions: Shape ``(num_envs,)``, integers; ignored where a game is only dealt.

        Returns:
            Observations, rewards, terminations, truncations and the info, see the environment's
            page.

        With ``illegal="terminate"`` an integer that is not a legal action ends its episode, and
        `gymnasium.logger` warns about the first one.

        Raises:
            IllegalActionError: The actions are not integers, or one is not legal with
                ``illegal="raise"``; nothing was changed. Or the action of an opponent is not
                legal; after that only `reset` can continue.
            gymnasium.error.ResetNeeded: An episode is over or has not begun, and `autoreset_mode`
                does not start it.
        """
        numbers = checked_integers("actions", actions, (self.num_envs,), IllegalActionError)
        ended = self._is_over  # by the previous step
        if not self._rngs or (self.autoreset_mode is AutoresetMode.DISABLED and ended.any()):
            raise gymnasium.error.ResetNeeded(
                "an episode is over or has not begun: call reset() first"
            )
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
        """Number the opponents; one with several seats decides for all of them in one call."""
        self._opponents: list[Any] = []
        self._number_by_place = np.zeros(len(opponents) + 1, np.int64)
        for place, opponent in enumerate(opponents, 1):
            numbers = [number for number, one in enumerate(self._opponents) if one is opponent]
            if not numbers:
                self._opponents.append(opponent)
            self._number_by_place[place] = numbers[0] if numbers else len(self._opponents) - 1
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
        """Make new generators for games that have a seed, or do not have a generator yet."""
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
        """Raise the error of the first illegal action, or warn about it."""
        if self._illegal == "raise":
            game = int(refused.argmax())
            raise IllegalActionError(refusal(self.batch, game, actions[game], game))
        warn_of_illegal()

    def _play(self, actions: NDArray[np.int64], is_playing: NDArray[np.bool_]) -> None:
        """Take the own seats' decisions in those games, and then the others'."""
        games = np.flatnonzero(is_playing)
        self._step(games, actions[games])
        self._play_others(games)

    def _step(self, games: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Take a decision in some games, and the opponents' decisions if all of them are random."""
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
            self._rngs = []  # in some games others are to decide: only `reset` can continue
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
        """Return one opponent's actions in some rows of a batch of these games."""
        opponent, its_games = self._opponents[number], games[rows]
        if opponent is random_opponent:
            return self._random_actions(batch.masks[rows], its_games)
        rngs = [self._rngs[game] for game in its_games.tolist()]
        return choose_in_games(opponent, batch, rows, rngs)

    def _random_actions(
        self, masks: NDArray[np.int8], games: NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """Return the random opponent's actions in games with these masks."""
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

        No game ends before its own seat's first decision, because every seat decides in the setup.
        """
        rngs = [self._rngs[game] for game in games.tolist()]
        deals = [int(rng.integers(1 << 63)) for rng in rngs]
        random_seats = [int(rng.integers(self.options.players)) for rng in rngs]
        self.seats[games] = random_seats if self._fixed_seat is None else self._fixed_seat
        self._randomness[games] = randomness_of(rngs)
        put_games(self.batch.states, games, self.options.new_states(deals))
        self.batch.seats[games] = NOBODY
        for values in self._outcome.values():
            values[games] = 0

    def _gains(self, ended: NDArray[np.bool_], refused: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the rewards of the points since each own seat's last decision."""
        margins = score_margins(self.batch.states, self.seats)
        gains = np.where(ended | refused, 0.0, margins - self._margins)
        self._margins = margins
        return gains

    def _ends(
        self, refused: NDArray[np.bool_]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.float64]]:
        """Return which episodes end with this step, which are truncated, and the ends' rewards.

        The outcome and the own seat's last observation are written into their arrays.
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
        return {**self._outcome_info(), "action_mask": masks.copy() if self.copy else masks}

    def _outcome_info(self) -> dict[str, Any]:
        outcome = {name: values.copy() for name, values in self._outcome.items()}
        return {**outcome, "seat": self.seats.astype(np.int8)}

    def _final(self, is_over: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the final observations and info of episodes whose games will be replaced."""
        if not is_over.any():
            return {}
        observations = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(is_over):
            observations[game] = self.batch.observations[game].copy()
        info = {**self._outcome_info(), "action_mask": self.batch.masks.copy()}
        return {
            "final_obs": observations,
            "_final_obs": is_over.copy(),
            "final_info": info,
            "_final_info": is_over.copy(),
        }
