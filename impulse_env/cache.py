"""Where the machine code of compiled functions is kept on this machine."""

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
        folder: Where it is: in the package, if a wheel brought it, or where functions are kept
            that were compiled here.
        functions: How many compiled functions are in it, one for each signature.
        bytes: What they take.
        is_compiled: False if the sources run uncompiled, so that nothing is kept.
        is_shipped: Whether it came with the package, so that nothing has to be compiled.
    """

    folder: Path
    functions: int
    bytes: int
    is_compiled: bool
    is_shipped: bool


def cache_info(package: Path = PACKAGE) -> CacheInfo:
    """Return what is kept for a package's compiled functions.

    Args:
        package: Its folder; this package's own by default.
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
