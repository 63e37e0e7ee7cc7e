"""The kernels' PTX on disk: in a wheel, or compiled on this machine once.

The first line of a file is a comment with the digest of the rest.
"""

import hashlib
import os
import sys
import uuid
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from impulse_env.compiled.code_folder import code_folder
from impulse_env.compiled.compilation import package_folder
from impulse_env.compiled.shipped_code import shipped_folder
from impulse_env.gpu.code import Kernel, ptx

SUFFIX: Final = ".ptx"
_MARK: Final = b"// SHA-256: "


def stored_ptx(kernel: Kernel, package: Path | None = None) -> str:
    """Return a kernel's PTX: that of the wheel, that of the cache, or compiled now and stored.

    A damaged file and a folder that cannot be written cause a line of warning; the kernel is then
    compiled.

    Args:
        kernel: The kernel.
        package: The folder of the package to look in; None: of the one that defines the kernel.
    """
    package = package_folder(kernel.function) if package is None else package
    name = kernel.name + SUFFIX
    for folder in (shipped_folder(package), code_folder(package)):
        if folder is not None:
            text = _read(folder / name)
            if text is not None:
                return text
    _tell(f"compiling {kernel.name} for the GPU, once for this version")
    text = ptx(kernel)
    path = code_folder(package) / name
    try:
        _write(path, text)
    except OSError as error:
        _tell(f"{path} cannot be written ({error.strerror}); it is compiled at each start")
    return text


def store_all(kernels: Iterable[Kernel]) -> None:
    """Store the PTX of kernels, for a wheel."""
    for kernel in kernels:
        stored_ptx(kernel)


def _read(path: Path) -> str | None:
    """Return the PTX in a file; None if there is no file, or with a warning if it is unusable."""
    try:
        head, _, body = path.read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    except OSError as error:
        _tell(f"{path} cannot be used ({error.strerror}); compiling it again")
        return None
    if head != _head(body):
        _tell(f"{path} cannot be used (it is damaged); compiling it again")
        return None
    return body.decode("ascii")


def _write(path: Path, text: str) -> None:
    body = text.encode("ascii")
    beside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
    try:
        beside.write_bytes(_head(body) + b"\n" + body)
        os.replace(beside, path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise


def _head(body: bytes) -> bytes:
    return _MARK + hashlib.sha256(body).hexdigest().encode()


def _tell(sentence: str) -> None:
    print(f"impulse_env: {sentence}", file=sys.stderr, flush=True)
