"""Agents that decide on a GPU, in many games at once, without waiting for it.

They play as the agents of the same names: those of the rules of thumb run the same functions in a
kernel, and those that are trained run their networks. They are opponents of `GpuVectorEnv`, and
this module needs torch. Like all kernels, they run on the processor with the device "cpu".
"""

from functools import cache
from typing import Any, Final

import numba
import numpy as np
import torch
from numba import types
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray

from impulse_agents.base import AgentError
from impulse_agents.heuristics.agent import act_by_rules
from impulse_agents.heuristics.styles import BALANCED, STYLE_NAMES, STYLES
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.registry import RULE_BASED, make
from impulse_agents.search.kernel import act_one_ply
from impulse_agents.search.tree import Buffers
from impulse_env.arguments import shown
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.state import STATE
from impulse_env.errors import ArgumentError
from impulse_env.frame import absolute_frame
from impulse_env.gpu import HOLD, GpuBatch, GpuOpponent
from impulse_env.gpu.batch import check_tensor
from impulse_env.gpu.code import Kernel, local_memory, thread_index
from impulse_env.gpu.programs import checked_device, program

_MANTISSA: Final = 53
_SCRATCH: Final = 3 * SIZE


def gpu_agent(name: str, device: Any) -> GpuOpponent:
    """Return the agent of a name for batches of games on a device.

    It takes the actions of the agent that `impulse_agents.make` returns. Of a trained agent they
    may differ where two logits are equal up to rounding. With equal generators, the actions of a
    rule-based agent are equal, and also those of a trained one. "random" draws the same
    distribution.

    Args:
        name: "random", one of `impulse_agents.RULE_BASED`, or ``policy:…``, as in `make`.
        device: "cuda", "cuda:N" or "cpu", see `GpuBatch`.

    Returns:
        An opponent for `GpuVectorEnv`. Its `act` raises `ArgumentError` for a batch on another
        device or for a tensor of another shape, dtype or device, and `AgentError` if a network was
        trained for another number of players.

    Raises:
        AgentError: The name is that of no agent which can play on a device, or the trained agent
            cannot be loaded.
        ArgumentError: There is no such device.
        MissingExtraError: The agent needs a package that is not installed.
    """
    chosen = checked_device(device)
    if name == "random":
        return _Random(chosen)
    if name == "greedy":
        return _Rules(LOOK_AHEAD, BALANCED, chosen)
    if name in RULE_BASED:
        return _Rules(RULES, STYLE_NAMES.index(name), chosen)
    if isinstance(name, str) and name.startswith("policy:"):
        agent = make(name)
        assert isinstance(agent, PolicyAgent)
        return _Network(agent, chosen)
    raise AgentError(
        f"{shown(name)} cannot play on a device; what can is random, {', '.join(RULE_BASED)} and "
        "policy:PATH"
    )


class _OnDevice:
    """What all agents have in common.

    Attributes:
        device: The device of the batches that it plays in.
    """

    def __init__(self, device: torch.device) -> None:
        self.device = device

    def act(self, batch: GpuBatch, waits: torch.Tensor, randomness: torch.Tensor) -> torch.Tensor:
        """Return an action for each game that waits; see `GpuOpponent`.

        Args:
            batch: The games, on this agent's device.
            waits: Whether a game waits for this agent, shape ``(n,)``, bool; a game that is over
                does not.
            randomness: A generator's state for each game, never 0, shape ``(n,)``, int64. Those of
                games that wait change as `RngStreams` of the same states.

        Returns:
            Legal actions in the own frames of `batch.seats`, `HOLD` where `waits` is False, shape
            ``(n,)``, int64.

        Raises:
            ArgumentError: A tensor has another shape, dtype or device.
            AgentError: The agent was trained for another number of players.
        """
        if batch.device != self.device:
            raise ArgumentError(f"the agent is on {self.device}, and the games on {batch.device}")
        check_tensor("waits", waits, batch.illegal)
        check_tensor("randomness", randomness, batch.seeds)
        return self._chosen(batch, waits, randomness)

    def _chosen(
        self, batch: GpuBatch, waits: torch.Tensor, randomness: torch.Tensor
    ) -> torch.Tensor:
        raise NotImplementedError


class _Random(_OnDevice):
    """Draws a legal action uniformly."""

    def _chosen(
        self, batch: GpuBatch, waits: torch.Tensor, randomness: torch.Tensor
    ) -> torch.Tensor:
        states = randomness.clone()
        actions = batch.random_actions(states)
        randomness.copy_(torch.where(waits, states, randomness))
        return torch.where(waits, actions, HOLD)


# --- By the rules of thumb -----------------------------------------------------------------------


