"""Wheel and sdist, built once, and empty virtual environments that have them."""

import subprocess
import sys
from pathlib import Path

import pytest

from paths import ROOT
from virtual_environment import Environment

EXAMPLE = ROOT / "docs/examples/scout"


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
