"""The processes of a training, as torchrun or Ray Train start them (torch.distributed).

    torchrun --nproc-per-node 2 -m impulse_training.cli train --minutes 10

Each process plays its own games, and all of them learn with one gradient: that of all their
decisions together. The first process evaluates and saves.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeVar

import torch
from torch import Tensor, distributed, nn

T = TypeVar("T")
_LONGEST: Final = timedelta(hours=12)
"""The others wait so long for the first process, which evaluates and saves."""
_SEEDS: Final = 2**32


@dataclass(frozen=True)
class Group:
    """The processes of a training.

    Attributes:
        rank: Number of this process, from 0.
        size: Number of processes.
    """

    rank: int = 0
    size: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this process evaluates and writes the folder."""
        return self.rank == 0

    def seed(self, seed: int) -> int:
        """Return the seed of this process; the first one's is `seed` itself."""
        return (seed + 1_000_003 * self.rank) % _SEEDS

    def device(self, name: str) -> str:
        """Return this process's device: with ``cuda``, the GPU of its local rank."""
        return f"cuda:{os.environ['LOCAL_RANK']}" if name == "cuda" and self.size > 1 else name

    def first(self, value: T) -> T:
        """Return the first process's value in all of them."""
        if self.size == 1:
            return value
        values: list[Any] = [value]
        distributed.broadcast_object_list(values)
        found: T = values[0]
        return found

    def all(self, value: T) -> list[T]:
        """Return the values of all processes, in order."""
        values: list[Any] = [value] * self.size
        if self.size > 1:
            distributed.all_gather_object(values, value)
        return values

    def share(self, weights: Iterable[Tensor]) -> None:
        """Give all processes the first one's weights."""
        if self.size > 1:
            for each in weights:
                distributed.broadcast(each.data, 0)

    def sum(self, numbers: Tensor) -> Tensor:
        """Return the sum of the processes' numbers, a tensor of any shape."""
        if self.size > 1:
            distributed.all_reduce(numbers)
        return numbers

    def mean_gradients(self, weights: Iterable[nn.Parameter]) -> None:
        """Make every gradient the mean over the processes."""
        if self.size == 1:
            return
        grads = [each.grad for each in weights if each.grad is not None]
        whole = self.sum(torch.cat([grad.flatten() for grad in grads])) / self.size
        parts = whole.split([grad.numel() for grad in grads])
        for grad, part in zip(grads, parts, strict=True):
            grad.copy_(part.view_as(grad))


@contextmanager
def joined(device: str) -> Iterator[Group]:
    """Join the group that torchrun started, by its environment variables; else one process."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1 or "RANK" not in os.environ:
        yield Group()
        return
    is_ours = not distributed.is_initialized()  # Ray Train has initialized it already
    if is_ours:
        if device.startswith("cuda"):
            torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        distributed.init_process_group(
            "nccl" if device.startswith("cuda") else "gloo", timeout=_LONGEST
        )
    try:
        yield Group(distributed.get_rank(), distributed.get_world_size())
    finally:
        if is_ours:
            distributed.destroy_process_group()
