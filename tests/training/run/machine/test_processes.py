"""Ctrl-C is for the command alone, whatever its processes are doing."""

import os
import signal
import subprocess
import sys
import time

import pytest

_SLOW = """
import signal, time
from impulse_training.run.machine.processes import ProcessPool
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
try:
    with ProcessPool(2) as pool:
        print("begun", flush=True)
        list(pool.map(time.sleep, [60] * 4))
except KeyboardInterrupt:
    print("ended")
"""


@pytest.mark.skipif(os.name != "posix", reason="groups of processes as POSIX has them")
@pytest.mark.parametrize("seconds", [0.3, 3.0], ids=["while they start", "while they work"])
def test_ctrl_c_ends_processes_at_once_and_they_say_nothing(seconds):
    with subprocess.Popen(
        [sys.executable, "-c", _SLOW],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout.readline() == "begun\n"
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        printed = process.communicate(timeout=30)
    assert printed == ("ended\n", "starting 2 processes …\n")
