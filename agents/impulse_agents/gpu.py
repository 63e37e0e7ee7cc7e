"""Agents that play on a GPU: they decide in all games of a `GpuBatch` without waiting for the host.

`gpu_agent` returns one by its name; `GpuVectorEnv` takes it as an opponent. Rule-based agents are
kernels around the functions of `heuristics` and `search`; trained agents run their network there.
A CUDA graph can record a decision, after a first one without it.
"""

import copy
from abc import ABC, abstractmethod
from functools import cache
from typing import Any, Final

import numba
import numpy as np
import torch
from numba import types
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray
from torch import Tensor

from impulse_agents.base import Agent, AgentError
from impulse_agents.heuristics.agent import RuleAgent, act_by_rules
from impulse_agents.heuristics.random_agent import RandomAgent
from impulse_agents.heuristics.styles import BALANCED, STYLES
from impulse_agents.network.agent import PolicyAgent, threads_for
from impulse_agents.registry import RULE_BASED, make
from impulse_agents.search.agent import GreedyAgent
from impulse_agents.search.kernel import act_one_ply
from impulse_agents.search.tree import Buffers
from impulse_env.arguments import shown
from impulse_env.batch import NOBODY
from impulse_env.compiled.compilation import jit_internal
from impulse_env.compiled.memory import local_memory
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.state import STATE
from impulse_env.errors import ArgumentError
from impulse_env.frame import absolute_frame
from impulse_env.gpu import HOLD, GpuBatch, GpuOpponent
from impulse_env.gpu.batch import check_tensor
from impulse_env.gpu.code import Kernel, thread_index
from impulse_env.gpu.programs import checked_device, program

_MANTISSA: Final = 53
_SCRATCH: Final = 3 * SIZE


def gpu_agent(agent: str | Agent, device: Any = "cuda", *, most: int | None = None) -> GpuOpponent:
    """Return an agent that plays on a device as the given one does.

    With equal generators, random and rule-based agents take equal actions. A trained agent may take
    another action where logits differ by no more than rounding, or if it samples.

    Args:
        agent: "random", one of `RULE_BASED`, ``policy:PATH`` as in `make`, or an agent of these
            classes; a trained one is copied.
        device: "cuda", "cuda:N" or "cpu", see `GpuBatch`.
        most: The games in which a trained agent decides at once, 1 or more; in others that wait, it
            returns `HOLD`. Its network then computes no rows for games of other agents. None: all.

    Raises:
        AgentError: The agent cannot play on a device, or cannot be created.
        ArgumentError: There is no such device.
        MissingExtraError: The agent needs a package that is not installed.
    """
    place = checked_device(device)
    can_play = ("random", *RULE_BASED, "policy")
    made = make(agent) if isinstance(agent, str) and agent.partition(":")[0] in can_play else agent
    if type(made) is RandomAgent:
        return _RandomOnDevice(place)
    if type(made) is RuleAgent:
        return _RulesOnDevice(RULES, made.style, place)
    if type(made) is GreedyAgent:
        return _RulesOnDevice(LOOK_AHEAD, STYLES[BALANCED], place)
    if type(made) is PolicyAgent:
        return _PolicyOnDevice(made, place, most)
    name = made.name if isinstance(made, Agent) else made
    raise AgentError(
        f"{shown(name)} cannot play on a device; random, {', '.join(RULE_BASED)} and policy:PATH "
        "can"
    )


