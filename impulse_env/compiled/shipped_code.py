"""Machine code in a wheel, for every processor of its platform, so that nothing is compiled.

A wheel for one platform has a folder ``machine_code`` in each package that compiles functions. That
contains a folder with the name from `code_folder`. With other versions of Python or numba than at
the build of the wheel, the name differs, and functions are compiled as in a checkout. The files are
those of `code_cache`, each for several levels of processors.
"""

import platform
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from impulse_env.compiled.code_folder import folder_name

FOLDER: Final = "machine_code"
Processor = tuple[str, str, str]
"""Triple, name and features of a processor, as in numba's ``magic_tuple``."""

_X86_64_V3: Final = (
    "cx16 sahf popcnt sse3 sse4.1 sse4.2 ssse3 avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave"
)
_X86_64: Final = {"x86-64-v3": _X86_64_V3, "x86-64": ""}
_ARM_64: Final = {"generic": ""}
_LEVELS: Final = {
    "x86_64": _X86_64,
    "AMD64": _X86_64,
    "aarch64": _ARM_64,
    "arm64": _ARM_64,
    "ARM64": _ARM_64,
}
"""By machine: LLVM's name of each level, the best first, with the features that it needs."""


def levels() -> tuple[str, ...]:
    """Return LLVM's names of the levels in wheels for this machine, the best first."""
    return tuple(_LEVELS.get(platform.machine(), {}))


@cache
def shipped_folder(package: Path) -> Path | None:
    """Return the folder of the code that a package contains; None if none matches.

    It is as trustworthy as the sources next to it.
    """
    if not (package / FOLDER).is_dir():
        return None
    folder = package / FOLDER / folder_name(package)
    return folder if folder.is_dir() else None


def processors_that_fit(host: Processor) -> Iterator[Processor]:
    """Yield the processors whose code this one can run, the best first."""
    triple, _, features = host
    there = {feature[1:] for feature in features.split(",") if feature.startswith("+")}
    for level, needed in _LEVELS.get(platform.machine(), {}).items():
        if there.issuperset(needed.split()):
            yield triple, level, ""
