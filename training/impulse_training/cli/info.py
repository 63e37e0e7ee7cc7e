"""The command `impulse info`: versions, caches, hardware and installed extras."""

import os
import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import impulse_agents
from impulse_env import __version__
from impulse_env.cache import CacheInfo, cache_info
from impulse_env.extras import EXTRA_BY_PACKAGE
from impulse_env.options import OptionError
from impulse_training.cli.framework.command import Command
from impulse_training.run.machine.hardware import processor

COMMAND = Command(examples=("impulse info", "impulse info --c-flags"), has_json=True)
_PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo", "torch", "stable-baselines3", "ray")


@dataclass(frozen=True)
class Args:
    """Print versions, the caches of machine code, the hardware and the installed extras."""

    c_flags: bool = False
    """Print only the options of a C compiler for programs with `libimpulse`; make the library once
    if the package does not contain it."""
    c_library: bool = False
    """Print only the path of the shared library, for other languages; make it likewise."""


def extras() -> dict[str, list[str]]:
    """Return the missing packages of each extra; an empty list means that it is installed."""
    missing: dict[str, list[str]] = {}
    for package, extra in EXTRA_BY_PACKAGE.items():
        absent = [] if find_spec(package) is not None else [package]
        missing[extra] = missing.get(extra, []) + absent
    return missing


def versions() -> dict[str, str]:
    """Return the versions of the main libraries that are installed."""
    by_name = {"impulse-env": __version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            by_name[name] = version(name)
        except PackageNotFoundError:
            continue
    return by_name


def main(args: Args) -> dict[str, Any]:
    """Print and return the information."""
    if args.c_flags and args.c_library:
        raise OptionError("give either --c-flags or --c-library")
    if args.c_flags or args.c_library:
        return _c_library(args)
    agents_package = Path(impulse_agents.__file__).parent
    caches = {"rules": cache_info(), "agents": cache_info(agents_package)}
    result: dict[str, Any] = {
        "versions": versions(),
        "platform": platform.platform(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "cache": {name: _cache(info) for name, info in caches.items()},
        "extras": {name: not missing for name, missing in extras().items()},
    }
    print(", ".join(f"{name} {number}" for name, number in result["versions"].items()))
    print(f"{result['platform']}, {result['cores']} cores of {result['processor']}")
    for name, info in caches.items():
        if info.is_compiled:
            size = f"{info.functions} functions, {info.bytes / 1e6:.1f} MB"
            origin = "shipped with the package" if info.is_shipped else "compiled here"
            print(f"machine code of the {name}: {info.folder} ({size}; {origin})")
    for name, missing in extras().items():
        state = "installed" if not missing else f"missing {', '.join(missing)}"
        print(f"impulse-env[{name}]: {state}")
    return result


def _c_library(args: Args) -> dict[str, Any]:
    """Print and return what a compiler or another language needs to use the C library."""
    from impulse_env.c_library.files import c_flags, shared_library

    name, value = ("c_flags", c_flags()) if args.c_flags else ("c_library", str(shared_library()))
    print(value)
    return {name: value}


def _cache(info: CacheInfo) -> dict[str, Any]:
    return {
        "folder": str(info.folder),
        "functions": info.functions,
        "bytes": info.bytes,
        "is_shipped": info.is_shipped,
    }
