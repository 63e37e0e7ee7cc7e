"""An empty virtual environment, as somebody has who installs the package."""

import os
import subprocess
import sys

from locked import versions


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
        """A fresh shell's environment, without the checkout and machine code of other runs."""
        kept = {
            k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "NUMBA_", "PIP_R"))
        }
        return {
            **kept,
            "PATH": os.pathsep.join([str(self.programs), os.environ["PATH"]]),
            "VIRTUAL_ENV": str(self.programs.parent),
        }

    def run(self, *words, timeout=900, env_more=None, **more):
        """Run a program of the environment in its folder; what it prints is in the result."""
        return subprocess.run(
            [str(self.programs / words[0]), *map(str, words[1:])],
            cwd=self.work,
            env={**self.variables, **(env_more or {})},
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
