"""Checks of PyTorch devices."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import torch

from impulse_training.run.common_options import ConfigError


def check_device(name: str) -> None:
    """Raise `ConfigError` unless PyTorch can use a device on this machine."""
    try:
        torch.empty(1, device=name)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ConfigError(f"--device {name} cannot be used: {reason}") from error


def has_bfloat16(device: str) -> bool:
    """Whether PyTorch multiplies faster in bfloat16 than in float32 on a device."""
    if device.startswith("cuda"):
        return torch.cuda.is_bf16_supported()
    names = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    asked = (getattr(torch.cpu, name, None) for name in names)
    return device == "cpu" and any(ask is not None and ask() for ask in asked)


@contextmanager
def reporting_too_large(remedy: str) -> Iterator[None]:
    """Raise `ConfigError` with a remedy if the block runs out of memory."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryError) and "allocate" not in str(error):
            raise
        reason = str(error).strip().partition("\n")[0]
        raise ConfigError(f"not enough memory: {remedy} ({reason})") from error


def free_memory(device: str) -> int | None:
    """Return the bytes that a process can still allocate on a device; None if unknown."""
    if device.startswith("cuda"):
        return torch.cuda.mem_get_info(device)[0]
    with suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return None
