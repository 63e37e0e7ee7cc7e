"""Digests of source code: they stay the same unless what the code does can have changed.

A module counts by its syntax tree, without comments, layout and docstrings; with it count the
modules that it imports, wherever in it, and what these import:

- Of this project, all but the rooms that only tell, draw, read and write (`TELLING`).
- Of anybody else, what lies in the folder of the code or in its package. Installed libraries do
  not count, numpy, numba and torch included.

A data file counts by its bytes if it lies beside a module that names it in a text, as
``engine/cards.csv`` does.
"""

import ast
import hashlib
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.machinery import ModuleSpec, all_suffixes
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

PROJECT: Final = ("impulse_env", "impulse_agents", "impulse_training")
TELLING: Final = (
    *("impulse_env.drawing", "impulse_env.text", "impulse_env.positions", "impulse_env.records"),
    *("impulse_env.replay", "impulse_env.analysis", "impulse_env.testing", "impulse_env.errors"),
    *("impulse_env.files", "impulse_env.extras", "impulse_env.cache", "impulse_env._version"),
    "impulse_env.compiled",
    *("impulse_agents.explanation", "impulse_agents.plugins"),
    "impulse_agents.search.calibrations",
)
"""Modules and packages of this project that do not decide how a game goes."""
_INSTALLED: Final = tuple({Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")})
_STANDARD: Final = Path(sysconfig.get_path("stdlib"))
_MOST_DATA: Final = 1 << 20
"""Bytes of a data file; larger ones are no tables of a program."""


class Source(NamedTuple):
    """A module.

    Attributes:
        name: Its dotted name; without dots for a file that is named by its path.
        path: Its file.
        is_package: Whether it is the ``__init__`` of a package.
    """

    name: str
    path: Path
    is_package: bool = False


class _Read(NamedTuple):
    """What is known of a module's text: its digest, what it imports, and what may name a file."""

    digest: str
    imported: frozenset[str]
    names: frozenset[str]


def sources_digest(start: Iterable[Source]) -> str:
    """Return the SHA-256 of modules and of what they import, in hexadecimal.

    The same code has the same digest on another machine and in another folder.

    Args:
        start: The modules; their names count, too.

    Raises:
        OSError: One of the files cannot be read.
    """
    found = _closure(start)
    lines = [f"{name} {_digest(source)}\n" for name, source in sorted(found.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def modules_behind(start: Iterable[Source]) -> list[str]:
    """Return the names of the modules that count in the digest, sorted."""
    return sorted(_closure(start))


def source_of(module: str) -> Source | None:
    """Return the file of a module, which is not imported; None if it has none, or is not there."""
    top, *parts = module.split(".")
    try:
        spec = find_spec(top)
    except (ImportError, AttributeError, ValueError):
        return None
    if spec is None:
        return None
    if not parts:
        is_file = spec.origin is not None and Path(spec.origin).is_file()
        return Source(top, Path(spec.origin or ""), bool(_folders(spec))) if is_file else None
    found = (_file_in(Path(folder), parts) for folder in _folders(spec))
    return next((Source(module, *file) for file in found if file is not None), None)


def _folders(spec: ModuleSpec) -> list[str]:
    """Return the folders of a package; none for a module."""
    return list(spec.submodule_search_locations or [])


def _file_in(folder: Path, parts: Sequence[str]) -> tuple[Path, bool] | None:
    """Return the file of a module below a folder, and whether it is that of a package."""
    path = folder.joinpath(*parts)
    if (path / "__init__.py").is_file():
        return path / "__init__.py", True
    files = (path.with_name(path.name + suffix) for suffix in all_suffixes())
    return next(((file, False) for file in files if file.is_file()), None)


def _closure(start: Iterable[Source]) -> dict[str, Source]:
    """Return the modules that count, by their names."""
    waiting = list(start)
    found: dict[str, Source] = {}
    while waiting:
        source = waiting.pop()
        if source.name in found:
            continue
        found[source.name] = source
        waiting += [near for name in _read(source).imported if (near := _counting(name, source))]
    return found


def _counting(name: str, importer: Source) -> Source | None:
    """Return a module that was imported, or the module that a name was imported from, if it counts.

    Args:
        name: As ``package.module.thing``, where the last part may be no module.
        importer: The module that imports it.
    """
    parts = name.split(".")
    is_telling = any(f"{name}.".startswith(f"{room}.") for room in TELLING)
    if is_telling or not _may_count(parts[0], importer):
        return None
    for known in filter(None, (parts, parts[:-1])):
        source = _beside(known, importer) or source_of(".".join(known))
        if source is not None:
            return source
    return None


def _may_count(top: str, importer: Source) -> bool:
    """Whether a top-level package is this project's, the importer's own, or beside it."""
    if top in PROJECT or top == importer.name.partition(".")[0]:
        return True
    if importer.name.partition(".")[0] in PROJECT:
        return False
    found = _beside([top], importer) or source_of(top)
    return found is not None and not _is_installed(found.path)


def _is_installed(path: Path) -> bool:
    """Whether a file belongs to a library."""
    return any(path.is_relative_to(folder) for folder in (*_INSTALLED, _STANDARD))


def _beside(parts: list[str], importer: Source) -> Source | None:
    """Return the module of a file that lies beside another one that is named by its path."""
    if "." in importer.name or importer.is_package or not parts or parts[0] in PROJECT:
        return None
    file = _file_in(importer.path.parent, parts)
    return None if file is None else Source(".".join(parts), *file)


# --- One file -------------------------------------------------------------------------------------


def _read(source: Source) -> _Read:
    return _read_text(source.path.read_bytes(), source.name, source.is_package)


@cache
def _read_text(content: bytes, name: str, is_package: bool) -> _Read:
    """Read a module; what is no Python source counts by its bytes, and imports nothing."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return _Read(hashlib.sha256(content).hexdigest(), frozenset(), frozenset())
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return _Read(
        hashlib.sha256(repr(_plain(tree)).encode()).hexdigest(),
        frozenset(_imports(tree, name, is_package)),
        frozenset(text for text in texts if isinstance(text, str) and "." in text),
    )


def _digest(source: Source) -> str:
    """Return the digest of a module with the data files that it names."""
    digest = hashlib.sha256(_read(source).digest.encode())
    for path in sorted(source.path.parent.iterdir()):
        if path.name in _read(source).names and path.is_file():
            if path.stat().st_size <= _MOST_DATA:
                digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _plain(node: Any) -> Any:
    """Return a syntax tree as tuples: no places, no texts that stand alone, nothing that is empty.

    What is empty is left out so that a newer Python, whose trees have more fields, finds the same.
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


def _imports(tree: ast.AST, name: str, is_package: bool) -> Iterator[str]:
    """Yield what a module imports: modules, and names as ``module.name``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(node, name, is_package)
            yield from (f"{module}.{alias.name}".strip(".") for alias in node.names)


def _absolute(node: ast.ImportFrom, name: str, is_package: bool) -> str:
    """Return the module of a ``from``, with what its dots stand for."""
    if not node.level:
        return node.module or ""
    parts = name.split(".")
    up = node.level - (1 if is_package else 0)
    return ".".join([*parts[: len(parts) - up], *filter(None, [node.module])])
