"""Checks of what environments are given, and the warning of an illegal action."""

from collections.abc import Sequence
from typing import Any

from gymnasium import logger
from gymnasium.vector import AutoresetMode

from impulse_env.arguments import checked_integer, checked_seed, integer_of, shown
from impulse_env.errors import ArgumentError
from impulse_env.options import OptionError


def checked_choice(name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    """Return which of the allowed words and integers is given; raises `OptionError` if none is."""
    choice = value if value is None or isinstance(value, str) else integer_of(value)
    if choice not in allowed or (choice is None and value is not None):
        raise OptionError(
            f"{name} must be one of {', '.join(map(repr, allowed))}; not {shown(value)}"
        )
    return choice


def checked_seeds(given: int | Sequence[int | None] | None, count: int) -> list[int | None]:
    """Return a seed for each game, None for one that goes on without.

    Args:
        given: One, of the first game, upon which the others follow; or one for each; or None.
        count: How many games there are.

    Raises:
        ArgumentError: A seed is no integer of 0 or more, or there are too many or too few.
    """
    if given is None:
        return [None] * count
    first = integer_of(given)
    try:
        seeds = list(given if first is None else range(first, first + count))  # type: ignore[arg-type]
    except TypeError as error:
        raise ArgumentError(
            f"seed must be an integer of 0 or more, or one for each game, not {shown(given)}"
        ) from error
    if len(seeds) != count:
        raise ArgumentError(f"seed must be one, or one for each of {count}; not {len(seeds)}")
    return [checked_seed(seed) for seed in seeds]


def checked_limit(given: Any) -> int | None:
    """Return after how many steps an episode is truncated; -1 is Gymnasium's word for never."""
    if given is None or integer_of(given) == -1:
        return None
    return checked_integer("max_episode_steps", given, 1, error=OptionError)


def checked_mode(given: AutoresetMode | str) -> AutoresetMode:
    """Return the mode of that value; raises `OptionError`."""
    try:
        return AutoresetMode(given)
    except ValueError as error:
        values = ", ".join(repr(mode.value) for mode in AutoresetMode)
        raise OptionError(f"autoreset_mode must be one of {values}; not {shown(given)}") from error


def warn_of_illegal() -> None:
    """Warn of an illegal action that ended an episode; Python shows the first warning alone."""
    logger.warn(
        "an illegal action ended an episode with reward -1: the legal ones are 1 in "
        "info['action_mask'], and illegal='raise' refuses the others with the reason"
    )
