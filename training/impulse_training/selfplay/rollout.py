"""Rollouts of `SeatGames`, with the decisions of each seat joined.

The outcome of a decision is known when its seat decides again or its game ends. Decisions with an
unknown outcome at the end of a rollout move to the next rollout. So the policy never learns from a
guess, and no decision is lost.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from impulse_env.actions import N_ACTIONS
from impulse_env.environments.self_play import KNOWN, OPEN, Sequel
from impulse_training.selfplay.environment.seat_games import Decisions, Step
from impulse_training.selfplay.learner import Choices
from impulse_training.selfplay.train_options import Args

_LEAST: Final = 2
"""Minimum number of decisions for an update, which normalizes advantages."""
_LEAST_LOG: Final = -60_000.0
"""Half precision cannot hold a smaller log-probability."""
_COLUMNS: Final = (
    *("obs", "masks", "actions", "values_then", "log_probs_then", "policies", "paid", "seats"),
)
"""Names of the arrays with a row for each decision."""


class Minibatch(NamedTuple):
    """Decisions to learn from, tensors on the learner's device.

    Attributes:
        observations: Shape ``(n, observation.size(players))``, uint8.
        masks: Legal actions, shape ``(n, N_ACTIONS)``, bool.
        actions: Actions taken, shape ``(n,)``, int64.
        values: Values at that time, shape ``(n,)``, float32.
        log_probs: Log-probabilities of the actions at that time, shape ``(n,)``, float32.
        policies: Log-probabilities of all actions at that time, shape ``(n, N_ACTIONS)``, float16.
        advantages: Shape ``(n,)``, float32.
        returns: The values plus the advantages, shape ``(n,)``, float32.
    """

    observations: Tensor
    masks: Tensor
    actions: Tensor
    values: Tensor
    log_probs: Tensor
    policies: Tensor
    advantages: Tensor
    returns: Tensor


class Rollout:
    """The decisions of a rollout, with separate advantages for every seat.

    GAE runs along the decisions of one seat in one game. If a game is truncated, the last decision
    of a seat is not learned from, because its outcome is unknown; earlier decisions bootstrap from
    the value there.

    Attributes:
        learned_values: Values of the decisions to learn from, shape ``(k,)``, float32.
        learned_returns: Their returns, shape ``(k,)``, float32.
    """

    def __init__(
        self, steps: int, width: int, features: int, args: Args, device: torch.device
    ) -> None:
        """Make room for a rollout.

        Args:
            steps: Steps per rollout.
            width: Decisions per step.
            features: Length of an observation.
            args: The options: gamma, from one decision of a seat to its next, GAE's lambda, the
                share of decisions to learn from.
            device: The learner's device, where the large arrays stay.
        """
        self._steps, self._width, self._features = steps, width, features
        self._gamma, self._gae_lambda = args.gamma, args.gae_lambda
        self._share = args.learn_share
        self._place = device
        self._pending = np.zeros(0, np.intp)  # decisions for the next rollout
        self._carried = 0  # decisions from the previous rollout, which come first
        self._learned = np.zeros(0, np.intp)
        self._allocate(0)

    def _allocate(self, carried: int) -> None:
        """Allocate arrays for `carried` decisions and those of a rollout."""
        rows = carried + self._steps * self._width
        self._obs = torch.zeros((rows, self._features), dtype=torch.uint8, device=self._place)
        self._masks = torch.zeros((rows, N_ACTIONS), dtype=torch.bool, device=self._place)
        self._policies = torch.zeros((rows, N_ACTIONS), dtype=torch.float16, device=self._place)
        self._actions = np.zeros(rows, np.int64)
        self._values_then = np.zeros(rows, np.float32)
        self._log_probs_then = np.zeros(rows, np.float32)
        self._paid = np.zeros(rows, np.float32)
        self._seats = np.zeros(rows, np.int64)
        self._room = carried

    def begin(self) -> None:
        """Begin a rollout with the pending decisions of the previous one."""
        self._keep(self._rows(self._pending))
        self._count = self._carried

    def _keep(self, carried: dict[str, NDArray[Any]]) -> None:
        """Put pending decisions at the start of a rollout."""
        self._carried = len(carried["seats"])
        if self._carried > self._room:
            self._allocate(2 * self._carried)
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

    def add(
        self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], choices: Choices
    ) -> None:
        """Add the decisions of a step.

        Args:
            observations: Shape ``(width, features)``.
            masks: Legal actions, shape ``(width, N_ACTIONS)``.
            choices: What the network chose.
        """
        rows = slice(self._count, self._count + self._width)
        self._obs[rows], self._masks[rows] = map(torch.from_numpy, (observations, masks))
        self._actions[rows] = choices.actions
        self._values_then[rows] = choices.values
        self._log_probs_then[rows] = choices.log_probs
        self._policies[rows] = choices.policies.clamp(min=_LEAST_LOG)
        self._count += self._width

    def finish(
        self, steps: list[Step], coming: Decisions, coming_values: NDArray[np.float32]
    ) -> None:
        """Compute the advantages, and select the decisions to learn from.

        Args:
            steps: The steps of the rollout, with seats, rewards and ends.
            coming: The decisions after the last step.
            coming_values: Their values, shape ``(width,)``.
        """
        for number, step in enumerate(steps):
            start = self._carried + number * self._width
            self._seats[start : start + self._width] = step.decisions.seats
            self._paid[start : start + self._width] = step.decisions.paid
        count = self._carried + len(steps) * self._width
        seats = self._seats[:count]
        chains = 1 + max(int(seats.max(initial=0)), int(coming.seats.max(initial=0)))
        paid = np.zeros(
            chains, np.float32
        )  # return of each seat in its game until its next decision
        sequel = Sequel(chains, self._gamma, self._gae_lambda, np.float32)
        sequel.fates[coming.seats], paid[coming.seats] = KNOWN, coming.paid
        sequel.values[coming.seats] = coming_values
        advantages = np.zeros(count, np.float32)
        fate = np.zeros(count, np.int8)

        def take(rows: slice) -> None:
            who, paid_then = seats[rows], self._paid[rows]
            worth = self._values_then[rows]
            advantages[rows], fate[rows] = sequel.take(who, paid[who] - paid_then, worth)
            paid[who] = paid_then

        for number in reversed(range(len(steps))):
            for ends in reversed(steps[number].ends):  # the latest game first
                sequel.end(ends.seats, ends.is_truncated)
                paid[ends.seats] = ends.paid
            start = self._carried + number * self._width
            take(slice(start, start + self._width))
        take(slice(0, self._carried))
        self._learned = np.flatnonzero(fate == KNOWN)
        if self._share < 1 and len(self._learned):
            sizes = np.abs(advantages[self._learned])
            self._learned = self._learned[sizes >= np.quantile(sizes, 1 - self._share)]
        if len(self._learned) < _LEAST:
            self._learned = np.arange(count)  # with advantage 0 where the outcome is unknown
        self._pending = np.flatnonzero(fate == OPEN)
        self._advantages = advantages
        self.learned_values = self._values_then[self._learned]
        self.learned_returns = self.learned_values + advantages[self._learned]

    def minibatches(self, size: int) -> Iterator[Minibatch]:
        """Yield all decisions to learn from, shuffled, in minibatches of nearly equal size.

        Args:
            size: The target size; actual sizes differ from each other by at most one.
        """
        shuffled = self._learned[np.random.permutation(len(self._learned))]  # noqa: NPY002
        for rows in np.array_split(shuffled, max(1, round(len(shuffled) / size))):
            chosen = self._moved(rows)
            values, advantages = self._values_then[rows], self._advantages[rows]
            yield Minibatch(
                observations=self._obs[chosen],
                masks=self._masks[chosen],
                actions=self._moved(self._actions[rows]),
                values=self._moved(values),
                log_probs=self._moved(self._log_probs_then[rows]),
                policies=self._policies[chosen],
                advantages=self._moved(advantages),
                returns=self._moved(values + advantages),
            )

    def _moved(self, column: NDArray[Any]) -> Tensor:
        return torch.from_numpy(column).to(self._place)
