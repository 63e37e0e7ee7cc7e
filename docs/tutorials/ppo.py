"""Masked PPO by self-play in one file: plain PyTorch on the batch of games, no training library.

    python ppo.py --minutes 20 --out runs/ppo

One network plays every seat of many games. Each update plays on for a few dozen decisions in every
game, and then learns from those whose consequences are known. Whenever a twelfth of the time is
over it plays against `random` and `greedy`, and writes `curve.csv` and `policy.pt` into the folder;
Ctrl-C does so at once. Needs `pip install impulse-env[networks]`.
"""

import argparse
import csv
import time
from pathlib import Path
from typing import NamedTuple

import gymnasium
import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical
from torch.nn import functional as F  # noqa: N812 - everybody calls it so

from impulse_env import N_ACTIONS, observation
from impulse_env.environments.self_play import SelfPlayBatch, seat_advantages

OPPONENTS = ("random", "greedy")
"""Whom the network is measured by; it learns from itself alone."""
NUMBERS = ("count", "flag")
"""Kinds of features that are numbers; all others are codes."""


def count(text: str) -> int:
    """Return a number of 1 or more."""
    if int(text) < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return int(text)


def duration(text: str) -> float:
    """Return a number above 0."""
    if not float(text) > 0:
        raise argparse.ArgumentTypeError("must be more than 0")
    return float(text)


def parse(words: list[str] | None = None) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    add = parser.add_argument
    add("--minutes", type=duration, default=20, help="of training and measuring")
    add("--out", type=Path, default=Path("runs/ppo"), help="the folder of the results")
    add("--start", type=Path, help="weights to begin with: the policy.pt of another run")
    add("--seed", type=int, default=1, help="of deals, weights and choices")
    add("--players", type=int, default=2, choices=range(2, 7), help="at the table")
    add("--threads", type=count, default=2, help="of torch")
    add("--games", type=count, default=512, help="side by side")
    add("--steps", type=count, default=64, help="decisions in each game between two updates")
    add("--epochs", type=count, default=1, help="times that an update sees each decision")
    add("--minibatch", type=count, default=2048, help="decisions in one step of the optimizer")
    add("--learning-rate", type=float, default=1e-3, help="at the start; it falls to a twentieth")
    add("--entropy", type=float, default=0.02, help="weight of the entropy; it falls alike")
    add("--discount", type=float, default=0.998, help="of a seat's next decision")
    add("--gae-lambda", type=float, default=0.97, help="bias against variance of the advantages")
    add("--clip", type=float, default=0.2, help="how far an update may change a probability")
    add("--width", type=count, default=256, help="of the network's layers")
    add("--measure", type=count, default=200, help="games against each opponent")
    return parser.parse_args(words)


