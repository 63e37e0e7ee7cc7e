"""The panels of the seats, and the hand of the viewing seat."""

from typing import Final

from impulse_env.drawing.battle import counting
from impulse_env.drawing.elements import Box, group, line_to_fit, rectangle, text, use
from impulse_env.drawing.lettering import width_of
from impulse_env.drawing.symbols import (
    CARD_HEIGHT,
    CARD_WIDTH,
    CHIP_HEIGHT,
    drawn_cards,
    gem,
    tech_of,
    used_index,
)
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.constants import (
    BASIC_TECH,
    FACES,
    HIDDEN,
    NO_RACE,
    RUNNING,
    TECHS,
    Color,
    Op,
    Race,
    Seat,
    State,
)
from impulse_env.information import decider
from impulse_env.text.board import has_won

_MARGIN: Final = 8
_HEADER: Final = 30
_LABEL: Final = 46
_ROW: Final = CHIP_HEIGHT + 4
_BAR: Final = 84


def seat_part(state: State, seat: Seat, box: Box) -> str:
    """Draw the frame of a seat's panel and its first line: the seat, its score and its ships."""
    is_out = bool(state["eliminated"][seat])
    is_deciding = decider(state) == seat
    drawn = rectangle(box, "panel on" if is_deciding else "panel", 6)
    race = int(state["race"][seat])
    name = Race(race).name.capitalize() if race != NO_RACE else "no race yet"
    x, y = box.x + 20, box.y + _HEADER / 2 + 1
    drawn += use(f"mark-{seat}", x, y)
    x += 18
    drawn += text(name, x, y + 5.5, 16, is_bold=True)
    x += width_of(name, 16, True) + 10
    if state["teams"] < state["players"]:
        team = f"team {seat % int(state['teams'])}"
        drawn += text(team, x, y + 5, 13)
        x += width_of(team, 13) + 10
    for flag in _flags(state, seat, is_deciding, is_out):
        width = width_of(flag, 11, True) + 12
        drawn += rectangle(Box(x, y - 8.5, width, 17), "flag", 8)
        drawn += text(flag, x + width / 2, y + 4, 11, role="w", is_bold=True, anchor="middle")
        x += width + 6
    drawn += _score(state, seat, box, y)
    transports = int(state["transports"][seat].sum())
    cruisers = int(state["ships_on_map"][seat]) - transports
    left = int(state["ships"]) - transports - cruisers
    right = box.right - _MARGIN - _BAR - 46
    drawn += line_to_fit(
        f"Transports {transports} · Cruisers {cruisers} · left {left}",
        right,
        y + 4.5,
        right - x,
        12,
        anchor="end",
    )
    return group(drawn, data_action=f"seat {seat}")


def _flags(state: State, seat: Seat, is_deciding: bool, is_out: bool) -> list[str]:
    flags = {
        "WON": has_won(state, seat),
        "OUT": is_out,
        "TURN": state["status"] == RUNNING and state["active"] == seat,
        "DECIDES": is_deciding,
    }
    return [flag for flag, is_shown in flags.items() if is_shown]


def _score(state: State, seat: Seat, box: Box, y: float) -> str:
    points, target = int(state["score"][seat]), int(state["target_score"])
    bar = Box(box.right - _MARGIN - _BAR, y - 5, _BAR, 10)
    done = bar._replace(width=_BAR * min(1.0, max(points, 0) / target))
    return (
        rectangle(bar, "track", 5)
        + rectangle(done, f"seat{seat}", 5)
        + text(str(points), bar.x - 8, y + 7, 20, is_bold=True, anchor="end")
    )


def techs_part(state: State, seat: Seat, box: Box) -> str:
    """Draw the two Techs."""
    race = int(state["race"][seat])
    drawn = ""
    for slot in range(TECHS):
        card = int(state["techs"][seat, slot])
        x, y = box.x + _MARGIN + (CARD_WIDTH + 4) * slot, box.y + _HEADER
        if card != BASIC_TECH:
            number = NUMBER_BY_CARD[card]
            one = use(f"card-{number}", x, y, data_face=f"card {number}")
        elif slot == 0:
            one = use("tech-common", x, y)
        elif race != NO_RACE:
            one = use(tech_of(race), x, y)
        else:
            one = ""
        drawn += group(one, data_action=f"tech {slot}") if one else ""
    return group(drawn, data_seat=str(seat))


