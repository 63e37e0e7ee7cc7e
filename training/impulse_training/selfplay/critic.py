"""Critics that see all hands: values for the advantages of a training, never for an agent's play.

A seat's own observation does not tell what the others hold, so its value is an average over that.
A critic that knows the hands has less to average (Yang et al., "PerfectDou", 2022). Its Q form
judges every action, so a return needs no sampled action of the same seat (Expected SARSA).
"""

import torch
from torch import Tensor, nn

from impulse_agents.network.features import Features, PrecomputedFeatures
from impulse_agents.network.policy_network import dense_layers, initialise
from impulse_env.actions import N_ACTIONS
from impulse_env.engine.constants import FACES, NO_CARD
from impulse_env.observation import sections
from impulse_training.selfplay.train_options import Args


def hands_length(args: Args) -> int:
    """Return the length of `hands_of`'s rows for a run; 0 if its critic does not see them."""
    return 0 if args.critic == "own" else (args.players - 1) * FACES


def hands_of(hands: Tensor, seats: Tensor, players: int) -> Tensor:
    """Return the cards in the other hands, clockwise from a seat.

    Args:
        hands: The field "hand" of the records, shape ``(n, MAX_PLAYERS, HAND_SLOTS)``, int8.
        seats: A seat of each game, shape ``(n,)``, int64.
        players: Players of the games.

    Returns:
        Copies of each face in each hand, shape ``(n, (players - 1) * FACES)``, uint8.
    """
    faces = torch.where(hands[:, :players] == NO_CARD, FACES, hands[:, :players]).long()
    counts = torch.zeros((*faces.shape[:2], FACES + 1), dtype=torch.uint8, device=hands.device)
    counts.scatter_add_(2, faces, torch.ones_like(faces, dtype=torch.uint8))
    others = torch.arange(1, players, device=hands.device)
    clockwise = (seats[:, None] + others) % players
    rows = torch.arange(len(seats), device=hands.device)[:, None]
    return counts[rows, clockwise, :FACES].flatten(1)


class HandsCritic(nn.Module):
    """Judges decisions by the seat's observation and the cards in the other hands.

    Args:
        args: The options of the run: players, the widths of the network, and which critic.
    """

    def __init__(self, args: Args) -> None:
        super().__init__()
        self.features = Features(sections(args.players), args.width, args.card_dim)
        self.hands = nn.Linear(hands_length(args), args.width, bias=False)
        self.layers, width = dense_layers(args.width, args.value_layers)
        self.judge = nn.Linear(width, N_ACTIONS if args.critic == "hands-q" else 1)
        for module in (self.features, self.hands, self.layers):
            initialise(module, 2**0.5)
        initialise(self.judge, 1.0)

    def forward(
        self, observations: Tensor, hands: Tensor, precomputed: PrecomputedFeatures | None = None
    ) -> Tensor:
        """Return the value of every action, or one for all of them, shape ``(n, N_ACTIONS)``.

        Args:
            observations: Shape ``(n, observation.size(players))``, uint8.
            hands: From `hands_of`.
            precomputed: From `precompute`; if None, computed here.
        """
        features = precomputed or self.precompute()
        hidden = self.layers(features(observations, self.hands(hands.float())))
        worths: Tensor = self.judge(hidden)
        return worths.expand(-1, N_ACTIONS)

    def precompute(self, may_wait: bool = True) -> PrecomputedFeatures:
        """Return what does not depend on the observation, see `PrecomputedFeatures`."""
        return PrecomputedFeatures(self.features, may_wait)
