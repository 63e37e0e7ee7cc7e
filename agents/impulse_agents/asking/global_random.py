"""The global random state of a process, which another author's agent may change.

This project's agents draw only from the generators that they are given. Every other agent has its
own state of the global generators of `random`, NumPy and torch. It continues with the state that it
left, and does not affect anybody else.
"""

import random
import sys
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

_left: Final[dict[Hashable, tuple[Any, ...]]] = {}
"""The last state of each owner."""


@contextmanager
def own_random_state(owner: Hashable) -> Iterator[None]:
    """Use an owner's global random state inside; restore that of the process afterwards."""
    before = _state()
    if owner in _left:
        _set(_left[owner])
    try:
        yield
    finally:
        _left[owner] = _state()
        _set(before)


def _state() -> tuple[Any, ...]:
    torch = sys.modules.get("torch")
    return (
        random.getstate(),
        np.random.get_state(),  # noqa: NPY002 - the global one is meant
        None if torch is None else torch.get_rng_state(),
    )


def _set(state: tuple[Any, ...]) -> None:
    of_python, of_numpy, of_torch = state
    random.setstate(of_python)
    np.random.set_state(of_numpy)  # noqa: NPY002
    if of_torch is not None:
        sys.modules["torch"].set_rng_state(of_torch)
