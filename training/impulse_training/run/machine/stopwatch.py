"""Times the parts of a loop that may work on a device."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

import torch


class Stopwatch:
    """Adds up the time of the parts of a loop.

    Attributes:
        seconds: Time so far by the name of the part, 0 for others. On a GPU it is that of the work
            itself only if `waits`.
        waits: Whether every part waits for the device, for exact times.

    Args:
        device: The device on which the parts work.
    """

    def __init__(self, device: torch.device) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.waits = False
        self._device = device

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Add the time of a block to a part."""
        began = self._now()
        yield
        self.seconds[part] += self._now() - began

    def _now(self) -> float:
        if self.waits and self._device.type == "cuda":
            torch.cuda.synchronize(self._device)
        return perf_counter()
