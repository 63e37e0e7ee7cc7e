"""Where a Chromium is that tests may drive; run as a program, it gets one if none is there.

Looked for: $CHROMIUM, the programs of that name on the PATH, what playwright has downloaded.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find():
    """Return the path of a Chromium, or None."""
    from playwright.sync_api import sync_playwright

    named = os.environ.get("CHROMIUM")
    if named:
        if not shutil.which(named):
            raise SystemExit(
                f"error: $CHROMIUM is {named!r}, which is not a program on this machine"
            )
        return shutil.which(named)
    for program in PROGRAMS:
        if path := shutil.which(program):
            return path
    with sync_playwright() as playwright:
        downloaded = playwright.chromium.executable_path
    return downloaded if Path(downloaded).exists() else None


def main():
    """Print the Chromium that the tests use; download playwright's if necessary."""
    path = find()
    if path is None:
        print("Found no Chromium; downloading playwright's.", flush=True)
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
        path = find()
    if path is None:
        print(
            "error: found no Chromium, and playwright's could not be downloaded: install one "
            "(Debian: apt-get install chromium) or set CHROMIUM to its path",
            file=sys.stderr,
        )
        return 2
    print(f"Driving {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
