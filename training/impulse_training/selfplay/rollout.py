"""Rollouts of the games, with the decisions of each seat joined.

The outcome of a decision is known when its seat decides again or its game ends. Decisions with an
unknown outcome at the end of a rollout move to the next rollout. So the policy never learns from a
guess, and no decision is lost.
"""

from collections.abc import Iterator
from math import ceil
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from impulse_env.actions import N_ACTIONS
from impulse_env.environments.self_play import KNOWN, OPEN
from impulse_env.observation import size
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


def column_types(args: Args) -> dict[str, tuple[torch.dtype, tuple[int, ...]]]:
    """Return dtype and shape of what a rollout holds of a decision, by name.

    ``judged`` is explained at `Advantages.take`, ``paid`` and ``seats`` at `Decisions`, and the
    others at `Sight` and `Choices`.
    """
    return {
        "observations": (torch.uint8, (size(args.players),)),
        "masks": (torch.bool, (N_ACTIONS,)),
        "hands": (torch.uint8, (hands_length(args),)),
        "policies": (torch.float16, (N_ACTIONS,)),
        **dict.fromkeys(("values", "judged", "log_probs", "paid"), (torch.float32, ())),
        **dict.fromkeys(("actions", "seats"), (torch.int64, ())),
    }


class Rollout:
    """The decisions of a rollout, with separate advantages for every seat.

    GAE runs along the decisions of one seat in one game. If a game is truncated, the last decision
    of a seat is not learned from, because its outcome is unknown; earlier decisions bootstrap from
    the value there.

    Args:
        args: The options: decisions per step, steps, gamma, from one decision of a seat to its
            next, GAE's lambda, the share of decisions to learn from, and the critic.
        device: The learner's device.

    Attributes:
        learned: Rows of the decisions to learn from, shape ``(k,)``, int64.
        pending: Rows of the decisions that wait for their outcome, shape ``(m,)``, int64.
        columns: A row for each decision, see `column_types`.
        advantages: Of all rows of this rollout, shape ``(rows,)``, float32.
        returns: As `Minibatch.returns`, shape ``(rows,)``, float32.
    """

    def __init__(self, args: Args, device: torch.device) -> None:
        self._args, self._place = args, device
        self._carried = 0  # decisions from the previous rollout, which come first
        self.learned = self.pending = torch.zeros(0, dtype=torch.int64, device=device)
        self.advantages = self.returns = torch.zeros(0, device=device)
        self._allocate(0)

    def _allocate(self, carried: int) -> None:
        """Allocate rows for `carried` decisions and those of a rollout."""
        rows = carried + self._args.rollout_steps * self._args.num_envs
        self.columns = {
            name: torch.zeros((rows, *shape), dtype=dtype, device=self._place)
            for name, (dtype, shape) in column_types(self._args).items()
        }
        self._room = carried

    def begin(self, before: "Rollout") -> None:
        """Begin a rollout with the pending decisions of the one before, which may be itself."""
        self._keep({name: column[before.pending] for name, column in before.columns.items()})
        self._count = self._carried

    def _keep(self, carried: dict[str, Tensor]) -> None:
        """Put pending decisions at the start of a rollout."""
        self._carried = len(carried["seats"])
        if self._carried > self._room:
            self._allocate(2 * self._carried)
        for name, rows in carried.items():
            self.columns[name][: self._carried] = rows
        self.pending = torch.arange(self._carried, device=self._place)

    def state_dict(self, is_waiting: bool) -> dict[str, NDArray[Any]]:
        """Return the pending decisions, which begin the next rollout.

        Args:
            is_waiting: Whether decisions to learn from wait for it, and belong to the state, too.
        """
        learned = self.learned if is_waiting else self.learned[:0]
        rows = torch.cat([self.pending, learned])
        columns = {name: column[rows] for name, column in self.columns.items()}
        gained = {"advantages": self.advantages[learned], "returns": self.returns[learned]}
        return {name: each.cpu().numpy() for name, each in (columns | gained).items()}

    def load_state_dict(self, state: dict[str, NDArray[Any]]) -> None:
        """Continue from a `state_dict`."""
        rows = {name: torch.from_numpy(each).to(self._place) for name, each in state.items()}
        learned = len(rows["returns"])
        self._keep({name: rows[name] for name in self.columns})
        self.learned = self.pending[len(self.pending) - learned :]
        self.pending = self.pending[: len(self.pending) - learned]
        self.advantages, self.returns = (
            torch.cat([each.new_zeros(len(self.pending)), each])
            for each in (rows["advantages"], rows["returns"])
        )

    def add(self, sight: Sight, decisions: Decisions, choices: Choices) -> None:
        """Add the decisions of a step: what was seen, the seats that decide, and their choices."""
        rows = slice(self._count, self._count + self._args.num_envs)
        new = {**sight._asdict(), **choices._asdict(), **decisions._asdict()}
        for name, column in self.columns.items():
            column[rows] = torch.as_tensor(new[name])
        self.columns["policies"][rows].clamp_(min=_LEAST_LOG)
        self._count += self._args.num_envs

    def finish(self, steps: list[Step], coming: Decisions, coming_values: Tensor) -> None:
        """Compute the advantages, and select the decisions to learn from.

        Args:
            steps: The steps of the rollout, with their ends.
            coming: The decisions after the last step.
            coming_values: Their values, shape ``(width,)``.
        """
        count, width = self._count, self._args.num_envs
        names = ("seats", "paid", "values", "judged")
        columns = [self.columns[name][:count] for name in names]
        seats, _, values, judged = columns
        next_seats, next_paid = self._placed(coming)
        highest = max(int(each.max()) for each in (seats, next_seats))
        chains = Advantages(1 + highest, self._args.gamma, self._args.gae_lambda, self._place)
        chains.begin(next_seats, next_paid, coming_values)
        parts = []  # the latest first
        for number in reversed(range(len(steps))):
            for ends in reversed(steps[number].ends):  # the latest game first
                chains.end(*self._placed(ends))
            rows = slice(self._carried + number * width, self._carried + (number + 1) * width)
            parts.append(chains.take(*(column[rows] for column in columns)))
        parts.append(chains.take(*(column[: self._carried] for column in columns)))
        added, fates = (torch.cat(each[::-1]) for each in zip(*parts, strict=True))
        self.returns = judged + added
        self.advantages = added + (judged - values)
        self.learned = self._largest((fates == KNOWN).nonzero()[:, 0])
        if len(self.learned) < _LEAST:
            self.learned = torch.arange(count, device=self._place)  # unknown outcomes add 0
        self.pending = (fates == OPEN).nonzero()[:, 0]

    def _placed(self, columns: tuple[Any, ...]) -> Iterator[Tensor]:
        return (torch.as_tensor(column, device=self._place) for column in columns)

    def _largest(self, rows: Tensor) -> Tensor:
        """Return the rows of the share with the largest advantages, in order.

        A value head that learns alone learns from all of them: a choice by their outcomes would
        mislead it.
        """
        share = 1.0 if self._args.value_only else self._args.learn_share
        if share == 1 or len(rows) == 0:
            return rows
        count = len(rows) - ceil((len(rows) - 1) * (1 - share))
        chosen = self.advantages[rows].abs().topk(count, sorted=False).indices
        return rows[chosen.sort().values]

    def minibatch_count(self, size: int) -> int:
        """Return in how many minibatches of about that size the decisions to learn from fit."""
        return max(1, round(len(self.learned) / size))

    def minibatches(self, number: int) -> Iterator[Minibatch]:
        """Yield all decisions to learn from, shuffled, in so many minibatches.

        The sizes of the minibatches differ from each other by at most one.
        """
        order = torch.from_numpy(np.random.permutation(len(self.learned)))  # noqa: NPY002
        columns = self.columns
        for rows in self.learned[order.to(self._place)].tensor_split(number):
            yield Minibatch(
                Sight(*(columns[name][rows] for name in Sight._fields)),
                columns["actions"][rows],
                columns["log_probs"][rows],
                columns["policies"][rows],
                self.advantages[rows],
                self.returns[rows],
            )
