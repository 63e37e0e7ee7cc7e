"""The kernels' PTX on disk: in a wheel, or compiled on this machine once.

The first line of a file is a comment with the digest of the rest.
"""

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from impulse_env.compiled.code_cache import write
from impulse_env.compiled.code_folder import code_folder
from impulse_env.compiled.compilation import package_folder
from impulse_env.compiled.shipped_code import shipped_folder
from impulse_env.gpu.code import Kernel, ptx
from impulse_env.gpu.kernels import KERNELS

SUFFIX: Final = ".ptx"
_MARK: Final = b"// SHA-256: "


def stored_ptx(kernel: Kernel) -> str:
    """Return a kernel's PTX: that of the wheel, that of the cache, or compiled now and stored.

    It is stored with the code of the package that defines the kernel, because it depends on the
    sources of that package. A damaged file and a folder that cannot be written cause a line of
    warning; the kernel is then compiled.
    """
    package = package_folder(kernel.function)
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
        body = text.encode("ascii")
        write(path, _head(body) + b"\n" + body)
    except OSError as error:
        _tell(f"{path} cannot be written ({error.strerror}); it is compiled at each start")
    return text


def store_all(kernels: Iterable[Kernel] = KERNELS) -> None:
    """Store the PTX of every kernel, for a wheel or for later processes."""
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


def _head(body: bytes) -> bytes:
    return _MARK + hashlib.sha256(body).hexdigest().encode()


def _tell(sentence: str) -> None:
    print(f"impulse_env: {sentence}", file=sys.stderr, flush=True)
