"""Writes requirements.lock again: `make lock`, or `make lock UPGRADE=1` for the newest versions.

Versions stay while pyproject.toml's ranges admit them. uv lists the files of every platform in the
index that pip's configuration names. torch keeps its version and its hashes even if all others are
renewed. Its CPU-only builds are not in the index; the lock also admits those that pip's
`find-links` names.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from install_locked import install_pins
from locked import LOCK, Pin, pins, versions

OLDEST_PYTHON = "3.11.5"  # the oldest of 3.11 for which every package has a version
KEPT = "torch"
HEADER = """\
# What all extras need, at the versions that the tests run with, and the hashes of the files that
# may be installed: for Linux, macOS and Windows. `make install` takes what it needs of it.
# Written by `make lock` with uv from the ranges of pyproject.toml; torch also has the hashes of
# builds for processors alone.
"""


def main(upgrade: bool) -> None:
    """Ask for the versions, add torch's other files, and put the lock in its place."""
    before, configured = pins(), pip_settings()
    install_pins([pin for pin in before if pin.name == "uv"])
    found = resolve(before, upgrade, configured.get("index-url"))
    builds = local_builds(configured.get("find-links", "").split())
    new = [with_builds(pin, before, builds) for pin in found]
    text = HEADER + "".join(map(str, new))
    unfinished = LOCK.with_suffix(".unfinished")
    unfinished.write_text(text, encoding="utf-8", newline="\n")
    unfinished.replace(LOCK)
    print(f"{LOCK.name}: {len(new)} packages, {len(set(new) - set(before))} of them new or changed")


def pip_settings() -> dict[str, str]:
    """Return pip's settings by their names, those of the environment last."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = re.findall(r"^(\S+?)\.([\w-]+)='(.*)'$", told, re.MULTILINE)
    ordered = sorted(lines, key=lambda line: line[0] == ":env:")
    return {name: value.replace(r"\n", " ") for _, name, value in ordered}


def resolve(before: tuple[Pin, ...], upgrade: bool, index: str | None) -> tuple[Pin, ...]:
    """Return what uv finds; it asks the index for all hashes again."""
    renewed = [f"--upgrade-package={pin.name}" for pin in before if upgrade and pin.name != KEPT]
    # uv leaves a version that is merely written down if it does not fit, or is not there.
    renewed += [f"--upgrade-package={KEPT}=={pin.version}" for pin in before if pin.name == KEPT]
    settings = {"UV_DEFAULT_INDEX": index} if index else {}
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder, LOCK.name)
        written.write_text(versions(), encoding="utf-8")
        command = [
            Path(sys.executable).with_name("uv"), "pip", "compile", "pyproject.toml",
            "--all-extras", "--group", "lock", "--universal", "--fork-strategy", "fewest",
            "--python-version", OLDEST_PYTHON, "--generate-hashes",
            "--no-config", "--no-header", "--quiet", "--output-file", written, *renewed,
        ]  # fmt: skip
        done = subprocess.run(command, cwd=LOCK.parent, env=os.environ | settings, check=False)
        if done.returncode:
            sys.exit(done.returncode)
        return pins(written.read_text(encoding="utf-8"))


def local_builds(folders: list[str]) -> dict[str, set[str]]:
    """Return the hashes of torch's builds with a local version, by the version without it."""
    found: dict[str, set[str]] = {}
    for path in (path for folder in folders for path in Path(folder).glob(f"{KEPT}-*+*.whl")):
        version = path.name.split("-")[1].partition("+")[0]
        with path.open("rb") as file:
            found.setdefault(version, set()).add(hashlib.file_digest(file, "sha256").hexdigest())
    return found


def with_builds(pin: Pin, before: tuple[Pin, ...], builds: dict[str, set[str]]) -> Pin:
    """Return torch's pin with its other files; any other as it is."""
    if pin.name != KEPT:
        return pin
    known = [old.hashes for old in before if (old.name, old.version) == (pin.name, pin.version)]
    return replace(pin, hashes=pin.hashes.union(*known, builds.get(pin.version, ())))


if __name__ == "__main__":
    main(sys.argv[1:] == ["--upgrade"])