@jit_internal
def _act_by_rules(
    views: np.ndarray,
    seats: NDArray[np.int8],
    masks: NDArray[np.int8],
    to_absolute: NDArray[np.int64],
    style: NDArray[np.float32],
    waits: NDArray[np.uint8],
    streams: NDArray[np.uint64],
    actions: NDArray[np.int64],
) -> None:
    """Write the action of one view, or `HOLD`; see `act_by_rules`."""
    game = thread_index()
    if game >= len(views):
        return
    actions[game] = HOLD
    if not waits[game]:
        return
    actions[game] = act_by_rules(
        views[game],
        np.int64(seats[game]),
        masks[game],
        to_absolute,
        style,
        streams,
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
    to_absolute: NDArray[np.int64],
    style: NDArray[np.float32],
    waits: NDArray[np.uint8],
    streams: NDArray[np.uint64],
    actions: NDArray[np.int64],
) -> None:
    """Write the action of one view, or `HOLD`; see `act_one_ply`."""
    game = thread_index()
    if game >= len(views):
        return
    actions[game] = HOLD
    if not waits[game]:
        return
    seat = np.int64(seats[game])
    actions[game] = act_one_ply(
        views[game],
        seat,
        masks[game],
        to_absolute[seat],
        numba.carray(local_memory(views, 2), (2,)),
        style,
        streams,
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
    *(from_dtype(STATE)[::1], types.int8[::1], types.int8[:, ::1], types.int64[:, ::1]),
    *(types.float32[::1], types.uint8[::1], types.uint64[::1], types.int64[::1]),
)
RULES: Final = Kernel("impulse_rules", _act_by_rules, _ARGUMENTS, unrolls=False)
LOOK_AHEAD: Final = Kernel("impulse_look_ahead", _look_ahead, _ARGUMENTS, unrolls=False)


@cache
def _to_absolute(players: int, device: torch.device) -> torch.Tensor:
    """Return `absolute_frame` on a device."""
    return torch.tensor(absolute_frame(players), device=device)


class _Rules(_OnDevice):
    """Plays by the rules of thumb, in a kernel that gets nothing but views.

    Args:
        kernel: `RULES` or `LOOK_AHEAD`.
        style: The row of `STYLES`.
        device: The device.
    """

    def __init__(self, kernel: Kernel, style: int, device: torch.device) -> None:
        super().__init__(device)
        self._program = program(kernel, device)
        self._style = torch.tensor(STYLES[style], device=device)

    def _chosen(
        self, batch: GpuBatch, waits: torch.Tensor, randomness: torch.Tensor
    ) -> torch.Tensor:
        actions = torch.empty_like(batch.seeds)
        self._program(
            len(batch),
            *(batch.views(), batch.seats, batch.masks),
            *(_to_absolute(batch.options.players, self.device), self._style),
            *(waits, randomness, actions),
        )
        return actions


# --- By a network --------------------------------------------------------------------------------


class _Network(_OnDevice):
    """Plays the likeliest action of a trained network, which it moves to the device.

    It reads `batch.observations`, so the batch must write them.

    Args:
        agent: The trained agent; only this one may use its network from now on.
        device: The device.
    """

    def __init__(self, agent: PolicyAgent, device: torch.device) -> None:
        super().__init__(device)
        self._agent = agent
        self._network = agent.network.to(device)
        self._precomputed = self._network.precompute()
        if self._precomputed is not None:
            self._precomputed.never_waits = True

    @torch.no_grad()
    def _chosen(
        self, batch: GpuBatch, waits: torch.Tensor, randomness: torch.Tensor
    ) -> torch.Tensor:
        self._agent.check_players(batch.options.players)
        # With the masks, the network would count the rows that have a legal place.
        logits, _ = self._network(batch.observations, self._precomputed)
        legal = logits.masked_fill(batch.masks == 0, -torch.inf)
        actions, states = _one_of(legal == legal.amax(1, keepdim=True), randomness)
        randomness.copy_(torch.where(waits, states, randomness))
        return torch.where(waits, actions, HOLD)


def _one_of(candidates: torch.Tensor, states: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return one of the candidates of each row, and the next states: `selection.one_of`."""
    states = states ^ (states << 13)
    states = states ^ _shifted_down(states, 7)
    states = states ^ (states << 17)
    shares = _shifted_down(states, 64 - _MANTISSA).double() * 2.0**-_MANTISSA
    counts = candidates.long().cumsum(1)
    index = (shares * counts[:, -1]).long()
    return (counts <= index[:, None]).sum(1), states


def _shifted_down(words: torch.Tensor, bits: int) -> torch.Tensor:
    """Shift words to the right as unsigned ones; torch shifts the sign in."""
    return (words >> bits) & ((1 << (64 - bits)) - 1)
