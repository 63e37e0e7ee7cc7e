"""A connection to the Ray cluster on which RLlib trains, or to Ray on this machine.

`impulse_training.run.machine.ray_cluster` describes how this code reaches the other machines.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import ray

from impulse_training.run.machine.ray_cluster import QUIET, ClusterError, connect


@contextmanager
def connected(address: str | None, is_installed: bool, cpus: int, gpus: int) -> Iterator[None]:
    """Connect to Ray with at least these numbers of cores and GPUs; disconnect at the end.

    Args:
        address: Address of a cluster, "auto" for the one that this machine belongs to, or None to
            start Ray on this machine, which stops with the connection.
        is_installed: Whether this code is installed on every machine; otherwise it is sent there.
        cpus: Number of cores that the processes need.
        gpus: Number of GPUs that they need.

    Raises:
        ClusterError: The cluster does not exist, or it is too small.
    """
    if address is None:
        # Reports the cores that are needed: with fewer, training is slow but does not wait forever.
        ray.init("local", num_cpus=max(1, cpus), include_dashboard=False, **QUIET)
    else:
        connect(address, is_installed)
    try:
        found = ray.cluster_resources()
        for kind, needed in (("CPU", cpus), ("GPU", gpus)):
            if found.get(kind, 0) < needed:
                raise ClusterError(
                    f"the processes need {needed} {kind}s, and the cluster has "
                    f"{found.get(kind, 0):g}: ask for fewer, or add machines"
                )
        yield
    finally:
        ray.shutdown()
