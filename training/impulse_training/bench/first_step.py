"""Measures the time from the start of Python to a first step: cold, warm, and with a wheel."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple

import impulse_env
from impulse_env.compiled.shipped_code import FOLDER, levels

PROGRAM: Final = """
import time
from impulse_env.batch import GameBatch
from impulse_env.options import Options
batch = GameBatch(Options(), [7])
batch.step(batch.masks.argmax(axis=1))
print(time.process_time())
"""
_REPEATS: Final = 3


class Start(NamedTuple):
    """The duration of a start, in seconds from the start of Python.

    Attributes:
        how: "cold", "warm" or "wheel".
        seconds: Wall time.
        processor: Processor time, which depends less on other processes.
    """

    how: str
    seconds: float
    processor: float


def starts(folder: Path) -> Iterator[Start]:
    """Measure them, one after the other.

    The cold start compiles for the least level of this platform's processors, if wheels are made
    for it, so that its code can be put where a wheel has it.

    Args:
        folder: An empty one, filled.
    """
    level = {"NUMBA_CPU_NAME": levels()[-1], "NUMBA_CPU_FEATURES": ""} if levels() else {}
    cache, package = folder / "cache", Path(impulse_env.__path__[0])
    yield start("cold", package.parent, cache, **level)
    warm = [start("warm", package.parent, cache, **level) for _ in range(_REPEATS)]
    yield Start("warm", *(median(column) for column in list(zip(*warm, strict=True))[1:]))
    if not levels():
        return
    site = folder / "site"
    # Without the code that an installed wheel has already.
    shutil.copytree(package, site / package.name, ignore=shutil.ignore_patterns(FOLDER))
    shutil.copytree(cache, site / package.name / FOLDER)
    yield start("wheel", site, folder / "unused")


def start(how: str, site: Path, cache: Path, **settings: str) -> Start:
    """Start Python with the package in that folder and that cache, and take a first step."""
    own = {"IMPULSE_CACHE_DIR": str(cache), "NUMBA_BOUNDSCHECK": "0", "PYTHONPATH": str(site)}
    began = perf_counter()
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM],
        check=True,
        env={**os.environ, **own, **settings},
        capture_output=True,
        encoding="utf-8",
    )
    return Start(how, perf_counter() - began, float(done.stdout))
