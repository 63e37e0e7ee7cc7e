"""The starts that the benchmark measures, and what a person waits for."""

import json
import os
import subprocess
import sys

import pytest
import torch

from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.compiled.shipped_code import levels
from impulse_training.bench import first_step
from impulse_training.cli.tools import warmup

pytestmark = [
    pytest.mark.slow,  # they compile everything
    pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled"),
]


def test_a_cold_start_is_the_longest_and_a_wheel_makes_no_folder(tmp_path):
    cold, warm, *wheel = first_step.starts(tmp_path)
    assert cold.processor > 5 * warm.processor
    assert [start.how for start in wheel] == (["wheel"] if levels() else [])
    for start in wheel:
        assert start.processor < cold.processor / 5
    assert not (tmp_path / "unused").exists()


def test_everything_is_compiled_side_by_side_and_then_found(tmp_path):
    def warm_up():
        done = subprocess.run(
            [sys.executable, "-m", "impulse_training.cli", "tools", "warmup", "--json"],
            env={**os.environ, "IMPULSE_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout), done.stderr

    first, told = warm_up()
    without = set() if torch.cuda.is_available() else {"kernels for the GPU"}
    assert set(first["seconds"]) == {*warmup.STEPS, *warmup.LATER_STEPS} - without
    assert all(f"{what}: " in told for what in first["seconds"])
    assert "impulse_agents: compiled" in told
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.code")}
    again, told = warm_up()
    assert again["elapsed"] < first["elapsed"]
    assert "compiling" not in told
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.code")} == files
