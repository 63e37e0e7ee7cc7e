"""What is in common: the turn, the decision, the Impulse, the cards on the table, the legend."""

from typing import Final

from impulse_env.actions import GATE_NAMES
from impulse_env.drawing.elements import Box, group, paragraphs, rectangle, text, use
from impulse_env.drawing.lettering import width_of
from impulse_env.drawing.seats import drawn_cards
from impulse_env.drawing.symbols import gem
from impulse_env.engine._jit import plain
from impulse_env.engine.constants import RUNNING, Color, Op, State
from impulse_env.engine.deck import impulse_of
from impulse_env.engine.state import ATTACKER, DEFENDER
from impulse_env.render import decision_lines

_MARGIN: Final = 8


def turn_part(state: State, box: Box) -> str:
    """Draw which turn it is."""
    target = int(state["target_score"])
    return group(
        text(f"Turn {int(state['turn'])}", box.x, box.y + 24, 24, is_bold=True)
        + text(f"{target} points win", box.right, box.y + 24, 14, role="m", anchor="end")
    )


def prompt_part(state: State, box: Box) -> str:
    """Draw what is under way and who must decide what, or how the game ended."""
    lines = decision_lines(state)
    words = box.inset(10, 7, 10, 7)
    return group(rectangle(box, "panel on", 6) + paragraphs(lines, words, 17, is_bold=False))


def impulse_part(state: State, row: int, box: Box) -> str:
    """Draw an Impulse, oldest card first, with a rim around the card on offer or in use."""
    cards = [int(card) for card in state["impulse"][row, : int(state["impulse_count"][row])]]
    whose = f" of team {row}" if state["teams"] < state["players"] else ""
    note = ", oldest first" if cards else " is empty"
    return group(
        rectangle(box, "panel", 6)
        + text(f"Impulse{whose}{note}", box.x + _MARGIN, box.y + 13, 12, role="m")
        + drawn_cards(cards, box.inset(_MARGIN, 17, 0, 0), "card", _impulse_cursor(state, row))
    )


def _impulse_cursor(state: State, row: int) -> int:
    """Return the index of the Impulse card on offer or in use (R7), -1 if none."""
    if state["phase"] != Op.USE_IMPULSE or state["status"] != RUNNING:
        return -1
    if plain(impulse_of)(state, int(state["active"])) != row:
        return -1
    return int(state["cursor"]) - (1 if state["stack_count"] else 0)


def table_part(state: State, box: Box) -> str:
    """Draw the cards between zones, and the battle under way."""
    cards = [int(card) for card in state["table"][: int(state["table_count"])]]
    drawn = rectangle(box, "panel", 6)
    inside = box.inset(_MARGIN, 20, 0, 0)
    title = "On the table" if cards else "On the table: nothing"
    if state["battle_gate"] >= 0:
        title = f"Battle at gate {GATE_NAMES[int(state['battle_gate'])]}"
        for index, side in enumerate((ATTACKER, DEFENDER)):
            drawn += _side(state, side, inside._replace(y=inside.y + 38 * index, height=36))
        inside = inside.inset(0, 78, 0, 0)
    drawn += text(title, box.x + _MARGIN, box.y + 14, 12, role="m")
    return group(drawn + (drawn_cards(cards, inside, "card") if cards else ""))


def _side(state: State, side: int, box: Box) -> str:
    """Draw who fights with how much, and the reinforcements laid so far."""
    ships = int(state["battle_ships"][side])
    word = "attacks" if side == ATTACKER else "defends"
    words = f"{word} with {ships} Cruiser{'' if ships == 1 else 's'}, lays"
    laid = [int(card) for card in state["laid"][side, : int(state["laid_count"][side])]]
    x = box.x + 30
    width = width_of(words, 13)
    room = box._replace(x=x + width + 8, width=box.right - x - width - 8)
    none = "" if laid else text("nothing", room.x, box.y + 21, 13)
    return (
        use(f"mark-{int(state['battle_seat'][side])}", box.x + 13, box.y + 17)
        + text(words, x, box.y + 21, 13)
        + drawn_cards(laid, room, "chip")
        + none
    )


def legend_part(box: Box) -> str:
    """Explain the signs."""
    drawn = rectangle(box, "panel", 6)
    x = box.x + _MARGIN
    for color in Color:
        word = color.name.lower()
        drawn += gem(color, x, box.y + 8, 13) + text(word, x + 18, box.y + 19, 12)
        x += 30 + width_of(word, 12)
    drawn += text("· a gem a size", x, box.y + 19, 12)
    lines = (
        "Cell: seat's mark and its Transports. Between cells: its Cruisers.",
        "Thick rim: home. A boxed number is what minerals boost.",
    )
    for row, line in enumerate(lines):
        drawn += text(line, box.x + _MARGIN, box.y + 40 + 18 * row, 12, role="m")
    return group(drawn)
