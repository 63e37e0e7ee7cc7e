"""Pictures for the notebooks: the game as it is drawn, its map alone, and what a seat observes."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

import numpy as np
import pandas as pd
from IPython.display import SVG
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle, RegularPolygon
from numpy.typing import NDArray

from impulse_env import drawing, observation
from impulse_env.drawing.layout import MAP
from impulse_env.drawing.lettering import FAMILY
from impulse_env.drawing.style import FACE_DOWN, INK, PAPER_BY_COLOR, SEAT_FILLS, SECTOR_CORE
from impulse_env.engine.action_space import BLOCKS
from impulse_env.engine.cards import ACTION_BY_CARD, COLOR_BY_CARD, NUMBER_BY_CARD
from impulse_env.engine.constants import FACES, Color, Op, Seat, State
from impulse_env.engine.sector_map import CELLS_OF_GATE, COORDINATES
from impulse_env.frame import to_absolute
from impulse_env.game import Game
from impulse_env.observation.layout import CODE_CORE
from impulse_env.text.describe import describe_action

_TITLE: Final = 34
_MAP_WIDTH: Final = MAP.right + 6
_MAP_HEIGHT: Final = MAP.bottom + 6


def board(game: Game | State, by: Seat | str | None = None) -> SVG:
    """Return the drawing of a game or of its record, as somebody sees it.

    Args:
        game: The game.
        by: A seat, None for what everybody sees, or "all" for everything.

    Raises:
        ValueError: `by` is none of these.
    """
    return SVG(drawing.svg(_state(game), by))


def maps(games: Mapping[str, Game | State], by: Seat | str | None = None) -> SVG:
    """Return the maps of some games side by side, each under its title.

    Args:
        games: By title; of the same number of players.
        by: As for `board`.

    Raises:
        ValueError: `by` is neither a seat nor None nor "all".
    """
    width = _MAP_WIDTH * len(games)
    drawn = []
    for number, (title, game) in enumerate(games.items()):
        text = drawing.svg(_state(game), by)
        inside = text[text.index(">") + 1 : text.rindex("</svg>")]
        left = number * _MAP_WIDTH
        drawn.append(
            f'<svg class="impulse" x="{left}" y="{_TITLE}" width="{_MAP_WIDTH}" '
            f'height="{_MAP_HEIGHT}" viewBox="0 0 {_MAP_WIDTH} {_MAP_HEIGHT}">{inside}</svg>'
            f'<text x="{left + _MAP_WIDTH / 2}" y="24" text-anchor="middle" font-size="22" '
            f'font-family="\'{FAMILY}\',sans-serif" fill="{INK}">{escape(title)}</text>'
        )
    height = _MAP_HEIGHT + _TITLE
    return SVG(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><rect width="{width}" height="{height}" fill="#fff"/>'
        + "".join(drawn)
        + "</svg>"
    )


def _state(game: Game | State) -> State:
    return game.state if isinstance(game, Game) else game


def observed_map(axes: Axes, vector: NDArray[np.uint8], players: int) -> None:
    """Draw the map as an observation tells it, in the own frame of whoever observes.

    Cells carry their number and card, "?" if it lies face-down. A circle in a cell is a number of
    Transports, a square on a gate one of Cruisers; their colours are those of the seats, the
    observer's the first.

    Args:
        axes: Where; all that it shows is the map.
        vector: What a seat observes, shape ``(observation.size(players),)``.
        players: Number of players.

    Raises:
        ValueError: The vector has another length.
    """
    seen = observation.unflatten(vector, players)
    middles = np.array([(q + r / 2, -r * np.sqrt(3) / 2) for q, r in COORDINATES])
    homes = {int(place) - 1: seat for seat, place in enumerate(seen["home"])}
    for cell, (x, y) in enumerate(middles):
        code = int(seen["cell_card"][cell])
        is_card = 1 <= code <= FACES
        paper = PAPER_BY_COLOR[Color(int(COLOR_BY_CARD[code - 1]))] if is_card else FACE_DOWN
        title = ACTION_BY_CARD[code - 1].capitalize() if is_card else "?"
        if code == CODE_CORE:
            paper, title = SECTOR_CORE, "Sector Core"
        axes.add_patch(RegularPolygon((x, y), 6, radius=0.57, facecolor=paper, edgecolor="#8d96a5"))
        if cell in homes:
            rim = SEAT_FILLS[homes[cell]]
            frame = RegularPolygon((x, y), 6, radius=0.53, edgecolor=rim, linewidth=3, fill=False)
            axes.add_patch(frame)
        axes.text(x, y + 0.24, f"{cell + 1}", ha="center", va="center", fontsize=7, color="#5d6675")
        axes.text(x, y + 0.05, title, ha="center", va="center", fontsize=8, color=INK)
        for seat in np.flatnonzero(seen["transports"][:, cell]):
            place = (x + 0.26 * (seat - (players - 1) / 2) * 2 / players, y - 0.25)
            _ships(axes, place, int(seen["transports"][seat, cell]), int(seat), "circle")
    for seat, gate in np.argwhere(seen["cruisers"]):
        place = middles[CELLS_OF_GATE[gate]].mean(axis=0)
        _ships(axes, place, int(seen["cruisers"][seat, gate]), int(seat), "square")
    axes.set(xlim=(-2.65, 2.65), ylim=(-2.4, 2.4), aspect="equal")
    axes.axis("off")


def _ships(
    axes: Axes, place: tuple[float, float] | NDArray[np.float64], count: int, seat: Seat, form: str
) -> None:
    x, y = place
    box = {"boxstyle": f"{form},pad=0.25", "facecolor": SEAT_FILLS[seat], "edgecolor": "white"}
    words: dict[str, Any] = {"ha": "center", "va": "center", "fontweight": "bold"}
    axes.text(x, y, f"{count}", bbox=box, fontsize=8, color="white", **words)


def impulse_over_turns(axes: Axes, states: Sequence[State]) -> None:
    """Draw the Impulse as it was at some moments, a column for each, the oldest card at the bottom.

    Args:
        axes: Where.
        states: Records of a game without teams, in order.
    """
    for column, state in enumerate(states):
        cards = state["impulse"][0, : int(state["impulse_count"][0])]
        for row, card in enumerate(cards):
            color = Color(int(COLOR_BY_CARD[card]))
            paper, rim = PAPER_BY_COLOR[color], "#555d6b"
            corner = (column - 0.47, row - 0.42)
            axes.add_patch(Rectangle(corner, 0.94, 0.84, facecolor=paper, edgecolor=rim))
            words = f"{ACTION_BY_CARD[card].capitalize()}\n#{NUMBER_BY_CARD[card]}"
            axes.text(column, row, words, ha="center", va="center", fontsize=7, color=INK)
    most = max(int(state["impulse_count"][0]) for state in states)
    axes.set(xlim=(-0.6, len(states) - 0.4), ylim=(-0.6, most - 0.4))
    axes.set_xticks(range(len(states)), [f"{state['turn']}" for state in states])
    axes.set_yticks([])


def section_lengths(columns: Sequence[Axes], players: int) -> None:
    """Draw how many features each section of an observation has, in order.

    Args:
        columns: Axes side by side, over which the sections are spread.
        players: Number of players.
    """
    sections = observation.sections(players)
    rows = -(-len(sections) // len(columns))
    for number, axes in enumerate(columns):
        part = sections[number * rows : (number + 1) * rows]
        lengths = [section.stop - section.start for section in part]
        axes.barh(range(len(part)), lengths, color=["#0072b2", "#56b4e9"] * len(part), height=0.8)
        for row, length in enumerate(lengths):
            axes.text(length + 3, row, f"{length}", va="center", fontsize=7)
        axes.set_yticks(range(len(part)), [section.name for section in part], fontsize=7)
        axes.set(xlim=(0, 190), ylim=(rows - 0.4, -0.6), xlabel="features")


def legal_over_time(axes: Axes, masks: NDArray[np.int8], chosen: NDArray[np.int64]) -> None:
    """Draw which actions were legal and which was chosen, a row for each decision.

    Args:
        axes: Where.
        masks: 1 for legal, shape ``(n, N_ACTIONS)``.
        chosen: The action of each decision, shape ``(n,)``.
    """
    white, blue, orange = range(3)
    shown = np.where(masks != 0, blue, white)
    axes.imshow(
        shown,
        aspect="auto",
        cmap=ListedColormap(["white", "#56b4e9", "#d55e00"]),
        vmin=white,
        vmax=orange,
        interpolation="none",
    )
    axes.plot(chosen, range(len(chosen)), "s", color="#d55e00", markersize=2.5)
    starts = np.cumsum([0, *(block.size for block in BLOCKS)])
    for start in starts[1:-1]:
        axes.axvline(start - 0.5, color="#8d96a5", linewidth=0.5)
    middles = (starts[:-1] + starts[1:] - 1) / 2
    # Pass and use are a column each: their names would cover one another.
    names = ["pass, use", "", *(block.name for block in BLOCKS[2:])]
    axes.set_xticks(middles, names, rotation=40, ha="right", fontsize=8)
    axes.set_ylabel("decision, the first at the top")


def decisions_of(
    games: Sequence[Game], vectors: Sequence[NDArray[np.uint8]], chosen: Sequence[int]
) -> pd.DataFrame:
    """Return decisions as a table: what is asked and chosen, and what the stack holds.

    Args:
        games: The game at each decision.
        vectors: What the seat that decides observes.
        chosen: What it does, in its own frame.
    """
    rows = []
    for game, vector, action in zip(games, vectors, chosen, strict=True):
        assert game.seat is not None, "no decision after the end"
        seen = observation.unflatten(vector, game.players)
        ops = [Op(int(op)).name.lower() if op else "-" for op in seen["frame_op"]]
        absolute = to_absolute(action, game.players, game.seat)
        taken = describe_action(game.state, absolute, with_text=False)
        rows.append((game.decision.kind, int(seen["depth"]), ", ".join(ops), taken))
    return pd.DataFrame(rows, columns=["decision", "depth", "next", "chosen"])
