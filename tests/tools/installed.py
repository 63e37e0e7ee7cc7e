"""Runs the fast tests against the installed wheel.

    python tests/tools/installed.py FOLDER EXTRAS

FOLDER/dist holds wheel and sdist. The tests are those of the sdist, unpacked without the
packages, so that whatever they import is what the wheel has installed.
"""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from paths import SHIPPED

NEEDS_CHECKOUT = ("architecture", "docs", "notebooks", "package", "tools")
MARKS = "not slow and not (peers or ray or interop or browser or notebooks or package or checkout)"


def main(folder: Path, extras: str) -> int:
    """Install, unpack and test; return pytest's exit code."""
    (wheel,), (sdist,) = (folder / "dist").glob("*.whl"), (folder / "dist").glob("*.tar.gz")
    environment, unpacked = folder / "venv", folder / "unpacked"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    python = environment / ("Scripts/python" if os.name == "nt" else "bin/python")
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (tests,) = unpacked.iterdir()
    install = tests / "tests/tools/install_locked.py"
    subprocess.run([python, install, extras, wheel], stdout=subprocess.DEVNULL, check=True)
    for package in SHIPPED:
        shutil.rmtree(tests / package)
    ignored = [f"--ignore=tests/{name}" for name in NEEDS_CHECKOUT]
    words = ["-m", "pytest", "-n", "auto", "-m", MARKS, *ignored]
    return subprocess.run([python.absolute(), *words], cwd=tests, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
