"""Many rows through a compiled network, in as many threads as torch may use."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray

from impulse_agents.network.compiled import evaluate_rows
from impulse_agents.network.compiled_weights import CompiledNetwork
from impulse_agents.network.inference import ROWS_PER_THREAD


def evaluate_in_threads(
    network: CompiledNetwork,
    observations: NDArray[np.uint8],
    masks: NDArray[np.int8],
    needs_values: bool,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the same bits as `evaluate_rows`, whose arguments these are, where it pays sooner."""
    threads = max(1, min(torch.get_num_threads(), len(observations) // ROWS_PER_THREAD))
    if threads == 1:
        return evaluate_rows(network, observations, masks, needs_values)
    starts = np.linspace(0, len(observations), threads + 1).astype(int)
    with ThreadPoolExecutor(threads - 1) as pool:
        others = [
            pool.submit(evaluate_rows, network, observations[a:b], masks[a:b], needs_values)
            for a, b in pairwise(starts[1:])
        ]
        end = starts[1]
        found = [evaluate_rows(network, observations[:end], masks[:end], needs_values)]
        found += [other.result() for other in others]
    logits, values = zip(*found, strict=True)
    return np.concatenate(logits), np.concatenate(values)
