"""Digests of source code that change only if the behaviour of the code may have changed.

The digest of a module is that of its syntax tree, without comments, layout and docstrings. A data
file counts by its bytes if a module in the same folder names it in a string, as with
``engine/cards.csv``.
"""

import ast
import hashlib
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

PROJECT: Final = ("impulse_env", "impulse_agents", "impulse_table", "impulse_training")
_INSTALLED: Final = frozenset(("site-packages", "dist-packages"))
"""Names of folders that contain installed libraries."""
_SUFFIXES: Final = (".py", ".so", ".pyd")
_MOST_DATA: Final = 1 << 20
"""Largest size of a data file in bytes; larger files are not tables of a program."""


class _Read(NamedTuple):
    """A parsed module: its digest, the modules that it imports, and strings that may name files."""

    digest: str
    imported: frozenset[str]
    names: frozenset[str]


def sources_digest(files: Mapping[str, Path]) -> str:
    """Return the SHA-256 of source files, in hexadecimal.

    The same code has the same digest on another machine and in another folder.

    Args:
        files: Files by name; the names are part of the digest.

    Raises:
        OSError: One of the files cannot be read.
    """
    lines = [f"{name} {_digest(path)}\n" for name, path in sorted(files.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def files_in(place: Path, name: str) -> dict[str, Path]:
    """Return the sources in and below a folder by name; for a file, the file itself."""
    if not place.is_dir():
        return {name: place}
    sources = (path for path in place.rglob("*") if path.suffix in _SUFFIXES)
    return {f"{name}/{path.relative_to(place).as_posix()}": path for path in sources}


def files_behind(places: Mapping[str, Path]) -> dict[str, Path]:
    """Return the sources of packages and modules by name, together with their imports.

    Imports of this project and of installed libraries are left out.

    Args:
        places: Folders of packages, and files of modules, by name.
    """
    sources: dict[str, Path] = {}
    waiting = list(places.items())
    while waiting:
        name, place = waiting.pop()
        new = {key: path for key, path in files_in(place, name).items() if key not in sources}
        sources |= new
        for top in {top for path in new.values() for top in _read(path).imported}:
            near = _place_of(top, place.parent)
            waiting += [] if near is None else [(top, near)]
    return sources


def package_of(file: Path) -> Path:
    """Return the top folder of a module's package; for a module outside packages, its file."""
    place = file
    while (place.parent / "__init__.py").is_file():
        place = place.parent
    return place


def _place_of(top: str, folder: Path) -> Path | None:
    """Return the package or file that a name imports in a folder; None if it does not count."""
    if top in PROJECT:
        return None
    beside = (folder / top, folder / f"{top}.py") if _is_own(folder) else ()
    for near in beside:
        if near.is_file() or (near / "__init__.py").is_file():
            return near
    try:
        spec = None if top in sys.stdlib_module_names else find_spec(top)
    except (ImportError, AttributeError, ValueError):
        return None
    if spec is None or spec.origin is None or not Path(spec.origin).is_file():
        return None
    file = Path(spec.origin)
    return package_of(file) if _is_own(file) else None


def _is_own(place: Path) -> bool:
    """Whether a place is outside the folders of installed libraries."""
    return _INSTALLED.isdisjoint(place.parts)


# --- One file -------------------------------------------------------------------------------------


def _read(path: Path) -> _Read:
    return _read_text(path.read_bytes())


@cache
def _read_text(content: bytes) -> _Read:
    """Parse a module; a file that is not Python source counts by its bytes and imports nothing."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return _Read(hashlib.sha256(content).hexdigest(), frozenset(), frozenset())
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return _Read(
        hashlib.sha256(repr(_plain(tree)).encode()).hexdigest(),
        frozenset(_imports(tree)),
        frozenset(text for text in texts if isinstance(text, str) and "." in text),
    )


def _digest(file: Path) -> str:
    """Return the digest of a module with the data files that it names."""
    digest = hashlib.sha256(_read(file).digest.encode())
    for path in sorted(file.parent.iterdir()):
        if path.name in _read(file).names and path.is_file():
            if path.stat().st_size <= _MOST_DATA:
                digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _plain(node: Any) -> Any:
    """Return a syntax tree as tuples, without positions, docstrings and empty fields.

    Empty fields are left out because a newer Python has more of them.
    """
    if isinstance(node, list):
        return tuple(_plain(part) for part in node if not _is_docstring(part))
    if not isinstance(node, ast.AST):
        return node
    fields = (
        (name, _plain(value))
        for name, value in ast.iter_fields(node)
        if value is not None and value != [] and name not in ("ctx", "kind", "type_comment")
    )
    return (type(node).__name__, *fields)


def _is_docstring(node: Any) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _imports(tree: ast.AST) -> Iterator[str]:
    """Yield the top-level packages and modules that a module imports by absolute imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
