"""The network that learns: it decides in rollouts and judges decisions in updates."""

from copy import deepcopy
from typing import Final, NamedTuple

import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_network
from impulse_agents.network.compiled import CompiledNetwork, evaluate_rows
from impulse_agents.network.features import PrecomputedFeatures
from impulse_agents.network.policy_network import pack_if_compiled
from impulse_training.run.machine.device import has_bfloat16
from impulse_training.run.machine.group import Group
from impulse_training.run.masking import mask_logits, probabilities
from impulse_training.run.value_only import freeze_policy
from impulse_training.selfplay.critic import HandsCritic
from impulse_training.selfplay.train_options import Args

_ADAM_EPSILON: Final = 1e-5
"""As in Stable-Baselines3's PPO: Adam's default of 1e-8 lets small gradients take large steps."""
_MOST_GRADIENT: Final = 0.5
"""Longer gradients are shortened to this norm, the critic's apart."""


class Sight(NamedTuple):
    """The network's and the critic's view of decisions, tensors with a row for each.

    Attributes:
        observations: Shape ``(n, observation.size(players))``, uint8.
        masks: Legal actions, shape ``(n, N_ACTIONS)``, bool.
        hands: For the critic alone, see `critic.hands_of`; of length 0 if it does not see them.
    """

    observations: Tensor
    masks: Tensor
    hands: Tensor


class Choices(NamedTuple):
    """Decisions of the network in a rollout, tensors on its device with a row for each.

    Attributes:
        actions: Actions drawn from the policy, shape ``(n,)``, int64.
        values: Values of the decisions, shape ``(n,)``, float32.
        judged: What the critic expects of these actions, shape ``(n,)``, float32; the values, but
            for a Q critic.
        log_probs: Log-probabilities of these actions, shape ``(n,)``, float32.
        policies: Log-probabilities of all actions, shape ``(n, N_ACTIONS)``, float32.
    """

    actions: Tensor
    values: Tensor
    judged: Tensor
    log_probs: Tensor
    policies: Tensor


class Judgement(NamedTuple):
    """Judgements of decisions by the network, with gradients.

    Attributes:
        values: Values of the observations, shape ``(n,)``, float32.
        log_probs: Log-probabilities of the actions taken, shape ``(n,)``, float32.
        policies: Log-probabilities of all actions, shape ``(n, N_ACTIONS)``, float32.
        entropies: Entropies of the policy, shape ``(n,)``, float32.
        judged: What the critic that sees all hands expects of the actions, shape ``(n,)``, float32;
            None without one.
        magnet: The average network's log-probabilities of all actions, without gradients, shape
            ``(n, N_ACTIONS)``, float32; None unless it is the magnet.
    """

    values: Tensor
    log_probs: Tensor
    policies: Tensor
    entropies: Tensor
    judged: Tensor | None = None
    magnet: Tensor | None = None


