"""How functions are compiled, and what a person is told while they are.

Compiled functions are kept on disk, in a folder that is named by a digest of every compiled source
of the package and of the package that compiles functions on top of it: machine code of one function
has parts of others in it, so it must not outlive any of them. A wheel for one platform brings it.

Environment variables
    NUMBA_DISABLE_JIT=1     run the same source uncompiled (debugging, coverage)
    NUMBA_BOUNDSCHECK=1     check every index (the tests do)
    IMPULSE_CACHE_DIR=PATH  keep the machine code there instead of in the user's cache folder
    NUMBA_CACHE_DIR=PATH    the same, in its folder ``impulse_env``
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numba
from numba.core import config, event

from impulse_env.engine.code_cache import CodeCache
from impulse_env.engine.code_folder import PACKAGE, code_folder

IS_COMPILED: Final = not config.DISABLE_JIT
_LINKING_TESTED: Final = ((0, 68), (0, 69))
"""The first version of numba that `linking` was tested with, and the first that it was not."""
LINKS_LATE: Final = (
    _LINKING_TESTED[0] <= tuple(map(int, numba.__version__.split(".")[:2])) < _LINKING_TESTED[1]
)
"""Whether functions are linked and compiled in the quick way; they compute the same in either."""

if LINKS_LATE:
    from impulse_env.engine import linking


def _package_of(function: Callable[..., Any]) -> str:
    return function.__module__.partition(".")[0]


def _package_folder(function: Callable[..., Any]) -> Path:
    """The package whose module defines `function`."""
    top = sys.modules.get(_package_of(function))
    folders = list(getattr(top, "__path__", []))
    return Path(folders[0]) if folders else PACKAGE


def _is_kept(function: Any) -> bool:
    """Whether machine code of `function` is on disk already (True if uncompiled)."""
    return not IS_COMPILED or not function._cache.is_empty


class _Progress(event.Listener):
    """Counts the functions that numba has compiled, on one line of the terminal."""

    def __init__(self, package: str) -> None:
        self.package = package
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
        text = f"{before}{self.package}: compiled {self.done} functions in {seconds:.0f} s{after}"
        print(text, end="", file=sys.stderr, flush=True)


_called: set[Callable[..., Any]] = set()


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a compiled function, telling on stderr what its cold start is doing."""
    if function in _called:
        return function(*arguments)
    if _is_kept(function):
        result = function(*arguments)
    else:
        result = _call_cold(function, *arguments)
    _called.add(function)
    return result


def _call_cold(function: Callable[..., Any], *arguments: Any) -> Any:
    folder = code_folder(_package_folder(function))
    print(
        f"{_package_of(function)}: compiling for this machine, once for this version "
        f"(half a minute); kept in {folder}",
        file=sys.stderr,
        flush=True,
    )
    progress = _Progress(_package_of(function))
    with event.install_listener("numba:compile", progress):
        result = function(*arguments)
    progress.show("\r" if sys.stderr.isatty() else "", "\n")
    return result


def jit(function: Callable[..., Any]) -> Any:
    """Compile `function` in nopython mode on its first call, and keep the machine code on disk."""
    if not IS_COMPILED:
        return function
    dispatcher = _njit(function)
    dispatcher._cache = CodeCache(function, _package_folder(function))
    return dispatcher


def jit_internal(function: Callable[..., Any]) -> Any:
    """Like `jit`, for functions called from compiled code alone: compiles faster.

    Python must not call the result (the process would crash), but see `plain`.
    """
    if not IS_COMPILED:
        return function
    dispatcher = _njit(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    if LINKS_LATE:
        return linking.with_wide_integers(dispatcher)
    dispatcher._cache = CodeCache(function, _package_folder(function))
    return dispatcher


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the Python function behind a compiled one that calls no other compiled one."""
    return getattr(function, "py_func", function)


def _njit(function: Callable[..., Any], **options: Any) -> Any:
    if LINKS_LATE:
        options["pipeline_class"] = linking.LateCompiler
    return numba.njit(nogil=True, error_model="numpy", **options)(function)
