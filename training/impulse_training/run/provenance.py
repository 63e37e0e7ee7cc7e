"""Where a checkpoint comes from: kept in it, and told on its card."""

import os
import platform
import shlex
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import torch

from impulse_training.run.checkout import checkout
from impulse_training.run.hardware import processor

LIBRARIES: Final = ("impulse-env", "torch", "stable-baselines3", "sb3-contrib", "numpy", "numba")


def provenance(steps: int, seconds: float) -> dict[str, Any]:
    """Return command, steps, seconds, hardware, versions and commit of this process's training."""
    return {
        "command": command(),
        "steps": steps,
        "seconds": round(seconds),
        "hardware": hardware(),
        "versions": {"python": platform.python_version(), **_versions()},
        "commit": commit(),
    }


def command() -> str:
    """Return the command line of this process, as it may be typed again."""
    name = Path(sys.argv[0]).name
    return shlex.join([name] if name == "impulse" else ["python", name]) + "".join(
        f" {shlex.quote(word)}" for word in sys.argv[1:]
    )


def hardware() -> str:
    """Return the processor, its cores and the GPU, in words."""
    found = f"{os.cpu_count()} cores of {processor()}"
    if torch.cuda.is_available():
        found += f", {torch.cuda.get_device_name()}"
    return found


def commit() -> str:
    """Return the commit of the sources, "unknown" outside a checkout of this project."""
    top = checkout()
    if top is None:
        return "unknown"
    try:
        answer = subprocess.run(
            ["git", "rev-parse", "--show-toplevel", "HEAD"],
            cwd=top,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    repository, _, found = answer.stdout.rstrip("\n").rpartition("\n")
    # Sources unpacked inside another repository are not that one's.
    return found if Path(repository).resolve() == top else "unknown"


def _versions() -> dict[str, str]:
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found
