"""Machine code on disk: shared by clones, and whatever is wrong with it is compiled again."""

import json
import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
from numba.core.compiler import DefaultPassBuilder, Flags

from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.compiled.shipped_code import FOLDER, levels, processors_that_fit

known_machine = pytest.mark.skipif(not levels(), reason="no wheel is made for this machine")
pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="nothing is kept uncompiled")

SOURCE = """
import numpy as np

from impulse_env.compiled.compilation import jit, jit_internal


@jit_internal
def square(number, factor):
    return factor * number * number


@jit
def twice_the_square(number):
    return square(number, 1) + square(number, np.int8(1))
"""
CALL = """
import json
import sys

import numba

if len(sys.argv) > 1:
    numba.__version__ = sys.argv[1]

from tiny import square, twice_the_square

results = [twice_the_square(3), twice_the_square(0.5)]
hits = sum(twice_the_square._cache_hits.values())  # `stats` would make the folder
told = {"results": results, "hits": hits, "overloads": len(square.signatures)}
print(json.dumps(told | {"compiler": "numba.np.linalg" in sys.modules}))
"""


class Tiny:
    """The tiny package in that folder, and its machine code in the folder `cache` there."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, place="here", *version, **settings):
        """Run it, in a process of its own; return how much was found, and what was said."""
        package = self.folder / place / "tiny"
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").write_text(SOURCE, encoding="utf-8")
        before = os.environ.get("PYTHONPATH", "")
        done = subprocess.run(
            [sys.executable, "-c", CALL, *version],
            env={
                **os.environ,
                "IMPULSE_CACHE_DIR": str(self.folder / "cache"),
                "PYTHONPATH": f"{package.parent}{os.pathsep}{before}",
                **settings,
            },
            capture_output=True,
            text=True,
            check=True,
        )
        told = json.loads(done.stdout)
        assert told["results"] == [18, 0.5]
        self.overloads, self.has_compiler = told["overloads"], told["compiler"]
        return told["hits"], done.stderr


@pytest.fixture
def run(tmp_path):
    return Tiny(tmp_path)


@pytest.fixture(scope="module")
def first_run(tmp_path_factory):
    """The package where it ran once, which compiled it."""
    run = Tiny(tmp_path_factory.mktemp("first"))
    assert run() == (0, "")
    return run


@pytest.fixture
def compiled(first_run, run):
    """Put into the folder of `run` what the first run compiled."""
    shutil.copytree(first_run.folder, run.folder, dirs_exist_ok=True)


def kept(tmp_path):
    return sorted((tmp_path / "cache").glob("*/tiny.twice_the_square-*.code"))


def test_what_was_compiled_in_one_place_is_found_from_another(run, compiled, tmp_path):
    assert len(kept(tmp_path)) == 2
    assert run("there") == (2, "")


def test_cached_code_runs_without_the_imports_of_compilation(first_run, run, compiled):
    assert first_run.has_compiler
    run()
    assert not run.has_compiler


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
def test_a_damaged_file_is_one_line_and_a_compilation(run, compiled, tmp_path, damage):
    for path in kept(tmp_path):
        path.write_bytes(damage(path.read_bytes()))
    hits, told = run()
    assert hits == 0
    assert "is damaged" in told
    assert len(told.splitlines()) == 1
    assert run() == (2, "")


def test_a_file_that_numba_cannot_use_is_one_line_and_a_compilation(run, compiled, tmp_path):
    import hashlib
    import pickle

    for path in kept(tmp_path):
        data = pickle.dumps(("neither", "code"))
        path.write_bytes(hashlib.sha256(data).digest() + data)
    hits, told = run()
    assert hits == 0
    assert len(told.splitlines()) == 1
    assert run() == (2, "")


def test_a_folder_in_place_of_a_file_is_one_line(run, compiled, tmp_path):
    for path in kept(tmp_path):
        path.unlink()
        path.mkdir()
    hits, told = run()
    assert hits == 0
    assert len(told.splitlines()) == 1
    assert not [path for path in (tmp_path / "cache").glob("*/*") if path.suffix != ".code"]


# --- Shipped with a wheel -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def code_of_a_wheel(tmp_path_factory):
    """The folder with the code for every level of processors."""
    run = Tiny(tmp_path_factory.mktemp("levels"))
    for level in levels():
        run(NUMBA_CPU_NAME=level, NUMBA_CPU_FEATURES="")
    return run.folder / "cache"


@pytest.fixture
def shipped(code_of_a_wheel, tmp_path):
    """The same folder in the package, as in a wheel."""
    return shutil.copytree(code_of_a_wheel, tmp_path / "here" / "tiny" / FOLDER)


@known_machine
def test_shipped_code_is_used_and_no_folder_is_made(run, shipped, tmp_path):
    assert len(list(shipped.glob("*/tiny.twice_the_square-*.code"))) == 2 * len(levels())
    assert run() == (2, "")
    assert not (tmp_path / "cache").exists()


@known_machine
def test_the_code_of_the_least_level_serves_every_processor(run, shipped, tmp_path):
    for path in shipped.glob("*/*.code"):
        path.unlink()
    run(NUMBA_CPU_NAME=levels()[-1], NUMBA_CPU_FEATURES="")
    for path in (tmp_path / "cache").rglob("*.code"):
        path.rename(next(shipped.iterdir()) / path.name)
    assert run() == (2, "")


@known_machine
def test_shipped_code_of_another_numba_is_left_alone(run, shipped, tmp_path):
    assert run("here", "0.68.99") == (0, "")
    assert len(kept(tmp_path)) == 2


@known_machine
def test_shipped_code_of_other_sources_is_left_alone(run, shipped, tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "SOURCE", SOURCE + "\n# changed\n")
    assert run() == (0, "")
    assert len(kept(tmp_path)) == 2


@known_machine
def test_damaged_shipped_code_is_one_line_and_a_compilation(run, shipped):
    for path in shipped.glob("*/*.code"):
        path.write_bytes(path.read_bytes()[:-1])
    hits, told = run()
    assert hits == 0
    assert "is damaged" in told
    assert len(told.splitlines()) == 1


@known_machine
def test_shipped_code_needs_no_folder_that_can_be_written(run, shipped, tmp_path):
    (tmp_path / "cache").write_text("no folder")
    assert run() == (2, "")


X86_64_V3 = (
    "+cx16,+sahf,+popcnt,+sse3,+sse4.1,+sse4.2,+ssse3,"
    "+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+xsave"
)


@pytest.mark.parametrize(
    ("machine", "features", "fit"),
    [
        ("x86_64", X86_64_V3, ["x86-64-v3", "x86-64"]),
        ("x86_64", X86_64_V3.replace("+avx2", "-avx2"), ["x86-64"]),
        ("AMD64", "", ["x86-64"]),
        ("aarch64", "+neon", ["generic"]),
        ("riscv64", "", []),
    ],
)
def test_a_processor_gets_the_best_level_that_it_can_run(monkeypatch, machine, features, fit):
    monkeypatch.setattr("platform.machine", lambda: machine)
    found = list(processors_that_fit(("triple", "host", features)))
    assert found == [("triple", level, "") for level in fit]


# --- Linked late, or numba's own way --------------------------------------------------------------


def test_integers_of_all_widths_are_one_overload_where_numba_is_known(first_run):
    # Of whole numbers and of floats.
    assert first_run.overloads == 2


def test_passes_that_are_left_out_are_numbas_and_flags_are_compared_as_numba_does():
    linking = pytest.importorskip("impulse_env.compiled.linking")
    state = SimpleNamespace(func_ir=None, flags=Flags())
    passes = DefaultPassBuilder.define_nopython_pipeline(state).passes
    assert set(linking._NOT_NEEDED) < {each.name() for each, _ in passes}
    one, other, theirs = linking.Flags(), linking.Flags(), Flags()
    assert one == other == theirs
    assert hash(one) == hash(theirs)
    one.nrt = theirs.nrt = True
    other.nrt = False
    assert one == theirs
    assert one != other
    assert one.get_mangle_string() == theirs.get_mangle_string()


@pytest.mark.parametrize("version", ["0.61.2", "0.99.0"])
def test_with_another_numba_functions_are_compiled_in_its_own_way(run, tmp_path, version):
    assert run("here", version) == (0, "")
    assert run.overloads > 2
    assert list((tmp_path / "cache").glob("*/tiny.square-*.code"))
    assert run("here", version) == (2, "")


@pytest.mark.slow
def test_games_are_the_same_in_either_way():
    """Both are told by the fingerprint of how games play."""
    code = (
        "import sys, numba\n"
        "numba.__version__ = sys.argv[1]\n"
        "from impulse_env.compiled.compilation import LINKS_LATE\n"
        "from impulse_env.testing.signature import signature\n"
        "print(LINKS_LATE, signature(20))\n"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code, version], capture_output=True, text=True, check=True
        ).stdout.split()
        for version in ("0.68.1", "0.99.0")
    ]
    assert [way for way, _ in told] == ["True", "False"]
    assert told[0][1] == told[1][1]


@pytest.mark.slow  # it compiles everything, twice
@known_machine
def test_machine_code_is_the_same_each_time_it_is_made(tmp_path):
    made = []
    for name in ("1", "2"):
        subprocess.run(
            [sys.executable, "-m", "impulse_training.cli", "tools", "warmup"],
            env={
                **os.environ,
                "IMPULSE_CACHE_DIR": str(tmp_path / name),
                "PYTHONHASHSEED": "0",
                "NUMBA_BOUNDSCHECK": "0",
                "NUMBA_CPU_NAME": levels()[0],
                "NUMBA_CPU_FEATURES": "",
            },
            check=True,
        )
        folder = tmp_path / name
        made.append(
            {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.code")}
        )
    assert made[0]
    assert made[0] == made[1]
