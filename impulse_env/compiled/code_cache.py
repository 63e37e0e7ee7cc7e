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
    """What numba asks for the machine code of one function."""

    def __init__(self, function: Callable[..., Any], package: Path) -> None:
        """Look for the code of that function, which compiled sources of that package make."""
        self._package = package
        # "<locals>" has characters that Windows does not admit in a file's name.
        name = f"{function.__module__}.{function.__qualname__}"
        self._prefix = name.replace("<", "").replace(">", "")
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder of what was compiled here."""
        return str(self._folder)

    @property
    def _folder(self) -> Path:
        return code_folder(self._package)

    def enable(self) -> None:
        """Read and write again."""
        self._enabled = True

    def disable(self) -> None:
        """Neither read nor write."""
        self._enabled = False

    def flush(self) -> None:
        """Forget every overload of the function."""
        for path in self._files_in(self._folder):
            path.unlink(missing_ok=True)

    @property
    def is_empty(self) -> bool:
        """Whether no overload of the function is kept."""
        folder = shipped_folder(self._package)
        is_shipped = folder is not None and self._files_in(folder)
        return not (is_shipped or self._files_in(self._folder))

    def _files_in(self, folder: Path) -> list[Path]:
        return list(folder.glob(f"{self._prefix}-*{SUFFIX}"))

    def _name_of(self, signature: Any, processor: tuple[str, str, str]) -> str:
        key = repr((signature, processor)).encode()
        return f"{self._prefix}-{hashlib.sha256(key).hexdigest()[:_KEY_DIGITS]}{SUFFIX}"

    def _paths_of(self, signature: Any, codegen: Any) -> Iterator[Path]:
        """Where the code for that signature may be, what is best first."""
        processor = codegen.magic_tuple()
        folder = shipped_folder(self._package)
        if folder is not None:
            for other in processors_that_fit(processor):
                yield folder / self._name_of(signature, other)
        yield self._folder / self._name_of(signature, processor)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what was compiled for that signature; None if it must be compiled."""
        if self._enabled:
            # Loading needs no more; what compiling needs takes a quarter of a second to import.
            rtsys.initialize(target_context)
            found = self._loaded(sig, target_context)
            if found is not None:
                return found
        target_context.refresh()
        return None

    def _loaded(self, sig: Any, target_context: Any) -> Any:
        """Return the kept code for that signature, ready to run; None if there is none."""
        for path in self._paths_of(sig, target_context.codegen()):
            try:
                payload = _read(path)
                if payload is not None:
                    return CompileResult._rebuild(target_context, *payload)
            # Whatever is wrong with a file of machine code, the source is there.
            except Exception as error:
                wrong = error or type(error).__name__
                _warn(f"{path} cannot be used ({wrong}); compiling it again")
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for that signature, unless numba cannot keep it."""
        if self._enabled and not (data.library.has_dynamic_globals or data.lifted):
            path = self._folder / self._name_of(sig, data.codegen.magic_tuple())
            try:
                # What numba says of the types names the place of the source.
                _write(path, data._replace(type_annotation="")._reduce())
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
