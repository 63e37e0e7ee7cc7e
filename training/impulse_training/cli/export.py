"""A record or a random game as a picture, text, a position, a page or tables: `impulse export`."""

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any, Final

from impulse_env import drawing
from impulse_env.drawing.pixels import png_bytes
from impulse_env.errors import ImpulseError
from impulse_env.extras import missing_extra
from impulse_env.files import check_output, replacing, write_atomically
from impulse_env.game import Game
from impulse_env.information import EVERYTHING, as_seen
from impulse_env.options import Options, check_least, check_range
from impulse_env.outcomes import turn_number
from impulse_env.records.reader import read
from impulse_env.records.record import Header, Record, SeatedAgent, record_of
from impulse_env.replay.page import page
from impulse_env.replay.steps import viewer_of
from impulse_env.replay.transcript import play_lines
from impulse_env.testing.random_play import random_choice
from impulse_env.text.board import draw_text
from impulse_training.export.export_options import ExportArgs
from impulse_training.tournament.games_for_analysis import games_in

BETWEEN: Final = ";"
"""Between the values of a cell that holds several; names of agents may have spaces in them."""
_SAID: Final = {
    "wins": "`impulse games annotate` adds it, of a calibrated agent",
    "probability": "`impulse games annotate` adds it",
    "seconds": "`impulse play --terminal` records it",
}
"""The columns that hold what agents say of decisions, and how they are filled."""


class ExportError(ImpulseError, ValueError):
    """Nothing like that can be written; the message says what can."""


def random_record(args: ExportArgs) -> Record:
    """Return a game that is played at random; raises `OptionError`."""
    options = Options(args.players, args.team_size)
    header = Header(options, (SeatedAgent("random"),) * args.players, seed=args.seed)
    game, choose, actions = header.new_game(), random_choice(args.seed), []
    while not game.is_over:
        actions.append(choose(game))
        game.step(actions[-1])
    return record_of(header, actions)


def game_at(record: Record, args: ExportArgs) -> Game:
    """Return the game at the turn or the decision that is asked for, or at its end.

    Raises:
        ExportError: Both are asked for.
        OptionError: The game has no such turn or decision.
    """
    if args.turn is not None and args.step is not None:
        raise ExportError("--turn or --step, not both")
    if args.step is not None:
        last = len(record.moves)
        check_range("step", args.step, last, f"the game has {last} decisions")
        return next(islice(record.games(), args.step, None))
    begun = None  # a turn in which there is nothing to decide about a Tech is shown as it begins
    for game in record.games():
        if game.turn == args.turn and game.decision.kind == "use_tech":
            return game
        if game.turn == args.turn and begun is None:
            begun = game.copy()
    if args.turn is not None:
        last = turn_number(game.state) - 1
        check_range("turn", args.turn, last, f"the game ends in turn {last}")
    return game if begun is None else begun


# --- What is written, by its ending ---------------------------------------------------------------


def _svg(record: Record, args: ExportArgs, viewer: Any) -> str:
    return game_at(record, args).svg(viewer)


def _png(record: Record, args: ExportArgs, viewer: Any) -> bytes:
    return png_bytes(_svg(record, args, viewer), drawing.WIDTH)


def _txt(record: Record, args: ExportArgs, viewer: Any) -> str:
    if args.whole:
        if viewer != EVERYTHING:
            raise ExportError("the whole game in words shows everything: --viewer all")
        actions = iter([move.action for move in record.moves])
        game = record.header.new_game()
        return "\n".join(play_lines(game, lambda game: game.action(next(actions)))) + "\n"
    return draw_text(as_seen(game_at(record, args).state, viewer)) + "\n"


def _json(record: Record, args: ExportArgs, viewer: Any) -> str:
    if viewer != EVERYTHING:
        raise ExportError("a position holds what is hidden, too: --viewer all")
    return json.dumps(game_at(record, args).to_position(), indent=1) + "\n"


def _html(record: Record, args: ExportArgs, viewer: Any) -> str:
    return page(record, None if viewer == EVERYTHING else [viewer])


_WRITERS: Final[dict[str, Callable[[Record, ExportArgs, Any], str | bytes]]] = {
    ".svg": _svg,
    ".png": _png,
    ".txt": _txt,
    ".json": _json,
    ".html": _html,
}


def _tables(args: ExportArgs, out: Path) -> list[Path]:
    """Write the tables of some games as CSV, and say what is empty; return their files."""
    try:
        from impulse_env import analysis
    except ImportError as error:
        cause = error.__cause__ if isinstance(error.__cause__, ImportError) else error
        raise missing_extra("tables", cause) or error from error
    if args.record is None:
        raise ExportError("tables are made from a record or a folder of records: name it")
    tables = analysis.tables(games_in(args.record))
    written = []
    for name, columns in analysis.COLUMNS.items():
        table = getattr(tables, name)
        lists = [column.name for column in columns if column.dtype == "object"]
        flat = {name: [BETWEEN.join(map(str, cell)) for cell in table[name]] for name in lists}
        written.append(out / f"{name}.csv")
        with replacing(written[-1]) as file:
            table.assign(**flat).to_csv(file, index=False)
    empty = [f"{name} ({by})" for name, by in _SAID.items() if tables.decisions[name].isna().all()]
    if empty:
        print(f"decisions.csv: no game tells {', '.join(empty)}")
    return written


def _data(args: ExportArgs, out: Path) -> dict[str, Any]:
    """Write games as data to share."""
    try:
        from impulse_training.export.data import write_dataset
    except ImportError as error:
        cause = error.__cause__ if isinstance(error.__cause__, ImportError) else error
        raise missing_extra("impulse export --format", cause, "data,tournament") or error from error
    return write_dataset(args, out)


def main(args: ExportArgs) -> dict[str, Any]:
    """Write what is asked for and print its name.

    Raises:
        ExportError: No file is named, or its ending is none of those known.
        OptionError, RecordError, RenderError, ViewerError: The game, its record, the picture or
            the eyes are not to be had.
        OutputError: The file or the folder cannot be written.
    """
    check_least(args, 0, "seed")
    out = args.out
    if out is None:
        raise ExportError("--out FILE must be given: its ending says what is written")
    is_named_so = not out.suffix or (out.suffix not in _WRITERS and out.is_dir())
    is_folder = args.format is not None or is_named_so
    is_whole = is_folder or args.whole or out.suffix == ".html"
    if is_whole and (args.turn is not None or args.step is not None):
        raise ExportError("--turn and --step are for a picture, a text or a position")
    if args.format != "minari":  # that has names for datasets, and a place for them
        check_output("--out", out, is_folder=is_folder)
    if args.format is not None:
        return _data(args, out)
    if args.agents:
        raise ExportError("--agents play for data: say --format parquet")
    if is_folder:
        written = _tables(args, out)
    else:
        write = _WRITERS.get(out.suffix)
        if write is None:
            raise ExportError(
                f"{out} cannot be written: it ends in {', '.join(_WRITERS)}; for tables as CSV it "
                f"is a folder, such as --out {out.stem}, and --format parquet writes data"
            )
        record = random_record(args) if args.record is None else read(args.record)
        viewer = viewer_of(args.viewer, record.header.options.players)
        write_atomically(out, write(record, args, viewer))
        written = [out]
    for path in written:
        print(path)
    return {"files": [str(path) for path in written]}
