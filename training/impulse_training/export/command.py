"""A record or a random game as a picture, text, a position, a page or tables: `impulse export`."""

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from impulse_env import drawing
from impulse_env.drawing.raster import png_bytes
from impulse_env.errors import ImpulseError
from impulse_env.extras import missing_extra
from impulse_env.files import write_atomically
from impulse_env.game import Game
from impulse_env.information import EVERYTHING, as_seen
from impulse_env.options import Options, check_least
from impulse_env.records.reader import read
from impulse_env.records.record import Header, Record, SeatedAgent, record_of
from impulse_env.replay.page import page
from impulse_env.replay.steps import viewer_of
from impulse_env.replay.transcript import play_lines
from impulse_env.testing.random_play import random_choice
from impulse_env.text.board import draw_text
from impulse_training.export.config import ExportArgs


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
    """Return the game at the turn or the decision that is asked for; raises `ExportError`."""
    if args.turn is not None and args.step is not None:
        raise ExportError("--turn or --step, not both")
    game = record.header.new_game()
    for number, game in enumerate(record.games()):
        if number == args.step:
            return game
        if args.turn is not None and game.turn >= args.turn and game.decision.kind == "use_tech":
            return game
    if args.step is not None:
        raise ExportError(f"the game has {len(record.moves)} decisions, so no step {args.step}")
    return game


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
    """Write the tables of some records as CSV; return their files."""
    try:
        from impulse_env import analysis
    except ImportError as error:
        cause = error.__cause__ if isinstance(error.__cause__, ImportError) else error
        raise missing_extra("tables", cause) or error from error
    if args.record is None:
        raise ExportError("tables are made from a record or a folder of records: name it")
    tables = analysis.tables(analysis.records(args.record))
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for field in fields(tables):
        written.append(out / f"{field.name}.csv")
        getattr(tables, field.name).to_csv(written[-1], index=False)
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
    """
    check_least(args, 0, "seed", "turn", "step")
    out = args.out
    if out is None:
        raise ExportError("--out FILE must be given: its ending says what is written")
    if args.format is not None:
        return _data(args, out)
    if args.agents:
        raise ExportError("--agents play for data: say --format parquet")
    if not out.suffix:
        written = _tables(args, out)
    else:
        write = _WRITERS.get(out.suffix)
        if write is None:
            raise ExportError(
                f"{out} cannot be written: it ends in {', '.join(_WRITERS)}, "
                "or in nothing for a folder of tables"
            )
        record = random_record(args) if args.record is None else read(args.record)
        viewer = viewer_of(args.viewer, record.header.options.players)
        write_atomically(out, write(record, args, viewer))
        written = [out]
    for path in written:
        print(path)
    return {"files": [str(path) for path in written]}
