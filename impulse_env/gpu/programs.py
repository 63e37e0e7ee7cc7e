"""Runs kernels on tensors: on a GPU through its driver, or on the processor for tests.

The driver is called through ctypes: a GPU needs nothing but its driver and torch. A launch goes to
torch's current stream, so a CUDA graph can record it.
"""

import ctypes
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, Protocol

import torch
from numba import types

from impulse_env.errors import ArgumentError
from impulse_env.gpu.code import Kernel, loaded
from impulse_env.gpu.stored import stored_object, stored_ptx

_LOCAL_BYTES: Final = 3
_REGISTERS: Final = 4
_MOST_SHARED: Final = 8
"""Numbers of attributes of a function, from the driver's interface."""


class Program(Protocol):
    """A kernel that is ready to run."""

    def __call__(self, threads: int, *arguments: Any, shared: int = 0) -> None:
        """Run the kernel.

        Args:
            threads: Number of threads.
            *arguments: An integer, or a tensor on the program's device, for each argument.
            shared: Bytes of memory for each thread that its block shares.
        """


def _flat(kernel: Kernel, arguments: Sequence[Any]) -> list[int]:
    """Return the arguments of the entry function; see `code.Kernel`."""
    numbers: list[int] = []
    for kind, argument in zip(kernel.arguments, arguments, strict=True):
        if not isinstance(kind, types.Array):
            numbers.append(int(argument))
            continue
        shape = argument.shape
        if isinstance(kind.dtype, types.Record):
            shape = shape[:1]  # its bytes are the last dimension
        numbers += [argument.data_ptr(), *shape]
    return numbers


# --- On the processor ----------------------------------------------------------------------------


class ProcessorProgram:
    """A kernel compiled for this processor, which runs its threads one after the other."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._engine = loaded(stored_object(kernel))
        self._address = self._engine.get_function_address(kernel.name)

    def __call__(self, threads: int, *arguments: Any, shared: int = 0) -> None:
        """Run the kernel.

        Raises:
            RuntimeError: The source raised an error.
        """
        numbers = _flat(self._kernel, arguments)
        kinds = [ctypes.c_int64] * (1 + len(numbers))
        failed = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(self._address)(threads, *numbers)
        if failed >= 0:
            raise RuntimeError(f"{self._kernel.name} failed in thread {failed}")


# --- On a GPU ------------------------------------------------------------------------------------


class DriverError(RuntimeError):
    """The GPU's driver refused a call; the message is its own."""


@cache
def _driver() -> Any:
    """Return the library of NVIDIA's driver, which torch has initialised."""
    return ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")


def _call(name: str, *arguments: Any) -> None:
    code = getattr(_driver(), name)(*arguments)
    if code:
        text = ctypes.c_char_p()
        _driver().cuGetErrorString(code, ctypes.byref(text))
        reason = (text.value or b"unknown error").decode()
        raise DriverError(f"the GPU's driver: {reason} ({name}, error {code})")


class GpuProgram:
    """A kernel in the memory of a GPU.

    Attributes:
        registers: Registers of each thread.
        local_bytes: Bytes of local memory of each thread.
    """

    def __init__(self, kernel: Kernel, device: torch.device, ptx: str | None = None) -> None:
        """Load a kernel; its code is `ptx`, or the stored one."""
        self._kernel = kernel
        self._device = device
        code = (stored_ptx(kernel) if ptx is None else ptx).encode() + b"\0"
        self._module, self._function = ctypes.c_void_p(), ctypes.c_void_p()
        torch.zeros(1, device=device)  # torch makes the device's context, and this thread's
        with torch.cuda.device(device):
            _call("cuModuleLoadData", ctypes.byref(self._module), code)
        _call(
            "cuModuleGetFunction", ctypes.byref(self._function), self._module, kernel.name.encode()
        )
        self.registers = self._attribute(_REGISTERS)
        self.local_bytes = self._attribute(_LOCAL_BYTES)
        self._shared = 48 * 1024  # more must be asked for

    def _attribute(self, number: int) -> int:
        value = ctypes.c_int()
        _call("cuFuncGetAttribute", ctypes.byref(value), number, self._function)
        return value.value

    def __call__(self, threads: int, *arguments: Any, shared: int = 0) -> None:
        """Put the kernel on torch's current stream of the device; returns before it has run.

        Raises:
            DriverError: The driver refuses.
        """
        numbers = _flat(self._kernel, arguments)
        cells = (ctypes.c_int64 * len(numbers))(*numbers)
        first = ctypes.addressof(cells)
        pointers = (ctypes.c_void_p * len(numbers))(*[first + 8 * k for k in range(len(numbers))])
        stream = ctypes.c_void_p(torch.cuda.current_stream(self._device).cuda_stream)
        block = self._kernel.block
        blocks = (-(-threads // block), 1, 1, block, 1, 1)
        if block * shared > self._shared:
            self._shared = block * shared
            _call("cuFuncSetAttribute", self._function, _MOST_SHARED, self._shared)
        with torch.cuda.device(self._device):
            _call(
                *("cuLaunchKernel", self._function, *blocks, block * shared, stream),
                *(pointers, None),
            )


@cache
def program(kernel: Kernel, device: torch.device) -> Program:
    """Return a kernel that is ready to run on a device: "cpu", or a GPU by its number."""
    if device.type == "cpu":
        return ProcessorProgram(kernel)
    return GpuProgram(kernel, device)


def checked_device(device: Any) -> torch.device:
    """Return a device of torch, with its number.

    Raises:
        ArgumentError: There is no such device, or it cannot run the kernels.
    """
    try:
        chosen = torch.device(device)
    except (RuntimeError, TypeError):
        chosen = None
    if chosen is None or chosen.type not in ("cpu", "cuda"):
        raise ArgumentError(f'device must be "cuda", "cuda:N" or "cpu", not {device!r}')
    if chosen.type == "cpu":
        return torch.device("cpu")
    if not torch.cuda.is_available():
        built = "" if torch.version.cuda else "; this build of torch is for CPUs only"
        raise ArgumentError(
            f'device "{chosen}" needs an NVIDIA GPU that torch can use{built}; '
            '"cpu" runs the same kernels without one'
        )
    index = torch.cuda.current_device() if chosen.index is None else chosen.index
    if index >= torch.cuda.device_count():
        raise ArgumentError(
            f'there is no device "{chosen}": the GPUs are 0 to {torch.cuda.device_count() - 1}'
        )
    major, minor = torch.cuda.get_device_capability(index)
    if major < 8:
        name = torch.cuda.get_device_name(index)
        raise ArgumentError(
            f"{name} has compute capability {major}.{minor}; the kernels need 8.0 or higher"
        )
    return torch.device("cuda", index)


def describe(device: torch.device) -> str:
    """Return a line that names a device, with the version of torch."""
    if device.type == "cpu":
        return f"the kernels on the processor, one thread; torch {torch.__version__}"
    card = torch.cuda.get_device_properties(device)
    return (
        f"{card.name}, {card.multi_processor_count} multiprocessors, "
        f"{card.total_memory / 2**30:.0f} GiB; torch {torch.__version__}"
    )
