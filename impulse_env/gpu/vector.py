"""The environment for one seat of many games on a GPU, which ``make_vec`` with a device returns.

A loop in PufferLib's manner uses it with ``autoreset_mode="SameStep"``: each step then returns a
decision of every game, in tensors of constant shapes. There is no `PufferEnv` for a GPU, because
PufferLib's buffers are arrays of NumPy.
"""

from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import Any, Final, Protocol, runtime_checkable

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from impulse_env.arguments import checked_integer, shown
from impulse_env.batch import NOBODY
from impulse_env.engine.constants import RUNNING, TRUNCATED
from impulse_env.engine.rng import state_of_seed
from impulse_env.environments.aec import ILLEGAL_REWARD
from impulse_env.environments.checks import (
    checked_choice,
    checked_limit,
    checked_mode,
    checked_seeds,
)
from impulse_env.environments.opponents import made_by_package, one_for_each
from impulse_env.environments.outcome_arrays import ENDS, ILLEGAL_END, NUMBER_BY_STATUS
from impulse_env.environments.rewards import REWARDS
from impulse_env.environments.spaces import ActionSpace, vector_space
from impulse_env.errors import IllegalActionError
from impulse_env.gpu.batch import GpuBatch, OwnSeats, check_tensor
from impulse_env.gpu.kernels import HOLD
from impulse_env.gpu.programs import checked_device
from impulse_env.options import OPTION_NAMES, OptionError, Options, check_keywords

GROUP: Final = "impulse.gpu_opponents"
"""The group of entry points under which packages offer opponents: functions of name and device."""
_ILLEGAL: Final = ("terminate", "ignore")
_KEYWORDS: Final = (
    *("device", "opponents", "seat", "reward", "illegal", "autoreset_mode", "max_episode_steps"),
    *("rounds", "render_mode", *OPTION_NAMES),
)


@runtime_checkable
class GpuOpponent(Protocol):
    """An opponent that decides in many games on a GPU, without waiting for it."""

    def act(self, batch: GpuBatch, waits: torch.Tensor, randomness: torch.Tensor) -> torch.Tensor:
        """Return a legal action for each game that waits, in the own frame of its deciding seat.

        The rows of `batch.observations`, `batch.masks` and `batch.seats` hold what that seat may
        know. The records also contain hidden information; see `GpuBatch.views`.

        Args:
            batch: The games; must not be changed.
            waits: Whether a game waits for this opponent, shape ``(n,)``, bool.
            randomness: A generator's state for each game, never 0, shape ``(n,)``, int64; may be
                changed in place.

        Returns:
            Shape ``(n,)``, int64; `HOLD` or anything else where `waits` is False.
        """


class _Random:
    """The random opponent, beside others; alone it decides in the step's kernel."""

    def act(self, batch: GpuBatch, waits: torch.Tensor, randomness: torch.Tensor) -> torch.Tensor:
        return batch.random_actions(randomness)


