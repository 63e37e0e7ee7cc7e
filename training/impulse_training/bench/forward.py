"""Measures how fast a network computes the logits, in compiled code and in torch."""

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Final

import numpy as np
import torch

from impulse_agents import checkpoints
from impulse_agents.base import ObservationBatch
from impulse_agents.network.agent import PolicyAgent, threads_for
from impulse_agents.network.compiled import evaluate_rows
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_training.report.table import Table

ROWS: Final = (1, 16, 256, 1024)
"""Observations at once."""


def microseconds(compute: Callable[[], object], rows: int, seconds: float, repeats: int) -> float:
    """Return the time on the processor that a row takes, the median of some measurements."""
    compute()
    found = []
    for _ in range(repeats):
        began, calls = process_time(), 0
        while (elapsed := process_time() - began) < seconds:
            compute()
            calls += 1
        found.append(1e6 * elapsed / (calls * rows))
    return median(found)


def forward_times(name: str, asked: ObservationBatch, seconds: float, repeats: int) -> Table:
    """Return the time per row, for a single row and for a batch.

    Args:
        name: Of a shipped checkpoint with a network of the project.
        asked: Observations, 1 row or more; repeated as often as necessary.
        seconds: Length of one measurement.
        repeats: Measurements for each median.
    """
    network = PolicyAgent.load(checkpoints.path_of(name)).network
    assert isinstance(network, PolicyNetwork)
    precomputed, packed = network.precompute(), network.pack()
    rows = []
    for count in ROWS:
        some = asked.take(np.arange(count) % len(asked))
        seen, masks = torch.from_numpy(some.observations), torch.from_numpy(some.masks)

        def in_torch(seen: torch.Tensor = seen, masks: torch.Tensor = masks) -> object:
            with torch.inference_mode(), threads_for(1):
                return network(seen, precomputed, masks)

        def in_compiled_code(some: ObservationBatch = some) -> object:
            return evaluate_rows(packed, some.observations, some.masks, needs_values=False)

        times = [microseconds(way, count, seconds, repeats) for way in (in_compiled_code, in_torch)]
        rows.append((str(count), *(f"{time:,.0f}" for time in times)))
    return Table(
        f"Microseconds a row, policy:{name}, logits of the legal actions, one thread",
        ("Rows at once", "compiled", "torch"),
        tuple(rows),
    )
