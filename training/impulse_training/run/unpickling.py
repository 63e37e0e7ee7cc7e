"""What torch has written, read so that nothing in the file is executed or takes boundless memory.

A file of torch is a zip archive with a pickle in it, and a pickle is a program. It is read by
`torch.load` with ``weights_only=True``, which knows few functions; before that the program is
looked at here, because some of these functions take as much memory as they are told to. Numbers are
mapped, not read, so that none lies outside the file, whatever size is claimed for it.
"""

import pickletools
import re
import warnings
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

from impulse_training.run.archive import ArchiveError, check_archive

_PICKLE: Final = "data.pkl"
_MOST_PICKLE: Final = 64 << 20
_MOST_STEPS: Final = 4_000_000
"""Of a pickle's program: a training with many snapshots has tens of thousands."""
_MOST_SHARED: Final = 24
"""How often it may use a list, tuple or dictionary again. Each time can double what whoever walks
through it meets, and nothing that torch writes of weights does it once."""
_KNOWN: Final = re.compile(
    r"collections OrderedDict|torch\._utils _rebuild_(tensor_v2|tensor_v3|parameter)"
    r"|torch(\.storage)? \w+Storage|torch (Size|device|bool|(u?int|b?float|complex)\d+)"
)
"""What a pickle may name: all that states of networks and of trainings are made of."""
_REFUSED: Final = frozenset(
    ("STACK_GLOBAL", "INST", "OBJ", "NEWOBJ", "NEWOBJ_EX", "EXT1", "EXT2", "EXT4", "DUP")
)
"""Other ways to name or to make something, which torch does not write."""
_CONTAINERS: Final = frozenset(
    ("TUPLE", "TUPLE1", "TUPLE2", "TUPLE3", "LIST", "EMPTY_LIST", "DICT", "EMPTY_DICT")
)
_DTYPES: Final = frozenset(
    (
        *(torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64),
        *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
        *(torch.uint16, torch.uint32, torch.uint64),
    )
)
_TIED: Final = 4
"""How many times the file's size all tensors together may take: some can share their numbers."""


def load_tensors(path: Path, most_bytes: int) -> Any:
    """Return what a file of torch holds: containers, numbers, texts, and tensors of their own.

    Args:
        path: The file.
        most_bytes: How large it may be.

    Raises:
        ArchiveError: It is no such file, or damaged, or holds something else.
    """
    sizes = check_archive(path, most_bytes)
    found = [name for name in sizes if name.rpartition("/")[2] == _PICKLE]
    if len(found) != 1 or found[0].count("/") != 1:
        raise ArchiveError(f"it is a zip archive, but not one of torch: it has no {_PICKLE}")
    if sizes[found[0]] > _MOST_PICKLE:
        raise ArchiveError(f"its {_PICKLE} has {sizes[found[0]]:,} bytes, of {_MOST_PICKLE:,}")
    try:
        with zipfile.ZipFile(path) as archive:
            _check_program(archive.read(found[0]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about pickles, which are refused anyway
            whole = torch.load(str(path), map_location="cpu", weights_only=True, mmap=True)
        size = path.stat().st_size
        return _Copy(size).of(whole)
    except ArchiveError:
        raise
    except Exception as error:  # of a file that was tampered with, torch raises anything
        why = str(error).partition("\n")[0].partition(". ")[0][:200]  # torch writes an essay
        raise ArchiveError(f"torch cannot read it: {why or type(error).__name__}") from error


def _check_program(content: bytes) -> None:
    """Raise `ArchiveError` if a pickle names what no state has, or would go on and on."""
    before, shared = "", 0
    is_container: dict[int, bool] = {}
    for step, (code, argument, _) in enumerate(pickletools.genops(content)):
        name = code.name
        if step > _MOST_STEPS:
            raise ArchiveError(f"its {_PICKLE} has more than {_MOST_STEPS:,} steps")
        if name in _REFUSED or (name == "GLOBAL" and not _KNOWN.fullmatch(str(argument))):
            what = ".".join(str(argument or name).split())[:100]
            raise ArchiveError(f"it asks for {what}, which no weights need and is not run")
        if name in ("PUT", "BINPUT", "LONG_BINPUT"):
            is_container[int(argument or 0)] = before in _CONTAINERS
        elif name == "MEMOIZE":
            is_container[len(is_container)] = before in _CONTAINERS
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            shared += is_container.get(int(argument or 0), False)
        before = name
    if shared > _MOST_SHARED:
        raise ArchiveError(f"its {_PICKLE} uses {shared:,} parts again, of {_MOST_SHARED} allowed")


class _Copy:
    """Copies what torch has mapped, so that the file is needed no more.

    Args:
        size: Of the file, in bytes; a tensor that takes more only repeats itself.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._left = _TIED * size

    def of(self, value: Any) -> Any:
        """Return the same with tensors of their own."""
        if isinstance(value, Tensor):
            return self._tensor(value)
        if isinstance(value, OrderedDict):
            return self._ordered(value)
        if type(value) is dict:
            return {key: self.of(one) for key, one in value.items()}
        if type(value) in (list, tuple):
            return type(value)(self.of(one) for one in value)
        if value is None or type(value) in (bool, int, float, str):
            return value
        raise ArchiveError(f"it holds a {type(value).__name__}, which no weights need")

    def _ordered(self, value: "OrderedDict[Any, Any]") -> "OrderedDict[Any, Any]":
        """Return a state of a module, with the versions of its parts if they are told."""
        found: OrderedDict[Any, Any] = OrderedDict(
            (key, self.of(one)) for key, one in OrderedDict.items(value)
        )
        versions = vars(value).get("_metadata")
        if isinstance(versions, dict):
            found._metadata = dict(versions)  # type: ignore[attr-defined]  # as torch keeps them
        return found

    def _tensor(self, value: Tensor) -> Tensor:
        if value.layout != torch.strided or value.is_quantized or value.dtype not in _DTYPES:
            raise ArchiveError(f"it holds a tensor of {value.dtype} that is no plain array")
        wanted = value.numel() * value.element_size()
        self._left -= wanted
        if value.device.type != "cpu" or wanted > self._size or self._left < 0:
            raise ArchiveError(
                f"a tensor of shape {_shape(value)} does not fit into {self._size:,} bytes"
            )
        return value.detach().clone(memory_format=torch.contiguous_format)


def _shape(value: Tensor) -> str:
    return " x ".join(map(str, value.shape)) or "one number"
