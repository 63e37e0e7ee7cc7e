"""A connection to the Ray cluster on which RLlib trains, or to a Ray of one's own.

`impulse_training.run.machine.ray_cluster` says how this code reaches the other machines.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import ray

from impulse_training.run.machine.ray_cluster import QUIET, ClusterError, connect


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
        ray.init("local", num_cpus=max(1, cpus), include_dashboard=False, **QUIET)
    else:
        connect(address, is_installed)
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
