"""Installs what extras need: the files that requirements.lock admits, and no others.

    python tests/tools/install_locked.py EXTRAS [WHEEL]

EXTRAS are parted by commas. Without a WHEEL of the project the checkout is installed, editable.
Into a fresh environment go first the requirements of the project and of its
build, then what these ask for, and so on. pip compares each file with its hashes. Who asks for
what is read from the metadata of what is installed, so a torch for processors alone brings no
libraries for graphics cards.
"""

import importlib
import subprocess
import sys
import tempfile
import tomllib
from importlib import metadata
from pathlib import Path

from locked import LOCK, pins

ROOT = LOCK.parent
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
_NOWHERE = "No matching distribution found"
"""pip's message on a package without a file for this machine."""


def main(extras: str, wheel: str | None = None) -> None:
    """Install, or end with pip's message or a sentence."""
    install_pins([pin for pin in pins() if pin.name == "packaging"])  # reads the other requirements
    importlib.invalidate_caches()
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    install_all(of_project(told, [extra for extra in extras.split(",") if extra]))
    _pip("--no-deps", "--no-build-isolation", *([wheel] if wheel else ["-e", str(ROOT)]))


def of_project(told: dict, extras: list[str]) -> list:
    """Return the requirements that pyproject.toml states, for the build too."""
    from packaging.requirements import Requirement

    optional = told["project"]["optional-dependencies"]
    lines, seen = [*told["build-system"]["requires"], *told["project"]["dependencies"]], set()
    while extras:
        extra = extras.pop()
        if extra not in optional:
            sys.exit(f"Unknown extra {extra!r}; allowed: {', '.join(optional)}.")
        for line in optional[extra] if extra not in seen else ():
            if (wanted := Requirement(line)).name == told["project"]["name"]:
                extras += wanted.extras
            else:
                lines.append(line)
        seen.add(extra)
    return [Requirement(line) for line in lines]


def install_all(wanted: list) -> None:
    """Install requirements, then what these ask for, until nothing is new."""
    seen = set()
    while wanted:
        chosen = [(_pin_for(requirement), requirement.extras) for requirement in wanted]
        install_pins([pin for pin in dict.fromkeys(pin for pin, _ in chosen) if not _is_there(pin)])
        fresh = {(pin.name, extra) for pin, extras in chosen for extra in {"", *extras}} - seen
        seen |= fresh
        wanted = [requirement for name, extra in sorted(fresh) for requirement in _of(name, extra)]


def _of(name: str, extra: str) -> list:
    """Return what an installed package asks for on this machine."""
    from packaging.requirements import Requirement

    asked = map(Requirement, metadata.requires(name) or ())
    return [each for each in asked if not each.marker or each.marker.evaluate({"extra": extra})]


def _pin_for(requirement):
    """Return the version that the lock has for this machine."""
    from packaging.markers import Marker
    from packaging.utils import canonicalize_name

    name = canonicalize_name(requirement.name)
    for pin in pins():
        if pin.name == name and (not pin.marker or Marker(pin.marker).evaluate()):
            if requirement.specifier.contains(pin.version, prereleases=True):
                return pin
            break
    sys.exit(f"{LOCK.name} has no version for {requirement}; `make lock` looks for one.")


def _is_there(pin) -> bool:
    try:
        return metadata.version(pin.name).partition("+")[0] == pin.version
    except metadata.PackageNotFoundError:
        return False


def install_pins(chosen: list) -> None:
    """Install these files and no others; pip ends it all if one has another hash."""
    # A build of torch for processors alone may lie on the disk; pip prefers what an index has.
    _install([pin for pin in chosen if pin.name == "torch"], "--no-index")
    _install([pin for pin in chosen if not _is_there(pin)])


def _install(chosen: list, *options: str) -> None:
    if not chosen:
        return
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder, "requirements.txt")
        wanted.write_text("".join(map(str, chosen)), encoding="utf-8")
        # A build apart from what is installed would fetch what the lock does not know.
        strict = ["--no-deps", "--require-hashes", "--no-build-isolation", "-r", str(wanted)]
        _pip(*strict, *options)
    importlib.invalidate_caches()


def _pip(*words: str) -> None:
    """Install; with `--no-index` it may also be that there is nothing to install."""
    optional = "--no-index" in words
    done = subprocess.run(
        [*PIP, "install", "--progress-bar", "off", *words],
        stderr=subprocess.PIPE if optional else None,
        text=True,
        check=False,
    )
    if done.returncode and not (optional and _NOWHERE in done.stderr):
        sys.exit(done.stderr or done.returncode)


if __name__ == "__main__":
    main(*sys.argv[1:])
