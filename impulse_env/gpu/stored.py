"""The kernels' PTX on disk: in a wheel, or compiled on this machine once."""

import os
import sys
import uuid
from pathlib import Path

from impulse_env.compiled.code_folder import code_folder
from impulse_env.compiled.compilation import package_folder
from impulse_env.compiled.shipped_code import shipped_folder
from impulse_env.gpu.code import Kernel, ptx


def stored_ptx(kernel: Kernel, package: Path | None = None) -> str:
    """Return a kernel's PTX: that of the wheel, that of the cache, or compiled now and stored.

    Args:
        kernel: The kernel.
        package: The folder of the package to look in; None: of the one that defines the kernel.
    """
    package = package_folder(kernel.function) if package is None else package
    name = f"{kernel.name}.ptx"
    for folder in (shipped_folder(package), code_folder(package)):
        if folder is not None and (folder / name).is_file():
            return (folder / name).read_text(encoding="ascii")
    print(
        f"impulse_env: compiling {kernel.name} for the GPU, once for this version", file=sys.stderr
    )
    text = ptx(kernel)
    path = code_folder(package) / name
    beside = path.with_name(f"{name}.{uuid.uuid4().hex[:16]}")
    beside.write_text(text, encoding="ascii")
    os.replace(beside, path)
    return text
