"""The origin of a training run, for its checkpoints and their model cards."""

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
    """Return `command`, `hardware`, `versions`, `commit` and `is_dirty` of this process."""
    return {
        "command": command(),
        "hardware": hardware(),
        "versions": {"python": platform.python_version(), **_versions()},
        "commit": commit(),
        "is_dirty": is_dirty(),
    }


def hardware() -> str:
    """Return the processor, its cores and the GPU, in words."""
    description = f"{os.cpu_count()} cores of {processor()}"
    if torch.cuda.is_available():
        description += f", {torch.cuda.get_device_name()}"
    return description


def commit() -> str:
    """Return the commit of the sources, or "unknown" outside a checkout of this project."""
    repository, _, digest = _git("rev-parse", "--show-toplevel", "HEAD").rpartition("\n")
    # Sources that were unpacked inside another repository have no commit there.
    return digest if digest and Path(repository).resolve() == checkout() else "unknown"


def is_dirty() -> bool:
    """Whether files of the checkout differ from its commit; new files do not count."""
    is_known = commit() != "unknown"
    return is_known and bool(_git("status", "--porcelain", "--untracked-files=no"))


def _git(*words: str) -> str:
    """Return the output of git in the checkout; empty without a checkout or without git."""
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
    versions = {}
    for library in LIBRARIES:
        try:
            versions[library] = version(library)
        except PackageNotFoundError:
            continue
    return versions
