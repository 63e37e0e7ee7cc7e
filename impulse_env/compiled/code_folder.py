"""The folder of the machine code: named by what was compiled, and nobody else can write in it.

What lies in it is unpickled and run, so it is used only if it belongs to this user and admits no
other writer; else a fresh folder serves this process and its children. Its name is a digest of the
sources, so every clone and virtual environment of the same sources shares it.
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
"""Names of folders of machine code, those of earlier versions too."""
_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
_ROOT: Final = 0
_DAY: Final = 86_400.0
_UNUSED_DAYS: Final = 30
_FOLDERS_KEPT: Final = 16
"""Four versions: each may have two packages of compiled functions, with and without checks."""


def compiled_sources(package: Path) -> list[Path]:
    """Return the files whose contents are in the machine code of this package and of that one."""
    whole = {PACKAGE / "engine", PACKAGE / "compiled"}
    found: set[Path] = {PACKAGE / "engine" / "cards.csv", PACKAGE / "engine" / "ops.csv"}
    for path in {*PACKAGE.rglob("*.py"), *package.rglob("*.py")}:
        if whole.intersection(path.parents) or b"@jit" in path.read_bytes():
            found.add(path)
    return sorted(found)


def _source_digest(package: Path) -> str:
    """Digest of the compiled sources and of what compiles them, not of where they lie."""
    # Between versions of numpy the layout of an array changes with the first number alone.
    compilers = (numba.__version__, llvmlite.__version__, np.__version__.partition(".")[0])
    machine = (sys.implementation.cache_tag, sys.platform, platform.machine())
    digest = hashlib.sha256(repr((compilers, machine)).encode())
    for path in compiled_sources(package):
        root = PACKAGE if PACKAGE in path.parents else package
        # A checkout on Windows may end its lines differently.
        source = path.read_bytes().replace(b"\r\n", b"\n")
        name = f"{root.name}/{path.relative_to(root).as_posix()}"
        digest.update(f"{name} {len(source)}\n".encode() + source)
    return digest.hexdigest()[:20]


@cache
def folder_name(package: Path) -> str:
    """Return what a folder of machine code of that package is called."""
    return _source_digest(package) + ("-checked" if config.BOUNDSCHECK else "")


@cache
def code_folder(package: Path) -> Path:
    """Return the folder of the machine code of that package, made if need be.

    It is the first that can be used of ``IMPULSE_CACHE_DIR``, or else of ``impulse_env`` in
    ``NUMBA_CACHE_DIR`` or in the user's cache folder. If it cannot be, a line on stderr says so,
    and the folder is a fresh one that goes when the process ends.
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
    """Make a folder in which this user alone can write; return why it cannot be used, if so."""
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
    """Whether others could put a folder of theirs in the place of one in this folder."""
    return bool(base.st_mode & _OTHERS_WRITE and not base.st_mode & stat.S_ISVTX)


def _fault_of(folder: os.stat_result) -> str | None:
    if not stat.S_ISDIR(folder.st_mode):
        return "is no folder"
    if folder.st_uid != os.geteuid():
        return "belongs to another user"
    return "can be written by other users" if folder.st_mode & _OTHERS_WRITE else None


def _fault_of_base(base: os.stat_result) -> str | None:
    if base.st_uid not in (os.geteuid(), _ROOT):
        return "lies in a folder of another user"
    return "lies in a folder that others can write" if _can_be_replaced_in(base) else None


def _prune(base: Path) -> None:
    """Remove folders of versions that are no longer used; one in use since yesterday stays."""
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
    """A folder of this process and its children, which find it in their environment."""
    fresh = Path(tempfile.mkdtemp(prefix="impulse_env-"))
    print(
        f"impulse_env: {fault}; compiling for this process alone "
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
