"""Machine code in files of `code_folder`: one for each overload, checked before it is unpickled.

Only this module depends on numba's interface for caches. The cache of numba itself depends on the
path of a source and on that file only. It reads damaged files, and shares an index that two
processes may write at once. Here, the name of a file is a digest of the function, its signature and
the processor. Each file is written atomically. A damaged or unreadable file causes one line of
warning, and the function is compiled again.
"""

import hashlib
import os
import pickle
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from numba.core import serialize
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys

from impulse_env.compiled.code_folder import code_folder
from impulse_env.compiled.shipped_code import processors_that_fit, shipped_folder

SUFFIX: Final = ".code"
_DIGEST_BYTES: Final = 32
_KEY_DIGITS: Final = 16


class CodeCache(_Cache):  # type: ignore[misc]  # numba has no types
    """numba's cache for the machine code of one function."""

    def __init__(self, function: Callable[..., Any], package: Path) -> None:
        """Prepare the cache of a function whose code depends on the sources of a package."""
        self._package = package
        # "<locals>" has characters that Windows does not allow in a file's name.
        name = f"{function.__module__}.{function.__qualname__}"
        self._prefix = name.replace("<", "").replace(">", "")
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder of code that this machine compiled."""
        return str(self._folder)

    @property
    def _folder(self) -> Path:
        return code_folder(self._package)

    def enable(self) -> None:
        """Allow reading and writing."""
        self._enabled = True

    def disable(self) -> None:
        """Forbid reading and writing."""
        self._enabled = False

    def flush(self) -> None:
        """Remove every overload of the function."""
        for path in self._files_in(self._folder):
            path.unlink(missing_ok=True)

    @property
    def is_empty(self) -> bool:
        """Return whether no overload of the function is stored."""
        folder = shipped_folder(self._package)
        is_shipped = folder is not None and self._files_in(folder)
        return not (is_shipped or self._files_in(self._folder))

    def _files_in(self, folder: Path) -> list[Path]:
        return list(folder.glob(f"{self._prefix}-*{SUFFIX}"))

    def _name_of(self, signature: Any, processor: tuple[str, str, str]) -> str:
        key = repr((signature, processor)).encode()
        return f"{self._prefix}-{hashlib.sha256(key).hexdigest()[:_KEY_DIGITS]}{SUFFIX}"

    def _paths_of(self, signature: Any, codegen: Any) -> Iterator[Path]:
        """Yield the possible files of the code for a signature, the best first."""
        processor = codegen.magic_tuple()
        folder = shipped_folder(self._package)
        if folder is not None:
            for other in processors_that_fit(processor):
                yield folder / self._name_of(signature, other)
        yield self._folder / self._name_of(signature, processor)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature; None if it must be compiled."""
        if self._enabled:
            # Loading needs only this; the imports for compiling take a quarter of a second.
            rtsys.initialize(target_context)
            loaded = self._loaded(sig, target_context)
            if loaded is not None:
                return loaded
        target_context.refresh()
        return None

    def _loaded(self, sig: Any, target_context: Any) -> Any:
        """Return the stored code for a signature, ready to run; None if there is none."""
        for path in self._paths_of(sig, target_context.codegen()):
            try:
                payload = _read(path)
                if payload is not None:
                    return CompileResult._rebuild(target_context, *payload)
            # Any error with a file of machine code is harmless: the source can be compiled.
            except Exception as error:
                wrong = error or type(error).__name__
                _warn(f"{path} cannot be used ({wrong}); compiling it again")
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the code for a signature, unless numba cannot store it."""
        if self._enabled and not (data.library.has_dynamic_globals or data.lifted):
            path = self._folder / self._name_of(sig, data.codegen.magic_tuple())
            try:
                # numba's type annotations contain the path of the source.
                payload = serialize.dumps(data._replace(type_annotation="")._reduce())
                write(path, hashlib.sha256(payload).digest() + payload)
            except OSError as error:
                _warn(f"{path} cannot be written ({error.strerror}); it is compiled at each start")


def _read(path: Path) -> Any:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    digest, data = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    if hashlib.sha256(data).digest() != digest:
        raise ValueError("it is damaged")
    return pickle.loads(data)


def write(path: Path, content: bytes) -> None:
    """Write a file atomically; other processes may write the same file at the same time.

    Raises:
        OSError: The file cannot be written.
    """
    beside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise


_warned: set[str] = set()


def _warn(sentence: str) -> None:
    """Print a warning only once: one error often affects all files."""
    if not _warned:
        print(f"impulse_env: {sentence}", file=sys.stderr, flush=True)
    _warned.add(sentence)
