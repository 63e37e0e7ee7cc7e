"""Rollouts of the games, with the decisions of each seat joined.

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
from impulse_env.environments.self_play import KNOWN, OPEN
from impulse_training.selfplay.advantages import Advantages
from impulse_training.selfplay.critic import hands_length
from impulse_training.selfplay.environment.games import Decisions, Step
from impulse_training.selfplay.learner import Choices, Sight
from impulse_training.selfplay.train_options import Args

_LEAST: Final = 2
"""Minimum number of decisions for an update, which normalizes advantages."""
_LEAST_LOG: Final = -60_000.0
"""Half precision cannot hold a smaller log-probability."""


class Minibatch(NamedTuple):
    """Decisions to learn from, tensors on the learner's device.

    Attributes:
        sight: What the network and the critic see.
        actions: Actions taken, shape ``(n,)``, int64.
        log_probs: Log-probabilities of the actions at that time, shape ``(n,)``, float32.
        policies: Log-probabilities of all actions at that time, shape ``(n, N_ACTIONS)``, float16.
        advantages: Shape ``(n,)``, float32.
        returns: The values of the actions at that time plus what their results add, shape ``(n,)``,
            float32.
    """

    sight: Sight
    actions: Tensor
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
        learned: Rows of the decisions to learn from, shape ``(k,)``, int64.
        pending: Rows of the decisions that wait for their outcome, shape ``(m,)``, int64.
        columns: A row for each decision: ``observations``, ``masks``, ``hands``, ``actions``,
            ``values``, ``judged`` (see `Advantages.take`), ``log_probs``, ``policies``, ``paid``
            and ``seats``.
        advantages: Of all rows of this rollout, shape ``(rows,)``, float32.
        returns: As `Minibatch.returns`, shape ``(rows,)``, float32.
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
                share of decisions to learn from, and the critic.
            device: The learner's device.
        """
        self._steps, self._width, self._place = steps, width, device
        self._gamma, self._gae_lambda = args.gamma, args.gae_lambda
        self._share = args.learn_share
        self._kinds = {
            "observations": (torch.uint8, features),
            "masks": (torch.bool, N_ACTIONS),
            "hands": (torch.uint8, hands_length(args)),
            "policies": (torch.float16, N_ACTIONS),
            **dict.fromkeys(("values", "judged", "log_probs", "paid"), (torch.float32, None)),
            **dict.fromkeys(("actions", "seats"), (torch.int64, None)),
        }
        self._carried = 0  # decisions from the previous rollout, which come first
        self.learned = self.pending = torch.zeros(0, dtype=torch.int64, device=device)
        self._allocate(0)

    def _allocate(self, carried: int) -> None:
        """Allocate rows for `carried` decisions and those of a rollout."""
        rows = carried + self._steps * self._width
        self.columns = {
            name: torch.zeros(
                (rows,) if length is None else (rows, length), dtype=dtype, device=self._place
            )
            for name, (dtype, length) in self._kinds.items()
        }
        self._room = carried

    def begin(self) -> None:
        """Begin a rollout with the pending decisions of the previous one."""
        self._keep({name: column[self.pending] for name, column in self.columns.items()})
        self._count = self._carried

    def _keep(self, carried: dict[str, Tensor]) -> None:
        """Put pending decisions at the start of a rollout."""
        self._carried = len(carried["seats"])
        if self._carried > self._room:
            self._allocate(2 * self._carried)
        for name, rows in carried.items():
            self.columns[name][: self._carried] = rows
        self.pending = torch.arange(self._carried, device=self._place)

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Return the pending decisions, which begin the next rollout."""
        return {name: rows[self.pending].cpu().numpy() for name, rows in self.columns.items()}

    def load_state_dict(self, state: dict[str, NDArray[Any]]) -> None:
        """Continue from a `state_dict`."""
        self._keep({name: torch.from_numpy(rows) for name, rows in state.items()})

    def add(self, sight: Sight, decisions: Decisions, choices: Choices) -> None:
        """Add the decisions of a step.

        Args:
            sight: What the network and the critic saw, `width` rows.
            decisions: The seats that decide.
            choices: What the network chose.
        """
        rows = slice(self._count, self._count + self._width)
        new = {**sight._asdict(), **choices._asdict(), **decisions._asdict()}
        for name, column in self.columns.items():
            column[rows] = torch.as_tensor(new[name])
        self.columns["policies"][rows].clamp_(min=_LEAST_LOG)
        self._count += self._width

    def finish(self, steps: list[Step], coming: Decisions, coming_values: Tensor) -> None:
        """Compute the advantages, and select the decisions to learn from.

        Args:
            steps: The steps of the rollout, with their ends.
            coming: The decisions after the last step.
            coming_values: Their values, shape ``(width,)``.
        """
        count = self._count
        next_seats, next_paid = self._placed(*coming)
        highest = max(int(each.max()) for each in (self.columns["seats"][:count], next_seats))
        chains = Advantages(1 + highest, self._gamma, self._gae_lambda, self._place)
        chains.begin(next_seats, next_paid, coming_values)
        added = torch.zeros(count, device=self._place)
        fates = torch.zeros(count, dtype=torch.int8, device=self._place)
        names = ("seats", "paid", "values", "judged")
        seats, paid, values, judged = (self.columns[name] for name in names)

        def take(start: int, end: int) -> None:
            rows = slice(start, end)
            added[rows], fates[rows] = chains.take(
                seats[rows], paid[rows], values[rows], judged[rows]
            )

        for number in reversed(range(len(steps))):
            for ends in reversed(steps[number].ends):  # the latest game first
                chains.end(*self._placed(*ends))
            start = self._carried + number * self._width
            take(start, start + self._width)
        take(0, self._carried)
        self.returns = judged[:count] + added
        self.advantages = added + (judged[:count] - values[:count])
        self.learned = self._largest((fates == KNOWN).nonzero()[:, 0])
        if len(self.learned) < _LEAST:
            self.learned = torch.arange(count, device=self._place)  # unknown outcomes add 0
        self.pending = (fates == OPEN).nonzero()[:, 0]

    def _placed(self, *columns: NDArray[Any] | Tensor) -> Iterator[Tensor]:
        return (torch.as_tensor(column, device=self._place) for column in columns)

    def _largest(self, rows: Tensor) -> Tensor:
        """Return the rows of the share with the largest advantages, in order."""
        if self._share == 1 or len(rows) == 0:
            return rows
        count = len(rows) - int(np.ceil((len(rows) - 1) * (1 - self._share)))
        chosen = self.advantages[rows].abs().topk(count, sorted=False).indices
        return rows[chosen.sort().values]

    def minibatch_count(self, size: int) -> int:
        """Return in how many minibatches of about that size the decisions to learn from fit."""
        return max(1, round(len(self.learned) / size))

    def minibatches(self, number: int) -> Iterator[Minibatch]:
        """Yield all decisions to learn from, shuffled, in so many minibatches of nearly equal size.

        Args:
            number: From `minibatch_count`; their sizes differ from each other by at most one.
        """
        order = torch.from_numpy(np.random.permutation(len(self.learned)))  # noqa: NPY002
        columns = self.columns
        for rows in self.learned[order.to(self._place)].tensor_split(number):
            yield Minibatch(
                Sight(
                    columns["observations"][rows], columns["masks"][rows], columns["hands"][rows]
                ),
                columns["actions"][rows],
                columns["log_probs"][rows],
                columns["policies"][rows],
                self.advantages[rows],
                self.returns[rows],
            )
