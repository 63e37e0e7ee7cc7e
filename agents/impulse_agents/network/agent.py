"""A trained agent: a network, and the file that it is kept in.

The file holds the weights and a description in JSON, and no code. A network is paid in points and
wins, by games against the opponents of its training: its value is a return, not a chance. What the
value has meant in games, its calibration, holds for its weights and for no others.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import numpy as np
import torch
from numpy.typing import NDArray

from impulse_agents.base import Agent, AgentError, ObservationBatch
from impulse_agents.calibration import Calibration, progress_of
from impulse_agents.explanation import Advice, Suggestion
from impulse_agents.network.build import Network
from impulse_agents.network.checkpoint import load_network, read_checkpoint
from impulse_agents.network.compiled import CompiledNetwork, evaluate_rows
from impulse_agents.network.policy_network import pack_if_compiled
from impulse_agents.network.weights_file import weights_digest, write_weights
from impulse_agents.rng import RngStreams
from impulse_agents.selection import best_of, sample, softmax
from impulse_env.actions import N_ACTIONS
from impulse_env.environments.rewards import score_margins
from impulse_env.observation import size as observation_size

FEW_ROWS: Final = 64
"""Observations below which compiled code computes all logits sooner than torch; those of the legal
actions alone it always does."""
ROWS_PER_THREAD: Final = 1024
"""Observations that are worth a thread of torch of their own."""


class PolicyAgent(Agent):
    """Plays what a network says.

    Args:
        network: The network, used as it is and where it is, not copied; change it by `set_weights`
            alone.
        config: What made it: `players`, `network` (see `impulse_agents.network.build`) and whatever
            else is worth keeping; JSON-able.
        name: The agent's name.
        is_stochastic: Whether actions are drawn with the policy's probabilities; else it takes the
            likeliest.

    Attributes:
        calibration: What its values mean; None if that was not fitted to these weights.
        search_calibration: What a search finds that it guides; None likewise.
    """

    gives_probabilities: ClassVar[bool] = True

    def __init__(
        self, network: Network, config: dict[str, Any], name: str, is_stochastic: bool = False
    ) -> None:
        self.network = network.eval()
        self._device = next((weight.device for weight in network.parameters()), torch.device("cpu"))
        self.config = config
        self.name = name
        self.is_stochastic = is_stochastic
        self._precomputed = network.precompute()
        self._compiled: CompiledNetwork | None = None
        self._calibrate(network.state_dict())

    def set_weights(self, weights: dict[str, Any]) -> None:
        """Play on with other weights of the same network; they are copied."""
        self.network.load_state_dict(weights)
        self._precomputed = self.network.precompute()
        self._compiled = None
        self._calibrate(weights)

    def _calibrate(self, weights: dict[str, Any]) -> None:
        self.calibration, self.search_calibration = calibrations_of(self.config, weights)

    def weights_digest(self) -> str:
        """Return the SHA-256 of its weights in hexadecimal, as its card tells it."""
        return weights_digest(self.network.state_dict())

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Choose the likeliest legal action, or draw one."""
        logits = self._logits(seen)
        if self.is_stochastic:
            return sample(logits, seen.masks, streams)
        return best_of(logits, seen.masks, streams)

    def action_probabilities(
        self, seen: ObservationBatch, streams: RngStreams
    ) -> NDArray[np.float32]:
        """Return the policy's probabilities; nothing is drawn."""
        return softmax(self._logits(seen), seen.masks).astype(np.float32, copy=False)

    def advise(self, seen: ObservationBatch, streams: RngStreams, count: int = 3) -> Advice:
        """Suggest the likeliest actions with their probabilities, and say the chance to win."""
        self.check(seen.observations)
        logits, values = self.evaluate(seen.observations)
        shares = softmax(logits, seen.masks)[0]
        legal = np.flatnonzero(seen.masks[0])
        best = legal[np.argsort(-shares[legal], kind="stable")[:count]]
        suggestions = (Suggestion(seen.action_name(0, own), float(shares[own])) for own in best)
        wins = error = None
        if self.calibration is not None and seen.views is not None:
            wins = float(self.win_probabilities(values, seen.views, seen.seats)[0])
            error = self.calibration.error
        return Advice(self.name, tuple(suggestions), wins, error)

    def check_players(self, players: int) -> None:
        """Raise `AgentError` unless it was trained for so many players."""
        self.check(np.empty((0, observation_size(players)), np.uint8))

    def _logits(self, seen: ObservationBatch) -> NDArray[np.float32]:
        """Return logits before masking, shape ``(n, N_ACTIONS)``; raises `AgentError`.

        Those of illegal actions may be any numbers.
        """
        self.check(seen.observations)
        if self.compiled is not None:
            given = self.compiled, seen.observations, seen.masks
            return evaluate_rows(*given, needs_values=False, threads=torch.get_num_threads())[0]
        with torch.inference_mode(), threads_for(len(seen)):
            rows = torch.from_numpy(seen.observations).to(self._device)
            masks = torch.from_numpy(seen.masks).to(self._device)
            return self.network(rows, self._precomputed, masks)[0].cpu().numpy()

    @property
    def compiled(self) -> CompiledNetwork | None:
        """The network for compiled code; None where there is none, see `pack_if_compiled`."""
        if self._compiled is None:
            self._compiled = pack_if_compiled(self.network)
        return self._compiled

    def check(self, observations: NDArray[np.uint8]) -> None:
        """Raise `AgentError` if the observations are not those of the table it was trained for."""
        wanted = self.config["layout"]["observation"]
        if observations.shape[1] != wanted:
            raise AgentError(
                f"{self.name} was trained for {self.config['players']} players: observations of "
                f"{wanted} features, not {observations.shape[1]}"
            )

    def evaluate(
        self, observations: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return logits before masking, shape ``(n, N_ACTIONS)``, and expected pay, ``(n,)``."""
        if self.compiled is not None and len(observations) < FEW_ROWS:
            every = np.ones((len(observations), N_ACTIONS), np.int8)
            return evaluate_rows(self.compiled, observations, every, needs_values=True)
        with torch.inference_mode(), threads_for(len(observations)):
            rows = torch.from_numpy(observations).to(self._device)
            logits, values = self.network(rows, self._precomputed)
        return logits.cpu().numpy(), values.cpu().numpy()

    def win_probabilities(
        self, values: NDArray[np.float32], states: np.ndarray, seats: NDArray[np.integer]
    ) -> NDArray[np.float32]:
        """Return the chances to win that its values stand for, 0 to 1, shape ``(n,)``.

        Args:
            values: From `evaluate`, shape ``(n,)``.
            states: The games, or views of them, shape ``(n,)``.
            seats: The seats that the values are of, shape ``(n,)``.

        Raises:
            AgentError: It is not calibrated.
        """
        calibration = self.fitted_calibration()
        outcomes = expected_outcomes(values, states, seats, self.has_score_reward)
        return calibration.win_probabilities(outcomes, progress_of(states))

    def fitted_calibration(self) -> Calibration:
        """Return what its values mean; raises `AgentError` if it is not calibrated."""
        if self.calibration is None:
            raise AgentError(
                f"{self.name} is not calibrated: how often its side wins is not known; "
                "`impulse agents calibrate CHECKPOINT` plays games to find out"
            )
        return self.calibration

    @property
    def has_score_reward(self) -> bool:
        """Whether its value counts the lead in points that is still to come, too."""
        trained = self.config.get("trained") or {}  # a checkpoint need not tell
        return bool(trained.get("reward") == "score")

    def save(self, path: str | Path, is_half: bool = False) -> None:
        """Write the checkpoint; whoever reads it meanwhile sees the old one or the new one.

        Args:
            path: The file.
            is_half: Whether weights are rounded to half precision, for half the size; who loads
                them computes in single precision as ever.
        """
        weights = self.network.state_dict()
        if is_half:
            weights = {name: weight.half() for name, weight in weights.items()}
        write_weights(path, json.dumps(self.config), weights)

    @classmethod
    def load(cls, path: str | Path, is_stochastic: bool = False) -> Self:
        """Return the agent of a checkpoint, which is checked and of which nothing is executed.

        Raises:
            CheckpointError: It is none, or has a fault; the message names the field.
            NetworkError: It is of another author's network, which cannot be had.
        """
        config, weights = read_checkpoint(Path(path))
        network = load_network(config, weights, Path(path))
        return cls(network, config, f"policy:{path}", is_stochastic)


def calibrations_of(
    config: Mapping[str, Any], weights: Mapping[str, torch.Tensor]
) -> tuple[Calibration | None, Calibration | None]:
    """Return what values mean, and what a search finds that the network guides.

    They stand in a checkpoint's config; None for one that is not there, or not for these weights.
    """
    values, search = (config.get(of) or {} for of in ("calibration", "search_calibration"))
    if "weights" not in {*values, *search}:
        return None, None
    digest = weights_digest(weights)  # of megabytes: not without need, and once
    return (
        Calibration.read(values) if values.get("weights") == digest else None,
        Calibration.read(search) if search.get("weights") == digest else None,
    )


def expected_outcomes(
    values: NDArray[np.float32],
    states: np.ndarray,
    seats: NDArray[np.integer],
    has_score_reward: bool,
) -> NDArray[np.float32]:
    """Return what seats expect to have in the end, shape ``(n,)``: 1 for a win and no lead.

    Args:
        values: What the network expects to be paid from here on, shape ``(n,)``.
        states: The games, or views of them, of as many players each; shape ``(n,)``.
        seats: Whose values these are, shape ``(n,)``.
        has_score_reward: Whether leads are paid: then the lead that a seat has, in targets, has
            been paid already and is no part of the value.
    """
    if not has_score_reward:
        return values
    return values + score_margins(states, seats.astype(np.int64))


@contextmanager
def threads_for(rows: int) -> Iterator[None]:
    """Let torch use as many threads as so many observations are worth.

    With a few rows a second thread costs many times what it saves, and where other programs want
    the cores more still: one decision takes 2 ms on one thread and 10 to 20 on two. Fewer threads
    than are set stay fewer.
    """
    before = torch.get_num_threads()
    wanted = max(1, min(before, rows // ROWS_PER_THREAD))
    if wanted == before:
        yield
        return
    torch.set_num_threads(wanted)
    try:
        yield
    finally:
        torch.set_num_threads(before)
