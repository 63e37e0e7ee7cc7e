"""The library of this machine's compiler, and the sample program with it."""

import shlex
import shutil
import subprocess

import pytest

from c_calls import SAMPLE, STRICT, Library
from impulse_env.c_library.files import c_flags, shared_library
from impulse_env.compiled.compilation import IS_COMPILED, LINKS_LATE


@pytest.fixture(scope="session")
def compiler():
    """Skip where no C compiler is, or numba compiles nothing."""
    if not (shutil.which("cc") and shutil.which("ar")):
        pytest.skip("there is no C compiler here")
    if not (IS_COMPILED and LINKS_LATE):
        pytest.skip("the library is compiled from numba's own IR")
    return "cc"


@pytest.fixture(scope="session")
def library(compiler):
    return Library(shared_library())


@pytest.fixture(scope="session")
def program(compiler, tmp_path_factory):
    """The sample program, compiled without a warning."""
    path = tmp_path_factory.mktemp("sample") / "play"
    command = [compiler, *STRICT, str(SAMPLE), *shlex.split(c_flags()), "-o", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return path
