"""The random generators that a training shares with its libraries."""

import random
from typing import Any

import numpy as np
import torch


def seed_all(seed: int) -> None:
    """Seed these generators, and let cuDNN compute the same every time."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - the generator that shuffles decisions
    torch.manual_seed(seed)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False


def rng_state() -> dict[str, Any]:
    """Return the states of the generators that a training draws from."""
    shuffling = np.random.get_state(legacy=False)  # noqa: NPY002 - it shuffles decisions
    return {
        "torch": torch.get_rng_state(),
        "numpy": (
            str(shuffling["bit_generator"]),
            np.asarray(shuffling["state"]["key"]).astype(np.int64),
            int(shuffling["state"]["pos"]),
            int(shuffling["has_gauss"]),
            float(shuffling["gauss"]),
        ),
        "python": random.getstate(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
    }


def restore_rng_state(state: dict[str, Any]) -> None:
    """Restore the states of these generators."""
    torch.set_rng_state(torch.as_tensor(state["torch"]))
    name, keys, *rest = state["numpy"]
    np.random.set_state((name, np.asarray(keys).astype(np.uint32), *rest))  # noqa: NPY002
    version, internal, gauss = state["python"]
    random.setstate((version, tuple(internal), gauss))
    if torch.cuda.is_available() and state["cuda"]:
        torch.cuda.set_rng_state_all([torch.as_tensor(one) for one in state["cuda"]])
