"""The kernels' code on disk: PTX in a wheel, or what this machine has compiled once."""

from collections.abc import Iterable
from typing import Final

from impulse_env.compiled.code_folder import code_folder
from impulse_env.compiled.compilation import package_folder
from impulse_env.compiled.shipped_code import shipped_folder
from impulse_env.compiled.stored_code import stored
from impulse_env.gpu.code import Kernel, object_code, ptx
from impulse_env.gpu.kernels import KERNELS

SUFFIX: Final = ".ptx"
_OBJECT: Final = ".o"
"""Suffix of code for the processor, which tests use."""


def stored_ptx(kernel: Kernel) -> str:
    """Return a kernel's PTX: that of the wheel, that of the cache, or compiled now and stored.

    It is stored with the code of the package that defines the kernel, because it depends on the
    sources of that package. A damaged file and a folder that cannot be written cause a line of
    warning; the kernel is then compiled.
    """
    package = package_folder(kernel.function)
    folders = (shipped_folder(package), code_folder(package))
    code = stored(
        [folder / (kernel.name + SUFFIX) for folder in folders if folder is not None],
        f"{kernel.name} for the GPU",
        lambda: ptx(kernel).encode("ascii"),
    )
    return code.decode("ascii")


def stored_object(kernel: Kernel) -> bytes:
    """Return a kernel as an object file for this kind of processor; otherwise as `stored_ptx`."""
    folders = [code_folder(package_folder(kernel.function))]
    return stored(
        [folder / (kernel.name + _OBJECT) for folder in folders],
        f"{kernel.name} for the processor",
        lambda: object_code(kernel),
    )


def store_all(kernels: Iterable[Kernel] = KERNELS) -> None:
    """Store the PTX of every kernel, for a wheel or for later processes."""
    for kernel in kernels:
        stored_ptx(kernel)
