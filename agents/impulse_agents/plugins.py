"""Agents and networks of other authors, loaded by entry point, module or file.

A reference is one of

    NAME                an entry point of a group, in an installed package
    module:NAME         an object in a module that can be imported
    path/to/file.py:NAME   an object in a file

Loading a module or a file runs its code. So functions that may get a name from somebody else (from
a record, a checkpoint or a page) have an argument `allow_code`. Output of code during its loading
goes to standard error.
"""

import hashlib
import os
import re
import sys
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final, NamedTuple

from impulse_env.errors import ImpulseError, did_you_mean
from impulse_env.extras import missing_extra

_FILE: Final = re.compile(r"(?P<place>.+\.py):(?P<name>[A-Za-z_]\w*)(?::(?P<argument>.*))?")
_MODULE: Final = re.compile(
    r"(?P<place>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):(?P<name>[A-Za-z_]\w*)(?::(?P<argument>.*))?"
)

FILE_MODULE: Final = "impulse_plugin_"
"""Prefix of the names of modules that are loaded from a file."""


class PluginError(ImpulseError, ValueError):
    """Code of another author cannot be found or loaded; the message says why."""


class Reference(NamedTuple):
    """A reference to an object in a module or a file.

    Attributes:
        place: The module's dotted name, or the path of a file that ends in ``.py``.
        name: Name of the object.
        argument: Text after a second colon, the object's argument; None without one.
    """

    place: str
    name: str
    argument: str | None

    @property
    def file(self) -> Path | None:
        """The file; None for a module."""
        return Path(self.place) if self.place.endswith(".py") else None


def read_reference(text: str) -> Reference | None:
    """Return the reference of ``module:NAME`` or ``file.py:NAME``; None if it is neither."""
    match = _FILE.fullmatch(text) or _MODULE.fullmatch(text)
    return None if match is None else Reference(match["place"], match["name"], match["argument"])


@cache
def _entry_points(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}


def entry_point_names(group: str) -> list[str]:
    """Return the names of a group's entry points in all installed packages, sorted."""
    return sorted(_entry_points(group))


def distribution_of(group: str, name: str) -> str | None:
    """Return the package of an entry point with its version; None if it does not exist."""
    point = _entry_points(group).get(name)
    return f"{point.dist.name} {point.dist.version}" if point and point.dist else None


def load_entry_point(group: str, name: str) -> Any:
    """Return the object of an entry point; raises `PluginError`."""
    point = _entry_points(group)[name]
    try:
        with redirect_stdout(sys.stderr):
            return point.load()
    except (Exception, SystemExit) as error:
        raise _cannot_load(f"{name} ({point.value})", error) from error


def load_reference(reference: Reference) -> Any:
    """Load a reference's module or file and return its object; raises `PluginError`."""
    file = reference.file
    what = f"{reference.place}:{reference.name}"
    if file is not None and not file.is_file():
        raise PluginError(f"{what} cannot be loaded: there is no file {file}")
    try:
        with redirect_stdout(sys.stderr):
            module = import_module(reference.place) if file is None else _module_of(file.resolve())
    except (Exception, SystemExit) as error:
        raise _cannot_load(what, error) from error
    if not hasattr(module, reference.name):
        public = [name for name in vars(module) if not name.startswith("_")]
        raise PluginError(
            f"{reference.place} has no {reference.name}{did_you_mean(reference.name, public)}"
        )
    return getattr(module, reference.name)


def is_loaded(file: Path) -> bool:
    """Whether this process has loaded a file with its present content."""
    return file.is_file() and _module_name(file.resolve()) in sys.modules


def _module_name(file: Path) -> str:
    digest = hashlib.sha256(os.fsencode(file) + file.read_bytes()).hexdigest()[:16]
    return f"{FILE_MODULE}{file.stem}_{digest}"


class _Uncached(SourceFileLoader):
    """Compiles the source each time: cached bytecode misses a change within a second."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def _module_of(file: Path) -> ModuleType:
    """Return the module of a file; load it only if its content is new."""
    name = _module_name(file)
    if name in sys.modules:
        return sys.modules[name]
    loader = _Uncached(name, str(file))
    spec = spec_from_loader(name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    # As for a script: the file can import modules from its own folder.
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _cannot_load(what: str, error: BaseException) -> ImpulseError:
    """Return an error that says in one sentence why something cannot be loaded."""
    if isinstance(error, ImportError) and (missing := missing_extra(what, error)) is not None:
        return missing
    message = " ".join(str(error).split())
    return PluginError(f"{what} cannot be loaded: {type(error).__name__}: {message}")
