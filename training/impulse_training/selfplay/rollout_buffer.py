"""Rollouts of `SeatVecEnv`, with the decisions of each seat joined.

The outcome of a decision is known when its seat decides again or its game ends. Decisions with an
unknown outcome at the end of a rollout move to the next rollout. So the policy never learns from a
guess, and no decision is lost.
"""

from collections.abc import Generator
from typing import Any, Final, Protocol

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import (
    MaskableRolloutBuffer,
    MaskableRolloutBufferSamples,
)
from stable_baselines3.common.utils import get_device
from torch import Tensor

from impulse_env.environments.self_play import KNOWN, OPEN, Sequel
from impulse_training.selfplay.environment.seat_vec_env import Decisions, Step

_LEAST: Final = 2
"""Minimum number of decisions for an update, which normalizes advantages."""
_COLUMNS: Final = ("obs", "masks", "actions", "values_then", "log_probs_then", "paid", "seats")
"""Names of the arrays with a row for each decision."""


class Source(Protocol):
    """The source of rollouts."""

    steps: list[Step]

    @property
    def decisions(self) -> Decisions:
        """The seats that decide next."""


class SeatRolloutBuffer(MaskableRolloutBuffer):
    """A rollout buffer with separate advantages for every seat.

    GAE runs along the decisions of one seat in one game. If a game is truncated, the last decision
    of a seat is not learned from, because its outcome is unknown; earlier decisions bootstrap from
    the value there.

    Args:
        buffer_size: Steps per rollout.
        observation_space: The observation space.
        action_space: The action space.
        device: Device of the samples.
        gae_lambda: GAE's lambda, from 0 to 1.
        gamma: Discount factor from one decision of a seat to its next.
        n_envs: Decisions per step.
        source: The source of rollouts; each rollout clears its steps.
    """

    def __init__(
        self,
        buffer_size: int,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        device: torch.device | str = "auto",
        gae_lambda: float = 1,
        gamma: float = 0.99,
        n_envs: int = 1,
        *,
        source: Source,
    ) -> None:
        self.source = source
        self._place = get_device(device)  # of the large arrays, which stay on the learner's device
        self._pending = np.zeros(0, np.intp)  # decisions for the next rollout
        self._carried = 0  # decisions from the previous rollout, which come first
        self._learned = np.zeros(0, np.intp)
        self._allocate(0, buffer_size * n_envs, observation_space, action_space)
        super().__init__(
            buffer_size, observation_space, action_space, device, gae_lambda, gamma, n_envs
        )

    def _allocate(
        self, carried: int, new: int, seen: spaces.Space[Any], actions: spaces.Space[Any]
    ) -> None:
        """Allocate arrays for `carried` + `new` decisions."""
        assert isinstance(seen, spaces.Box)
        assert isinstance(actions, spaces.Discrete)
        rows = carried + new
        self._obs = torch.zeros((rows, *seen.shape), dtype=torch.uint8, device=self._place)
        self._masks = torch.zeros((rows, int(actions.n)), dtype=torch.bool, device=self._place)
        self._actions = np.zeros(rows, np.int64)
        self._values_then = np.zeros(rows, np.float32)
        self._log_probs_then = np.zeros(rows, np.float32)
        self._paid = np.zeros(rows, np.float32)
        self._seats = np.zeros(rows, np.int64)
        self._room = carried

    def reset(self) -> None:
        """Begin a rollout with the pending decisions of the previous one."""
        self._keep(self._rows(self._pending))
        self.source.steps.clear()
        self.pos = 0
        self.full = False
        self.generator_ready = False

    def _keep(self, carried: dict[str, NDArray[Any]]) -> None:
        """Put pending decisions at the start of a rollout."""
        self._carried = len(carried["seats"])
        if self._carried > self._room:
            new = self.buffer_size * self.n_envs
            self._allocate(2 * self._carried, new, self.observation_space, self.action_space)
        for name in _COLUMNS:
            column = getattr(self, f"_{name}")
            is_tensor = isinstance(column, Tensor)
            column[: self._carried] = (
                torch.from_numpy(carried[name]) if is_tensor else carried[name]
            )
        self._pending = np.arange(self._carried)

    def state_dict(self) -> dict[str, Any]:
        """Return the pending decisions, which begin the next rollout."""
        return {name: rows.copy() for name, rows in self._rows(self._pending).items()}

    def _rows(self, rows: NDArray[np.intp]) -> dict[str, NDArray[Any]]:
        columns = {name: getattr(self, f"_{name}")[rows] for name in _COLUMNS}
        return {
            name: column.cpu().numpy() if isinstance(column, Tensor) else column
            for name, column in columns.items()
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from a `state_dict`."""
        self._keep(state)

    def add(  # type: ignore[override]  # the same arguments, named
        self,
        obs: NDArray[np.uint8],
        action: NDArray[np.int64],
        reward: NDArray[np.float32],
        episode_start: NDArray[np.bool_],
        value: Tensor,
        log_prob: Tensor,
        action_masks: NDArray[np.bool_] | None = None,
    ) -> None:
        """Add the decisions of a step; the source provides their seats and rewards later."""
        assert action_masks is not None
        start = self._carried + self.pos * self.n_envs
        rows = slice(start, start + self.n_envs)
        self._obs[rows], self._masks[rows] = map(torch.from_numpy, (obs, action_masks))
        self._actions[rows] = action[:, 0]
        self._values_then[rows] = value.detach().cpu().numpy().ravel()
        self._log_probs_then[rows] = log_prob.detach().cpu().numpy().ravel()
        self.pos += 1
        self.full = self.pos == self.buffer_size

    def compute_returns_and_advantage(self, last_values: Tensor, dones: NDArray[np.bool_]) -> None:
        """Compute advantages and returns, and select the decisions to learn from.

        Args:
            last_values: Values of the next decisions, shape ``(n_envs,)`` or ``(n_envs, 1)``.
            dones: Ignored: the source reports the ends of games.
        """
        steps, coming = self.source.steps, self.source.decisions
        for number, step in enumerate(steps):
            start = self._carried + number * self.n_envs
            self._seats[start : start + self.n_envs] = step.decisions.seats
            self._paid[start : start + self.n_envs] = step.decisions.paid
        count = self._carried + len(steps) * self.n_envs
        seats = self._seats[:count]
        chains = 1 + max(int(seats.max(initial=0)), int(coming.seats.max(initial=0)))
        paid = np.zeros(
            chains, np.float32
        )  # return of each seat in its game until its next decision
        sequel = Sequel(chains, self.gamma, self.gae_lambda, np.float32)
        sequel.fates[coming.seats], paid[coming.seats] = KNOWN, coming.paid
        sequel.values[coming.seats] = last_values.detach().cpu().numpy().ravel()
        found = np.zeros(count, np.float32)
        fate = np.zeros(count, np.int8)

        def take(rows: slice) -> None:
            who, paid_then = seats[rows], self._paid[rows]
            worth = self._values_then[rows]
            found[rows], fate[rows] = sequel.take(who, paid[who] - paid_then, worth)
            paid[who] = paid_then

        for number in reversed(range(len(steps))):
            for ends in reversed(steps[number].ends):  # the latest game first
                sequel.end(ends.seats, ends.is_truncated)
                paid[ends.seats] = ends.paid
            start = self._carried + number * self.n_envs
            take(slice(start, start + self.n_envs))
        take(slice(0, self._carried))
        self._learned = np.flatnonzero(fate == KNOWN)
        if len(self._learned) < _LEAST:
            self._learned = np.arange(count)  # with advantage 0 where the outcome is unknown
        self._pending = np.flatnonzero(fate == OPEN)
        self._advantages = found
        # Stable-Baselines3 reads these two for the explained variance.
        self.values = self._values_then[self._learned]
        self.returns = self.values + found[self._learned]

    def get(  # type: ignore[override]  # as the class above has it
        self, batch_size: int | None = None
    ) -> Generator[MaskableRolloutBufferSamples, None, None]:
        """Yield all decisions to learn from, shuffled, in minibatches of nearly equal size.

        Args:
            batch_size: The target size; actual sizes differ from each other by at most one.
        """
        shuffled = self._learned[np.random.permutation(len(self._learned))]  # noqa: NPY002 - as SB3
        parts = max(1, round(len(shuffled) / (batch_size or len(shuffled))))
        for rows in np.array_split(shuffled, parts):
            chosen = self._moved(rows)
            values, advantages = self._values_then[rows], self._advantages[rows]
            yield MaskableRolloutBufferSamples(
                self._obs[chosen],
                self._moved(self._actions[rows]),
                self._moved(values),
                self._moved(self._log_probs_then[rows]),
                self._moved(advantages),
                self._moved(values + advantages),
                self._masks[chosen],
            )

    def _moved(self, column: NDArray[Any]) -> Tensor:
        return torch.from_numpy(column).to(self._place)
