"""What a process trains with: kept in its checkpoints, and told on their cards."""

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import torch

from impulse_training.run.machine.hardware import processor
from impulse_training.run.provenance.checkout import checkout
from impulse_training.run.terminal.command_line import command

LIBRARIES: Final = ("impulse-env", "torch", "stable-baselines3", "sb3-contrib", "numpy", "numba")


def provenance() -> dict[str, Any]:
    """Return command, hardware, versions, commit and is_dirty of this process."""
    return {
        "command": command(),
        "hardware": hardware(),
        "versions": {"python": platform.python_version(), **_versions()},
        "commit": commit(),
        "is_dirty": is_dirty(),
    }


def hardware() -> str:
    """Return the processor, its cores and the GPU, in words."""
    found = f"{os.cpu_count()} cores of {processor()}"
    if torch.cuda.is_available():
        found += f", {torch.cuda.get_device_name()}"
    return found


def commit() -> str:
    """Return the commit of the sources, "unknown" outside a checkout of this project."""
    repository, _, found = _git("rev-parse", "--show-toplevel", "HEAD").rpartition("\n")
    # Sources unpacked inside another repository are not that one's.
    return found if found and Path(repository).resolve() == checkout() else "unknown"


def is_dirty() -> bool:
    """Whether files of the checkout differ from its commit; new files do not count."""
    is_known = commit() != "unknown"
    return is_known and bool(_git("status", "--porcelain", "--untracked-files=no"))


def _git(*words: str) -> str:
    """Return what git answers in the checkout; nothing where there is none, or no git."""
    top = checkout()
    if top is None:
        return ""
    try:
        answer = subprocess.run(
            ["git", *words],
            cwd=top,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return answer.stdout.rstrip("\n")


def _versions() -> dict[str, str]:
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found