class Network(nn.Module):
    """Logits of the actions and the value, from what a seat sees.

    Numbers are scaled. Codes, of cards and places above all, are embedded: a card is the same card
    wherever it lies. What a code adds to the first layer depends on its embedding and on its slot;
    a row in which the order says nothing, such as a Plan, is one slot.
    """

    POOLED = ("table", "known", "plan", "next_plan", "waiting", "own_laid", "fleet_from", "path")

    def __init__(self, players: int, width: int, dim: int = 16) -> None:
        super().__init__()
        parts = observation.sections(players)
        limits = torch.tensor(observation.high(players)).long()
        is_number = torch.cat([torch.full((p.stop - p.start,), p.kind in NUMBERS) for p in parts])
        self.register_buffer("numbers", is_number.nonzero()[:, 0])
        self.register_buffer("codes", (~is_number).nonzero()[:, 0])
        self.register_buffer("scale", 1 / limits[is_number].clamp(max=20))
        self.embedding, self.slots = nn.ParameterDict(), nn.ParameterDict()
        offsets, total = [], 1  # row 0 is that of all codes 0: nothing is there
        for part in parts:
            if part.kind in NUMBERS:
                continue
            count = int(limits[part.start : part.stop].max()) + 1
            if part.kind not in self.embedding:
                self.embedding[part.kind] = nn.Parameter(torch.randn(count, dim) / 4)
            rows = len(self.embedding[part.kind])
            length = part.stop - part.start
            slots = torch.arange(length)
            if part.name in self.POOLED:
                slots = slots // part.shape[-1]
            self.slots[part.name] = nn.Parameter(torch.randn(int(slots[-1]) + 1, dim, width) / 30)
            offsets.append(total + rows * slots)
            total += rows * (int(slots[-1]) + 1)
        self.register_buffer("offsets", torch.cat(offsets))
        self.kinds = {part.name: part.kind for part in parts if part.kind not in NUMBERS}
        self.first, self.second = nn.Linear(len(self.numbers), width), nn.Linear(width, width)
        self.action, self.value = nn.Linear(width, N_ACTIONS), nn.Linear(width, 1)
        for layer in (self.first, self.second):
            nn.init.orthogonal_(layer.weight, 2**0.5)
            nn.init.zeros_(layer.bias)
        nn.init.orthogonal_(self.action.weight, 0.01)  # all actions about equally likely at first

    def table(self) -> Tensor:
        """Return what each code adds to the first layer in each slot; the same until it learns."""
        rows = [
            torch.einsum("cd,sdw->scw", self.embedding[self.kinds[name]], weights).flatten(0, 1)
            for name, weights in self.slots.items()
        ]
        return torch.cat([rows[0].new_zeros(1, self.second.in_features), *rows])

    def read(self, seen: Tensor, table: Tensor) -> Tensor:
        """Return the sums of the first layer."""
        codes = seen.index_select(1, self.codes).long()
        rows = torch.where(codes == 0, 0, codes + self.offsets)
        first = self.first(seen.index_select(1, self.numbers).float() * self.scale)
        return first + F.embedding_bag(rows, table, mode="sum", padding_idx=0)

    def forward(self, seen: Tensor, masks: Tensor, table: Tensor) -> tuple[Tensor, Tensor]:
        """Return log probabilities of the actions, minus infinity if illegal, and the values."""
        hidden = F.relu(self.second(F.relu(self.read(seen, table))))
        logits = self.action(hidden).masked_fill(masks == 0, -torch.inf)
        return logits.log_softmax(1), self.value(hidden)[:, 0]


class Rollout(NamedTuple):
    """Decisions to learn from, and what they turned out to be worth."""

    seen: Tensor
    masks: Tensor
    actions: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor


def roll_out(games: SelfPlayBatch, network: Network, options: argparse.Namespace) -> Rollout:
    """Play on; return the decisions whose consequences are known."""
    shape = options.steps, options.games
    seen = np.empty((*shape, games.observations.shape[1]), np.uint8)
    masks = np.empty((*shape, N_ACTIONS), np.int8)
    seats, actions = np.empty(shape, np.int64), np.empty(shape, np.int64)
    log_probs, values = np.empty(shape, np.float32), np.empty(shape, np.float32)
    rewards = np.empty((*shape, options.players), np.float32)
    won, cut = np.empty(shape, np.bool_), np.empty(shape, np.bool_)
    with torch.no_grad():
        table = network.table()
    for t in range(options.steps):
        seats[t], seen[t], masks[t] = games.seats, games.observations, games.masks
        with torch.no_grad():
            likely, value = network(torch.from_numpy(seen[t]), torch.from_numpy(masks[t]), table)
            chosen = Categorical(logits=likely, validate_args=False).sample()
            log_probs[t] = likely.gather(1, chosen[:, None])[:, 0].numpy()
        actions[t], values[t] = chosen.numpy(), value.numpy()
        step = games.step(actions[t])
        rewards[t], won[t], cut[t] = step.rewards, step.terminations, step.truncations
    advantages, known = seat_advantages(
        seats, rewards, won, cut, values, options.discount, options.gae_lambda
    )
    kept = seen, masks, actions, log_probs, advantages, advantages + values
    return Rollout(*(torch.from_numpy(one[known]) for one in kept))


