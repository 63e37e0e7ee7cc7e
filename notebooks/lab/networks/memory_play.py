"""Strength with and without a memory of what was done, at equal decisions.

The learner and its plain network are those of the tutorial `docs/tutorials/ppo.py`. A memory adds
the latest public events to the observation, for either seat of a two-player game.

An event is a choice, not a pass: a pass looks the same as having nothing to choose. For the same
reason forced choices are decisions here: a choice that the engine takes itself would be no event,
and so would tell that the hand held no other card. Each choice is public but for the face of a
reinforcement, which the other seat does not see when it is laid.
"""

import importlib.util
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from impulse_agents.asking.ask import ask_in_batch
from impulse_agents.base import Agent
from impulse_agents.rng import RngStreams
from impulse_env import N_ACTIONS
from impulse_env.engine.action_space import PASS
from impulse_env.engine.ops import KINDS
from impulse_env.environments.batched_opponents import choose_by_agent
from impulse_env.environments.self_play import SelfPlayBatch, Step
from impulse_env.files import replacing
from impulse_env.frame import absolute_frame, own_frame
from impulse_env.observation import section
from impulse_env.observation import size as observation_size
from impulse_training.run.provenance.checkout import checkout

VARIANTS: Final = {"plain": 0, "events16": 16}
"""By name: the number of events in the observation."""
HIDDEN_KIND: Final = KINDS.index("reinforce")
"""The kind of decision whose choice the other seat does not see."""
EMBEDDED: Final = 16
"""Numbers that an event is embedded in."""
_OTHERS_FRAME: Final = np.stack([own_frame(2)[1 - one][absolute_frame(2)[one]] for one in (0, 1)])
"""By seat: its actions in the frame of the other seat, shape ``(2, N_ACTIONS)``."""

Choose = Callable[["Remembering", NDArray[np.intp]], NDArray[np.int64]]
"""Returns the actions of the seats that decide in some games."""


