"""A game as a picture, text, a position or a page, by the suffix of the file."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from impulse_env import drawing
from impulse_env.drawing.pixels import png_bytes
from impulse_env.errors import ImpulseError
from impulse_env.files import write_atomically
from impulse_env.game import Game
from impulse_env.information import EVERYTHING, as_seen
from impulse_env.options import Options, check_range
from impulse_env.outcomes import turn_number
from impulse_env.records.record import Header, Record, SeatedAgent, record_of
from impulse_env.replay.page import page
from impulse_env.replay.steps import viewer_of
from impulse_env.replay.transcript import play_lines
from impulse_env.testing.random_play import random_choice
from impulse_env.text.board import draw_text


class ExportError(ImpulseError, ValueError):
    """A game cannot be written like this; the message says what is possible."""


@dataclass(frozen=True)
class Shown:
    """The part of a game to show.

    Attributes:
        viewer: The viewpoint: ``all``, ``public``, or a seat.
        turn: The player turn, at its beginning; 0 is the first.
        step: Instead of a turn: the number of decisions before. Without either, the end.
        whole: Whether a text has every decision.
    """

    viewer: str = "public"
    turn: int | None = None
    step: int | None = None
    whole: bool = False


def random_record(options: Options, seed: int) -> Record:
    """Return a game of random actions."""
    header = Header(options, (SeatedAgent("random"),) * options.players, seed=seed)
    game, choose, actions = header.new_game(), random_choice(seed), []
    while not game.is_over:
        actions.append(choose(game))
        game.step(actions[-1])
    return record_of(header, actions)


def check_ending(out: Path) -> None:
    """Raise `ExportError` unless the suffix of the file is one of `ENDINGS`."""
    if out.suffix not in ENDINGS:
        raise ExportError(
            f"{out} cannot be written: it ends in {', '.join(ENDINGS)}; for tables as CSV it "
            f"is a folder, such as --out {out.stem}, and --format parquet writes data"
        )


def write_game(record: Record, out: Path, shown: Shown) -> None:
    """Write a game in the format of the file's suffix, one of `ENDINGS`.

    Raises:
        ExportError: The format cannot show what `shown` asks for.
        OptionError: The game has no such turn or decision.
        RenderError, ViewerError: The picture cannot be made, or the viewpoint does not exist.
        OSError: The file cannot be written.
    """
    viewer = viewer_of(shown.viewer, record.header.options.players)
    write_atomically(out, _WRITERS[out.suffix](record, shown, viewer))


def game_at(record: Record, shown: Shown) -> Game:
    """Return the game at the requested turn or decision, or at its end.

    Raises:
        ExportError: Both a turn and a decision are requested.
        OptionError: The game has no such turn or decision.
    """
    if shown.turn is not None and shown.step is not None:
        raise ExportError("use --turn or --step, not both")
    if shown.step is not None:
        last = len(record.moves)
        check_range("step", shown.step, last, f"the game has {last} decisions")
        return next(islice(record.games(), shown.step, None))
    begun = None  # a turn without a decision on a Tech is shown at its beginning
    for game in record.games():
        if game.turn == shown.turn and game.decision.kind == "use_tech":
            return game
        if game.turn == shown.turn and begun is None:
            begun = game.copy()
    if shown.turn is not None:
        last = turn_number(game.state) - 1
        check_range("turn", shown.turn, last, f"the game ends in turn {last}")
    return game if begun is None else begun


# --- Content by suffix ----------------------------------------------------------------------------


def _svg(record: Record, shown: Shown, viewer: Any) -> str:
    return game_at(record, shown).svg(viewer)


def _png(record: Record, shown: Shown, viewer: Any) -> bytes:
    return png_bytes(_svg(record, shown, viewer), drawing.WIDTH)


def _txt(record: Record, shown: Shown, viewer: Any) -> str:
    if shown.whole:
        if viewer != EVERYTHING:
            raise ExportError("the whole game in words shows everything: use --viewer all")
        actions = iter([move.action for move in record.moves])
        game = record.header.new_game()
        return "\n".join(play_lines(game, lambda game: game.action(next(actions)))) + "\n"
    return draw_text(as_seen(game_at(record, shown).state, viewer)) + "\n"


def _json(record: Record, shown: Shown, viewer: Any) -> str:
    if viewer != EVERYTHING:
        raise ExportError("a position includes hidden information: use --viewer all")
    return json.dumps(game_at(record, shown).to_position(), indent=1) + "\n"


def _html(record: Record, shown: Shown, viewer: Any) -> str:
    return page(record, None if viewer == EVERYTHING else [viewer])


_WRITERS: Final[dict[str, Callable[[Record, Shown, Any], str | bytes]]] = {
    ".svg": _svg,
    ".png": _png,
    ".txt": _txt,
    ".json": _json,
    ".html": _html,
}
ENDINGS: Final = tuple(_WRITERS)
"""The suffixes of the files that a game can be written to."""
