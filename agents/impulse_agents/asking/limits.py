"""Limits of agents' time and memory."""

import sys
from dataclasses import dataclass
from math import isfinite
from typing import Any, Self

from impulse_env.errors import ImpulseError


class LimitError(ImpulseError, ValueError):
    """A limit is impossible; the message says which are allowed."""


@dataclass(frozen=True)
class Limits:
    """Limits of an agent; None: no limit.

    Attributes:
        time: Seconds for a decision.
        game_time: Seconds for all decisions of a seat in a game.
        memory: GiB for all agents of a process, in addition to their memory after creation.
    """

    time: float | None = None
    game_time: float | None = None
    memory: float | None = None

    def __post_init__(self) -> None:
        """Raise `LimitError` unless every limit is possible."""
        for name, value in vars(self).items():
            if value is not None and not (value > 0 and isfinite(value)):
                raise LimitError(f"{name.replace('_', '-')}-limit must be above 0, not {value:g}")
        if self.memory is not None and sys.platform != "linux":
            raise LimitError("agents' memory can be limited only on Linux")

    def __bool__(self) -> bool:
        return any(value is not None for value in vars(self).values())

    @classmethod
    def of(cls, args: Any) -> Self:
        """Return the limits in a command's options or settings; raises `LimitError`."""
        return cls(args.time_limit, args.game_time_limit, args.memory_limit)

    @property
    def has_time(self) -> bool:
        """Whether time is limited; agents are then asked about one game at a time."""
        return self.time is not None or self.game_time is not None

    def seconds(self, used: float) -> float | None:
        """Return the seconds for a decision, given those that the seat has used in the game."""
        left = None if self.game_time is None else max(self.game_time - used, 1e-3)
        return min((s for s in (self.time, left) if s is not None), default=None)
