"""Runs the tests with other libraries, each library in an environment of its own.

    python tests/tools/interop.py [NAME ...]
    python tests/tools/interop.py --freeze NAME ...

`tests/interop/NAME.txt` holds exact versions and `tests/interop/test_NAME.py` the tests that run
with them. The environment is `build/interop/NAME`, with an editable install of the checkout. It is
created again when that file or pyproject.toml changes.

With `--freeze` the environment is made from the lines that a person wrote, those above `FROZEN`,
and all else that it then holds is written below. Needs nothing but Python.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from locked import pins
from paths import ROOT

TESTS = ROOT / "tests/interop"
BUILD = ROOT / "build/interop"
FROZEN = "# What these need, written by `--freeze`."
_PIP = ["-m", "pip", "--disable-pip-version-check"]
_OURS = {"impulse-env", "pip", "setuptools"}


def names() -> list[str]:
    """Return the libraries that there are versions for."""
    return sorted(path.stem for path in TESTS.glob("*.txt"))


def main(words: list[str]) -> int:
    """Make what is missing, run the tests; return 1 if those of a library failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help=f"of {', '.join(names())}; all if none is given")
    parser.add_argument("--freeze", action="store_true", help="write what the libraries need")
    asked = parser.parse_args(words)
    if unknown := sorted(set(asked.names) - set(names())):
        parser.error(f"there is no {unknown[0]!r}; there are {', '.join(names())}")
    if asked.freeze:
        for name in asked.names:
            freeze(name)
        return 0
    failed = [name for name in asked.names or names() if run(made(name), name)]
    print(f"failed with: {', '.join(failed)}" if failed else "passed with all")
    return int(bool(failed))


def run(python: Path, name: str) -> int:
    """Run the tests of a library; return pytest's exit code."""
    print(f"--- {name}", flush=True)
    words = ["-m", "pytest", "-q", "-m", "interop", f"tests/interop/test_{name}.py"]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return subprocess.run([python, *words], cwd=ROOT, env=environment, check=False).returncode


def key_of(versions: str) -> str:
    """Return a digest of all that an environment is made from."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return hashlib.sha256(f"{sys.version}\0{project}\0{versions}".encode()).hexdigest()


def made(name: str) -> Path:
    """Return the Python of a library's environment, which is made if it is not there as it is."""
    versions = TESTS / f"{name}.txt"
    folder, key = BUILD / name, key_of(versions.read_text(encoding="utf-8"))
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    mark = folder / "made"
    if not mark.exists() or mark.read_text(encoding="utf-8") != key:
        make(folder, python, versions)
        mark.write_text(key, encoding="utf-8")
    return python


def make(folder: Path, python: Path, versions: Path) -> None:
    """Create an environment again; exit with pip's message if that fails."""
    print(f"Installing into {folder.relative_to(ROOT)}.", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    (pytest,) = (f"pytest=={pin.version}" for pin in pins() if pin.name == "pytest")
    command = [python, *_PIP, "install", "--quiet", "-r", versions, "-e", ROOT, pytest]
    if code := subprocess.run(command, check=False).returncode:
        sys.exit(code)


def library_of(line: str) -> str:
    """Return the library of a line, its name as indexes normalize it."""
    return line.partition("==")[0].partition("[")[0].lower().replace("_", "-")


def freeze(name: str) -> None:
    """Write below a library's own lines the versions of all that they need."""
    path = TESTS / f"{name}.txt"
    own = path.read_text(encoding="utf-8").partition(FROZEN)[0]
    path.write_text(own, encoding="utf-8")
    command = [made(name), *_PIP, "list", "--format=freeze"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # A build of torch for processors alone has a version of its own machine.
    lines = [line.partition("+")[0] for line in listed.splitlines()]
    written = _OURS | set(map(library_of, own.splitlines()))
    needed = [line for line in lines if library_of(line) not in written]
    text = "\n".join([own.rstrip("\n"), FROZEN, *needed, ""])
    path.write_text(text, encoding="utf-8")
    (BUILD / name / "made").write_text(key_of(text), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
