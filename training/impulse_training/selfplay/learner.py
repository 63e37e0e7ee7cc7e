"""The network that learns: it decides in rollouts and judges decisions in updates."""

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_network
from impulse_agents.network.compiled import CompiledNetwork, evaluate_rows
from impulse_agents.network.features import PrecomputedFeatures
from impulse_agents.network.policy_network import pack_if_compiled
from impulse_training.run.machine.device import has_bfloat16
from impulse_training.run.masking import mask_logits
from impulse_training.selfplay.train_options import Args
from impulse_training.selfplay.value_only import freeze_policy

_ADAM_EPSILON = 1e-5
"""As in Stable-Baselines3's PPO: Adam's default of 1e-8 lets small gradients take large steps."""


class Choices(NamedTuple):
    """Decisions of the network in a rollout, arrays with a row for each.

    Attributes:
        actions: Actions drawn from the policy, shape ``(n,)``, int64.
        values: Values of the observations, shape ``(n,)``, float32.
        log_probs: Log-probabilities of these actions, shape ``(n,)``, float32.
        policies: Log-probabilities of all actions, shape ``(n, N_ACTIONS)``, a float32 tensor on
            the network's device.
    """

    actions: NDArray[np.int64]
    values: NDArray[np.float32]
    log_probs: NDArray[np.float32]
    policies: Tensor


class Judgement(NamedTuple):
    """Judgements of decisions by the network, with gradients.

    Attributes:
        values: Values of the observations, shape ``(n,)``, float32.
        log_probs: Log-probabilities of the actions taken, shape ``(n,)``, float32.
        policies: Log-probabilities of all actions, shape ``(n, N_ACTIONS)``, float32.
        entropies: Entropies of the policy, shape ``(n,)``, float32.
    """

    values: Tensor
    log_probs: Tensor
    policies: Tensor
    entropies: Tensor


class Learner:
    """A network, its optimizer, and the two ways in which a training runs it.

    Rollouts use the compiled or the precomputed network, which `prepare` must refresh after every
    change of the weights. Updates precompute for every minibatch.

    Attributes:
        network: The network that learns.
        optimizer: Adam.
        device: The device of the network.
    """

    def __init__(self, args: Args, agent: PolicyAgent) -> None:
        """Take a copy of the agent's weights.

        Args:
            args: The options of the run.
            agent: The agent to train.
        """
        self.device = torch.device(args.device)
        self._is_bfloat16 = args.bfloat16 and has_bfloat16(args.device)
        self.network = build_network(args.players, args.network_config).to(self.device)
        self.network.load_state_dict(agent.network.state_dict())
        # One pass over the weights per step, not one per operation.
        self.optimizer = torch.optim.Adam(
            self.network.parameters(), lr=args.learning_rate, eps=_ADAM_EPSILON, fused=True
        )
        self._precomputed: PrecomputedFeatures | None = None
        self._compiled: CompiledNetwork | None = None
        if args.value_only:
            freeze_policy(self.network, args.players)

    # --- Rollouts --------------------------------------------------------------------------------

    @torch.no_grad()
    def prepare(self) -> None:
        """Prepare rollouts with the current weights."""
        self.network.train(False)
        self._precomputed = self.network.precompute()
        self._compiled = pack_if_compiled(self.network)

    @torch.no_grad()
    def choose(self, observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Choices:
        """Draw an action for every observation.

        Args:
            observations: Shape ``(n, observation.size(players))``.
            masks: Legal actions, shape ``(n, N_ACTIONS)``.
        """
        legal = torch.as_tensor(masks, device=self.device)
        if self._compiled is not None:
            logits, values = map(
                torch.from_numpy,
                evaluate_rows(
                    *(self._compiled, observations, masks.view(np.int8)),
                    needs_values=True,
                    threads=torch.get_num_threads(),
                ),
            )
        else:
            seen = torch.as_tensor(observations, device=self.device)
            logits, values = self.network(seen, self._precomputed, legal)
        chances = mask_logits(logits, legal).log_softmax(1)
        actions = torch.multinomial(chances.exp(), 1)
        log_probs = chances.gather(1, actions)[:, 0]
        return Choices(
            actions[:, 0].cpu().numpy(), values.cpu().numpy(), log_probs.cpu().numpy(), chances
        )

    @torch.no_grad()
    def values_of(self, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the values of observations, shape ``(n,)``."""
        seen = torch.as_tensor(observations, device=self.device)
        values: NDArray[np.float32] = self.network(seen, self._precomputed)[1].cpu().numpy()
        return values

    # --- Updates ---------------------------------------------------------------------------------

    def judge(self, observations: Tensor, actions: Tensor, masks: Tensor) -> Judgement:
        """Judge decisions with the current weights.

        Args:
            observations: Shape ``(n, observation.size(players))``, uint8, on the device.
            actions: The actions taken, shape ``(n,)``, int64.
            masks: Legal actions, shape ``(n, N_ACTIONS)``, bool.
        """
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self._is_bfloat16):
            precomputed = self.network.precompute(is_learning=True)
            logits, values = self.network(observations, precomputed, masks)
        chances = mask_logits(logits.float(), masks).log_softmax(1)
        log_probs = chances.gather(1, actions[:, None])[:, 0]
        # An illegal action has probability 0 exactly, so it adds nothing.
        entropies = -(chances.exp() * chances).sum(1)
        return Judgement(values.float(), log_probs, chances, entropies)
