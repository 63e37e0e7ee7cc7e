"""Games and cards as pictures: the board, what a seat observes, cards as printed, their worth."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

import numpy as np
import pandas as pd
from IPython.display import HTML, SVG
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle, RegularPolygon
from numpy.typing import NDArray

from impulse_env import analysis, drawing, observation
from impulse_env.drawing.elements import Box
from impulse_env.drawing.layout import MAP
from impulse_env.drawing.lettering import FAMILY
from impulse_env.drawing.style import (
    FACE_DOWN,
    INK,
    PAPER_BY_COLOR,
    SEAT_FILLS,
    SECTOR_CORE,
    style_sheet,
)
from impulse_env.drawing.symbols import SIZES, definitions, drawn_cards
from impulse_env.engine.action_space import BLOCKS
from impulse_env.engine.cards import (
    ACTION_BY_CARD,
    CARD_BY_NUMBER,
    COLOR_BY_CARD,
    NUMBER_BY_CARD,
    NUMBERS_BY_CARD,
)
from impulse_env.engine.constants import FACES, Color, Op, Seat, State
from impulse_env.engine.sector_map import CELLS_OF_GATE, COORDINATES
from impulse_env.frame import to_absolute
from impulse_env.game import Game
from impulse_env.observation.layout import CODE_CORE
from impulse_env.text.describe import describe_action
from lab.experiments.factor_effects import Effects

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


LOOKS: Final = {
    "command": ("#E69F00", "o"),
    "build": ("#0072B2", "s"),
    "trade": ("#56B4E9", "^"),
    "draw": ("#009E73", "v"),
    "plan": ("#666666", "D"),
    "execute": ("#000000", "P"),
    "mine": ("#D55E00", "o"),
    "research": ("#CC79A7", "s"),
    "sabotage": ("#8B1A1A", "^"),
    "refine": ("#7A6A00", "v"),
}
"""Colour and mark of each type of card."""
_PIXELS: Final = 1.4


def printed(rows: dict[str, Sequence[int]]) -> SVG:
    """Return some cards as they are printed, a row for each title.

    Args:
        rows: Printed numbers, by title.
    """
    width, height = SIZES["card"]
    most = max(map(len, rows.values()))
    step = height + 34
    size = (most * (width + 3) + 8, len(rows) * step + 4)
    drawn = ""
    for row, (title, numbers) in enumerate(rows.items()):
        top = row * step
        drawn += f'<text class="b" x="4" y="{top + 18}" font-size="14">{escape(title)}</text>'
        box = Box(4, top + 26, size[0], height + 4)
        drawn += drawn_cards([CARD_BY_NUMBER[number] for number in numbers], box, "card")
    faces = sorted({CARD_BY_NUMBER[number] for row in rows.values() for number in row})
    pixels = [round(_PIXELS * length) for length in size]
    return SVG(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="impulse" viewBox="0 0 {size[0]} {size[1]}"'
        f' width="{pixels[0]}" height="{pixels[1]}"><style>{style_sheet()}</style>'
        f"{definitions(faces)}{drawn}</svg>"
    )


def name_of_card(number: int) -> str:
    """Return a card's name as in "#75 Command", followed by a dot for each icon."""
    face = analysis.cards().set_index("card").loc[number]
    return f"#{number} {face.type.capitalize()} {'•' * int(face['size'])}"


def draw_worths(columns: Sequence[Axes], effects: Effects, scale: float = 100.0) -> None:
    """Draw what cards are worth with intervals, the best first, spread over axes side by side.

    Args:
        columns: Where.
        effects: By printed number.
        scale: What they are multiplied by.
    """
    found = (scale * effects.table().drop(columns="rows")).sort_values("mean", ascending=False)
    types = analysis.cards().set_index("card").type
    rows = -(-len(found) // len(columns))
    for number, axes in enumerate(columns):
        part = found[number * rows : (number + 1) * rows]
        for place, (card, row) in enumerate(part.iterrows()):
            color, mark = LOOKS[types[card]]
            lengths = [[row["mean"] - row.low], [row.high - row["mean"]]]
            axes.errorbar(
                row["mean"], place, xerr=lengths, fmt=mark, color=color, capsize=2, markersize=5
            )
        axes.set_yticks(range(len(part)), [name_of_card(card) for card in part.index], fontsize=8)
        for label, card in zip(axes.get_yticklabels(), part.index, strict=True):
            label.set_color(LOOKS[types[card]][0])
        axes.axvline(0, color="0.6", zorder=0)
        axes.set_ylim(len(part) - 0.4, -0.6)
        axes.grid(axis="x", alpha=0.3)


def draw_against(axes: Axes, first: Effects, second: Effects, scale: float = 100.0) -> None:
    """Draw what cards are worth in two ways against each other, a mark for each card by its type.

    Args:
        axes: Where.
        first: To the right.
        second: Upwards, of the same cards.
        scale: What they are multiplied by.
    """
    types = analysis.cards().set_index("card").type.reindex(first.levels)
    tables = [scale * effects.table().drop(columns="rows") for effects in (first, second)]
    tables[1] = tables[1].reindex(first.levels)
    for name, (color, mark) in LOOKS.items():
        x, y = (table[(types == name).to_numpy()] for table in tables)
        axes.errorbar(
            x["mean"],
            y["mean"],
            xerr=[x["mean"] - x.low, x.high - x["mean"]],
            yerr=[y["mean"] - y.low, y.high - y["mean"]],
            fmt=mark,
            color=color,
            elinewidth=0.5,
            markersize=5,
            label=name,
        )
    for line in (axes.axhline, axes.axvline):
        line(0, color="0.6", linewidth=1, zorder=0)
    axes.spines[["top", "right"]].set_visible(False)


def ranking(effects: dict[str, Effects], scale: float = 100.0) -> HTML:
    """Return all cards as a table, by the first column of effects.

    Args:
        effects: By the heading of their column, of cards by printed number.
        scale: What they are multiplied by.
    """
    faces = analysis.cards().set_index("card")
    first = next(iter(effects.values()))
    ranks = first.ranks()
    apart = pd.Series(first.discovered(), first.levels)
    tables = {name: found.table() for name, found in effects.items()}
    rows = {}
    for card in ranks.sort_values("rank").index:
        face, rank = faces.loc[card], ranks.loc[card]
        numbers = ", ".join(f"#{number}" for number in NUMBERS_BY_CARD[CARD_BY_NUMBER[int(card)]])
        row = {
            "rank": f"{rank['rank']} ({rank['first']} to {rank['last']})",
            "cards": numbers,
            "type": face.type,
            "colour": face.color,
            "size": face["size"],
            "text": face.text,
        }
        for name, found in tables.items():
            value = scale * found.loc[card]
            row[name] = f"{value['mean']:+.1f} [{value.low:+.1f}, {value.high:+.1f}]"
        row["differs"] = "yes" if apart[card] else ""
        rows[card] = row
    return HTML(pd.DataFrame(rows).T.to_html(index=False))