class _AgentOnDevice(ABC):
    """An agent on a device.

    Attributes:
        device: The device of the games that it plays.
    """

    def __init__(self, device: torch.device) -> None:
        self.device = device

    def act(self, batch: GpuBatch, waits: Tensor, randomness: Tensor) -> Tensor:
        """Choose an action where a game waits; see `GpuOpponent`.

        Args:
            batch: The games, on this device; must not be changed.
            waits: Whether a game waits for this agent, shape ``(n,)``, bool; ignored where a game
                is over.
            randomness: A generator's state for every game, never 0, shape ``(n,)``, int64; changed
                where a game waits, as `RngStreams` are.

        Returns:
            Legal actions in the own frame of `batch.seats`, and `HOLD` where no action is asked
            for, shape ``(n,)``, int64.

        Raises:
            ArgumentError: The games are on another device, or a tensor has another shape, dtype or
                device.
            AgentError: The agent was trained for another number of players.
        """
        if batch.device != self.device:
            raise ArgumentError(f"the agent is on {self.device}, the games are on {batch.device}")
        check_tensor("waits", waits, batch.illegal)
        check_tensor("randomness", randomness, batch.seeds)
        asked = waits & (batch.seats != NOBODY)
        states = randomness.clone()
        actions = self._choose(batch, asked, states)
        randomness.copy_(torch.where(asked, states, randomness))
        return torch.where(asked, actions, HOLD)

    @abstractmethod
    def _choose(self, batch: GpuBatch, asked: Tensor, states: Tensor) -> Tensor:
        """Return the actions, anything where none is asked for; `states` may change everywhere."""


class _RandomOnDevice(_AgentOnDevice):
    """Draws a legal action uniformly."""

    def _choose(self, batch: GpuBatch, asked: Tensor, states: Tensor) -> Tensor:
        return _one_of(batch.masks != 0, states)


# --- Rules of thumb ------------------------------------------------------------------------------


@jit_internal
def _rules(
    views: np.ndarray,
    seats: NDArray[np.int8],
    masks: NDArray[np.int8],
    asked: NDArray[np.uint8],
    to_absolute: NDArray[np.int64],
    style: NDArray[np.float32],
    states: NDArray[np.uint64],
    actions: NDArray[np.int64],
) -> None:
    """Write the action of one view by `act_by_rules`."""
    game = thread_index()
    if game >= len(views) or not asked[game]:
        return
    actions[game] = act_by_rules(
        views[game],
        np.int64(seats[game]),
        masks[game],
        to_absolute,
        style,
        states,
        game,
        numba.carray(local_memory(np.int16, SIZE), (SIZE,)),
        numba.carray(local_memory(np.int16, SIZE), (SIZE,)),
        numba.carray(local_memory(np.float32, SIZE), (SIZE,)),
    )


@jit_internal
def _look_ahead(
    views: np.ndarray,
    seats: NDArray[np.int8],
    masks: NDArray[np.int8],
    asked: NDArray[np.uint8],
    to_absolute: NDArray[np.int64],
    style: NDArray[np.float32],
    states: NDArray[np.uint64],
    actions: NDArray[np.int64],
) -> None:
    """Write the action of one view by `act_one_ply`."""
    game = thread_index()
    if game >= len(views) or not asked[game]:
        return
    seat = np.int64(seats[game])
    actions[game] = act_one_ply(
        views[game],
        seat,
        masks[game],
        to_absolute[seat],
        numba.carray(local_memory(views, 2), (2,)),
        style,
        states,
        game,
        Buffers(
            numba.carray(local_memory(np.int16, SIZE), (SIZE,)),
            numba.carray(local_memory(np.int16, SIZE), (SIZE,)),
            numba.carray(local_memory(np.int32, SIZE), (SIZE,)),
            numba.carray(local_memory(np.float32, _SCRATCH), (3, SIZE)),
        ),
        numba.carray(local_memory(np.int16, SIZE), (SIZE,)),
        numba.carray(local_memory(np.float32, SIZE), (SIZE,)),
    )


_ARGUMENTS: Final = (
    *(from_dtype(STATE)[::1], types.int8[::1], types.int8[:, ::1], types.uint8[::1]),
    *(types.int64[:, ::1], types.float32[::1], types.uint64[::1], types.int64[::1]),
)
RULES: Final = Kernel("impulse_rules", _rules, _ARGUMENTS, unrolls=False)
LOOK_AHEAD: Final = Kernel("impulse_look_ahead", _look_ahead, _ARGUMENTS, unrolls=False)


@cache
def _to_absolute(players: int, device: torch.device) -> Tensor:
    """Return `absolute_frame` on a device."""
    return torch.tensor(absolute_frame(players), device=device)