class GpuVectorEnv(VectorEnv[torch.Tensor, torch.Tensor, torch.Tensor]):
    """`ImpulseVectorEnv` with games, observations, rewards and info as tensors on a GPU.

    A step does not wait for the GPU, except with opponents other than "random" and without
    `rounds`. A CUDA graph can record every step that does not wait, after a first one without it;
    each replay overwrites the tensors that the recorded step returned.

    An error that depends on the contents of a tensor would have to wait. So two things differ: an
    illegal action is never refused, and with DISABLED an episode that is over stays as it is, where
    `ImpulseVectorEnv` raises `ResetNeeded`.

    `reset` and `step` return new tensors. The info has the keys of `ImpulseVectorEnv` and
    ``illegal``: whether the last action was illegal, shape ``(n,)``, bool. With `rounds` it also
    has ``decides``: whether the own seat decides, shape ``(n,)``, bool.

    The episodes with a seed are not those of `ImpulseVectorEnv`, which draws deals with NumPy.

    Attributes:
        options: The options that all games share.
        device: The device of all tensors.
        batch: The games with all hidden information: for people and opponents, not for agents.
        seats: The own seat in every game, shape ``(n,)``, int8; overwritten by later steps.
        autoreset_mode: The handling of the end of an episode.
    """

    def __init__(
        self,
        num_envs: int = 1,
        players: int = 2,
        *,
        device: Any = "cuda",
        opponents: str | GpuOpponent | Sequence[str | GpuOpponent] = "random",
        seat: int | None = None,
        reward: str = "win",
        illegal: str = "terminate",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        rounds: int | None = None,
        render_mode: None = None,
        **options: Any,
    ) -> None:
        """Check the options; `reset` deals.

        Args:
            num_envs: Number of games, called n.
            players: Number of players, 2 to 6.
            device: "cuda", "cuda:N" or "cpu", see `GpuBatch`.
            opponents: A name or a `GpuOpponent` for all other seats, or a sequence with one for
                each, from the seat after the own one on. "random" alone decides within the kernel.
            seat: The own seat; None: drawn for every episode.
            reward: "win" or "score", as in `RawEnv`.
            illegal: "terminate": an illegal action ends its episode with reward -1. "ignore": its
                game stays as it is. The info has ``illegal`` in both cases.
            autoreset_mode: As in `ImpulseVectorEnv`. With SAME_STEP every step has ``final_obs``
                and ``final_info``, tensors with a row for every game; rows count where
                ``_final_obs`` is True. With DISABLED an episode that is over stays as it is, with
                reward 0 and the same end, until `reset` with a mask.
            max_episode_steps: Steps after which an episode is truncated, as in `ImpulseVectorEnv`.
            rounds: Only for opponents other than "random". None: they decide until every own seat
                decides, which waits for the GPU once for each of their decisions. A number of 1 or
                more: they take that many decisions in each step, without waiting. An own seat may
                then not decide yet: its mask is all 0, and the next step ignores its action.
            render_mode: None.
            **options: Options of the game, see `Options`.

        Raises:
            OptionError: An option has a value that is not allowed.
            ArgumentError: There is no such device.
            ImpulseError: A name is unknown, or its agent cannot be made.
            MemoryError: The games do not fit the device's free memory.
        """
        check_keywords(options, _KEYWORDS)
        self.options = Options(players=players, **options)
        players = self.options.players
        self.num_envs = checked_integer("num_envs", num_envs, 1, error=OptionError)
        self.device = checked_device(device)
        self._illegal = checked_choice("illegal", illegal, _ILLEGAL)
        checked_choice("reward", reward, REWARDS)
        fixed = checked_choice("seat", seat, (None, *range(players)))
        self.render_mode = checked_choice("render_mode", render_mode, (None,))
        self.autoreset_mode = checked_mode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self._most_steps = checked_limit(max_episode_steps)
        self._rounds = (
            None if rounds is None else checked_integer("rounds", rounds, 1, error=OptionError)
        )
        self._set_opponents(_checked_opponents(opponents, players - 1, self.device))
        self.single_observation_space = vector_space(players)
        self.single_action_space = ActionSpace()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._has_begun = False
        self._rng_seeds: tuple[int, ...] = ()
        self.seats = self._full(fixed or 0, torch.int8)
        self._randomness = self._full(1, torch.int64)  # generator states, see `OwnSeats`
        # A step changes the contents of these tensors only: a CUDA graph knows their addresses.
        self._is_over = self._full(False, torch.bool)  # not yet replaced
        self._refused = self._full(False, torch.bool)  # over because of an illegal action
        self._steps = self._full(0, torch.int64)  # in the current episode
        self.batch = GpuBatch(
            self.num_envs,
            reward=reward,
            device=self.device,
            auto_reset=False,
            observe=not self._are_random,
            own=OwnSeats(self.seats, self._randomness, fixed is None, self._are_random),
            players=players,
            **options,
        )
        self._end_by_status = torch.tensor(NUMBER_BY_STATUS, device=self.device)
        self._teams = torch.arange(players, device=self.device) % self.options.team_count

    # --- Gymnasium -------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[torch.Tensor, dict[str, Any]]:
        """Deal new games and play them to the own seats' first decisions.

        Args:
            seed: The seed of the first game, with consecutive seeds for the others; or one seed
                for each game, where None continues with its generator. Without a seed a later
                reset does not wait for the GPU.
            options: None, or ``{"reset_mask": mask}`` with a tensor of shape ``(n,)``, bool, or
                such an array of NumPy: games with False continue.

        Returns:
            Observations, shape ``(n, observation.size(players))``, uint8, and the info.

        Raises:
            ArgumentError: The mask is not valid, a seed is not an integer of 0 or more, or the
                number of seeds is wrong.
            gymnasium.error.ResetNeeded: The first reset has a mask.
        """
        games = (options or {}).get("reset_mask")
        if games is None:
            games = self._full(True, torch.bool)
        elif not self._has_begun:
            raise gymnasium.error.ResetNeeded("the first reset() begins all games, without a mask")
        if isinstance(games, np.ndarray):
            games = torch.from_numpy(games).to(self.device)
        check_tensor("options['reset_mask']", games, self._is_over)
        self._seed(seed, games)
        self._has_begun = True
        self._deal(games)
        self._play_others()
        return self._seen(), {**self._info(), "illegal": torch.zeros_like(games)}

    def step(
        self, actions: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, dict[str, Any]]:
        """Take the decisions, and let the others play until the own seats decide again.

        Args:
            actions: Shape ``(n,)``, int64, on the environment's device; ignored where a game is
                over or the own seat does not decide.

        Returns:
            Observations, shape ``(n, observation.size(players))``, uint8; rewards, shape ``(n,)``,
            float32; terminations and truncations, shape ``(n,)``, bool; and the info.

        Raises:
            ArgumentError: `actions` has another shape, dtype or device; nothing was changed.
            gymnasium.error.ResetNeeded: No game has begun.
            IllegalActionError: An action of an opponent is not legal, without `rounds`; after that
                only `reset` can continue.
        """
        self._check_begun()
        check_tensor("actions", actions, self._steps)
        ended = self._is_over.clone()  # by the previous step
        decides = self._decides() & ~ended
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            self._deal(ended)
        self.batch.step(torch.where(decides, actions, HOLD))
        illegal = self.batch.illegal & decides
        rewards = self._own_rewards()
        if self._illegal == "terminate":
            self._refused.logical_or_(illegal)
            rewards.masked_fill_(illegal, ILLEGAL_REWARD)
        self._steps.add_(decides)
        rewards += self._play_others()
        terminations, truncations = self._ends()
        torch.logical_or(terminations, truncations, out=self._is_over)
        final = self._replace() if self.autoreset_mode is AutoresetMode.SAME_STEP else {}
        info = {**self._info(), "illegal": illegal, **final}
        return self._seen(), rewards, terminations, truncations, info

    def action_masks(self) -> torch.Tensor:
        """Return 1 for every legal action, shape ``(n, N_ACTIONS)``, int8; all 0 if over.

        Raises:
            gymnasium.error.ResetNeeded: No game has begun.
        """
        self._check_begun()
        return self.batch.masks * (self._decides() & ~self._refused)[:, None]

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seed of each game's generator."""
        return self._rng_seeds

    # --- Inside ----------------------------------------------------------------------------

    def _full(self, value: int, dtype: torch.dtype) -> torch.Tensor:
        return torch.full((self.num_envs,), value, dtype=dtype, device=self.device)

    def _set_opponents(self, opponents: list[GpuOpponent]) -> None:
        """Number the opponents; one with several seats decides for all of them in one call."""
        self._opponents = list({id(one): one for one in opponents}.values())
        numbers = [0, *(self._opponents.index(one) for one in opponents)]
        self._number_by_place = torch.tensor(numbers, device=self.device)
        self._are_random = all(isinstance(one, _Random) for one in opponents)

    def _check_begun(self) -> None:
        if not self._has_begun:
            raise gymnasium.error.ResetNeeded("no game has begun: call reset()")

    def _seed(self, seed: int | Sequence[int | None] | None, games: torch.Tensor) -> None:
        """Set the generators of games that have a seed, or that begin for the first time."""
        seeds = checked_seeds(seed, self.num_envs)
        if self._has_begun and seed is None:
            return
        fresh = np.random.default_rng().integers(1 << 63, size=self.num_envs).tolist()
        is_chosen = games.tolist()
        given = [
            chosen and (one is not None or not self._has_begun)
            for chosen, one in zip(is_chosen, seeds, strict=True)
        ]
        numbers = [new if one is None else one for one, new in zip(seeds, fresh, strict=True)]
        rows = zip(given, numbers, self._rng_seeds or numbers, strict=True)
        self._rng_seeds = tuple(new if is_given else old for is_given, new, old in rows)
        is_seeded = torch.tensor(given, device=self.device)
        # The others and the own seat draw from another generator than the deals.
        for states, values in (
            (self.batch.seeds, numbers),
            (self._randomness, [state_of_seed(state_of_seed(one)) for one in numbers]),
        ):
            words = np.array([one & ((1 << 64) - 1) for one in values], np.uint64).view(np.int64)
            states.copy_(torch.where(is_seeded, torch.from_numpy(words).to(self.device), states))

    def _deal(self, games: torch.Tensor) -> None:
        """Replace some games; where all others are random, they play to the own seat's decision."""
        self.batch.deal(games)
        for values in (self._refused, self._steps, self._is_over):
            values.masked_fill_(games, 0)

    def _decides(self) -> torch.Tensor:
        """Return whether the own seat decides, shape ``(n,)``, bool."""
        return self.batch.seats == self.seats

    def _own_rewards(self) -> torch.Tensor:
        """Return the own seats' rewards of the batch's last step, shape ``(n,)``, float32."""
        return self.batch.rewards.gather(1, self.seats.long()[:, None])[:, 0]

    def _play_others(self) -> torch.Tensor:
        """Let the opponents decide, see `rounds`; return the own seats' rewards of that."""
        batch = self.batch
        rewards = torch.zeros_like(batch.rewards[:, 0])
        if self._are_random:
            return rewards  # they have decided in the step
        stuck = torch.zeros_like(self._is_over)
        for _ in count() if self._rounds is None else range(self._rounds):
            waits = (batch.seats != NOBODY) & ~self._decides() & ~self._is_over
            if self._rounds is None:
                is_stuck, is_waiting = torch.stack((stuck.any(), waits.any())).tolist()
                if is_stuck:
                    self._refuse_opponents(stuck)
                if not is_waiting:
                    break
            actions = self._chosen(waits)
            batch.step(actions)
            stuck = waits & (batch.illegal | (actions == HOLD))
            rewards += self._own_rewards()
        return rewards

    def _chosen(self, waits: torch.Tensor) -> torch.Tensor:
        """Return the opponents' actions, `HOLD` where none is asked."""
        batch = self.batch
        places = (batch.seats.long() - self.seats) % self.options.players
        numbers = self._number_by_place[places]
        actions = self._full(HOLD, torch.int64)
        for number, opponent in enumerate(self._opponents):
            asked = waits & (numbers == number)
            states = self._randomness.clone()
            chosen = opponent.act(batch, asked, states)
            check_tensor("opponent: actions", chosen, actions)
            actions = torch.where(asked, chosen, actions)
            self._randomness.copy_(torch.where(asked, states, self._randomness))
        return actions

    def _refuse_opponents(self, stuck: torch.Tensor) -> None:
        """Raise the error of the first illegal action of an opponent."""
        self._has_begun = False  # in some games others are to decide: only `reset` can continue
        game = int(stuck.nonzero()[0])
        legal = self.batch.masks[game].nonzero()[:, 0].tolist()
        raise IllegalActionError(
            f"opponent: illegal action in game {game}, seat {int(self.batch.seats[game])}; legal "
            f"are {legal}"
        )

    def _ends(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return which episodes are terminated and which are truncated."""
        status = self.batch.field("status")
        truncations = status == TRUNCATED
        terminations = ((status != RUNNING) & ~truncations) | self._refused
        if self._most_steps is not None:
            truncations |= self._steps >= self._most_steps
        return terminations, truncations

    def _replace(self) -> dict[str, Any]:
        """Deal new games where they are over; return the final observations and info."""
        is_over = self._is_over.clone()
        observers = torch.where(is_over, self.seats, NOBODY)
        final = {
            "final_obs": self.batch.observe(observers),
            "_final_obs": is_over,
            "final_info": self._info(),
            "_final_info": is_over,
        }
        self._deal(is_over)
        if self._rounds is None:
            self._play_others()
        return final

    def _seen(self) -> torch.Tensor:
        return self.batch.observe(self.seats)

    def _info(self) -> dict[str, Any]:
        """Return the info of the games as they are, without ``illegal``."""
        batch, refused = self.batch, self._refused
        status = batch.field("status")
        is_over = ((status != RUNNING) | refused).to(torch.int8)
        ends = torch.where(refused, ENDS.index(ILLEGAL_END), self._end_by_status[status.long()])
        has_won = (batch.field("winner")[:, None] == self._teams) & ~refused[:, None]
        scores = batch.field("score")[:, : self.options.players]
        info = {
            "end": ends,
            "winners": has_won.to(torch.int8),
            "scores": scores * is_over[:, None],
            "turns": batch.field("turn") * is_over,
            "seat": self.seats.clone(),
            "action_mask": self.action_masks(),
        }
        return info if self._rounds is None else info | {"decides": self._decides() & ~refused}


def _checked_opponents(opponents: Any, count: int, device: torch.device) -> list[GpuOpponent]:
    """Return an opponent for each other seat; see `environments.opponents.checked_opponents`."""
    is_one = isinstance(opponents, (str, GpuOpponent))
    if not is_one and not isinstance(opponents, Sequence):
        raise OptionError(
            f"opponents must be a name or have act(batch, waits, randomness), not "
            f"{shown(opponents)}"
        )
    result = one_for_each(opponents, count, is_one, partial(_made, device))
    for opponent in result:
        if not isinstance(opponent, GpuOpponent):
            raise OptionError(
                "opponents must be names or have act(batch, waits, randomness), not "
                f"{shown(opponent)}"
            )
    return result


def _made(device: torch.device, name: str) -> Any:
    """Return the opponent with a name."""
    return _Random() if name == "random" else made_by_package(name, GROUP, device)