class Learner:
    """A network, its optimizer, and the two ways in which a training runs it.

    Rollouts use copies of the network and the critic, with the weights at the latest call of
    `prepare`. Updates change the originals, also while a rollout is played. A rollout draws from a
    generator of its own.

    Args:
        args: The options of the run.
        agent: The agent to train; the learner copies its weights.

    Attributes:
        network: The network that learns.
        critic: The critic that sees all hands, or None.
        average: The moving average of the network's weights, or None.
        optimizer: Adam, for the network and the critic.
        device: The device of the network.
        generator: Draws the actions of rollouts, on that device.
    """

    def __init__(self, args: Args, agent: PolicyAgent) -> None:
        self._args = args
        self.device = torch.device(args.device)
        self._is_bfloat16 = args.bfloat16 and has_bfloat16(args.device)
        # A pass that counts rows makes the host wait for a GPU.
        self._may_wait = self.device.type == "cpu"
        self.network = build_network(args.players, args.network_config).to(self.device)
        self.network.load_state_dict(agent.network.state_dict())
        self.critic = None if args.critic == "own" else HandsCritic(args).to(self.device)
        self.average = None
        if args.average:
            self.average = AveragedModel(
                self.network, multi_avg_fn=get_ema_multi_avg_fn(args.average)
            )
        # One pass over the weights per step, not one per operation.
        self.optimizer = torch.optim.Adam(
            [weights for module in self.modules for weights in module.parameters()],
            lr=args.learning_rate,
            eps=_ADAM_EPSILON,
            fused=True,
        )
        self._acting = deepcopy(self.network).eval()
        self._acting_critic = deepcopy(self.critic)
        self.generator = torch.Generator(self.device).manual_seed(torch.initial_seed())
        self._precomputed: PrecomputedFeatures | None = None
        self._of_critic: PrecomputedFeatures | None = None
        self._compiled: CompiledNetwork | None = None
        if args.value_only:
            freeze_policy(self.network, args.players)

    @property
    def modules(self) -> list[nn.Module]:
        """The modules that learn: the network, and the critic if there is one."""
        return [self.network] if self.critic is None else [self.network, self.critic]

    @property
    def beside(self) -> dict[str, nn.Module]:
        """The critic and the average by name, those of them that there are."""
        modules = {"critic": self.critic, "average": self.average}
        return {name: module for name, module in modules.items() if module is not None}

    # --- Rollouts --------------------------------------------------------------------------------

    @torch.no_grad()
    def prepare(self) -> None:
        """Prepare rollouts with the current weights."""
        self._acting.load_state_dict(self.network.state_dict())
        self._precomputed = self._acting.precompute(may_wait=self._may_wait)
        self._compiled = pack_if_compiled(self._acting)
        if self._acting_critic is not None and self.critic is not None:
            self._acting_critic.load_state_dict(self.critic.state_dict())
            self._of_critic = self._acting_critic.precompute(self._may_wait)

    @torch.no_grad()
    def choose(self, sight: Sight) -> Choices:
        """Draw an action for every decision, given on the device."""
        chances, values, worths = self._look(sight)
        actions = torch.multinomial(probabilities(chances), 1, generator=self.generator)
        log_probs = chances.gather(1, actions)[:, 0]
        judged = worths.gather(1, actions)[:, 0]
        return Choices(actions[:, 0], values, judged, log_probs, chances)

    @torch.no_grad()
    def values_of(self, sight: Sight) -> Tensor:
        """Return the values of decisions, shape ``(n,)``."""
        return self._look(sight)[1]

    def _look(self, sight: Sight) -> tuple[Tensor, Tensor, Tensor]:
        """Return log-probabilities of all actions, values, and what the critic expects of actions.

        Shapes ``(n, N_ACTIONS)``, ``(n,)`` and ``(n, N_ACTIONS)``.
        """
        observations, masks, hands = sight
        with torch.autocast(
            self.device.type, torch.bfloat16, enabled=self._is_bfloat16 and not self._may_wait
        ):
            if self._compiled is not None:
                logits, values = map(
                    torch.from_numpy,
                    evaluate_rows(
                        *(self._compiled, observations.numpy(), masks.view(torch.int8).numpy()),
                        needs_values=True,
                        threads=torch.get_num_threads(),
                    ),
                )
            else:
                legal = masks if self._may_wait else None
                logits, values = self._acting(observations, self._precomputed, legal)
            worths = values[:, None].expand_as(masks)
            if self._acting_critic is not None:
                worths = self._acting_critic(observations, hands, self._of_critic)
        chances = mask_logits(logits.float(), masks).log_softmax(1)
        if self._args.critic == "hands-q":
            values = (probabilities(chances) * worths).sum(1)
        else:
            values = worths[:, 0]
        return chances, values.float(), worths.float()

    # --- Updates ---------------------------------------------------------------------------------

    def judge(self, sight: Sight, actions: Tensor) -> Judgement:
        """Judge decisions, given on the device, and the actions taken with the current weights."""
        observations, masks, hands = sight
        judged = magnet = None
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self._is_bfloat16):
            precomputed = self.network.precompute(is_learning=True)
            logits, values = self.network(observations, precomputed, masks)
            if self.critic is not None:
                worths = self.critic(observations, hands).float()
                judged = worths.gather(1, actions[:, None])[:, 0]
            if self._args.magnet == "average" and self.average is not None:
                with torch.no_grad():
                    magnet = self.average.module(observations, None, masks)[0].float()
        chances = mask_logits(logits.float(), masks).log_softmax(1)
        log_probs = chances.gather(1, actions[:, None])[:, 0]
        # An illegal action has probability 0 exactly, so it adds nothing.
        entropies = -(probabilities(chances) * chances).sum(1)
        if magnet is not None:
            magnet = mask_logits(magnet, masks).log_softmax(1)
        return Judgement(values.float(), log_probs, chances, entropies, judged, magnet)

    def step(self, loss: Tensor, group: Group) -> None:
        """Take a step of the optimizer against a loss, and move the average towards its result.

        Args:
            loss: A tensor of one number, with gradients.
            group: The processes, the mean of whose gradients counts.
        """
        self.optimizer.zero_grad()
        loss.backward()
        for module in self.modules:
            group.mean_gradients(module.parameters())
        for module in self.modules:
            nn.utils.clip_grad_norm_(module.parameters(), _MOST_GRADIENT)
        self.optimizer.step()
        if self.average is not None:
            self.average.update_parameters(self.network)
