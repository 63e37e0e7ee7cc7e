"""Choose one of the legal actions: the best, one of the best, or one sampled by probability.

Compiled functions and functions on arrays draw from the same generators, `impulse_agents.rng`.
"""

import numpy as np
from numpy.typing import NDArray

from impulse_agents.rng import RngStreams
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.rng import below


@jit_internal
def pick_best(
    scores: NDArray[np.float32], count: int, streams: NDArray[np.uint64], row: int
) -> int:
    """Return the index of the highest of the first `count` scores; break ties at random."""
    best = 0
    ties = 1
    for k in range(1, count):
        if scores[k] > scores[best]:
            best = k
            ties = 1
        elif scores[k] == scores[best]:
            ties += 1
            if below(streams, row, ties) == 0:
                best = k
    return best


def best_of(
    scores: NDArray[np.floating], masks: NDArray[np.int8], streams: RngStreams
) -> NDArray[np.int64]:
    """Return the legal action with the highest score in each row; break ties at random.

    Args:
        scores: Finite, shape ``(n, N_ACTIONS)``.
        masks: 1 for legal, at least one in each row, the same shape.
        streams: A generator for each row, for ties.
    """
    legal = np.where(masks != 0, scores, -np.inf)
    return one_of(legal == legal.max(axis=1, keepdims=True), streams)


def one_of(candidates: NDArray[np.bool_], streams: RngStreams) -> NDArray[np.int64]:
    """Return one of the candidates of each row, all equally likely.

    Args:
        candidates: At least one in each row, shape ``(n, k)``.
        streams: A generator for each row.
    """
    # The i-th candidate of each row is where the running count first exceeds i.
    counts = np.cumsum(candidates, axis=1, dtype=np.int16)
    index = (streams.random() * counts[:, -1]).astype(np.int16)
    return (counts <= index[:, None]).sum(axis=1)


@jit_internal
def list_legal(
    mask: NDArray[np.int8],
    to_absolute: NDArray[np.int64],
    own: NDArray[np.int16],
    options: NDArray[np.int16],
) -> int:
    """List the legal actions and return their number.

    Args:
        mask: Shape ``(SIZE,)``, in the seat's own frame.
        to_absolute: The seat's row of `absolute_frame`.
        own: Output: the actions in the seat's own frame.
        options: Output: the same actions in the absolute frame.
    """
    count = 0
    for action in range(SIZE):
        if mask[action]:
            own[count] = action
            options[count] = to_absolute[action]
            count += 1
    return count


def softmax(
    logits: NDArray[np.floating], masks: NDArray[np.int8] | NDArray[np.bool_]
) -> NDArray[np.floating]:
    """Return the probabilities of the legal actions.

    Args:
        logits: Finite, shape ``(n, N_ACTIONS)``.
        masks: 1 for legal, at least one in each row, the same shape.

    Returns:
        The same shape and dtype as `logits`; 0 for illegal actions, and 1 in sum in each row.
    """
    weights = _softmax_weights(logits, masks)
    return weights / weights.sum(axis=1, keepdims=True)


def sample(
    logits: NDArray[np.float32], masks: NDArray[np.int8], streams: RngStreams
) -> NDArray[np.int64]:
    """Draw a legal action with the softmax's probabilities."""
    weights = _softmax_weights(logits, masks).cumsum(axis=1, dtype=np.float64)
    return (weights <= streams.random()[:, None] * weights[:, -1:]).sum(axis=1)


def _softmax_weights(
    logits: NDArray[np.floating], masks: NDArray[np.int8] | NDArray[np.bool_]
) -> NDArray[np.floating]:
    """Return the weight of each action relative to the likeliest legal one, 0 if illegal."""
    legal = np.where(masks != 0, logits, -np.inf)
    return np.exp(legal - legal.max(axis=1, keepdims=True))