class _RulesOnDevice(_AgentOnDevice):
    """Plays by rules of thumb; its kernel reads views, which contain nothing hidden.

    Args:
        kernel: `RULES` or `LOOK_AHEAD`.
        style: A row of `STYLES`.
        device: The device.
    """

    def __init__(self, kernel: Kernel, style: NDArray[np.float32], device: torch.device) -> None:
        super().__init__(device)
        self._program = program(kernel, device)
        self._style = torch.tensor(style, device=device)

    def _choose(self, batch: GpuBatch, asked: Tensor, states: Tensor) -> Tensor:
        actions = torch.zeros_like(states)
        self._program(
            len(batch),
            *(batch.views(), batch.seats, batch.masks, asked),
            *(_to_absolute(batch.options.players, self.device), self._style, states, actions),
        )
        return actions


# --- Networks ------------------------------------------------------------------------------------


class _PolicyOnDevice(_AgentOnDevice):
    """Plays by a copy of a trained agent's network.

    The network of another author may wait for the GPU.

    Args:
        agent: The trained agent.
        device: The device.
        most: The games in which it decides at once; None: all.
    """

    def __init__(self, agent: PolicyAgent, device: torch.device, most: int | None) -> None:
        super().__init__(device)
        self._agent, self._most = agent, most
        self._network = copy.deepcopy(agent.network).to(device)
        self._precomputed = self._network.precompute(may_wait=False)

    @torch.no_grad()
    def _choose(self, batch: GpuBatch, asked: Tensor, states: Tensor) -> Tensor:
        self._agent.check_players(batch.options.players)
        if self._most is None or self._most >= len(batch):
            observations = batch.observe(torch.where(asked, batch.seats, NOBODY))
            return self._chosen(observations, batch.masks, states)
        # The games that wait come first, in a number that the host knows.
        games = asked.to(torch.int8).topk(self._most).indices
        some = states[games]
        chosen = self._chosen(batch.observations[games], batch.masks[games], some)
        states[games] = some
        actions = torch.full_like(states, HOLD)
        return actions.index_copy(0, games, chosen)

    def _chosen(self, observations: Tensor, masks: Tensor, states: Tensor) -> Tensor:
        """Return an action for every row; the generators change."""
        with threads_for(len(observations)):  # on the processor
            # With masks, a pass would wait to count the rows that have a legal place.
            logits, _ = self._network(observations, self._precomputed)
        legal = logits.masked_fill(masks == 0, -torch.inf)
        highest = legal.amax(1, keepdim=True)
        if self._agent.is_stochastic:
            return _sample(legal - highest, states)
        return _one_of(legal == highest, states)


# --- Draws ---------------------------------------------------------------------------------------


def _one_of(candidates: Tensor, states: Tensor) -> Tensor:
    """Return one of the candidates of each row, all equally likely: `selection.one_of`.

    Args:
        candidates: Shape ``(n, k)``, bool.
        states: The generators, shape ``(n,)``, int64; changed.
    """
    counts = candidates.long().cumsum(1)
    index = (_random(states) * counts[:, -1]).long()
    return (counts <= index[:, None]).sum(1)


def _sample(logits: Tensor, states: Tensor) -> Tensor:
    """Draw an action with the softmax's probabilities: `selection.sample`.

    Args:
        logits: 0 for the likeliest action, minus infinity for illegal ones, shape ``(n, k)``.
        states: The generators, shape ``(n,)``, int64; changed.
    """
    weights = logits.exp().cumsum(1, dtype=torch.float64)
    return (weights <= _random(states)[:, None] * weights[:, -1:]).sum(1)


def _random(states: Tensor) -> Tensor:
    """Draw a number from [0, 1) from each generator, as `RngStreams.random` does."""
    states ^= states << 13
    states ^= _shifted_right(states, 7)
    states ^= states << 17
    return _shifted_right(states, 64 - _MANTISSA).double() * 2.0**-_MANTISSA


def _shifted_right(words: Tensor, bits: int) -> Tensor:
    """Shift words as unsigned ones; torch knows only signed ones."""
    return (words >> bits) & ((1 << (64 - bits)) - 1)
