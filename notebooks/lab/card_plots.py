"""Cards as they are printed, and what they are worth, as pictures and as a table."""

from collections.abc import Sequence
from html import escape
from typing import Final

import pandas as pd
from IPython.display import HTML, SVG
from matplotlib.axes import Axes

from impulse_env import analysis
from impulse_env.drawing.elements import Box
from impulse_env.drawing.spread import drawn_cards
from impulse_env.drawing.style import style_sheet
from impulse_env.drawing.symbols import SIZES, definitions
from impulse_env.engine.cards import CARD_BY_NUMBER, NUMBERS_BY_CARD
from lab.factor_effects import Effects

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
"""Colour and mark of each type of card; told apart by the marks as well."""
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
