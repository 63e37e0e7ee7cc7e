"""One process at a time writes into a folder, and a dead one is in nobody's way."""

import os
import subprocess
import sys

import pytest

from impulse_training.run.storage.folder_lock import FolderInUseError, locked

_HOLD = """
import sys
from pathlib import Path
from impulse_training.run.storage.folder_lock import locked

with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_folder_is_locked_once_and_free_afterwards(tmp_path):
    with (
        locked(tmp_path),
        pytest.raises(FolderInUseError, match=f"process {os.getpid()} on .* is writing to"),
        locked(tmp_path),
    ):
        pass
    with locked(tmp_path):
        pass


def test_two_folders_are_locked_at_the_same_time(tmp_path):
    (tmp_path / "other").mkdir()
    with locked(tmp_path), locked(tmp_path / "other"):
        pass


def test_another_process_is_named_and_once_it_was_killed_the_folder_is_free(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "held\n"
        with pytest.raises(FolderInUseError, match=f"process {process.pid} on "), locked(tmp_path):
            pass
        process.kill()
        process.wait()
    with locked(tmp_path):
        assert (tmp_path / ".lock").is_file()


def test_a_folder_that_is_not_there_is_an_error_with_its_name(tmp_path):
    with pytest.raises(FileNotFoundError, match="none"), locked(tmp_path / "none"):
        pass
