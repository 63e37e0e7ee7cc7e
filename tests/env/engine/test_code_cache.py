"""Machine code on disk: shared by clones, and whatever is wrong with it is compiled again."""

import json
import os
import subprocess
import sys

import pytest

from impulse_env.engine.compilation import IS_COMPILED

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="nothing is kept uncompiled")

SOURCE = """
from impulse_env.engine.compilation import jit, jit_internal


@jit_internal
def square(number):
    return number * number


@jit
def twice_the_square(number):
    return 2 * square(number)
"""
CALL = """
import json
from tiny import twice_the_square
results = [twice_the_square(3), twice_the_square(0.5)]
hits = sum(twice_the_square.stats.cache_hits.values())
print(json.dumps({"results": results, "hits": hits}))
"""


@pytest.fixture
def run(tmp_path):
    """Run the tiny package of that folder, in a process of its own."""

    def run(place="here"):
        package = tmp_path / place / "tiny"
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").write_text(SOURCE, encoding="utf-8")
        before = os.environ.get("PYTHONPATH", "")
        done = subprocess.run(
            [sys.executable, "-c", CALL],
            env={
                **os.environ,
                "IMPULSE_CACHE_DIR": str(tmp_path / "cache"),
                "PYTHONPATH": f"{package.parent}{os.pathsep}{before}",
            },
            capture_output=True,
            text=True,
            check=True,
        )
        told = json.loads(done.stdout)
        assert told["results"] == [18, 0.5]
        return told["hits"], done.stderr

    return run


def kept(tmp_path):
    return sorted((tmp_path / "cache").glob("*/tiny.twice_the_square-*.code"))


def test_what_was_compiled_in_one_place_is_found_from_another(run, tmp_path):
    assert run() == (0, "")
    assert len(kept(tmp_path)) == 2
    assert run("there") == (2, "")


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-1],
        lambda content: b"",
        lambda content: content[:200] + bytes([content[200] ^ 1]) + content[201:],
        lambda content: b"\x80\x05N." * 40,
    ],
    ids=["cut", "empty", "flipped", "foreign"],
)
def test_a_damaged_file_is_one_line_and_a_compilation(run, tmp_path, damage):
    run()
    for path in kept(tmp_path):
        path.write_bytes(damage(path.read_bytes()))
    hits, told = run()
    assert hits == 0
    assert "is damaged" in told
    assert len(told.splitlines()) == 1
    assert run() == (2, "")


def test_a_file_that_numba_cannot_use_is_one_line_and_a_compilation(run, tmp_path):
    import hashlib
    import pickle

    run()
    for path in kept(tmp_path):
        data = pickle.dumps(("neither", "code"))
        path.write_bytes(hashlib.sha256(data).digest() + data)
    hits, told = run()
    assert hits == 0
    assert len(told.splitlines()) == 1
    assert run() == (2, "")


def test_a_folder_in_place_of_a_file_is_one_line(run, tmp_path):
    run()
    for path in kept(tmp_path):
        path.unlink()
        path.mkdir()
    hits, told = run()
    assert hits == 0
    assert len(told.splitlines()) == 1
    assert not [path for path in (tmp_path / "cache").glob("*/*") if path.suffix != ".code"]
