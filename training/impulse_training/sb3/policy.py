"""The project's network as a policy that sb3-contrib's `MaskablePPO` trains."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor

from impulse_agents.network.build import build_network
from impulse_training.run.masking import mask_logits, probabilities


class NetworkPolicy(MaskableActorCriticPolicy):
    """The network with a policy head and a value head.

    Args:
        space: The observation space.
        actions: The action space.
        lr_schedule: The learning rate by remaining progress.
        players: Players of a game, 2 to 6.
        network: The network's description, see `impulse_agents.network.build`.
        more: Other arguments of the base class.
    """

    def __init__(
        self,
        space: spaces.Box,
        actions: spaces.Discrete,
        lr_schedule: Schedule,
        players: int,
        network: dict[str, Any],
        **more: Any,
    ) -> None:
        self._made_of = (players, network)
        super().__init__(space, actions, lr_schedule, **more)

    def _build(self, lr_schedule: Schedule) -> None:
        self.network = build_network(*self._made_of)
        self.optimizer = self.optimizer_class(
            self.network.parameters(),
            lr=lr_schedule(1),  # type: ignore[call-arg]  # optimizers have it, their base does not
            **self.optimizer_kwargs,
        )

    def forward(
        self,
        obs: Tensor,
        deterministic: bool = False,
        action_masks: NDArray[np.bool_] | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return actions, values and log-probabilities of the actions, for a rollout."""
        chances, values = self._judged(obs, action_masks)
        if deterministic:
            actions = chances.argmax(1)
        else:
            actions = torch.multinomial(probabilities(chances), 1)[:, 0]
        return actions, values, chances.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return values, the actions' log-probabilities and the policy's entropy."""
        chances, values = self._judged(obs, action_masks)
        taken = chances.gather(1, actions[:, None])[:, 0]
        return values, taken, -(probabilities(chances) * chances).sum(1)

    def get_distribution(  # type: ignore[override]  # observations are tensors here, never dicts
        self, obs: Tensor, action_masks: NDArray[np.bool_] | None = None
    ) -> MaskableDistribution:
        """Return the distribution of the actions."""
        distribution = self.action_dist.proba_distribution(action_logits=self.network(obs)[0])
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution

    def predict_values(self, obs: Tensor) -> Tensor:  # type: ignore[override]  # likewise
        """Return the values of the observations, shape ``(n, 1)``."""
        return self.network(obs)[1][:, None]

    def _judged(self, obs: Tensor, masks: Any) -> tuple[Tensor, Tensor]:
        """Return the log-probabilities of all actions, and the values."""
        logits, values = self.network(obs)
        if masks is not None:
            logits = mask_logits(logits, masks)
        return logits.log_softmax(1), values[:, None]
