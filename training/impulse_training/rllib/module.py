"""The project's network as RLlib's torch `RLModule`, with the mask of legal actions applied.

The weights of `MaskedPolicy.network` have the same names as those of a checkpoint of
`impulse_agents.network.agent`.
"""

from typing import Any

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from impulse_agents.network.build import build_network
from impulse_agents.network.features import PrecomputedFeatures
from impulse_training.run.masking import mask_logits


class FrozenPolicy(TorchRLModule):
    """A network that plays legal actions and is not trained.

    Its `model_config` holds ``players`` and ``network``, see `impulse_agents.network.build`.
    Observations are dicts with ``observation`` and ``action_mask``, as from the environment.
    """

    def setup(self) -> None:
        """Build the network; RLlib calls this method once."""
        self.network = build_network(self.model_config["players"], self.model_config["network"])
        self._precomputed: PrecomputedFeatures | None = None

    def set_state(self, state: dict[str, Any]) -> None:
        """Set new weights and drop the features that were computed from the old ones."""
        super().set_state(state)
        self._precomputed = None

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        """Return the logits; those of illegal actions are so low that they are never sampled."""
        seen = batch[Columns.OBS]
        if self._precomputed is None:
            self._precomputed = self.network.precompute()
        logits, _ = self.network(seen["observation"], self._precomputed)
        return {Columns.ACTION_DIST_INPUTS: mask_logits(logits, seen["action_mask"])}


class MaskedPolicy(FrozenPolicy, ValueFunctionAPI):
    """The network with its value head, as PPO trains it."""

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        """Return masked logits, and the values in RLlib's column for embeddings."""
        seen = batch[Columns.OBS]
        logits, values = self.network(seen["observation"])
        masked = mask_logits(logits, seen["action_mask"])
        return {Columns.ACTION_DIST_INPUTS: masked, Columns.EMBEDDINGS: values}

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """Return the expected return of each seat to decide, shape ``(n,)``."""
        if embeddings is not None:
            return embeddings
        return self.network(batch[Columns.OBS]["observation"])[1]