def _tutorial() -> ModuleType:
    path = (checkout() or Path()) / "docs" / "tutorials" / "ppo.py"
    spec = importlib.util.spec_from_file_location("ppo_tutorial", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ppo: Final = _tutorial()
"""The tutorial."""


class Remembering(SelfPlayBatch):
    """Two-player games whose observations end with the latest events.

    Attributes:
        memory: The latest events for each seat, the newest first, shape
            ``(num_games, 2, events, 2)``, uint8. The first number is 0 if there was no such event,
            and else 1 plus the kind of decision, plus the number of kinds if the other seat
            decided. The second is 1 plus the action in the seat's own frame, or 0 if it is hidden.
    """

    def __init__(self, num_games: int, events: int, seed: int, reward: str = "win") -> None:
        super().__init__(num_games, 2, seed=seed, reward=reward, auto_forced=False)
        self.memory = np.zeros((num_games, 2, events, 2), np.uint8)
        self._show()

    def step(self, actions: NDArray[np.integer[Any]]) -> Step:
        """Take one decision in every game, as `SelfPlayBatch.step` does, and remember it."""
        seats = self.seats.astype(np.int64)
        kinds = section(self.batch.observations, "decision", 2).argmax(1)
        step = super().step(actions)
        for is_other in (0, 1):
            shown = actions if not is_other else _OTHERS_FRAME[seats, actions]
            is_hidden = (kinds == HIDDEN_KIND) & bool(is_other)
            event = (1 + kinds + len(KINDS) * is_other, np.where(is_hidden, 0, 1 + shown))
            games = np.flatnonzero(actions != PASS)
            readers = seats[games] ^ is_other
            latest = np.stack(event, 1).astype(np.uint8)[games, None]
            before = self.memory[games, readers]
            after = np.concatenate([latest, before], 1)[:, : self.memory.shape[2]]
            self.memory[games, readers] = after
        self.memory[step.ended] = 0
        self._show()
        return step

    def _show(self) -> None:
        events = self.memory[np.arange(len(self)), self.seats].reshape(len(self), -1)
        self.observations = np.concatenate([self.batch.observations, events], 1)


class MemoryNetwork(ppo.Network):  # type: ignore[name-defined, misc]  # loaded by path
    """The tutorial's network for two players, whose first layer also reads the latest events.

    An event is embedded as the sum of what was decided by whom, and of the action. What it adds to
    the first layer depends on its place in the memory. At first all other weights are those that
    the tutorial's network has after the same seed.
    """

    def __init__(self, width: int, events: int) -> None:
        super().__init__(2, width)
        self.decided = nn.Embedding(1 + 2 * len(KINDS), EMBEDDED, padding_idx=0)
        self.done = nn.Embedding(1 + N_ACTIONS, EMBEDDED, padding_idx=0)
        self.places = nn.Linear(events * EMBEDDED, width, bias=False)
        for embedding in (self.decided, self.done):
            nn.init.normal_(embedding.weight[1:], std=1 / 4)  # as the tutorial's
        nn.init.normal_(self.places.weight, std=1 / 30)

    def read(self, seen: Tensor, table: Tensor) -> Tensor:
        """Return the sums of the first layer, shape ``(n, width)``."""
        events = seen[:, observation_size(2) :].int().unflatten(1, (-1, 2))
        embedded = self.decided(events[:, :, 0]) + self.done(events[:, :, 1])
        first: Tensor = super().read(seen, table) + self.places(embedded.flatten(1))
        return first


def network_of(variant: str, options: Namespace) -> nn.Module:
    """Return a new network of one of `VARIANTS`, with the weights that its seed gives."""
    torch.manual_seed(options.seed)
    events = VARIANTS[variant]
    network: nn.Module = (
        MemoryNetwork(options.width, events) if events else ppo.Network(2, options.width)
    )
    return network


def trained(variant: str, updates: int, path: Path, words: Sequence[str]) -> nn.Module:
    """Train a network by self-play, or load it if it was trained before.

    The learning rate and the weight of the entropy fall with the decisions that are done. So the
    same arguments give the same weights; it runs on one thread of torch, also afterwards.

    Args:
        variant: One of `VARIANTS`.
        updates: Number of updates; each has as many decisions as games times steps.
        path: The file of the weights, which is made for these arguments only.
        words: Options of the tutorial; its seed is also the seed of the first deal.
    """
    torch.set_num_threads(1)
    options = ppo.parse(["--threads", "1", *words])
    network = network_of(variant, options)
    if path.exists():
        network.load_state_dict(torch.load(path, weights_only=True))
        return network
    games = Remembering(options.games, VARIANTS[variant], options.seed, reward="score")
    optimizer = torch.optim.Adam(network.parameters(), lr=options.learning_rate, eps=1e-5)
    for update in range(updates):
        left = 1 - 0.95 * update / updates
        for group in optimizer.param_groups:
            group["lr"] = options.learning_rate * left
        kept = ppo.roll_out(games, network, options)
        ppo.learn(network, optimizer, kept, options, options.entropy * left)
    with replacing(path) as file:
        torch.save(network.state_dict(), file)
    return network


def by_network(network: nn.Module, seed: int) -> Choose:
    """Return a player that samples its actions from a network, as in training.

    A network without a memory does not read the events.
    """
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        table = network.table()  # type: ignore[operator]  # it is the tutorial's

    @torch.no_grad()
    def choose(games: Remembering, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        seen, masks = (torch.from_numpy(one[rows]) for one in (games.observations, games.masks))
        likely, _ = network(seen, masks, table)
        chosen: NDArray[np.int64] = torch.multinomial(likely.exp(), 1, generator=generator)[
            :, 0
        ].numpy()
        return chosen

    return choose


def by_agent(agent: Agent, seed: int) -> Choose:
    """Return a player that plays as an agent, which sees no events."""
    rng = np.random.default_rng(seed)

    def choose(games: Remembering, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        streams = RngStreams.from_generator(rng, len(rows))
        return ask_in_batch(agent, games.batch, rows, streams, np.arange(len(rows)))

    return choose


def matched(first: Choose, second: Choose, deals: int, seed: int, events: int) -> pd.DataFrame:
    """Play each deal twice, with the seats swapped.

    Args:
        first: The player whose results are returned.
        second: The other player.
        deals: Number of deals.
        seed: Seed of the first deal.
        events: Number of events in the observations.

    Returns:
        A row for each game: ``deal``, ``seat`` of the first player, and ``won`` (1 if it won, 0 if
        it lost, 1/2 if the game was truncated).
    """
    halves = [
        _results((first, second)[:: 1 - 2 * seat], seat, deals, seed, events) for seat in (0, 1)
    ]
    return pd.concat(halves, ignore_index=True)


def _results(
    by_seat: Sequence[Choose], seat: int, deals: int, seed: int, events: int
) -> pd.DataFrame:
    """Play each deal once; return the results of a seat."""
    games = Remembering(deals, events, seed)
    won = np.full(deals, np.nan)
    while len(running := np.flatnonzero(np.isnan(won))):
        # In a game that is over the next deal only waits, with any of its legal actions.
        actions = games.masks.argmax(1).astype(np.int64)
        seats = games.seats[running].astype(np.int64)
        actions[running] = choose_by_agent(
            running, seats, lambda decides, rows: by_seat[decides](games, rows)
        )
        step = games.step(actions)
        ended = step.ended[np.isnan(won[step.ended])]
        won[ended] = 0.5 + step.rewards[ended, seat] / 2
    return pd.DataFrame({"deal": np.arange(deals), "seat": seat, "won": won})
