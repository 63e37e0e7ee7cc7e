"""Every kernel becomes PTX for the GPUs that it is meant for."""

import os
import re
import subprocess
import sys

import pytest

from impulse_env.compiled.compilation import IS_COMPILED, LINKS_LATE

pytest.importorskip("torch")

from impulse_env.compiled.code_folder import PACKAGE, compiled_sources
from impulse_env.gpu.code import ARCHITECTURE, ptx
from impulse_env.gpu.kernels import DRAW, KERNELS, OBSERVE, STEP

pytestmark = pytest.mark.skipif(
    not (IS_COMPILED and LINKS_LATE), reason="kernels are compiled from numba's own IR"
)
LARGE = (STEP, OBSERVE)
BY_SIZE = [
    pytest.param(kernel, id=kernel.name, marks=[pytest.mark.slow] if kernel in LARGE else [])
    for kernel in KERNELS
]


@pytest.mark.parametrize("kernel", BY_SIZE)
def test_a_kernel_compiles_to_one_entry_that_calls_nothing_elsewhere(kernel):
    oldest, newer = ptx(kernel), ptx(kernel, "sm_90")
    assert ARCHITECTURE == "sm_80"
    for text, target in ((oldest, "sm_80"), (newer, "sm_90")):
        assert re.findall(r"^\.target (\w+)", text, re.MULTILINE) == [target]
        assert re.findall(r"\.entry (\w+)", text) == [kernel.name]
        assert ".extern .func" not in text
        assert text.isascii()
    assert oldest.partition(".address_size 64")[2] == newer.partition(".address_size 64")[2] != ""


def test_names_of_kernels_differ():
    assert len({kernel.name for kernel in KERNELS}) == len(KERNELS) == 7


def test_equal_sources_give_equal_ptx():
    """The same in this process and in others, whose sets have another order."""
    program = (
        "from impulse_env.gpu.code import ptx; from impulse_env.gpu.kernels import DRAW\n"
        "import sys; sys.stdout.write(ptx(DRAW))"
    )
    command = [sys.executable, "-c", program]
    first, second = (
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True
        )
        for seed in ("0", "1")
    )
    assert first.stdout == second.stdout
    assert f".entry {DRAW.name}".encode() in first.stdout
    assert ptx(DRAW) == ptx(DRAW)


def test_the_cache_is_another_when_the_entry_functions_change():
    """The PTX in the cache depends on them as on the kernels."""
    names = {path.relative_to(PACKAGE).as_posix() for path in compiled_sources(PACKAGE)}
    assert {"gpu/code.py", "gpu/kernels.py", "batch.py", "engine/battle.py"} <= names
