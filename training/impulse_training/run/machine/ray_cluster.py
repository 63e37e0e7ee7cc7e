"""A connection to a Ray cluster: the address looked at first, the code sent along.

What a machine of the cluster needs is said in `impulse_training.tournament.workers.ray`: Python,
Ray and the dependencies of this project, and not this checkout.
"""

import socket
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from impulse_env.errors import ImpulseError

PACKAGES: Final = ("impulse_env", "impulse_agents", "impulse_training")
"""What is sent to machines on which it is not installed."""
QUIET: Final[dict[str, Any]] = {"logging_level": "ERROR", "log_to_driver": False}


class ClusterError(ImpulseError, ValueError):
    """There is no such cluster, or it is too small; the message says why."""


def connect(address: str, is_installed: bool, more: Iterable[str] = ()) -> Any:
    """Return the module `ray`, connected; its user shuts it down.

    Args:
        address: Of a cluster, or "auto" for the one that this machine belongs to.
        is_installed: Whether this code is installed on every machine; otherwise it is sent there.
        more: Packages of other authors that are sent with it.

    Raises:
        ClusterError: Ray is not installed, or there is no such cluster.
    """
    try:
        import ray
    except ImportError as error:
        raise ClusterError(
            'a cluster needs Ray, which is not installed: pip install "impulse-env[ray]"'
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
    """Return the folders that this process imports packages from, be it a checkout or not.

    A module that is a single file has none: it must be installed on every machine.
    """
    paths = [getattr(import_module(name), "__path__", None) for name in names]
    return [str(Path(path[0]).resolve()) for path in paths if path is not None]


def _check(address: str) -> None:
    """Raise `ClusterError` where Ray would try to connect for minutes."""
    host, colon, port = address.rpartition(":")
    if "://" in address:
        raise ClusterError(
            f"{address!r} is a client's address: run the command on a machine of the cluster"
        )
    if colon:
        try:
            socket.create_connection((host, int(port)), timeout=10).close()
        except (OSError, ValueError, OverflowError) as error:
            raise ClusterError(f"there is no Ray cluster at {address!r}: {error}") from error
