"""A trained agent: a network, and its file.

The file contains the weights and a description in JSON, but no code. A network learns from rewards
for points and wins against the opponents of its training, so its value is a return, not a chance.
The calibration turns values into chances; it is valid only for the weights that it was fitted to.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import numpy as np
import torch
from numpy.typing import NDArray

from impulse_agents.base import Advice, Agent, AgentError, ObservationBatch, Suggestion
from impulse_agents.calibration import Calibration, progress_of
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
"""Number of observations below which compiled code computes all logits faster than torch. For the
logits of legal actions alone, it is always faster."""
ROWS_PER_THREAD: Final = 1024
"""Number of observations that justify a torch thread of their own."""


class PolicyAgent(Agent):
    """Plays by a network's policy.

    Args:
        network: The network, used without a copy and on its device; change it only by
            `set_weights`.
        config: Its description: `players`, `network` (see `impulse_agents.network.build`) and any
            other JSON-able information.
        name: The agent's name.
        is_stochastic: Whether to sample actions with the policy's probabilities; otherwise the
            agent takes the likeliest action.

    Attributes:
        calibration: The calibration of its values; None if none was fitted to these weights.
        search_calibration: The calibration of searches that it guides; None likewise.
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
        """Copy other weights into the network."""
        self.network.load_state_dict(weights)
        self._precomputed = self.network.precompute()
        self._compiled = None
        self._calibrate(weights)

    def _calibrate(self, weights: dict[str, Any]) -> None:
        self.calibration, self.search_calibration = calibrations_of(self.config, weights)

    def weights_digest(self) -> str:
        """Return the SHA-256 of its weights in hexadecimal, as in its card."""
        return weights_digest(self.network.state_dict())

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Choose the likeliest legal action, or sample one."""
        logits = self._logits(seen)
        if self.is_stochastic:
            return sample(logits, seen.masks, streams)
        return best_of(logits, seen.masks, streams)

    def action_probabilities(
        self, seen: ObservationBatch, streams: RngStreams
    ) -> NDArray[np.float32]:
        """Return the policy's probabilities, without drawing from the generators."""
        return softmax(self._logits(seen), seen.masks).astype(np.float32, copy=False)

    def advise(self, seen: ObservationBatch, streams: RngStreams, count: int = 3) -> Advice:
        """Suggest the likeliest actions with their probabilities, and give the chance to win."""
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
        """Raise `AgentError` unless it was trained for this number of players."""
        self.check(np.empty((0, observation_size(players)), np.uint8))

    def _logits(self, seen: ObservationBatch) -> NDArray[np.float32]:
        """Return logits before masking, shape ``(n, N_ACTIONS)``; raises `AgentError`.

        Logits of illegal actions may be any numbers.
        """
        self.check(seen.observations)
        if self.compiled is not None:
            arguments = self.compiled, seen.observations, seen.masks
            return evaluate_rows(*arguments, needs_values=False, threads=torch.get_num_threads())[0]
        with torch.inference_mode(), threads_for(len(seen)):
            rows = torch.from_numpy(seen.observations).to(self._device)
            masks = torch.from_numpy(seen.masks).to(self._device)
            return self.network(rows, self._precomputed, masks)[0].cpu().numpy()

    @property
    def compiled(self) -> CompiledNetwork | None:
        """The network for compiled code; None if it cannot be packed, see `pack_if_compiled`."""
        if self._compiled is None:
            self._compiled = pack_if_compiled(self.network)
        return self._compiled

    def check(self, observations: NDArray[np.uint8]) -> None:
        """Raise `AgentError` if the observations have another size than in its training."""
        expected = self.config["layout"]["observation"]
        if observations.shape[1] != expected:
            raise AgentError(
                f"{self.name} was trained for {self.config['players']} players: observations of "
                f"{expected} features, not {observations.shape[1]}"
            )

    def evaluate(
        self, observations: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return logits before masking, shape ``(n, N_ACTIONS)``, and values, ``(n,)``."""
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
        """Return the chances to win for its values, 0 to 1, shape ``(n,)``.

        Args:
            values: From `evaluate`, shape ``(n,)``.
            states: The games, or views of them, shape ``(n,)``.
            seats: The seats of the values, shape ``(n,)``.

        Raises:
            AgentError: The agent is not calibrated.
        """
        calibration = self.fitted_calibration()
        outcomes = expected_outcomes(values, states, seats, self.has_score_reward)
        return calibration.win_probabilities(outcomes, progress_of(states))

    def fitted_calibration(self) -> Calibration:
        """Return the calibration of its values; raises `AgentError` without one."""
        if self.calibration is None:
            raise AgentError(
                f"{self.name} is not calibrated, so its chances to win are unknown; "
                "`impulse agents calibrate CHECKPOINT` plays games to calibrate it"
            )
        return self.calibration

    @property
    def has_score_reward(self) -> bool:
        """Whether its value includes the future lead in points."""
        trained = self.config.get("trained") or {}  # optional in a checkpoint
        return bool(trained.get("reward") == "score")

    def save(self, path: str | Path, is_half: bool = False) -> None:
        """Write the checkpoint atomically: a reader sees the old file or the new one.

        Args:
            path: The file.
            is_half: Whether to round weights to half precision, for half the size; a loaded agent
                still computes in single precision.
        """
        weights = self.network.state_dict()
        if is_half:
            weights = {name: weight.half() for name, weight in weights.items()}
        write_weights(path, json.dumps(self.config), weights)

    @classmethod
    def load(cls, path: str | Path, is_stochastic: bool = False) -> Self:
        """Return the agent of a checkpoint, after a check; runs no code from the file.

        Raises:
            CheckpointError: The file is not a checkpoint, or has a fault; the message names the
                field.
            NetworkError: Another author's network cannot be loaded.
        """
        config, weights = read_checkpoint(Path(path))
        network = load_network(config, weights, Path(path))
        return cls(network, config, f"policy:{path}", is_stochastic)


def calibrations_of(
    config: Mapping[str, Any], weights: Mapping[str, torch.Tensor]
) -> tuple[Calibration | None, Calibration | None]:
    """Return the calibrations of values, and of searches that the network guides.

    They come from a checkpoint's config. Each is None if it is missing, or was fitted to other
    weights.
    """
    values, search = (config.get(of) or {} for of in ("calibration", "search_calibration"))
    if "weights" not in {*values, *search}:
        return None, None
    digest = weights_digest(weights)  # reads megabytes, so only once and if needed
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
    """Return the expected total returns of seats, shape ``(n,)``: 1 for a win without a lead.

    Args:
        values: The network's values: expected future rewards, shape ``(n,)``.
        states: The games, or views of them, with equal numbers of players; shape ``(n,)``.
        seats: The seats of the values, shape ``(n,)``.
        has_score_reward: Whether leads are rewarded. Then the seat's present lead, divided by the
            target score, has already been rewarded and is added to the value.
    """
    if not has_score_reward:
        return values
    return values + score_margins(states, seats.astype(np.int64))


@contextmanager
def threads_for(rows: int) -> Iterator[None]:
    """Limit torch's threads to the number that some observations justify.

    For a few rows, a second thread costs much more than it saves, above all on a busy machine. One
    decision takes 2 ms on one thread, and 10 to 20 on two. This never raises the number of threads.
    """
    before = torch.get_num_threads()
    threads = max(1, min(before, rows // ROWS_PER_THREAD))
    if threads == before:
        yield
        return
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)
