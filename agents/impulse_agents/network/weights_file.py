"""A file of safetensors: named arrays and a text about them, nothing that could be executed.

It is a header in JSON, with the name, type, shape and place of each array, and then their numbers.
The library sees to it that the header is no larger than it may be, and that the arrays fill the
file without a gap or an overlap, so nothing takes more memory than the file is long. It has no
checksums; the header holds one of ours, over the text and the arrays.
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
"""Of the only text in the header: with several the library writes them in any order, and what is
the same would not be the same file."""
_DTYPES: Final = frozenset(
    (
        *(torch.float16, torch.bfloat16, torch.float32, torch.float64),
        *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
    )
)
"""Of the arrays; the library knows others, with which not all of torch can compute."""


class WeightsError(ImpulseError, ValueError):
    """A file holds no weights, or is damaged; the message says why, without the file's name."""


def read_weights(path: Path, most_bytes: int) -> tuple[str, dict[str, Tensor]]:
    """Return the text of a file and its arrays, copied, by name.

    Args:
        path: The file.
        most_bytes: How large it may be.

    Raises:
        WeightsError: It is no such file, too large, or not as it was written.
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
            told = file.metadata() or {}
            weights = {name: _copied(file.get_tensor(name)) for name in file.keys()}
    except WeightsError:
        raise
    except Exception as error:  # the library's own, and whatever torch says of a type
        said = " ".join(str(error).split())[:200]
        raise WeightsError(f"safetensors cannot read it: {said}") from error
    if _KEY not in told:
        raise WeightsError("its header does not say what the weights are")
    checksum, _, config = told[_KEY].partition("\n")
    if checksum != _checksum(config, weights):
        raise WeightsError("it is damaged, or was changed by another program: the checksum differs")
    return config, weights


def write_weights(path: str | Path, config: str, weights: Mapping[str, Any]) -> None:
    """Write a text and arrays; whoever reads the file meanwhile sees the old one or the new one.

    Args:
        path: The file; folders above it are made.
        config: What the weights are.
        weights: The arrays by name.

    Raises:
        WeightsError: One of them is no array of numbers.
    """
    for name, weight in weights.items():
        if not isinstance(weight, Tensor) or weight.dtype not in _DTYPES:
            found = getattr(weight, "dtype", type(weight).__name__)
            raise WeightsError(f"{name} is {found}, which a file of weights does not hold")
    plain = _apart(weights)
    with replacing(path) as file:
        file.write(save(plain, {_KEY: f"{_checksum(config, plain)}\n{config}"}))


def _apart(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return contiguous arrays, copied where they are not, or where they share their numbers.

    The library refuses those; copies of all would take as much memory again as a whole training.
    """
    found: dict[str, Tensor] = {}
    places: set[int] = set()
    for name, weight in weights.items():
        plain = weight.detach().cpu().contiguous()
        place = plain.untyped_storage().data_ptr()
        # Of a single number, or none, any stride is called contiguous, even 0.
        is_fit = plain.numel() > 1 and place not in places
        found[name] = plain if is_fit else _copied(plain)
        places.add(place)
    return found


def _copied(weight: Tensor) -> Tensor:
    if weight.dtype not in _DTYPES:
        raise WeightsError(f"it holds an array of {weight.dtype}, which no weights are")
    return weight.clone(memory_format=torch.contiguous_format)


def _checksum(config: str, weights: Mapping[str, Tensor]) -> str:
    return hashlib.sha256(f"{weights_digest(weights)}\n{config}".encode()).hexdigest()


def weights_digest(weights: Mapping[str, torch.Tensor]) -> str:
    """Return the SHA-256 of a network's weights in hexadecimal.

    It is that of the names, types, shapes and bytes: the same in every file that holds them,
    whatever else the file says.
    """
    digest = hashlib.sha256()
    for name in sorted(weights):
        array = weights[name].detach().cpu().contiguous()
        digest.update(f"{name} {array.dtype} {tuple(array.shape)}\n".encode())
        digest.update(array.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()
