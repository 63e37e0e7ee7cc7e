"""Compilation of functions, with progress messages.

Compiled functions are stored on disk. The name of their folder is a digest of all compiled sources
of this package and of a package that builds on it. The machine code of a function contains parts of
others, so a change of any source makes it invalid. A wheel for one platform contains it.

Environment variables
    `NUMBA_DISABLE_JIT=1`     run the same source uncompiled (debugging, coverage)
    `NUMBA_BOUNDSCHECK=1`     check every index (the tests do)
    `IMPULSE_CACHE_DIR=PATH`  store the machine code there instead of in the user's cache folder
    `NUMBA_CACHE_DIR=PATH`    the same, in its folder ``impulse_env``
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numba
from numba.core import config, event

from impulse_env.compiled.code_cache import CodeCache
from impulse_env.compiled.code_folder import PACKAGE, code_folder

IS_COMPILED: Final = not config.DISABLE_JIT
_LINKING_TESTED: Final = ((0, 68), (0, 69))
"""The first version of numba that `linking` was tested with, and the first untested one after."""
LINKS_LATE: Final = (
    _LINKING_TESTED[0] <= tuple(map(int, numba.__version__.split(".")[:2])) < _LINKING_TESTED[1]
)
"""Whether the quick way of linking and compiling is used; results are the same in both ways."""

if LINKS_LATE:
    from impulse_env.compiled import linking


def _package_of(function: Callable[..., Any]) -> str:
    return function.__module__.partition(".")[0]


def package_folder(function: Callable[..., Any]) -> Path:
    """Return the folder of the package that defines `function`."""
    top = sys.modules.get(_package_of(function))
    folders = list(getattr(top, "__path__", []))
    return Path(folders[0]) if folders else PACKAGE


def _is_kept(function: Any) -> bool:
    """Return whether machine code of `function` is on disk already (True if uncompiled)."""
    return not IS_COMPILED or not function._cache.is_empty


class _Progress(event.Listener):
    """Reports a compilation, and counts the functions on one line of the terminal.

    It prints nothing during the first `PATIENCE` seconds, so a quick compilation is silent.
    """

    PATIENCE: Final = 1.0

    def __init__(self, function: Callable[..., Any]) -> None:
        self.package = _package_of(function)
        self.folder = code_folder(package_folder(function))
        self.done = 0
        self.is_shown = False
        self.start = time.perf_counter()

    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        self.done += 1
        if not self.is_shown and time.perf_counter() - self.start >= self.PATIENCE:
            self.is_shown = True
            self.print(
                f"{self.package}: compiling for this machine, once for this version "
                f"(half a minute); stored in {self.folder}\n"
            )
        if self.is_shown and sys.stderr.isatty():
            self.print(f"\r{self.count()}")

    def count(self) -> str:
        seconds = time.perf_counter() - self.start
        return f"{self.package}: compiled {self.done} functions in {seconds:.0f} s"

    def finish(self) -> None:
        """Print the last line, if a first line was printed."""
        if self.is_shown:
            self.print(f"\r{self.count()}\n" if sys.stderr.isatty() else f"{self.count()}\n")

    @staticmethod
    def print(text: str) -> None:
        print(text, end="", file=sys.stderr, flush=True)


_called: set[Callable[..., Any]] = set()


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a compiled function; a cold start reports its progress on stderr."""
    if function in _called:
        return function(*arguments)
    if _is_kept(function):
        result = function(*arguments)
    else:
        result = _call_cold(function, *arguments)
    _called.add(function)
    return result


def _call_cold(function: Callable[..., Any], *arguments: Any) -> Any:
    progress = _Progress(function)
    with event.install_listener("numba:compile", progress):
        result = function(*arguments)
    progress.finish()
    return result


def jit(function: Callable[..., Any]) -> Any:
    """Compile `function` in nopython mode on its first call, and store the machine code on disk."""
    if not IS_COMPILED:
        return function
    dispatcher = _njit(function)
    dispatcher._cache = CodeCache(function, package_folder(function))
    return dispatcher


def jit_internal(function: Callable[..., Any]) -> Any:
    """Compile a function that only compiled code calls; faster to compile than with `jit`.

    Python must not call the result, because the process would crash; `plain` returns a Python
    function.
    """
    if not IS_COMPILED:
        return function
    dispatcher = _njit(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    if LINKS_LATE:
        return linking.with_wide_integers(dispatcher)
    dispatcher._cache = CodeCache(function, package_folder(function))
    return dispatcher


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the Python function of a compiled one that calls no other compiled function."""
    return getattr(function, "py_func", function)


def _njit(function: Callable[..., Any], **options: Any) -> Any:
    if LINKS_LATE:
        options["pipeline_class"] = linking.LateCompiler
    return numba.njit(nogil=True, error_model="numpy", **options)(function)
