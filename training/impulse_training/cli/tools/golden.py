"""The command `impulse tools golden`: rewrites the files that tests compare with."""

from dataclasses import dataclass
from pathlib import Path

from impulse_env.errors import ImpulseError
from impulse_env.files import check_output, write_atomically
from impulse_env.testing.golden_drawings import SCENES, drawing_of
from impulse_env.testing.playthroughs import GOLDEN, golden_text
from impulse_training.cli.framework.command import Command

COMMAND = Command(examples=("impulse tools golden --games tests/env/testing/playthroughs",))


class GoldenError(ImpulseError, ValueError):
    """The options name no folder to write to."""


@dataclass(frozen=True)
class Args:
    """Rewrite the golden games and drawings that tests compare with; review the differences."""

    games: Path | None = None
    """Folder for the golden games, as text."""
    drawings: Path | None = None
    """Folder for the golden drawings, as SVG."""


def main(args: Args) -> None:
    """Write the files and print their names; raises `GoldenError`, `OutputError`."""
    if args.games is None and args.drawings is None:
        raise GoldenError("nothing to rewrite: give --games FOLDER, --drawings FOLDER, or both")
    for option, folder in (("--games", args.games), ("--drawings", args.drawings)):
        if folder is not None:
            check_output(option, folder, is_folder=True)
    if args.games is not None:
        for name in GOLDEN:
            _write(args.games / f"{name}.txt", golden_text(name))
    if args.drawings is not None:
        for name, scene in SCENES.items():
            _write(args.drawings / f"{name}.svg", drawing_of(scene))


def _write(path: Path, text: str) -> None:
    write_atomically(path, text)
    print(path)
