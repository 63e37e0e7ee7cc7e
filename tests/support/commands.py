"""The command `impulse` for tests: called in this process, or as a process of its own."""

import os
import subprocess
import sys

from impulse_training.cli.framework.main import main
from paths import ROOT

PROGRAM = (sys.executable, "-m", "impulse_training.cli")
"""Starts `impulse` in a process of its own."""


def impulse(*words):
    """Call the command in this process; return its exit code."""
    return main([str(word) for word in words])


def run_impulse(*words, program=PROGRAM, environment=None, **more):
    """Run the command in a process of its own until it ends; return it, with what it printed."""
    return subprocess.run(
        [*program, *map(str, words)],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        check=False,
        **{"cwd": ROOT, "text": True, **more},
    )


def refusal(capsys):
    """The one sentence that a command ended with; nothing else was printed."""
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    assert printed.err.endswith("\n")
    return printed.err.removeprefix("error: ").strip()


_WITHOUT = """
import sys
from importlib.machinery import PathFinder

missing, words = sys.argv[1].split(","), sys.argv[2:]
find = PathFinder.find_spec

def find_spec(name, path=None, target=None):
    return None if name.partition(".")[0] in missing else find(name, path, target)

PathFinder.find_spec = find_spec
from impulse_training.cli.framework.main import main
sys.exit(main(words))
"""


def run_without(packages, *words, **more):
    """Run the command where some packages, with commas between them, are not installed."""
    return run_impulse(packages, *words, program=(sys.executable, "-c", _WITHOUT), **more)
