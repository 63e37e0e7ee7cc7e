"""Where torch computes."""

import torch

from impulse_training.run.config import ConfigError


def check_device(name: str) -> None:
    """Raise `ConfigError` unless torch can compute there on this machine."""
    try:
        torch.empty(1, device=name)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ConfigError(f"--device {name} cannot be used: {reason}") from error
