import platform
import subprocess
import sys

import pytest

FAULTS = """
import resource
import numpy as np
from impulse_training.run.machine.allocator import keep_freed_memory
if {keep}:
    keep_freed_memory()
np.ones(1 << 20)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(50):
    np.ones(1 << 20)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(keep):
    code = FAULTS.format(keep=keep)
    # As a program of its own: what it sets cannot be taken back. Huge pages would hide it.
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return int(found.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="a setting of glibc")
def test_freed_memory_is_used_again():
    assert faults(True) < faults(False) / 4
