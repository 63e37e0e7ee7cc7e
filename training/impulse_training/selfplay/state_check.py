"""What the state of a training holds, as checked data: before any of it is used.

Its parts are made by `impulse_training.selfplay.checkpoint` and the callback. Here is seen that
they are there, of the right types, and that numbers are finite; whether they fit the training that
goes on with them is seen when they are put back.
"""

import reprlib
from collections.abc import Iterator
from math import isfinite
from typing import Any, Final

import numpy as np
from torch import Tensor

from impulse_agents.network.checkpoint import check_finite
from impulse_agents.network.config_check import FieldError

_PARTS: Final[dict[str, type]] = {
    **dict.fromkeys(("network", "optimizer", "ppo", "learning_rate", "budget", "env"), dict),
    **dict.fromkeys(("rollout", "opponent_pool", "rng_state", "args", "training"), dict),
    "callback": dict,
    "episodes": list,
}
_COUNTS: Final = (
    *(("budget", "steps"), ("budget", "seconds"), ("callback", "updates")),
    *(("callback", "evaluated_at"), ("callback", "saved_at")),
)
_WHOLE: Final = (("budget", "steps"), ("callback", "updates"))
"""Those of them that are whole."""
_MOST: Final = 1e15
_MUST_BE_FINITE: Final = ("network", "optimizer", "rollout", "opponent_pool")


def check_state(state: dict[str, Any]) -> None:
    """Raise `FieldError` unless a state has its parts, whose numbers are finite."""
    for name, kind in _PARTS.items():
        if not isinstance(state.get(name), kind):
            found = type(state[name]).__name__ if name in state else "missing"
            raise FieldError(f"{name} must be a {kind.__name__}, not {found}")
    for part, name in _COUNTS:
        _check_count(f"{part}.{name}", state[part].get(name), (part, name) in _WHOLE)
    legs = state["training"].get("legs", [])
    if not isinstance(legs, list) or not all(isinstance(leg, dict) for leg in legs):
        raise FieldError("training.legs must be a list of objects")
    for number, leg in enumerate(legs):  # of which the sum is made at the next save, hours later
        for name in ("steps", "seconds"):
            _check_count(f"training.legs[{number}].{name}", leg.get(name), is_whole=False)
    _check_curve(state["callback"].get("curve"))
    check_finite(state["network"])
    for name in _MUST_BE_FINITE:
        for at, numbers in _numbers(name, state[name]):
            if not np.isfinite(numbers).all():
                raise FieldError(f"{at} must be finite, and has NaN or infinity")


def _check_count(field: str, count: Any, is_whole: bool) -> None:
    is_number = isinstance(count, int if is_whole else (int, float)) and not isinstance(count, bool)
    if not (is_number and 0 <= count <= _MOST):
        raise FieldError(f"{field} must be a number from 0 to {_MOST:g}, not {reprlib.repr(count)}")


def _check_curve(curve: Any) -> None:
    if not isinstance(curve, list) or not all(isinstance(point, dict) for point in curve):
        raise FieldError("callback.curve must be a list of objects")
    for number, point in enumerate(curve):
        for name, value in point.items():
            is_number = value is None or (
                isinstance(value, int | float) and not isinstance(value, bool)
            )
            if not isinstance(name, str) or not is_number:
                raise FieldError(f"callback.curve[{number}] must have numbers by name")
        steps = point.get("steps")
        if steps is None or not isfinite(steps):
            raise FieldError(f"callback.curve[{number}].steps must be a finite number")


def _numbers(at: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the arrays of numbers that need not be finite by themselves, and where they are."""
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
