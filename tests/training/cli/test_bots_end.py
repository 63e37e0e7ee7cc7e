"""No bot outlives the command that started it, however the command ends."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from bots import bot

_COMMAND = """
import signal, sys
from impulse_training.cli.framework.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""
MATCH = "match {bot} greedy --games 2"
WORKERS = "tournament --agents {bot} greedy --games 200 --max-turns 9 --workers 2 --out {folder}"


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "command"),
    [
        (signal.SIGINT, MATCH),
        (signal.SIGTERM, MATCH),
        (signal.SIGKILL, MATCH),
        (signal.SIGTERM, "protocol-check {command}"),
        pytest.param(signal.SIGINT, WORKERS, marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, WORKERS, marks=pytest.mark.slow),
        pytest.param(signal.SIGKILL, WORKERS + " --time-limit 60", marks=pytest.mark.slow),
    ],
    ids=lambda given: given.name if isinstance(given, signal.Signals) else given.split()[0],
)
def test_a_bot_that_hangs_and_its_children_end_with_the_command(number, command, tmp_path):
    hung = tmp_path / "hung"
    name = bot("hangs", hung)
    fields = {"bot": name, "command": name.removeprefix("cmd:"), "folder": tmp_path / "out"}
    words = [word.format(**fields) for word in command.split()]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen([sys.executable, "-c", _COMMAND, *words], **pipes) as process:
        while not hung.exists() or hung.read_text().count(" ") < 2:
            assert process.poll() is None, process.stdout.read()
            time.sleep(0.1)
        process.send_signal(number)
        try:
            process.communicate(timeout=60)  # bots and workers hold the pipe open, too
        finally:
            for left in hung.read_text().split():
                with suppress(ProcessLookupError):
                    os.kill(int(left), signal.SIGKILL)
