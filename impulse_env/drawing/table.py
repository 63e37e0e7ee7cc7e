"""The common area: the turn, the decision, the Impulse, the cards on the table, the legend."""

from typing import Final

from impulse_env.actions import GATE_NAMES
from impulse_env.compiled.compilation import plain
from impulse_env.drawing.battle import side_of
from impulse_env.drawing.elements import Box, element, group, paragraphs, rectangle, text, use
from impulse_env.drawing.layout import POINTS_ROW
from impulse_env.drawing.lettering import width_of
from impulse_env.drawing.symbols import drawn_cards, drawn_to_read, gem, used_index
from impulse_env.engine.constants import Color, Op, PointSource, State
from impulse_env.engine.deck import impulse_of
from impulse_env.engine.state import ATTACKER, DEFENDER
from impulse_env.information import decider
from impulse_env.outcomes import turn_number
from impulse_env.text.board import decision_lines, has_won

_MARGIN: Final = 8
_POINTS_LEFT: Final = 44
_SOURCES: Final = {
    PointSource.CORE_PATROL: "core patrol",
    PointSource.CORE_ACTIVATION: "core use",
    PointSource.TRADE: "trade",
    PointSource.REFINE: "refine",
    PointSource.BATTLE: "battle",
    PointSource.SHIPS: "ships",
    PointSource.GIVEN: "given",
}
_LEGEND: Final = (
    "Mark and number in a cell: a seat's Transports; between two cells: its Cruisers.",
    "Thick rim: the home of the seat below. Boxed number: what minerals boost.",
)


def turn_part(state: State, box: Box) -> str:
    """Draw the number of the turn."""
    target = int(state["target_score"])
    return group(
        text(f"Turn {turn_number(state)}", box.x, box.y + 24, 24, is_bold=True)
        + text(f"{target} points win", box.right, box.y + 24, 14, role="m", anchor="end")
    )


def prompt_part(state: State, box: Box) -> str:
    """Draw the current movement and the pending decision, or the end of the game."""
    drawn = rectangle(box, "panel on", 6)
    words = box.inset(10, 7, 10, 7)
    concerned = [
        seat
        for seat in range(int(state["players"]))
        if seat == decider(state) or has_won(state, seat)
    ]
    for place, seat in enumerate(concerned):
        drawn += use(f"mark-{seat}", box.x + 21, box.y + 21 + 27 * place)
        words = box.inset(40, 7, 10, 7)
    return group(drawn + paragraphs(decision_lines(state), words, 17))


def impulse_part(state: State, row: int, box: Box) -> str:
    """Draw an Impulse, oldest card first, with a rim around the card on offer or in use."""
    cards = [int(card) for card in state["impulse"][row, : int(state["impulse_count"][row])]]
    is_active = plain(impulse_of)(state, int(state["active"])) == row
    in_use = used_index(state, Op.USE_IMPULSE) if is_active else -1
    whose = f" of team {row}" if state["teams"] < state["players"] else ""
    note = ", oldest first" if cards else " is empty"
    return group(
        rectangle(box, "panel", 6)
        + text(f"Impulse{whose}{note}", box.x + _MARGIN, box.y + 13, 12, role="m")
        + drawn_cards(cards, box.inset(_MARGIN, 17, 0, 0), "card", in_use)
    )


def table_part(state: State, box: Box) -> str:
    """Draw the cards between zones, and the current battle."""
    cards = [int(card) for card in state["table"][: int(state["table_count"])]]
    drawn = rectangle(box, "panel", 6)
    inside = box.inset(_MARGIN, 20, 0, 2)
    title = "On the table" if cards else "On the table: nothing"
    if state["battle_gate"] >= 0:
        title = f"Battle at gate {GATE_NAMES[int(state['battle_gate'])]}"
        for index, side in enumerate((ATTACKER, DEFENDER)):
            drawn += side_of(state, side, inside._replace(y=inside.y + 36 * index, height=35))
        inside = inside.inset(0, 73, 0, 0)
        if cards:
            drawn += text("On the table", inside.x, inside.y + 16, 12, role="m")
            inside = inside.inset(72, 0, 0, 0)
    drawn += text(title, box.x + _MARGIN, box.y + 14, 12, role="m")
    return group(drawn + drawn_to_read(cards, inside, ("card", "chip")))


def points_part(state: State, box: Box) -> str:
    """Draw the points of each seat by source (p. 15)."""
    drawn = rectangle(box, "panel", 6)
    drawn += text("Points", box.x + _MARGIN, box.y + 16, 12, role="m")
    # Only a game that began from a position has points without a source.
    sources = [s for s in _SOURCES if s != PointSource.GIVEN or state["points"][:, s].any()]
    pitch = (box.width - _POINTS_LEFT) / len(sources)
    for column, source in enumerate(sources):
        x = box.x + _POINTS_LEFT + pitch * (column + 0.5)
        drawn += text(_SOURCES[source], x, box.y + 16, 12, role="m", anchor="middle")
        for seat in range(int(state["players"])):
            points = int(state["points"][seat, source])
            drawn += text(
                str(points),
                x,
                box.y + 33 + POINTS_ROW * seat,
                12,
                role=None if points else "m",
                is_bold=points > 0,
                anchor="middle",
            )
    for seat in range(int(state["players"])):
        place = f"translate({box.x + 20} {box.y + 28.5 + POINTS_ROW * seat}) scale(.65)"
        drawn += element("use", href=f"#mark-{seat}", transform=place)
    return group(drawn)


def legend_part(box: Box) -> str:
    """Draw the legend of the signs."""
    drawn = rectangle(box, "panel", 6)
    x = box.x + _MARGIN
    for color in Color:
        word = color.name.lower()
        drawn += gem(color, x, box.y + 8, 13) + text(word, x + 18, box.y + 19, 12)
        x += 30 + width_of(word, 12)
    drawn += text("A card has as many gems as its size.", x, box.y + 19, 12, role="m")
    for row, line in enumerate(_LEGEND):
        drawn += text(line, box.x + _MARGIN, box.y + 37 + 17 * row, 12, role="m")
    return group(drawn)
