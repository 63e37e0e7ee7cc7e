"""The folder of the machine code: named by a digest of the sources, writable only by this user.

Its files are unpickled and run, so it is used only if it belongs to this user and no other user can
write to it. Otherwise this process and its children use a new temporary folder. The name is a
digest of the sources, so every clone and virtual environment of the same sources shares the folder.
"""

import atexit
import hashlib
import os
import platform
import re
import shutil
import stat
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core import config

PACKAGE: Final = Path(__file__).resolve().parent.parent
_NAME: Final = re.compile(r"[0-9a-f]{16}([0-9a-f]{4})?(-checked)?")
"""Pattern of names of folders of machine code, including those of earlier versions."""
_COMPILED: Final = re.compile(rb"@(jit|intrinsic)")
"""Pattern of decorators of functions that become machine code."""
_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
_ROOT: Final = 0
_DAY: Final = 86_400.0
_UNUSED_DAYS: Final = 30
_FOLDERS_KEPT: Final = 16
"""Room for four versions, each with two packages of compiled functions, with and without checks."""


def compiled_sources(package: Path) -> list[Path]:
    """Return the files that the machine code of a package depends on, with this package's own."""
    whole = {PACKAGE / "engine", PACKAGE / "compiled"}
    sources: set[Path] = {PACKAGE / "engine" / "cards.csv", PACKAGE / "engine" / "ops.csv"}
    for path in {*PACKAGE.rglob("*.py"), *package.rglob("*.py")}:
        if whole.intersection(path.parents) or _COMPILED.search(path.read_bytes()):
            sources.add(path)
    return sorted(sources)


def _source_digest(package: Path) -> str:
    """Return a digest of the compiled sources and of the compiler versions, but not of paths."""
    # The layout of numpy's arrays changes only with the major version.
    compilers = (numba.__version__, llvmlite.__version__, np.__version__.partition(".")[0])
    machine = (sys.implementation.cache_tag, sys.platform, platform.machine())
    digest = hashlib.sha256(repr((compilers, machine)).encode())
    for path in compiled_sources(package):
        root = PACKAGE if PACKAGE in path.parents else package
        # A checkout on Windows may have other line ends.
        source = path.read_bytes().replace(b"\r\n", b"\n")
        name = f"{root.name}/{path.relative_to(root).as_posix()}"
        digest.update(f"{name} {len(source)}\n".encode() + source)
    return digest.hexdigest()[:20]


@cache
def folder_name(package: Path) -> str:
    """Return the name of the folder of a package's machine code."""
    return _source_digest(package) + ("-checked" if config.BOUNDSCHECK else "")


@cache
def code_folder(package: Path) -> Path:
    """Return the folder of a package's machine code, created if necessary.

    It is in ``IMPULSE_CACHE_DIR`` if that is set, otherwise in ``impulse_env`` below
    ``NUMBA_CACHE_DIR`` or the user's cache folder. If that folder cannot be used, a line on stderr
    says so, and the result is a new temporary folder, which is removed when the process ends.
    """
    name = folder_name(package)
    base = _base_folder()
    folder = base / name
    is_new = not folder.exists()
    fault = _make_private(folder)
    if fault is not None:
        folder = _fresh_folder(fault) / name
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder
    with suppress(OSError):
        os.utime(folder)
    if is_new:
        _prune(base)
    return folder


def _base_folder() -> Path:
    if os.environ.get("IMPULSE_CACHE_DIR"):
        return Path(os.environ["IMPULSE_CACHE_DIR"]).absolute()
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"]).absolute() / "impulse_env"
    return platformdirs.user_cache_path("impulse_env", appauthor=False)


def _make_private(folder: Path) -> str | None:
    """Create a folder that only this user can write to; return why it cannot be used, or None."""
    base = folder.parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "posix":
            if _can_be_replaced_in(base.lstat()):
                base.chmod(stat.S_IMODE(base.lstat().st_mode) & ~_OTHERS_WRITE)
            fault = _fault_of(folder.lstat()) or _fault_of_base(base.lstat())
            if fault is not None:
                return f"{folder} {fault}"
        if not os.access(folder, os.W_OK):
            return f"{folder} cannot be written"
    except OSError as error:
        return f"{error.filename or folder} cannot be used ({error.strerror})"
    return None


def _can_be_replaced_in(base: os.stat_result) -> bool:
    """Return whether other users could replace a folder inside this folder."""
    return bool(base.st_mode & _OTHERS_WRITE and not base.st_mode & stat.S_ISVTX)


def _fault_of(folder: os.stat_result) -> str | None:
    if not stat.S_ISDIR(folder.st_mode):
        return "is not a folder"
    if folder.st_uid != os.geteuid():
        return "belongs to another user"
    return "can be written by other users" if folder.st_mode & _OTHERS_WRITE else None


def _fault_of_base(base: os.stat_result) -> str | None:
    if base.st_uid not in (os.geteuid(), _ROOT):
        return "lies in a folder of another user"
    return "lies in a folder that others can write" if _can_be_replaced_in(base) else None


def _prune(base: Path) -> None:
    """Remove folders of versions that are no longer used, unless used within the last day."""
    now = time.time()
    unused = {}
    for folder in base.iterdir():
        with suppress(OSError):
            if _NAME.fullmatch(folder.name) and stat.S_ISDIR(folder.lstat().st_mode):
                unused[folder] = (now - folder.stat().st_mtime) / _DAY
    for rank, (folder, days) in enumerate(sorted(unused.items(), key=lambda item: item[1])):
        if days > _UNUSED_DAYS or (rank >= _FOLDERS_KEPT and days > 1):
            shutil.rmtree(folder, ignore_errors=True)


@cache
def _fresh_folder(fault: str) -> Path:
    """Return a new folder for this process and its children, which get it by the environment."""
    fresh = Path(tempfile.mkdtemp(prefix="impulse_env-"))
    print(
        f"impulse_env: {fault}; compiling for this process only "
        "(set IMPULSE_CACHE_DIR to a folder of your own)",
        file=sys.stderr,
        flush=True,
    )
    os.environ["IMPULSE_CACHE_DIR"] = str(fresh)
    atexit.register(_remove_with, os.getpid(), fresh)
    return fresh


def _remove_with(owner: int, folder: Path) -> None:
    """Remove the folder, unless this is a forked child of its owner."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