def learn(
    network: Network,
    optimizer: torch.optim.Optimizer,
    kept: Rollout,
    options: argparse.Namespace,
    entropy_weight: float,
) -> float:
    """Make what turned out well likelier; return the policy's mean entropy."""
    entropies = []
    for _ in range(options.epochs):
        for rows in torch.randperm(len(kept.seen)).split(options.minibatch):
            part = Rollout(*(one[rows] for one in kept))
            likely, values = network(part.seen, part.masks, network.table())
            ratio = (likely.gather(1, part.actions[:, None])[:, 0] - part.log_probs).exp()
            wanted = (part.advantages - part.advantages.mean()) / (part.advantages.std() + 1e-8)
            clipped = ratio.clamp(1 - options.clip, 1 + options.clip)
            policy_loss = -torch.min(ratio * wanted, clipped * wanted).mean()
            value_loss = F.mse_loss(values, part.returns)
            # Minus infinity times 0 is no number, so illegal actions are left out of the sum.
            entropy = -(likely.exp() * likely.masked_fill(part.masks == 0, 0)).sum(1).mean()
            loss = policy_loss + 0.5 * value_loss - entropy_weight * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
            entropies.append(entropy.item())
    return float(np.mean(entropies))


def measure(network: Network, opponent: str, options: argparse.Namespace) -> float:
    """Return the share of games that the network wins, alone at tables of this opponent."""
    envs = gymnasium.make_vec(
        "impulse_env:Impulse-v0",
        num_envs=options.measure,
        players=options.players,
        opponents=opponent,
        copy=False,
    )
    seen, info = envs.reset(seed=1_000_000)  # deals that the training does not have
    won, is_over = np.zeros(options.measure), np.zeros(options.measure, np.bool_)
    with torch.no_grad():
        table = network.table()
    while not is_over.all():
        masks = torch.from_numpy(info["action_mask"])
        with torch.no_grad():
            likely, _ = network(torch.from_numpy(seen), masks, table)
        # A game that is over only waits for the others; there, any action will do.
        chosen = Categorical(logits=likely.nan_to_num(0), validate_args=False).sample().numpy()
        seen, rewards, terminated, truncated, info = envs.step(chosen)
        ended = (terminated | truncated) & ~is_over  # the first game of each
        won[ended], is_over[ended] = rewards[ended] > 0, True
    envs.close()
    return float(won.mean())


def main(words: list[str] | None = None) -> None:
    """Train until the time is over."""
    options = parse(words)
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    games = SelfPlayBatch(options.games, options.players, seed=options.seed, reward="score")
    network = Network(options.players, options.width)
    if options.start:
        network.load_state_dict(torch.load(options.start, weights_only=True))
    optimizer = torch.optim.Adam(network.parameters(), lr=options.learning_rate, eps=1e-5)
    begin, decisions, entropy, curve = time.monotonic(), 0, float("nan"), []
    try:
        while (share := (time.monotonic() - begin) / (60 * options.minutes)) < 1:
            if int(12 * share) > len(curve):
                report(network, options, begin, decisions, entropy, curve)
            left = 1 - 0.95 * share
            for group in optimizer.param_groups:
                group["lr"] = options.learning_rate * left
            kept = roll_out(games, network, options)
            entropy = learn(network, optimizer, kept, options, options.entropy * left)
            decisions += options.games * options.steps
    except KeyboardInterrupt:
        print("ending, and saving")
    report(network, options, begin, decisions, entropy, curve)


def report(
    network: Network,
    options: argparse.Namespace,
    begin: float,
    decisions: int,
    entropy: float,
    curve: list[dict[str, float]],
) -> None:
    """Measure the network, add to the curve, print a line and save."""
    seconds = time.monotonic() - begin
    shares = {name: measure(network, name, options) for name in OPPONENTS}
    row = {"seconds": round(seconds, 1), "steps": decisions, "entropy": round(entropy, 3)}
    curve.append(row | {f"win/{name}": share for name, share in shares.items()})
    with (options.out / "curve.csv").open("w", newline="") as file:
        rows = csv.DictWriter(file, curve[0])
        rows.writeheader()
        rows.writerows(curve)
    torch.save(network.state_dict(), options.out / "policy.pt")
    print(
        f"{seconds:6.0f} s {decisions:12,} decisions {decisions / seconds:8,.0f}/s  wins against "
        + ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
        + f"; {max(0, 60 * options.minutes - seconds):.0f} s left",
        flush=True,
    )


if __name__ == "__main__":
    main()
