"""How fast a program in C plays with the C library, beside the engine in Python.

The program is the example of the documentation, ``docs/examples/c_library/play.c``.
"""

import shlex
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from impulse_env.c_library.files import CLibraryError, c_flags
from impulse_training.bench.environment import Result, compare_with, engine_at_random
from impulse_training.run.provenance.checkout import checkout

TARGET: Final = 0.9
_IN_CHECKOUT: Final = Path("docs/examples/c_library/play.c")
_INSTALLED: Final = Path(__file__).with_name("play.c")
"""Path of the program in a wheel."""


def build(folder: Path) -> Path:
    """Compile the program in a folder; return its path.

    Raises:
        CLibraryError: There is no C compiler, or it fails.
    """
    top = checkout()
    source = _INSTALLED if top is None else top / _IN_CHECKOUT
    program = folder / "play"
    command = ["cc", "-O2", str(source), *shlex.split(c_flags()), "-o", str(program)]
    try:
        subprocess.run(command, check=True, capture_output=True, encoding="utf-8")
    except FileNotFoundError as error:
        raise CLibraryError("a program in C needs a C compiler, and there is no `cc`") from error
    except subprocess.CalledProcessError as error:
        raise CLibraryError(f"`{shlex.join(command)}` failed:\n{error.stderr}") from error
    return program


def rate(program: Path, seconds: float) -> float:
    """Return the decisions a second of random games of two players on one core."""
    command = [str(program), "--bench", str(seconds)]
    done = subprocess.run(command, check=True, capture_output=True, encoding="ascii")
    return float(done.stdout)


def measurements(seconds: float, repeats: int) -> Iterator[Callable[[], Result]]:
    """Yield the comparison; it has to be called at once.

    Args:
        seconds: Length of one measurement.
        repeats: Measurements for each median.
    """
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        yield lambda: compare_with(
            "C program, random play, 1 core",
            partial(rate, program, seconds),
            "engine in Python",
            partial(engine_at_random, seconds),
            TARGET,
            repeats,
        )
