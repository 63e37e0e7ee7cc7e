"""Checks a training state before its use.

`checkpoint` and `loop.Training` make the parts of a state. This module checks that they exist, have
the right types, and that their numbers are finite. Whether they fit the resumed run is checked when
they are restored.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Final

import numpy as np
from msgspec import Meta, Struct
from torch import Tensor

from impulse_agents.network.checkpoint import check_finite
from impulse_agents.network.config_check import FieldError
from impulse_env.schema import SchemaError, checked

_Number = Annotated[float, Meta(ge=0, le=1e15)]
_Count = Annotated[int, Meta(ge=0, le=10**15)]
_MUST_BE_FINITE: Final = ("network", "beside", "optimizer", "rollout", "opponent_pool")


class _Budget(Struct):
    steps: _Count
    seconds: _Number


class _Leg(Struct):
    """A stage of the run; the next save adds these numbers up."""

    steps: _Number
    seconds: _Number


class _Training(Struct):
    legs: list[_Leg] = []


class _Loop(Struct):
    updates: _Count
    evaluated_at: _Number
    saved_at: _Number
    curve: list[dict[str, float | None]]


class _State(Struct):
    network: dict[str, Any]
    beside: dict[str, dict[str, Any]]
    optimizer: dict[str, Any]
    learning_rate: dict[str, Any]
    budget: _Budget
    env: dict[str, Any]
    rollout: dict[str, Any]
    opponent_pool: dict[str, Any]
    rng_state: dict[str, Any]
    args: dict[str, Any]
    training: _Training
    loop: _Loop
    episodes: list[Any]


def check_state(state: dict[str, Any]) -> None:
    """Raise `FieldError` if a part of a state is missing, or a number is not finite."""
    try:
        curve = checked(state, _State).loop.curve
        for number, point in enumerate(curve):
            checked(point.get("steps"), _Number, f"loop.curve[{number}].steps")
    except SchemaError as error:
        raise FieldError(str(error)) from error
    check_finite(state["network"])
    for name in _MUST_BE_FINITE:
        for at, numbers in _numbers(name, state[name]):
            if not np.isfinite(numbers).all():
                raise FieldError(f"{at} must be finite, and has NaN or infinity")


def _numbers(at: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield all arrays of floating-point numbers with their places in the state."""
    if isinstance(value, Tensor) and value.is_floating_point():
        yield at, value.float().numpy()
    elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
        yield at, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _numbers(f"{at}.{key}", inner)
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _numbers(f"{at}[{number}]", inner)
