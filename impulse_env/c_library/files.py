"""The library on disk: that of a wheel, or made once by this machine's C compiler.

``libimpulse.a`` is for programs that contain the library, and the shared library is for other
languages, which load it. Both are made of one object file, for every processor of this kind.
"""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from impulse_env.c_library.code import object_code
from impulse_env.c_library.entries import KEY
from impulse_env.compiled.code_cache import write
from impulse_env.compiled.code_folder import PACKAGE, code_folder
from impulse_env.compiled.shipped_code import shipped_folder
from impulse_env.errors import ImpulseError

INCLUDE: Final = Path(__file__).parent
"""The folder of ``impulse.h``."""
ARCHIVE: Final = "libimpulse.a"
SHARED: Final = "libimpulse.dylib" if sys.platform == "darwin" else "libimpulse.so"
FOLDER: Final = f"c_library-{KEY:08x}"
"""The name of the folder, beside the machine code of the rules."""
_OBJECT: Final = "impulse.o"


class CLibraryError(ImpulseError, RuntimeError):
    """The C library cannot be made here; the message says why."""


def c_flags() -> str:
    """Return the options of a C compiler for a program with the library, quoted for a shell.

    Raises:
        CLibraryError: The package does not contain the library, and it cannot be made here.
    """
    return shlex.join([f"-I{INCLUDE}", str(_library(ARCHIVE))])


def shared_library() -> Path:
    """Return the path of the shared library; raises as `c_flags`."""
    return _library(SHARED)


def _library(name: str) -> Path:
    """Return a file of the library: that of the wheel, or made here at the first call."""
    shipped = shipped_folder(PACKAGE)
    if shipped is not None and (shipped / FOLDER / name).is_file():
        return shipped / FOLDER / name
    folder = code_folder(PACKAGE) / FOLDER
    if not (folder / name).is_file():
        make(folder)
    return folder / name


def make(folder: Path) -> None:
    """Make both files of the library.

    Args:
        folder: Where they are written; it may not exist yet.

    Raises:
        CLibraryError: Something that this takes is missing.
        OSError: The folder cannot be written.
    """
    if os.name != "posix":
        raise CLibraryError(f"the C library is made on Linux and macOS, not on {sys.platform}")
    _run("cc", "--version")  # a compiler that is missing shall not cost a minute first
    print(
        "impulse_env: compiling the C library, once for this version", file=sys.stderr, flush=True
    )
    try:
        code = object_code()
    except RuntimeError as error:
        raise CLibraryError(str(error)) from error
    with tempfile.TemporaryDirectory() as made:
        object_file, archive, shared = (Path(made) / name for name in (_OBJECT, ARCHIVE, SHARED))
        object_file.write_bytes(code)
        _run("ar", "rcs", str(archive), str(object_file))
        _run("cc", "-shared", "-o", str(shared), str(object_file))
        folder.mkdir(parents=True, exist_ok=True)
        for path in (archive, shared):
            write(folder / path.name, path.read_bytes())


def _run(*command: str) -> None:
    """Run a program of the C compiler; raises `CLibraryError` if it is missing or fails."""
    try:
        subprocess.run(command, check=True, capture_output=True, encoding="utf-8")
    except FileNotFoundError as error:
        raise CLibraryError(
            f"the C library is made by a C compiler, and there is no `{command[0]}` here: install "
            "one (such as gcc), or a wheel for this platform, which contains the library"
        ) from error
    except subprocess.CalledProcessError as error:
        lines = error.stderr.strip().splitlines() or ["no message"]
        raise CLibraryError(f"`{shlex.join(command)}` failed: {lines[-1]}") from error
