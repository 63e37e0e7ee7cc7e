"""Time and memory that agents may take."""

import sys
from dataclasses import dataclass
from math import isfinite
from typing import Any, Self

from impulse_env.errors import ImpulseError


class LimitError(ImpulseError, ValueError):
    """There is no such limit; the message says which there are."""


@dataclass(frozen=True)
class Limits:
    """What an agent may take; None: as much as it likes.

    Attributes:
        time: Seconds for a decision.
        game_time: Seconds for all decisions of a seat in a game.
        memory: GiB, beside what agents have when they are made; of all agents of a process.
    """

    time: float | None = None
    game_time: float | None = None
    memory: float | None = None

    def __post_init__(self) -> None:
        """Raise `LimitError` unless every limit is one."""
        for name, value in vars(self).items():
            if value is not None and not (value > 0 and isfinite(value)):
                raise LimitError(f"{name.replace('_', '-')}-limit must be above 0, not {value:g}")
        if self.memory is not None and sys.platform != "linux":
            raise LimitError("the memory of agents can be limited on Linux alone")

    def __bool__(self) -> bool:
        return any(value is not None for value in vars(self).values())

    @classmethod
    def of(cls, args: Any) -> Self:
        """Return those of some options, or settings; raises `LimitError`."""
        return cls(args.time_limit, args.game_time_limit, args.memory_limit)

    @property
    def has_time(self) -> bool:
        """Whether there is a limit of time: then an agent is asked in one game at a time."""
        return self.time is not None or self.game_time is not None

    def seconds(self, used: float) -> float | None:
        """Return the seconds for a decision of a seat that has used so many in the game."""
        left = None if self.game_time is None else max(self.game_time - used, 1e-3)
        return min((s for s in (self.time, left) if s is not None), default=None)
