"""The project's network as a policy of Stable-Baselines3: `NetworkPolicy`."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.type_aliases import Schedule
from stable_baselines3.common.vec_env import VecEnv
from torch import Tensor

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_network
from impulse_agents.network.compiled import CompiledNetwork, evaluate_rows
from impulse_agents.network.features import PrecomputedFeatures
from impulse_agents.network.policy_network import pack_if_compiled
from impulse_training.run.budget import Budget
from impulse_training.run.learning_rate import LearningRateSchedule
from impulse_training.run.machine.device import has_bfloat16
from impulse_training.run.masking import mask_logits
from impulse_training.selfplay.rollout_buffer import SeatRolloutBuffer
from impulse_training.selfplay.train_options import STATS_WINDOW, Args
from impulse_training.selfplay.value_only import freeze_policy


class NetworkPolicy(MaskableActorCriticPolicy):
    """The network as a policy of `MaskablePPO`, with equal results in less time.

    Rollouts use the compiled or the precomputed network, which `precompute` must refresh after
    every change of the weights. Learning precomputes for every minibatch.

    Args:
        space: The observation space.
        actions: The action space.
        lr_schedule: The learning rate by remaining progress.
        players: Players of a game, 2 to 6.
        network: The network's description, see `impulse_agents.network.build`.
        is_bfloat16: Whether to multiply in bfloat16 when learning.
        more: Other arguments of the base class.
    """

    def __init__(
        self,
        space: spaces.Box,
        actions: spaces.Discrete,
        lr_schedule: Schedule,
        players: int,
        network: dict[str, Any],
        is_bfloat16: bool = False,
        **more: Any,
    ) -> None:
        self._made_of = (players, network)
        self._is_bfloat16 = is_bfloat16
        super().__init__(space, actions, lr_schedule, **more)

    def _build(self, lr_schedule: Schedule) -> None:
        players, network = self._made_of
        self.network = build_network(players, network)
        self._precomputed: PrecomputedFeatures | None = None
        self._compiled: CompiledNetwork | None = None
        self.optimizer = self.optimizer_class(
            self.network.parameters(),
            lr=lr_schedule(1),  # type: ignore[call-arg]  # optimizers have it, their base does not
            # One pass over the weights per step, not one per operation.
            **{"fused": True, **self.optimizer_kwargs},
        )

    def precompute(self) -> None:
        """Prepare rollouts with the current weights."""
        with torch.no_grad():
            self._precomputed = self.network.precompute()
        self._compiled = pack_if_compiled(self.network)

    def set_training_mode(self, mode: bool) -> None:
        """Switch between learning and rollouts."""
        super().set_training_mode(mode)
        if mode:
            self._precomputed = self._compiled = None

    def forward(
        self,
        obs: Tensor,
        deterministic: bool = False,
        action_masks: NDArray[np.bool_] | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return actions, values and log-probabilities of the actions, for a rollout."""
        masks = None if action_masks is None else torch.as_tensor(action_masks, device=obs.device)
        if masks is not None and self._compiled is not None:
            inputs = self._compiled, obs.numpy(), masks.numpy().view(np.int8)
            threads = torch.get_num_threads()
            outputs = evaluate_rows(*inputs, needs_values=True, threads=threads)
            logits, values = map(torch.from_numpy, outputs)
        else:
            logits, values = self.network(obs, self._precomputed, masks)
        chances = _log_probabilities(logits, masks)
        if deterministic:
            actions = chances.argmax(1)
        else:
            actions = torch.multinomial(chances.exp(), 1)[:, 0]
        return actions, values[:, None], chances.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return values, the actions' log-probabilities and the policy's entropy."""
        with torch.autocast(obs.device.type, torch.bfloat16, enabled=self._is_bfloat16):
            precomputed = self.network.precompute(is_learning=True)
            logits, values = self.network(obs, precomputed, action_masks)
        logits, values = logits.float(), values.float()
        chances = _log_probabilities(logits, action_masks)
        taken = chances.gather(1, actions[:, None])[:, 0]
        # An illegal action has probability 0 exactly, so it adds nothing.
        entropy = -(chances.exp() * chances).sum(1)
        return values[:, None], taken, entropy

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
        return self.network(obs, self._precomputed)[1][:, None]


def _log_probabilities(logits: Tensor, masks: Tensor | None) -> Tensor:
    return (logits if masks is None else mask_logits(logits, masks)).log_softmax(1)


def make_ppo(args: Args, env: VecEnv, learner: PolicyAgent, budget: Budget) -> MaskablePPO:
    """Return the algorithm with the learner's weights.

    Args:
        args: The options of the run.
        env: The games: a `SeatVecEnv`, or another `Source` of rollouts.
        learner: The agent whose weights are copied.
        budget: The limits of the run, for the learning rate.
    """
    model = MaskablePPO(
        NetworkPolicy,
        env,
        learning_rate=LearningRateSchedule(args.learning_rate, budget, args.final_learning_rate),
        n_steps=args.rollout_steps,
        batch_size=args.minibatch_size,
        n_epochs=args.epochs,
        gamma=args.gamma,
        gae_lambda=args.gae_lambda,
        clip_range=args.clip_range,
        ent_coef=args.ent_coef,
        vf_coef=args.vf_coef,
        rollout_buffer_class=SeatRolloutBuffer,
        rollout_buffer_kwargs={"source": env},
        policy_kwargs={
            "players": args.players,
            "network": args.network_config,
            "is_bfloat16": args.bfloat16 and has_bfloat16(args.device),
        },
        stats_window_size=STATS_WINDOW,
        seed=args.seed,
        device=args.device,
    )
    network = policy_of(model).network
    network.load_state_dict(learner.network.state_dict())
    if args.value_only:
        freeze_policy(network, args.players)
    return model


def policy_of(model: BaseAlgorithm) -> NetworkPolicy:
    """Return the policy of an algorithm from `make_ppo`."""
    assert isinstance(model.policy, NetworkPolicy)
    return model.policy


def rollout_buffer_of(model: MaskablePPO) -> SeatRolloutBuffer:
    """Return the rollout buffer of an algorithm from `make_ppo`."""
    assert isinstance(model.rollout_buffer, SeatRolloutBuffer)
    return model.rollout_buffer


def schedule_of(model: MaskablePPO) -> LearningRateSchedule:
    """Return the learning rate schedule of an algorithm from `make_ppo`."""
    assert isinstance(model.learning_rate, LearningRateSchedule)
    return model.learning_rate
