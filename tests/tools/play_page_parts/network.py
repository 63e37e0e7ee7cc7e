"""A trained network on the page: numpy computes the loops that are compiled elsewhere."""

from pathlib import Path

import numpy as np

from impulse_agents.base import Advice, Agent, AgentError, Suggestion
from impulse_agents.network import compiled
from impulse_agents.network.compiled_map import NO_MAP
from impulse_agents.selection import best_of, softmax
from impulse_env.observation import size

PLAYERS = 2


def _copy_weights(weights, start, out):
    out[:] = weights[start : start + len(out)]


def _add_rows(rows, index, factor, count, out):
    out += factor[:count] @ rows[index[:count]]


def _list_positive(inputs, work):
    positive = np.flatnonzero(inputs > 0)
    work.chosen[: len(positive)] = positive
    work.factor[: len(positive)] = inputs[positive]
    return len(positive)


def _single(array):
    return array.astype(np.float32) if array.dtype == np.float16 else array


compiled.copy_weights = _copy_weights
compiled.add_rows = _add_rows
compiled.list_positive = _list_positive


class NumpyPolicy(Agent):
    """A shipped network of kind ``pointers``, from the arrays of `CompiledNetwork`."""

    gives_probabilities = True

    def __init__(self, checkpoint):
        """Load a shipped network; raises `AgentError` if this page has it not."""
        path = Path(compiled.__file__).parent.parent / "checkpoints" / f"{checkpoint}.npz"
        if not path.exists():
            raise AgentError(f"this page has no network {checkpoint!r}")
        with np.load(path) as file:
            arrays = [_single(file[f"arr_{number}"]) for number in range(17)]
        features = compiled.FeatureWeights(*arrays[:5])
        places = compiled.PlaceWeights(*arrays[10:])
        self.name = f"policy:{checkpoint}"
        self._network = compiled.CompiledNetwork(features, *arrays[5:10], places, NO_MAP)

    def check_players(self, players):
        """Raise `AgentError` unless it was trained for this number of players."""
        if players != PLAYERS:
            raise AgentError(f"{self.name} was trained for {PLAYERS} players, not {players}")

    def act(self, seen, streams):
        """Choose the likeliest legal action."""
        return best_of(self._logits(seen), seen.masks, streams)

    def advise(self, seen, streams, count=3):
        """Suggest the likeliest actions with their probabilities."""
        shares = softmax(self._logits(seen), seen.masks)[0]
        legal = np.flatnonzero(seen.masks[0])
        best = legal[np.argsort(-shares[legal], kind="stable")[:count]]
        return Advice(
            self.name,
            tuple(Suggestion(seen.action_name(0, own), float(shares[own])) for own in best),
        )

    def _logits(self, seen):
        if seen.observations.shape[1] != size(PLAYERS):
            raise AgentError(f"{self.name} plays only games of {PLAYERS}")
        return compiled.evaluate_rows(
            self._network, seen.observations, seen.masks, needs_values=False
        )[0]
