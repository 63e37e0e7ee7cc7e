"""How much the hidden cards of the other hand show in a view, and in a memory of earlier views.

A reader is a small network. For every hidden card of the other hand it says how likely each face
is. It begins with a player's count of the cards that it has not seen, and learns what more can be
told from the position, from what changed before it, or from both.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from impulse_agents.base import ObservationBatch
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.features import card_attributes
from impulse_agents.rng import RngStreams
from impulse_env.engine.constants import FACES
from impulse_env.environments.self_play import SelfPlayBatch
from impulse_env.observation import observe_all, section
from lab.networks.linear_probes import counted

AT_ONCE: Final = 512
"""Games played side by side."""
SAMPLED: Final = 0.03
"""Share of the decisions that become rows."""
READERS: Final = {"position": (True, False), "memory": (False, True), "both": (True, True)}
"""By name: whether a reader sees the position, and whether it sees the changes before it."""
EPOCHS: Final = 6
"""Most passes over the games that are learned from."""
_BATCH: Final = 256
_RATE: Final = 3e-4
_DECAY: Final = 0.1
_CHANGE_WIDTH: Final = 32
_WIDTHS: Final = (192, 128)
_DROPPED: Final = 0.5
_FAR: Final = 5.0
"""Inputs are at most so many standard deviations from their mean."""
_NEVER: Final = -1e4
"""The logarithm of the chance of a face of which no card is left."""


@dataclass(frozen=True)
class Hands:
    """Decisions of two-player games, n in all, where the other hand has hidden cards.

    Attributes:
        games: The number of the game, shape ``(n,)``, int64.
        views: The deciding seat's observation, shape ``(n, features)``, uint8.
        changes: By how much each feature of that seat's observation changed with each of the
            decisions before, the latest first, shape ``(n, memory, features)``, int8.
        deciders: Who took each of these: 1 for the seat itself, -1 for the other, 0 if the game had
            not begun, shape ``(n, memory)``, int8.
        hidden: Cards of the other hand that only it knows, by face, shape ``(n, FACES)``, int8.
    """

    games: NDArray[np.int64]
    views: NDArray[np.uint8]
    changes: NDArray[np.int8]
    deciders: NDArray[np.int8]
    hidden: NDArray[np.int8]


def collect(agent: PolicyAgent, games: int, memory: int, seed: int) -> Hands:
    """Play games of an agent with itself and return some of their decisions.

    Args:
        agent: The agent, for two players.
        games: Number of games; those that end first are not preferred.
        memory: Number of earlier decisions, of either seat.
        seed: Random seed for the deals and the choice of decisions.
    """
    rng = np.random.default_rng(seed)
    parts = []
    for first in range(0, games, AT_ONCE):
        count = min(AT_ONCE, games - first)
        parts.append(_played(agent, count, memory, seed + first, rng))
    joined = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    numbers, views, changes, deciders, hidden = joined
    return Hands(numbers, views, changes, deciders, hidden)


def _played(
    agent: PolicyAgent, count: int, memory: int, seed: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], ...]:
    """Play a batch of games to their ends; return the columns of `Hands`."""
    batch = SelfPlayBatch(count, 2, seed=seed)
    is_first, steps = np.ones(count, np.bool_), 0
    seen = np.zeros((count, 2, memory + 1, batch.observations.shape[1]), np.uint8)
    took = np.full((count, memory + 1), -1, np.int64)
    streams = RngStreams.from_generator(rng, count)
    rows = []
    while is_first.any():
        states, seats = batch.batch.states, batch.seats.astype(np.int64)
        seen[:, :, 1:], took[:, 1:] = seen[:, :, :-1], took[:, :-1]
        took[:, 0], steps = seats, steps + 1
        for seat in range(2):
            seen[:, seat, 0] = observe_all(states, np.full(count, seat))
        at = np.flatnonzero(is_first & (rng.random(count) < SAMPLED))
        own = seats[at]
        # A known card may have been laid face-down. It stays known, but left the hand.
        hand, known = (counted(states[name][at, 1 - own]) for name in ("hand", "known"))
        hidden = np.maximum(hand - known, 0)
        has_any = hidden.any(axis=1)
        at, own, hidden = at[has_any], own[has_any], hidden[has_any]
        if len(at):
            views = seen[at, own]
            is_there = np.arange(memory) < steps - 1
            changes = (views[:, :-1].astype(np.int16) - views[:, 1:]) * is_there[:, None]
            deciders = np.where(took[at, 1:] == own[:, None], 1, -1) * is_there
            few = np.clip(changes, -128, 127).astype(np.int8)
            columns = (views[:, 0], few, deciders.astype(np.int8), hidden.astype(np.int8))
            rows.append((seed + at, *columns))
        actions = agent.act(ObservationBatch.from_batch(batch.batch), streams)
        is_first[batch.step(actions).ended] = False
    return tuple(np.concatenate(columns) for columns in zip(*rows, strict=True))


class Reader(nn.Module):
    """Says how likely each face is for a hidden card of the other hand.

    Args:
        hands: Decisions to learn from, for the scale of the inputs.
        sees_position: Whether it sees the observation.
        sees_memory: Whether it sees the changes before it, and who decided.
    """

    mean: Tensor
    scale: Tensor
    printed: Tensor

    def __init__(self, hands: Hands, sees_position: bool, sees_memory: bool) -> None:
        super().__init__()
        self.sees_position, self.sees_memory = sees_position, sees_memory
        features, memory = hands.views.shape[1], hands.changes.shape[1]
        constants = {
            "mean": hands.views.mean(0),
            "scale": 1 / (hands.views.std(0) + 0.05),
            "printed": card_attributes()[1 : FACES + 1].T,
        }
        for name, values in constants.items():
            self.register_buffer(name, torch.from_numpy(values).float())
        self.change = nn.Linear(features, _CHANGE_WIDTH)
        inputs = features * sees_position + memory * (_CHANGE_WIDTH + 1) * sees_memory
        first, second = _WIDTHS
        # What a card is like is easier to learn than which of eighty it is.
        last = nn.Linear(second, len(self.printed))
        self.body = nn.Sequential(
            *(nn.Linear(inputs, first), nn.ReLU(), nn.Dropout(_DROPPED)),
            *(nn.Linear(first, second), nn.ReLU(), last),
        )
        nn.init.zeros_(last.weight)
        nn.init.zeros_(last.bias)

    def forward(self, hands: Hands, rows: NDArray[np.intp]) -> Tensor:
        """Return log-probabilities of the faces at some decisions, shape ``(k, FACES)``."""
        views = torch.from_numpy(hands.views[rows]).float()
        parts = []
        if self.sees_position:
            parts.append(((views - self.mean) * self.scale).clamp(-_FAR, _FAR))
        if self.sees_memory:
            changes = torch.from_numpy(hands.changes[rows]).float() * self.scale
            read = torch.relu(self.change(changes.clamp(-_FAR, _FAR)))
            deciders = torch.from_numpy(hands.deciders[rows]).float()
            parts.append(torch.cat([read, deciders[..., None]], 2).flatten(1))
        learned: Tensor = self.body(torch.cat(parts, 1)) @ self.printed
        return (learned + by_counting(hands, rows)).log_softmax(1)


def by_counting(hands: Hands, rows: NDArray[np.intp]) -> Tensor:
    """Return the log-probabilities of one who counts, up to a constant, shape ``(k, FACES)``."""
    unseen = section(hands.views[rows], "unseen", 2).astype(np.float32)
    return torch.from_numpy(np.where(unseen > 0, np.log(np.maximum(unseen, 1)), _NEVER)).float()


def losses(log_chances: Tensor, hands: Hands, rows: NDArray[np.intp]) -> Tensor:
    """Return the mean log-loss of a hidden card at some decisions, in nats, shape ``(k,)``."""
    hidden = torch.from_numpy(hands.hidden[rows]).float()
    return -(hidden * log_chances).sum(1) / hidden.sum(1)


def compared(hands: Hands, seed: int) -> pd.DataFrame:
    """Fit all readers; return their losses at decisions of games that nothing was fitted to.

    Six tenths of the games are learned from, one tenth says when to stop, and three tenths are
    judged.

    Args:
        hands: The decisions.
        seed: Random seed for the networks and the order of the decisions.

    Returns:
        A row for each judged decision: ``game``, the number of ``hidden`` cards, and, for
        ``counting`` and each of `READERS`, the loss of a hidden card in nats.
    """
    tenth = hands.games % 10
    learned, watched, judged = (
        np.flatnonzero(chosen) for chosen in (tenth < 6, tenth == 6, tenth > 6)
    )
    counting = losses(by_counting(hands, judged).log_softmax(1), hands, judged)
    table = {
        "game": hands.games[judged],
        "hidden": hands.hidden[judged].sum(axis=1),
        "counting": counting.numpy(),
    }
    for name, sees in READERS.items():
        torch.manual_seed(seed)
        rng = np.random.default_rng(seed)
        reader = Reader(hands, *sees)
        optimizer = torch.optim.AdamW(reader.parameters(), _RATE, weight_decay=_DECAY)
        least = np.inf
        for _ in range(EPOCHS):
            order = rng.permutation(learned)
            reader.train()
            for rows in np.array_split(order, len(order) // _BATCH + 1):
                optimizer.zero_grad()
                losses(reader(hands, rows), hands, rows).mean().backward()
                optimizer.step()
            reached = _judged(reader, hands, watched).mean()
            if reached < least:
                least, table[name] = reached, _judged(reader, hands, judged)
    return pd.DataFrame(table)


@torch.no_grad()
def _judged(reader: Reader, hands: Hands, rows: NDArray[np.intp]) -> NDArray[np.float32]:
    reader.eval()
    parts = np.array_split(rows, len(rows) // 4096 + 1)
    return np.concatenate([losses(reader(hands, some), hands, some).numpy() for some in parts])
