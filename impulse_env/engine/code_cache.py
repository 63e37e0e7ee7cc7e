"""Machine code in files of `code_folder`: one for each overload, checked before it is unpickled.

The one place that knows how numba keeps what it compiled. numba's own cache looks at the place of
a source and at that file alone, reads what is damaged, and shares an index that two processes may
write at once. A file here is named by what was compiled for which processor, and written as a
whole; one that is damaged or cannot be read is compiled again, with one line of warning.
"""

import hashlib
import os
import pickle
import sys
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from numba.core import serialize
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult

SUFFIX: Final = ".code"
_DIGEST_BYTES: Final = 32
_KEY_DIGITS: Final = 16


class CodeCache(_Cache):  # type: ignore[misc]  # numba has no types
    """What numba asks for the machine code of one function."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        """Look for the code of that function in that folder, which is private to this user."""
        self._folder = folder
        # "<locals>" has characters that Windows does not admit in a file's name.
        name = f"{function.__module__}.{function.__qualname__}"
        self._prefix = name.replace("<", "").replace(">", "")
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def enable(self) -> None:
        """Read and write again."""
        self._enabled = True

    def disable(self) -> None:
        """Neither read nor write."""
        self._enabled = False

    def flush(self) -> None:
        """Forget every overload of the function."""
        for path in self._files():
            path.unlink(missing_ok=True)

    @property
    def is_empty(self) -> bool:
        """Whether no overload of the function is kept."""
        return not self._files()

    def _files(self) -> list[Path]:
        return list(self._folder.glob(f"{self._prefix}-*{SUFFIX}"))

    def _path_of(self, signature: Any, codegen: Any) -> Path:
        key = repr((signature, codegen.magic_tuple())).encode()
        digest = hashlib.sha256(key).hexdigest()[:_KEY_DIGITS]
        return self._folder / f"{self._prefix}-{digest}{SUFFIX}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what was compiled for that signature; None if it must be compiled."""
        target_context.refresh()
        if not self._enabled:
            return None
        path = self._path_of(sig, target_context.codegen())
        try:
            payload = _read(path)
            if payload is None:
                return None
            return CompileResult._rebuild(target_context, *payload)
        # Whatever is wrong with a file of machine code, the source is there.
        except Exception as error:
            _warn(f"{path} cannot be used ({error or type(error).__name__}); compiling it again")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for that signature, unless numba cannot keep it."""
        if self._enabled and not (data.library.has_dynamic_globals or data.lifted):
            path = self._path_of(sig, data.codegen)
            try:
                _write(path, data._reduce())
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


def _write(path: Path, payload: Any) -> None:
    data = serialize.dumps(payload)
    beside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
    try:
        beside.write_bytes(hashlib.sha256(data).digest() + data)
        os.replace(beside, path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise


_warned: set[str] = set()


def _warn(sentence: str) -> None:
    """Say it once: what is wrong with one file is often wrong with all."""
    if not _warned:
        print(f"impulse_env: {sentence}", file=sys.stderr, flush=True)
    _warned.add(sentence)
