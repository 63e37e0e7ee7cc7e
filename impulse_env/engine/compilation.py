"""The one place that knows how functions are compiled and where the machine code is kept.

Compiled functions are cached on disk. numba decides that a cached function is stale by looking at
its own file only, so a caller in another file would go on running the *old* rule. The cache folder
therefore carries a digest of every compiled source of the package in its name, and of those of the
package that compiles functions on top of it; so does the bounds-check flag, because a cache filled
without checks stays unchecked.

Environment variables
    NUMBA_DISABLE_JIT=1     run the same source uncompiled (debugging, coverage)
    NUMBA_BOUNDSCHECK=1     check every index (the tests do)
    IMPULSE_CACHE_DIR=PATH  keep the machine code there instead of in the user's cache folder
"""

import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import config, event

PACKAGE = Path(__file__).resolve().parent.parent

IS_COMPILED = not config.DISABLE_JIT


def _source_digest(package: Path) -> str:
    """Digest of every compiled source of this package and of that one, and of numba's version.

    Place and time of the files count too: numba compiles again where they differ.
    """
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    for path in sorted({*PACKAGE.rglob("*.py"), *package.rglob("*.py")}):
        source = path.read_bytes()
        if b"@jit" in source or (PACKAGE / "engine") in path.parents:
            digest.update(f"{path} {path.stat().st_mtime_ns}".encode() + source)
    return digest.hexdigest()[:16]


@cache
def cache_folder(package: Path) -> str:
    """First folder of the candidates that can be written, created if need be."""
    name = f"{_source_digest(package)}{'-checked' if config.BOUNDSCHECK else ''}"
    user_cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    candidates = [user_cache / "impulse_env", Path(tempfile.gettempdir()) / "impulse_env"]
    if "IMPULSE_CACHE_DIR" in os.environ:
        candidates = [Path(os.environ["IMPULSE_CACHE_DIR"])]
    for base in candidates:
        folder = base / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return str(folder)
    raise OSError(
        f"no writable folder for the compiled engine among {[str(c) for c in candidates]}; "
        "set IMPULSE_CACHE_DIR to one"
    )


def _folder_of(function: Callable[..., Any]) -> str:
    """The cache folder of the package whose module defines `function`."""
    top = sys.modules.get(function.__module__.partition(".")[0])
    folders = list(getattr(top, "__path__", []))
    return cache_folder(Path(folders[0]) if folders else PACKAGE)


def _is_cached(function: Callable[..., Any]) -> bool:
    """Whether machine code of `function` is on disk already (True if uncompiled)."""
    folder = _folder_of(function) if IS_COMPILED else ""
    return not IS_COMPILED or any(Path(folder).rglob(f"*.{function.__name__}-*.nbi"))


class _Progress(event.Listener):
    """Counts the functions that numba has compiled, on one line of the terminal."""

    def __init__(self) -> None:
        self.done = 0
        self.start = time.perf_counter()

    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        self.done += 1
        if sys.stderr.isatty():
            self.show("\r")

    def show(self, before: str, after: str = "") -> None:
        seconds = time.perf_counter() - self.start
        text = f"{before}impulse_env: compiled {self.done} functions in {seconds:.0f} s{after}"
        print(text, end="", file=sys.stderr, flush=True)


_called: set[Callable[..., Any]] = set()


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a compiled function, telling on stderr what its cold start is doing."""
    if function in _called:
        return function(*arguments)
    if _is_cached(function):
        result = function(*arguments)
    else:
        result = _call_cold(function, *arguments)
    _called.add(function)
    return result


def _call_cold(function: Callable[..., Any], *arguments: Any) -> Any:
    print(
        "impulse_env: compiling the rules for this machine, once for this version "
        f"(about a minute); kept in {_folder_of(function)}",
        file=sys.stderr,
        flush=True,
    )
    progress = _Progress()
    with event.install_listener("numba:compile", progress):
        result = function(*arguments)
    progress.show("\r" if sys.stderr.isatty() else "", "\n")
    return result


def jit(function: Callable[..., Any]) -> Any:
    """Compile `function` in nopython mode on its first call, and keep the machine code on disk."""
    return _cached_njit(function, {})


def jit_internal(function: Callable[..., Any]) -> Any:
    """Like `jit`, for functions called from compiled code alone: compiles faster.

    Python must not call the result (the process would crash), but see `plain`.
    """
    return _cached_njit(function, {"no_cpython_wrapper": True, "no_cfunc_wrapper": True})


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the Python function behind a compiled one that calls no other compiled one."""
    return getattr(function, "py_func", function)


def _cached_njit(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    if not IS_COMPILED:
        return function
    # numba reads the folder while it decorates; other packages keep theirs.
    previous, config.CACHE_DIR = config.CACHE_DIR, _folder_of(function)
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    finally:
        config.CACHE_DIR = previous
