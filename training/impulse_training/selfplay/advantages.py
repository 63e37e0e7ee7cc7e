"""Generalised advantage estimation along the decisions of each seat, backwards in time.

Schulman et al., "High-Dimensional Continuous Control Using Generalized Advantage Estimation"
(2016). The decisions of a seat are far apart in a rollout, so each seat has its own sum. All of it
runs on the device of the rollout, without waiting for the host.
"""

import torch
from torch import Tensor

from impulse_env.batch import NOBODY
from impulse_env.environments.self_play import CUT_OFF, KNOWN


class Advantages:
    """The consequences of the decisions of seats, collected from the last decision backwards.

    A row without a decision has the seat `NOBODY`, and is `CUT_OFF`.

    Args:
        seats: Number of seats.
        gamma: Discount per decision of a seat, in [0, 1].
        gae_lambda: Trade-off between bias (0) and variance (1), in [0, 1].
        device: The device of all tensors.
    """

    def __init__(self, seats: int, gamma: float, gae_lambda: float, device: torch.device) -> None:
        self._gamma, self._gae_lambda = gamma, gae_lambda
        count = seats + 1  # the last one is nobody's
        self._fates = torch.zeros(count, dtype=torch.int8, device=device)
        # Of each seat's next decision: its value and advantage, and the return so far in the game.
        self._values, self._advantages, self._paid = torch.zeros((3, count), device=device)

    def begin(self, seats: Tensor, paid: Tensor, values: Tensor) -> None:
        """Set the decisions that follow the last one.

        Args:
            seats: The seats that decide, shape ``(k,)``, int64.
            paid: The return of each in its game so far, shape ``(k,)``, float32.
            values: The values of these decisions, shape ``(k,)``, float32.
        """
        self._fates[seats] = KNOWN
        self._values[seats], self._paid[seats] = values, paid

    def end(self, seats: Tensor, paid: Tensor, is_truncated: Tensor) -> None:
        """Set the ends of the games of some seats.

        Args:
            seats: The seats, shape ``(k,)``, int64.
            paid: The return of each in its game, shape ``(k,)``, float32.
            is_truncated: Whether its game was truncated, shape ``(k,)``, bool.
        """
        self._fates[seats] = torch.where(is_truncated, CUT_OFF, KNOWN).to(torch.int8)
        self._values[seats] = self._advantages[seats] = 0
        self._paid[seats] = paid

    def take(
        self, seats: Tensor, paid: Tensor, values: Tensor, judged: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return what the results of decisions add to their judgements, and their fates.

        Args:
            seats: The seats that took them, each once but for `NOBODY`, shape ``(k,)``, int64.
            paid: The return of each in its game before it, shape ``(k,)``, float32.
            values: The values of the decisions, from which earlier ones bootstrap, shape ``(k,)``.
            judged: What the critic expected of the actions taken: the values, or a Q critic's own
                numbers (Expected SARSA), shape ``(k,)``.

        Returns:
            The results minus `judged`, 0 where they are not known, shape ``(k,)``, float32; and
            `OPEN`, `KNOWN` or `CUT_OFF`, shape ``(k,)``, int8.
        """
        fates = self._fates[seats].masked_fill(seats == NOBODY, CUT_OFF)
        ahead = self._values[seats] + self._gae_lambda * self._advantages[seats]
        gained = self._paid[seats] - paid + self._gamma * ahead - judged
        advantages = torch.where(fates == KNOWN, gained, 0)
        self._fates[seats], self._paid[seats] = KNOWN, paid
        self._values[seats], self._advantages[seats] = values, advantages
        return advantages, fates
