"""Connects to a Ray cluster: checks the address first, and sends the code.

A machine of the cluster needs Python, Ray and the dependencies of this project, but not this
checkout; see `impulse_training.tournament.workers.ray`.
"""

import socket
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from impulse_env.errors import ImpulseError

PACKAGES: Final = ("impulse_env", "impulse_agents", "impulse_training")
"""Packages that are sent to machines where they are not installed."""
QUIET: Final[dict[str, Any]] = {"logging_level": "ERROR", "log_to_driver": False}


class ClusterError(ImpulseError, ValueError):
    """A cluster cannot be reached, or is too small; the message says why."""


def connect(address: str, is_installed: bool, more: Iterable[str] = ()) -> Any:
    """Return the connected module `ray`; the caller shuts it down.

    Args:
        address: Address of a cluster, or "auto" for the cluster of this machine.
        is_installed: Whether every machine has this code; otherwise it is sent there.
        more: Other packages to send.

    Raises:
        ClusterError: Ray is not installed, or the cluster cannot be reached.
    """
    try:
        import ray
    except ImportError as error:
        raise ClusterError(
            'Ray is not installed, which a cluster needs: pip install "impulse-env[ray]"'
        ) from error
    _check(address)
    sent = {} if is_installed else {"py_modules": package_folders([*PACKAGES, *more])}
    try:
        ray.init(address, runtime_env=sent, **QUIET)
    except (ConnectionError, ValueError, RuntimeError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ClusterError(f"there is no Ray cluster at {address!r}: {reason}") from error
    return ray


def package_folders(names: Iterable[str] = PACKAGES) -> list[str]:
    """Return the folders that this process imports packages from.

    A single-file module has no folder: it must be installed on every machine.
    """
    paths = [getattr(import_module(name), "__path__", None) for name in names]
    return [str(Path(path[0]).resolve()) for path in paths if path is not None]


def _check(address: str) -> None:
    """Raise `ClusterError` where Ray would try to connect for minutes."""
    host, colon, port = address.rpartition(":")
    if "://" in address:
        raise ClusterError(
            f"{address!r} is a Ray Client address: run the command on a machine of the cluster"
        )
    if colon:
        try:
            socket.create_connection((host, int(port)), timeout=10).close()
        except (OSError, ValueError, OverflowError) as error:
            raise ClusterError(f"there is no Ray cluster at {address!r}: {error}") from error
