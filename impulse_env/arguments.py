"""Integers that callers give: actions, seats, seeds, counts; one sentence refuses what is none."""

from collections.abc import Callable
from functools import cache, wraps
from operator import index
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS
from impulse_env.errors import ArgumentError, ImpulseError

_Made = TypeVar("_Made")


def integer_of(given: Any) -> int | None:
    """Return the integer that is given, None if it is none.

    An integer of Python or numpy is one, and so is an array or a tensor that holds exactly one
    integer. A bool, a float, a string, a list and a masked element are none.
    """
    if type(given) is int:
        return given
    if isinstance(given, np.integer):
        return index(given)
    if isinstance(given, np.ndarray):
        is_one = given.size == 1 and given.dtype.kind in "iu" and not np.ma.is_masked(given)
        return int(given.item()) if is_one else None
    # A tensor of torch with one bool says of itself that it is an index.
    if isinstance(given, bool) or str(getattr(given, "dtype", "")).endswith("bool"):
        return None
    try:
        return index(given)
    except TypeError:
        return None


def checked_integer(
    name: str,
    given: Any,
    low: int | None = None,
    high: int | None = None,
    error: type[ImpulseError] = ArgumentError,
) -> int:
    """Return the integer that is given, see `integer_of`.

    Args:
        name: What it is, for the message.
        given: Whatever the caller gave.
        low: The least that is allowed; None: any.
        high: The most that is allowed; None: any.
        error: What is raised otherwise.
    """
    number = integer_of(given)
    is_allowed = number is not None and (low is None or low <= number)
    if number is not None and is_allowed and (high is None or number <= high):
        return number
    if low is None:
        allowed = ""
    else:
        allowed = f" of {low} or more" if high is None else f" from {low} to {high}"
    raise error(f"{name} must be an integer{allowed}, not {shown(given)}")


def checked_seed(given: Any) -> int | None:
    """Return the seed of a generator, an integer of 0 or more; None for a fresh one."""
    return None if given is None else checked_integer("seed", given, 0)


def checked_integers(
    name: str, given: Any, shape: tuple[int, ...], error: type[ImpulseError] = ArgumentError
) -> NDArray[np.int64]:
    """Return the integers that are given as a contiguous array of that shape.

    Args:
        name: What they are, for the message.
        given: An array of integers, or what numpy makes one of.
        shape: What it must have.
        error: What is raised otherwise.
    """
    try:
        numbers = np.asarray(given)
    except (TypeError, ValueError, RuntimeError) as wrong:  # lists of several lengths, tensors
        raise error(f"{name} must be integers of shape {shape}, not {shown(given)}") from wrong
    is_masked = isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given)
    is_integer = numbers.dtype.kind in "iu" or numbers.size == 0
    if numbers.shape == shape and is_integer and not is_masked:
        return np.ascontiguousarray(numbers, np.int64)
    found = f"{numbers.dtype} of shape {numbers.shape}" + " with masked elements" * is_masked
    raise error(f"{name} must be integers of shape {shape}, not {found}")


def shown(given: Any) -> str:
    """Return a short text in one line for what was given, with its type if that does not show."""
    kind = type(given).__name__
    try:
        text = " ".join(f"{given!r:.80}".split())
    except ValueError:  # Python writes out no integer of more than 4300 digits
        return f"one of type {kind} that is too long to show"
    return text if kind in ("int", "str", "NoneType") else f"{text} ({kind})"


def by_players(make: Callable[[int], _Made]) -> Callable[[int], _Made]:
    """Make a function keep what it returns for each number of players, which is checked first."""
    kept = cache(make)

    @wraps(make)
    def made(players: int) -> _Made:
        return kept(checked_integer("players", players, MIN_PLAYERS, MAX_PLAYERS))

    return made
