"""The command `impulse export`: games as pictures, text, positions, pages, tables or data."""

from pathlib import Path
from typing import Any, Final

from impulse_env.extras import missing_extra
from impulse_env.files import check_output
from impulse_env.options import Options, check_least
from impulse_env.records.reader import read
from impulse_training.cli.framework.command import Command
from impulse_training.export.export_options import ExportArgs as Args
from impulse_training.export.one_game import (
    ENDINGS,
    ExportError,
    Shown,
    check_ending,
    random_record,
    write_game,
)
from impulse_training.rollout.faults import tell_faults

COMMAND = Command(
    examples=(
        "impulse export game.jsonl --out game.png --turn 20 --viewer 0",
        "impulse export --players 6 --seed 8 --turn 40 --out board.svg",
        "impulse export runs/games --out tables",
        "impulse export --format parquet --agents policy:4p --players 4 --games 10000 "
        "--out data/4p",
    ),
    has_json=True,
)
_FILLED: Final = {
    "wins": "`impulse games annotate` adds it for a calibrated agent",
    "probability": "`impulse games annotate` adds it",
    "seconds": "`impulse play --terminal` records it",
}
"""Commands that fill the columns of agents' annotations, by column."""


def main(args: Args) -> dict[str, Any]:
    """Write the export and print the names of its files.

    Raises:
        ExportError: The options name no file, or its ending is unknown.
        OptionError, RecordError, RenderError, ViewerError: The game, its record, the picture or
            the viewpoint is invalid.
        OutputError: The file or the folder cannot be written.
    """
    check_least(args, 0, "seed")
    out = args.out
    if out is None:
        raise ExportError("--out FILE is missing: the ending of FILE selects the format")
    is_named_as_folder = not out.suffix or (out.suffix not in ENDINGS and out.is_dir())
    is_folder = args.format is not None or is_named_as_folder
    is_whole = is_folder or args.whole or out.suffix == ".html"
    if is_whole and (args.turn is not None or args.step is not None):
        raise ExportError("--turn and --step select a picture, a text or a position only")
    if args.format != "minari":  # minari names datasets and stores them in its own folder
        check_output("--out", out, is_folder=is_folder)
    if args.format is not None:
        return _data(args, out)
    if args.agents:
        raise ExportError("--agents also needs --format parquet")
    if is_folder:
        written = _tables(args, out)
    else:
        check_ending(out)
        if args.record is None:
            record = random_record(Options(args.players, args.team_size), args.seed)
        else:
            record = read(args.record)
        write_game(record, out, Shown(args.viewer, args.turn, args.step, args.whole))
        written = [out]
    for path in written:
        print(path)
    return {"files": [str(path) for path in written]}


def _tables(args: Args, out: Path) -> list[Path]:
    """Write the tables of games, and print which columns are empty; return the files."""
    try:
        from impulse_training.export.tables import write_tables
    except ImportError as error:
        raise _missing("tables", error) from error
    if args.record is None:
        raise ExportError("tables need a record or a folder of records")
    written, empty = write_tables(args.record, out)
    if empty:
        columns = ", ".join(f"{name} ({_FILLED[name]})" for name in empty)
        print(f"decisions.csv: these columns are empty: {columns}")
    return written


def _data(args: Args, out: Path) -> dict[str, Any]:
    """Write games as a dataset, and print its place."""
    try:
        from impulse_env.dataset import croissant
        from impulse_training.export import data_card
        from impulse_training.export.data import write_minari, write_parquet
        from impulse_training.run.terminal.screen import Screen
    except ImportError as error:
        raise _missing("impulse export --format", error, "data,tournament") from error
    if args.format == "minari":
        episodes, steps = write_minari(args, str(out))
        print(f"{out}: {episodes} episodes, {steps} steps")
        return {"dataset": str(out), "episodes": episodes, "steps": steps}
    console = Screen()
    made = write_parquet(args, out, console)
    faults = tell_faults(made.faults, made.games + len(made.faults), "those games are left out")
    console.print(
        f"wrote {made.games:,} games to {out}; {data_card.FILE} and {croissant.FILE} describe them"
    )
    return {"folder": str(out), "games": made.games, "parts": made.parts, "faults": faults}


def _missing(what: str, error: ImportError, extra: str | None = None) -> ImportError:
    """Return an error that names the missing extra; the same error if no extra is missing."""
    cause = error.__cause__ if isinstance(error.__cause__, ImportError) else error
    return missing_extra(what, cause, extra) or error
