"""A safetensors file: named arrays and a text about them, without code.

It has a header in JSON, with the name, type, shape and place of each array, followed by their
numbers. The library limits the size of the header, and checks that the arrays fill the file without
gaps or overlaps. So reading takes no more memory than the length of the file. The format has no
checksums; our header contains one of the text and the arrays.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor

from impulse_env.errors import ImpulseError
from impulse_env.files import replacing, why_unusable

_KEY: Final = "impulse"
"""Key of the only text in the header. With several texts the library's order varies, and equal
content would not give equal files."""
_DTYPES: Final = frozenset(
    (
        *(torch.float16, torch.bfloat16, torch.float32, torch.float64),
        *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
    )
)
"""Types of the arrays; the library has others, which not all of torch supports."""


class WeightsError(ImpulseError, ValueError):
    """A file has no weights, or is damaged; the message says why, without the file's name."""


def read_weights(path: Path, most_bytes: int) -> tuple[str, dict[str, Tensor]]:
    """Return the text of a file and its arrays, copied, by name.

    Args:
        path: The file.
        most_bytes: Size limit of the file.

    Raises:
        WeightsError: The file is of another kind, too large or damaged.
    """
    problem = why_unusable(path)
    if problem:
        raise WeightsError(problem)
    size = path.stat().st_size
    if size > most_bytes:
        raise WeightsError(f"it has {size:,} bytes, and {most_bytes:,} are allowed")
    if not size:
        raise WeightsError("it is empty")
    try:
        with safe_open(str(path), framework="pt", device="cpu") as file:
            metadata = file.metadata() or {}
            weights = {name: _copied(file.get_tensor(name)) for name in file.keys()}
    except WeightsError:
        raise
    except Exception as error:  # the library's own error, or torch's about a type
        message = " ".join(str(error).split())[:200]
        raise WeightsError(f"safetensors cannot read it: {message}") from error
    if _KEY not in metadata:
        raise WeightsError("its header does not say what the weights are")
    checksum, _, config = metadata[_KEY].partition("\n")
    if checksum != _checksum(config, weights):
        raise WeightsError("it is damaged, or was changed by another program: the checksum differs")
    return config, weights


def write_weights(path: str | Path, config: str, weights: Mapping[str, Any]) -> None:
    """Write a text and arrays atomically: a reader sees the old file or the new one.

    Args:
        path: The file; missing folders are created.
        config: The text about the weights.
        weights: The arrays by name.

    Raises:
        WeightsError: A weight is not an array of numbers.
    """
    for name, weight in weights.items():
        if not isinstance(weight, Tensor) or weight.dtype not in _DTYPES:
            kind = getattr(weight, "dtype", type(weight).__name__)
            raise WeightsError(f"{name} is {kind}, which a file of weights cannot contain")
    plain = _apart(weights)
    with replacing(path) as file:
        file.write(save(plain, {_KEY: f"{_checksum(config, plain)}\n{config}"}))


def _apart(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return contiguous arrays that share no memory; copy only where necessary.

    The library rejects other arrays. Copies of all would double the memory of a training.
    """
    plain_by_name: dict[str, Tensor] = {}
    places: set[int] = set()
    for name, weight in weights.items():
        plain = weight.detach().cpu().contiguous()
        place = plain.untyped_storage().data_ptr()
        # torch calls an array with at most one number contiguous for any stride, even 0.
        is_fit = plain.numel() > 1 and place not in places
        plain_by_name[name] = plain if is_fit else _copied(plain)
        places.add(place)
    return plain_by_name


def _copied(weight: Tensor) -> Tensor:
    if weight.dtype not in _DTYPES:
        raise WeightsError(f"it contains an array of {weight.dtype}, which weights cannot be")
    return weight.clone(memory_format=torch.contiguous_format)


def _checksum(config: str, weights: Mapping[str, Tensor]) -> str:
    return hashlib.sha256(f"{weights_digest(weights)}\n{config}".encode()).hexdigest()


def weights_digest(weights: Mapping[str, torch.Tensor]) -> str:
    """Return the SHA-256 of a network's weights in hexadecimal.

    It depends only on the names, types, shapes and bytes of the weights, not on the file.
    """
    digest = hashlib.sha256()
    for name in sorted(weights):
        array = weights[name].detach().cpu().contiguous()
        digest.update(f"{name} {array.dtype} {tuple(array.shape)}\n".encode())
        digest.update(array.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()
