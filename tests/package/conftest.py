"""Wheel and sdist, built once, and empty virtual environments that have them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from locked import versions
from paths import ROOT

EXAMPLE = ROOT / "docs/examples/scout"


class Environment:
    """A virtual environment in a folder of its own, far from the checkout."""

    def __init__(self, folder):
        self.folder = folder
        self.work = folder / "work"
        self.work.mkdir(parents=True)
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        self.programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")

    @property
    def variables(self):
        """What a fresh shell has; nothing of the checkout, and no machine code of other runs."""
        kept = {
            k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "NUMBA_", "PIP_R"))
        }
        return {
            **kept,
            "PATH": os.pathsep.join([str(self.programs), os.environ["PATH"]]),
            "VIRTUAL_ENV": str(self.programs.parent),
        }

    def run(self, *words, timeout=900, **more):
        """Run a program of the environment in its folder; what it prints is in the result."""
        return subprocess.run(
            [str(self.programs / words[0]), *map(str, words[1:])],
            cwd=self.work,
            env=self.variables,
            capture_output=True,
            text=True,
            timeout=timeout,
            **more,
        )

    def install(self, *wanted):
        """Install as people do, but at the versions that requirements.lock has."""
        constraints = self.folder / "constraints.txt"
        constraints.write_text(versions(), encoding="utf-8")
        done = self.run(
            "python", "-m", "pip", "install", "-q", "--disable-pip-version-check",
            "-c", constraints, *wanted,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    def impulse(self, *words, **more):
        """Run the command; it must succeed. Returns what it prints."""
        done = self.run("impulse", *words, **more)
        assert done.returncode == 0, (
            f"impulse {' '.join(map(str, words))}\n{done.stdout}{done.stderr}"
        )
        return done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A folder with the wheel and the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture(scope="session")
def wheel(built) -> Path:
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def sdist(built) -> Path:
    (found,) = built.glob("*.tar.gz")
    return found


@pytest.fixture(scope="session")
def bare(wheel, tmp_path_factory):
    """The wheel without any extra."""
    environment = Environment(tmp_path_factory.mktemp("elsewhere"))
    environment.install(wheel)
    return environment


@pytest.fixture(scope="session")
def whole(bare, wheel):
    """The same environment with what people do, and the example project of another author.

    It is one environment, so that the rules are compiled once.
    """
    bare.install(f"{wheel}[train,play,analysis]", EXAMPLE, "pytest")
    return bare
