"""Code for other machines and languages on disk, stored by whoever needs it first.

The first line of a file is a comment with the digest of the rest.
"""

import hashlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from impulse_env.compiled.code_cache import write

_MARK: Final = b"// SHA-256: "


def stored(paths: Sequence[Path], what: str, compiled: Callable[[], bytes]) -> bytes:
    """Return the code in the first of these files that has it, or compile it now.

    A damaged file and a folder that cannot be written cause a line of warning.

    Args:
        paths: Files that may have the code; new code is stored in the last.
        what: The name of the code in messages.
        compiled: Compiles it.
    """
    for path in paths:
        code = _read(path)
        if code is not None:
            return code
    _tell(f"compiling {what}, once for this version")
    code = compiled()
    try:
        write(paths[-1], _head(code) + b"\n" + code)
    except OSError as error:
        _tell(f"{paths[-1]} cannot be written ({error.strerror}); it is compiled at each start")
    return code


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