def minerals_part(state: State, seat: Seat, box: Box) -> str:
    """Draw the gems of each colour, and the mineral cards."""
    area = box.inset(_MARGIN + 2 * (CARD_WIDTH + 4) + 4, _HEADER, _MARGIN, 0)
    x = area.x
    drawn = text("Gems", x, area.y + 14, 12, role="m")
    x += 36
    for color in Color:
        drawn += gem(color, x, area.y + 2, 15) + text(
            str(int(state["gems"][seat, color])), x + 20, area.y + 14.5, 14, is_bold=True
        )
        x += 48
    cards = [card for card in range(FACES) for _ in range(int(state["minerals"][seat, card]))]
    room = area._replace(y=area.y + 22, height=CARD_HEIGHT - 22)
    return group(drawn + drawn_cards(cards, room, "gems"))


def _row(box: Box, row: int) -> Box:
    return Box(
        box.x + _MARGIN + _LABEL,
        box.y + _HEADER + CARD_HEIGHT + 8 + (_ROW + 2) * row,
        box.width - 2 * _MARGIN - _LABEL,
        _ROW,
    )


def _label(words: str, row: Box) -> str:
    return text(words, row.x - _LABEL, row.y + 20, 12, role="m")


def plan_part(state: State, seat: Seat, box: Box) -> str:
    """Draw the Plan, with a rim around the card in use, and then the next Plan."""
    row = _row(box, 0)
    planned = int(state["plan_count"][seat])
    following = int(state["next_plan_count"][seat])
    plan = [int(card) for card in state["plan"][seat, : planned + following]]
    in_use = used_index(state, Op.USE_PLAN_CARD) if state["active"] == seat else -1
    drawn = _label("Plan", row)
    if not plan:
        drawn += text("none", row.x, row.y + 20, 12, role="m")
    if following:
        half = row.width * planned / (planned + following + 0.8)
        then = row.inset(half + 34, 0, 0, 0)
        drawn += drawn_cards(plan[:planned], row._replace(width=half), "chip", in_use)
        drawn += text("then", then.x - 30, row.y + 20, 12, role="m")
        drawn += drawn_cards(plan[planned:], then, "chip")
    else:
        drawn += drawn_cards(plan, row, "chip", in_use)
    return group(drawn)


def hand_part(state: State, seat: Seat, box: Box) -> str:
    """Draw a hand: visible cards by their faces, hidden cards by their backs."""
    row = _row(box, 1)
    hand = [int(card) for card in state["hand"][seat, : int(state["hand_count"][seat])]]
    drawn = _label(f"Hand {len(hand)}", row)
    if HIDDEN not in hand:
        return group(drawn + drawn_cards(hand, row, "chip"))
    known = [int(card) for card in state["known"][seat, : int(state["known_count"][seat])]]
    step = 11
    for place in range(len(hand)):
        drawn += use(
            "back", 0, 0, transform=f"translate({row.x + step * place} {row.y}) scale(.36 1)"
        )
    if known:
        x = row.x + step * len(hand) + 14
        drawn += text("known:", x, row.y + 20, 12, role="m")
        rest = row._replace(x=x + 38, width=row.right - x - 38)
        drawn += drawn_cards(known, rest, "chip")
    return group(drawn)


def own_hand_part(state: State, seat: Seat, box: Box, panel: Box) -> str:
    """Draw the hand of the viewing seat, with the printed effects of the cards.

    Args:
        state: The view of that seat.
        seat: The viewing seat.
        box: The place of the hand.
        panel: The seat's panel, which shows the hand to other viewers.
    """
    hand = [int(card) for card in state["hand"][seat, : int(state["hand_count"][seat])]]
    title = f"Your hand, seat {seat}: {len(hand)} card{'' if len(hand) == 1 else 's'}"
    if state["battle_gate"] >= 0 and seat in state["battle_seat"]:
        numbers = [str(NUMBER_BY_CARD[card]) for card in counting(state, seat, hand)]
        cards = f"card{'' if len(numbers) == 1 else 's'} {', '.join(numbers)}"
        title += f"; in the battle {cards if numbers else 'none'} would count"
    drawn = rectangle(box, "panel", 6) + text(title, box.x + _MARGIN, box.y + 15, 12, role="m")
    room = Box(box.x + 4, box.y + 21, box.width - 4, CARD_HEIGHT + 4)
    row = _row(panel, 1)
    where = text("see above", row.x, row.y + 20, 12, role="m")
    return group(drawn + drawn_cards(hand, room, "card") + _label(f"Hand {len(hand)}", row) + where)
