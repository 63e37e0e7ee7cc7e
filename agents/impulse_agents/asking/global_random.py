"""The random state of a process, which an agent of another author may change.

Agents of this project draw from generators that they are given. What another one draws from, or
does to, the generators of `random`, NumPy and torch is its own: each goes on with the state that it
left, and nobody else notices.
"""

import random
import sys
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

_left: Final[dict[Hashable, tuple[Any, ...]]] = {}
"""The state that each owner has left."""


@contextmanager
def own_random_state(owner: Hashable) -> Iterator[None]:
    """Let what happens inside draw from the owner's state, and put that of the process back."""
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
        np.random.get_state(),  # noqa: NPY002 - it is the global one that is kept apart
        None if torch is None else torch.get_rng_state(),
    )


def _set(state: tuple[Any, ...]) -> None:
    of_python, of_numpy, of_torch = state
    random.setstate(of_python)
    np.random.set_state(of_numpy)  # noqa: NPY002
    if of_torch is not None:
        sys.modules["torch"].set_rng_state(of_torch)
