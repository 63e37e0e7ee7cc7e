"""Checks of integer arguments: actions, seats, seeds, counts; an error is one sentence."""

from collections.abc import Callable
from functools import cache, wraps
from operator import index
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS
from impulse_env.errors import ArgumentError, ImpulseError

_Made = TypeVar("_Made")


def integer_of(value: Any) -> int | None:
    """Return a value as a Python integer, or None if it is not an integer.

    Integers of Python and numpy are accepted, and so are arrays and tensors that hold exactly one
    integer. Bools, floats, strings, lists and masked elements are not.
    """
    if type(value) is int:
        return value
    if isinstance(value, np.integer):
        return index(value)
    if isinstance(value, np.ndarray):
        is_one = value.size == 1 and value.dtype.kind in "iu" and not np.ma.is_masked(value)
        return int(value.item()) if is_one else None
    # A tensor of torch with one bool can be used as an index.
    if isinstance(value, bool) or str(getattr(value, "dtype", "")).endswith("bool"):
        return None
    try:
        return index(value)
    except TypeError:
        return None


def checked_integer(
    name: str,
    value: Any,
    low: int | None = None,
    high: int | None = None,
    error: type[ImpulseError] = ArgumentError,
) -> int:
    """Return a value as a Python integer in a range, see `integer_of`.

    Args:
        name: The argument's name, for the message.
        value: The caller's value.
        low: The lowest allowed value; None: no limit.
        high: The highest allowed value; None: no limit.
        error: The class of the error to raise.

    Raises:
        ImpulseError: The value is not an integer in that range; the class is `error`.
    """
    number = integer_of(value)
    is_allowed = number is not None and (low is None or low <= number)
    if number is not None and is_allowed and (high is None or number <= high):
        return number
    if low is None:
        allowed = ""
    else:
        allowed = f" of {low} or more" if high is None else f" from {low} to {high}"
    raise error(f"{name} must be an integer{allowed}, not {shown(value)}")


def checked_seed(seed: Any) -> int | None:
    """Return the seed of a generator, an integer of 0 or more; None for a random one.

    Raises:
        ArgumentError: The seed is something else.
    """
    return None if seed is None else checked_integer("seed", seed, 0)


def checked_integers(
    name: str, values: Any, shape: tuple[int, ...], error: type[ImpulseError] = ArgumentError
) -> NDArray[np.int64]:
    """Return values as a contiguous array of integers of a shape, int64.

    Args:
        name: The argument's name, for the message.
        values: An array of integers, or a value that numpy converts to one.
        shape: The required shape.
        error: The class of the error to raise.

    Raises:
        ImpulseError: The values are not integers of that shape; the class is `error`.
    """
    try:
        numbers = np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as wrong:  # ragged lists, some tensors
        raise error(f"{name} must be integers of shape {shape}, not {shown(values)}") from wrong
    is_masked = isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values)
    is_integer = numbers.dtype.kind in "iu" or numbers.size == 0
    if numbers.shape == shape and is_integer and not is_masked:
        return np.ascontiguousarray(numbers, np.int64)
    actual = f"{numbers.dtype} of shape {numbers.shape}" + " with masked elements" * is_masked
    raise error(f"{name} must be integers of shape {shape}, not {actual}")


def shown(value: Any) -> str:
    """Return a value as a short text in one line, with its type unless the text shows that."""
    kind = type(value).__name__
    try:
        text = " ".join(f"{value!r:.80}".split())
    except ValueError:  # Python does not format integers of more than 4300 digits
        return f"one of type {kind} that is too long to show"
    return text if kind in ("int", "str", "NoneType") else f"{text} ({kind})"


def by_players(make: Callable[[int], _Made]) -> Callable[[int], _Made]:
    """Decorate a function of the number of players: check the number and cache the results."""
    cached = cache(make)

    @wraps(make)
    def made(players: int) -> _Made:
        return cached(checked_integer("players", players, MIN_PLAYERS, MAX_PLAYERS))

    return made
