"""The kernels' code on disk: PTX in a wheel, or what this machine has compiled once.

The first line of a file is a comment with the digest of the rest.
"""

import hashlib
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from impulse_env.compiled.code_cache import write
from impulse_env.compiled.code_folder import code_folder
from impulse_env.compiled.compilation import package_folder
from impulse_env.compiled.shipped_code import shipped_folder
from impulse_env.gpu.code import Kernel, object_code, ptx
from impulse_env.gpu.kernels import KERNELS

SUFFIX: Final = ".ptx"
_OBJECT: Final = ".o"
"""Suffix of code for the processor, which tests use."""
_MARK: Final = b"// SHA-256: "


def stored_ptx(kernel: Kernel) -> str:
    """Return a kernel's PTX: that of the wheel, that of the cache, or compiled now and stored.

    It is stored with the code of the package that defines the kernel, because it depends on the
    sources of that package. A damaged file and a folder that cannot be written cause a line of
    warning; the kernel is then compiled.
    """
    package = package_folder(kernel.function)
    folders = (shipped_folder(package), code_folder(package))
    code = _stored(
        *(kernel, SUFFIX, [folder for folder in folders if folder is not None]),
        lambda: ptx(kernel).encode("ascii"),
    )
    return code.decode("ascii")


def stored_object(kernel: Kernel) -> bytes:
    """Return a kernel as an object file for this kind of processor; otherwise as `stored_ptx`."""
    folders = [code_folder(package_folder(kernel.function))]
    return _stored(kernel, _OBJECT, folders, lambda: object_code(kernel))


def _stored(
    kernel: Kernel, suffix: str, folders: Sequence[Path], compiled: Callable[[], bytes]
) -> bytes:
    """Return the code in the first folder that has it, or compiled now and stored in the last."""
    paths = [folder / (kernel.name + suffix) for folder in folders]
    for path in paths:
        code = _read(path)
        if code is not None:
            return code
    where = "the GPU" if suffix == SUFFIX else "the processor"
    _tell(f"compiling {kernel.name} for {where}, once for this version")
    code = compiled()
    try:
        write(paths[-1], _head(code) + b"\n" + code)
    except OSError as error:
        _tell(f"{paths[-1]} cannot be written ({error.strerror}); it is compiled at each start")
    return code


def store_all(kernels: Iterable[Kernel] = KERNELS) -> None:
    """Store the PTX of every kernel, for a wheel or for later processes."""
    for kernel in kernels:
        stored_ptx(kernel)


def _read(path: Path) -> bytes | None:
    """Return the code in a file; None if there is no file, or with a warning if it is unusable."""
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
    return body


def _head(body: bytes) -> bytes:
    return _MARK + hashlib.sha256(body).hexdigest().encode()


def _tell(sentence: str) -> None:
    print(f"impulse_env: {sentence}", file=sys.stderr, flush=True)
