"""Compiled against uncompiled source, and one process against another."""

import os
import subprocess
import sys

import pytest

from impulse_env.testing.signature import traces


def digests(games: int, **environment: str) -> list[str]:
    """The digest of each game, computed by a process with that environment."""
    program = f"from impulse_env.testing.signature import traces; print(*traces({games}))"
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.split()


def test_a_hundred_games_have_equal_bytes_compiled_and_uncompiled_after_every_step():
    assert digests(100, NUMBA_DISABLE_JIT="1") == list(traces(100))


@pytest.mark.slow
def test_games_do_not_depend_on_the_hash_seed():
    expected = list(traces(16))
    assert digests(16, PYTHONHASHSEED="1") == expected
    assert digests(16, PYTHONHASHSEED="2") == expected
