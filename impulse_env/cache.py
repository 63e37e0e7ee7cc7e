"""The folder that stores the machine code of compiled functions on this machine."""

from dataclasses import dataclass
from pathlib import Path

from impulse_env.compiled.code_cache import SUFFIX
from impulse_env.compiled.code_folder import PACKAGE, code_folder
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.compiled.shipped_code import shipped_folder


@dataclass(frozen=True)
class CacheInfo:
    """A folder of machine code.

    Attributes:
        folder: Its path: inside the package if the wheel contains machine code, otherwise the
            folder for functions that this machine compiled.
        functions: Number of compiled functions in it, one for each signature.
        bytes: Size of its files, in bytes.
        is_compiled: False if the sources run uncompiled, so that nothing is stored.
        is_shipped: Whether the package came with the code, so that nothing has to be compiled.
    """

    folder: Path
    functions: int
    bytes: int
    is_compiled: bool
    is_shipped: bool


def cache_info(package: Path = PACKAGE) -> CacheInfo:
    """Return the folder of a package's compiled functions, with its size.

    Args:
        package: The package's folder; this package's own by default.
    """
    shipped = shipped_folder(package)
    folder = code_folder(package) if shipped is None else shipped
    files = [path for path in folder.rglob("*") if path.is_file()]
    return CacheInfo(
        folder,
        sum(path.suffix == SUFFIX for path in files),
        sum(path.stat().st_size for path in files),
        IS_COMPILED,
        shipped is not None,
    )
