"""A connection to the Ray cluster on which RLlib trains, or to a Ray of one's own.

What a machine of the cluster needs is said in `training.tournament.cluster`: Python, Ray and the
dependencies of this project, and not this checkout, which is sent along.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import ray

_PACKAGES: Final = ("impulse_env", "agents", "training")
_QUIET: Final[dict[str, Any]] = {"logging_level": "ERROR", "log_to_driver": False}


class ClusterError(ValueError):
    """There is no such cluster, or it is too small; the message says why."""


@contextmanager
def connected(address: str | None, is_installed: bool, cpus: int, gpus: int) -> Iterator[None]:
    """Be connected to Ray, with so many cores and cards or more.

    Args:
        address: Of a cluster, "auto" for the one that this machine belongs to; None: a Ray of
            one's own on this machine, which ends with the connection.
        is_installed: Whether this code is installed on every machine; otherwise it is sent there.
        cpus: How many cores are needed.
        gpus: How many graphics cards.

    Raises:
        ClusterError: There is no such cluster, or it has less.
    """
    if address is None:
        # As many cores as are needed: fewer in truth are slow, but no reason to wait for ever.
        ray.init("local", num_cpus=max(1, cpus), include_dashboard=False, **_QUIET)
    else:
        _check_address(address)
        here = Path(__file__).resolve().parents[1]
        sent = {} if is_installed else {"py_modules": [str(here / name) for name in _PACKAGES]}
        try:
            ray.init(address, runtime_env=sent, **_QUIET)
        except (ConnectionError, ValueError, RuntimeError) as error:
            reason = str(error).strip().splitlines()[0]
            raise ClusterError(f"there is no Ray cluster at {address!r}: {reason}") from error
    try:
        found = ray.cluster_resources()
        for kind, needed in (("CPU", cpus), ("GPU", gpus)):
            if found.get(kind, 0) < needed:
                raise ClusterError(
                    f"the processes asked for take {needed} {kind}s, and there are "
                    f"{found.get(kind, 0):g}: ask for fewer, or add machines"
                )
        yield
    finally:
        ray.shutdown()


def _check_address(address: str) -> None:
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
