"""Checks of the arguments of environments, and the warning about an illegal action."""

from collections.abc import Sequence
from typing import Any

from gymnasium import logger
from gymnasium.vector import AutoresetMode

from impulse_env.arguments import checked_integer, checked_seed, integer_of, shown
from impulse_env.errors import ArgumentError
from impulse_env.options import OptionError


def checked_choice(name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    """Return the allowed word or integer that equals `value`; raises `OptionError` otherwise."""
    choice = value if value is None or isinstance(value, str) else integer_of(value)
    if choice not in allowed or (choice is None and value is not None):
        raise OptionError(
            f"{name} must be one of {', '.join(map(repr, allowed))}; not {shown(value)}"
        )
    return choice


def checked_seeds(seed: int | Sequence[int | None] | None, count: int) -> list[int | None]:
    """Return a seed for each game, None for a game that continues with its generator.

    Args:
        seed: The seed of the first game, which the others follow; or one for each game; or None.
        count: Number of games.

    Raises:
        ArgumentError: A seed is not an integer of 0 or more, or the number of seeds is wrong.
    """
    if seed is None:
        return [None] * count
    first = integer_of(seed)
    try:
        each = seed if first is None else range(first, first + count)
        seeds = list(each)  # type: ignore[arg-type]
    except TypeError as error:
        raise ArgumentError(
            f"seed must be an integer of 0 or more, or one for each game, not {shown(seed)}"
        ) from error
    if len(seeds) != count:
        raise ArgumentError(f"seed must be one, or one for each of {count}; not {len(seeds)}")
    return [checked_seed(seed) for seed in seeds]


def checked_limit(steps: Any) -> int | None:
    """Return the number of steps after which an episode is truncated; None or -1 for no limit."""
    if steps is None or integer_of(steps) == -1:
        return None
    return checked_integer("max_episode_steps", steps, 1, error=OptionError)


def checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Return an autoreset mode, given it or its value; raises `OptionError`."""
    try:
        return AutoresetMode(mode)
    except ValueError as error:
        values = ", ".join(repr(one.value) for one in AutoresetMode)
        raise OptionError(f"autoreset_mode must be one of {values}; not {shown(mode)}") from error


def warn_of_illegal() -> None:
    """Warn about an illegal action that ended an episode; Python shows only the first warning."""
    logger.warn(
        "an illegal action ended an episode with reward -1: the legal ones are 1 in "
        "info['action_mask'], and illegal='raise' refuses the others with the reason"
    )
