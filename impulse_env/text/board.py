r"""A game drawn as text for people, in absolute coordinates; `drawing` draws a picture.

Everything in the record is drawn: pass the result of `as_seen` to leave out hidden information.

A cell and its gates as text, seat before ships: Transports in the cell, Cruisers on the gates.

         /        \0:1
    ---- 5 Command Y2 ----
            card 41
            0:2 1:1
         /        \
"""

import textwrap
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import GATE_NAMES
from impulse_env.engine.cards import ACTION_BY_CARD, COLOR_BY_CARD, NUMBER_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import (
    BASIC_TECH,
    CELLS,
    CORE,
    FACES,
    HIDDEN,
    NO_SEAT,
    RUNNING,
    TECHS,
    WON_BY_SCORE,
    Card,
    Cell,
    Color,
    Gate,
    Race,
    Seat,
    State,
)
from impulse_env.engine.sector_map import CELLS_OF_GATE, COORDINATES, HOMES
from impulse_env.engine.state import ATTACKER, DEFENDER
from impulse_env.information import decider
from impulse_env.outcomes import turn_number
from impulse_env.text.describe import place_label, prompt_of, ships_label

# --- Words for both text and picture ----------------------------------------------------------


def short_card(card: Card) -> str:
    """Return e.g. ``41 Command Y2``: number, action, colour and size."""
    if not 0 <= card < FACES:
        return "?"
    return f"{NUMBER_BY_CARD[card]} {_printed(card)}"


def color_and_size(card: Card) -> str:
    """Return e.g. ``Y2``: the colour's first letter and the size of a face."""
    return f"{Color(int(COLOR_BY_CARD[card])).name[0]}{SIZE_BY_CARD[card]}"


def _printed(card: Card) -> str:
    return f"{ACTION_BY_CARD[card].capitalize()} {color_and_size(card)}"


def _cards(cards: NDArray[np.int8]) -> str:
    return ", ".join(short_card(int(card)) for card in cards) or "none"


def _hand(state: State, seat: Seat) -> str:
    count = int(state["hand_count"][seat])
    hand = state["hand"][seat, :count]
    if HIDDEN not in hand:
        return f"hand {count}: {_cards(hand)}"
    known = state["known"][seat, : int(state["known_count"][seat])]
    return f"hand {count}" + (f", known: {_cards(known)}" if len(known) else "")


def _techs(state: State, seat: Seat) -> str:
    basic = ("common Basic Tech", "race's Basic Tech")
    techs = [int(tech) for tech in state["techs"][seat]]
    return ", ".join(
        basic[slot] if techs[slot] == BASIC_TECH else short_card(techs[slot])
        for slot in range(TECHS)
    )


def _minerals(state: State, seat: Seat) -> str:
    held = [
        f"{int(state['minerals'][seat, card])}x {short_card(int(card))}"
        for card in np.flatnonzero(state["minerals"][seat])
    ]
    gems = [
        f"{int(state['gems'][seat, color])} {color.name.lower()}"
        for color in Color
        if state["gems"][seat, color]
    ]
    return f"minerals: {', '.join(held)}; gems: {', '.join(gems)}"


def seat_lines(state: State, seat: Seat) -> list[str]:
    """Describe one player: first a summary line, then the player's cards."""
    race = int(state["race"][seat])
    name = Race(race).name.capitalize() if race >= 0 else "no race yet"
    cruisers = int(state["gate_ships"][state["gate_owner"] == seat].sum())
    transports = ships_label(int(state["transports"][seat].sum()), 0)
    ships = f"{transports}, {ships_label(cruisers, CELLS)}"
    is_team = state["teams"] < state["players"]
    side = f", team {seat % int(state['teams'])}" if is_team else ""
    mark = ">" if decider(state) == seat else " "
    points = f"{int(state['score'][seat])} point{'' if state['score'][seat] == 1 else 's'}"
    if state["eliminated"][seat]:
        return [f"{mark} {seat} {name}{side}: {points}, eliminated"]
    lines = [
        f"{mark} {seat} {name}{side}: {points}, {ships}",
        f"{_hand(state, seat)}; Techs: {_techs(state, seat)}",
    ]
    planned = int(state["plan_count"][seat])
    grown = planned + int(state["next_plan_count"][seat])
    if grown:
        following = state["plan"][seat, planned:grown]
        more = f"; next Plan: {_cards(following)}" if len(following) else ""
        lines.append(f"Plan: {_cards(state['plan'][seat, :planned])}{more}")
    if state["minerals"][seat].any():
        lines.append(_minerals(state, seat))
    return lines


def common_lines(state: State) -> list[str]:
    """Describe the turn, the piles and every Impulse."""
    teams = int(state["teams"])
    lines = [
        f"Turn {turn_number(state)}, of seat {int(state['active'])}; "
        f"{int(state['target_score'])} points win. "
        f"Deck {int(state['deck_count'])}, discarded {int(state['discard_count'])}."
    ]
    rows = range(teams if teams < state["players"] else 1)
    for row in rows:
        cards = state["impulse"][row, : int(state["impulse_count"][row])]
        whose = f" of team {row}" if len(rows) > 1 else ""
        lines.append(f"Impulse{whose}, oldest first: {_cards(cards)}")
    return lines


def has_won(state: State, seat: Seat) -> bool:
    """Return whether the game is over and this seat, or its team, has won it."""
    return bool(state["winner"] != NO_SEAT and seat % int(state["teams"]) == state["winner"])


def pending_lines(state: State) -> list[str]:
    """Describe the current effects and the pending decision, or the end of the game."""
    lines = []
    if state["table_count"]:
        lines.append(f"On the table: {_cards(state['table'][: int(state['table_count'])])}")
    if state["battle_gate"] >= 0:
        lines.append(_battle(state))
    return [*lines, *decision_lines(state)]


def decision_lines(state: State) -> list[str]:
    """Describe the current movement and the pending decision, or the end of the game."""
    lines = [_movement(state)] if state["fleet_count"] else []
    if state["status"] == RUNNING:
        lines.append(f"Seat {decider(state)} decides: {prompt_of(state)}")
    elif state["winner"] == NO_SEAT:
        lines.append("The game is over: it was truncated, nobody has won.")
    else:
        won = [str(seat) for seat in range(int(state["players"])) if has_won(state, seat)]
        how = "points" if state["status"] == WON_BY_SCORE else "elimination"
        who = f"seats {' and '.join(won)} have" if len(won) > 1 else f"seat {won[0]} has"
        lines.append(f"The game is over: {who} won by {how}.")
    return lines


def _movement(state: State) -> str:
    fleets = [
        f"{ships_label(int(ships), int(origin))} from {place_label(int(origin))}"
        if ships
        else f"the fleet from {place_label(int(origin))}"
        for origin, ships in zip(
            state["fleet_from"][: int(state["fleet_count"])], state["fleet_ships"], strict=False
        )
    ]
    path = [place_label(int(place)) for place in state["path"][: int(state["path_count"])]]
    return f"Moving {', '.join(fleets)}" + (f" to {', '.join(path)}" if path else "")


def _battle(state: State) -> str:
    sides = []
    for side, word in ((ATTACKER, "attacks"), (DEFENDER, "defends")):
        ships = ships_label(int(state["battle_ships"][side]), CELLS)
        laid = state["laid"][side, : int(state["laid_count"][side])]
        cards = f"{len(laid)}" + (f" ({_cards(laid)})" if (laid >= 0).any() else "")
        sides.append(f"seat {int(state['battle_seat'][side])} {word}, {ships}, laid {cards}")
    return f"Battle at gate {GATE_NAMES[int(state['battle_gate'])]}: {'; '.join(sides)}"


def cell_words(state: State, cell: Cell) -> tuple[str, str]:
    """Return the title of a cell and the line below it: the card's number, and the home's seat."""
    card = int(state["cell_card"][cell])
    players = int(state["players"])
    below = [f"home of {seat}" for seat in range(players) if HOMES[players, seat] == cell]
    if cell == CORE:
        return "SECTOR CORE", ""
    is_up = state["cell_face_up"][cell]
    if not 0 <= card < FACES:
        return "face-down" if card == HIDDEN else "no card", " ".join(below)
    # A question mark marks a face-down card in a drawing of everything.
    return ("" if is_up else "?") + _printed(card), " ".join([f"#{NUMBER_BY_CARD[card]}", *below])


# --- Text -------------------------------------------------------------------------------------

WIDTH: Final = 98
_HALF_PITCH: Final = 10
"""Half the columns between two cells of a row, the offset of the next row."""
_ROW_LINES: Final = 4
_CENTER: Final = WIDTH // 2
_LEGEND: Final = "Cell: number and card, below it seat:Transports. Between cells: seat:Cruisers."


def draw_text(state: State) -> str:
    """Return the game as lines of at most 98 columns."""
    lines = [*_wrapped(common_lines(state), ""), "", *_map_lines(state), "", _LEGEND, ""]
    for seat in range(int(state["players"])):
        first, *more = seat_lines(state, seat)
        lines += [first, *_wrapped(more, "    ")]
    return "\n".join([*lines, "", *_wrapped(pending_lines(state), "")])


def _wrapped(lines: list[str], indent: str) -> list[str]:
    return [
        part
        for line in lines
        for part in textwrap.wrap(
            line, WIDTH, initial_indent=indent, subsequent_indent=indent + "  "
        )
    ]


def _map_lines(state: State) -> list[str]:
    rows = [[" "] * WIDTH for _ in range(_ROW_LINES * 5 - 1)]

    def put(text: str, column: float, line: int) -> None:
        start = min(max(round(column - len(text) / 2), 0), WIDTH - len(text))
        rows[line][start : start + len(text)] = text

    for cell, (q, r) in enumerate(COORDINATES):
        for line, text in enumerate(_cell_lines(state, cell)):
            put(text, _CENTER + _HALF_PITCH * (2 * q + r), _ROW_LINES * (r + 2) + line)
    for gate, (a, b) in enumerate(CELLS_OF_GATE):
        (q, r), (p, s) = COORDINATES[a], COORDINATES[b]
        column = _CENTER + _HALF_PITCH * (2 * q + r + 2 * p + s) / 2
        ships = _ships_on_gate(state, gate)
        if r == s:
            put(f"-{ships}-" if ships else "--", column, _ROW_LINES * (r + 2))
        else:
            slope = "\\" if 2 * p + s > 2 * q + r else "/"
            put(f"{slope}{ships}", column, _ROW_LINES * (s + 2) - 1)
    return ["".join(row).rstrip() for row in rows]


def _ships_on_gate(state: State, gate: Gate) -> str:
    ships = int(state["gate_ships"][gate])
    return f"{int(state['gate_owner'][gate])}:{ships}" if ships else ""


def fleets_on(state: State, cell: Cell) -> list[Seat]:
    """Return the seats that have Transports on a cell."""
    return [int(seat) for seat in np.flatnonzero(state["transports"][:, cell])]


def _cell_lines(state: State, cell: Cell) -> tuple[str, str, str]:
    title, below = cell_words(state, cell)
    ships = [f"{seat}:{int(state['transports'][seat, cell])}" for seat in fleets_on(state, cell)]
    # Five or six fleets on a cell would overlap those of the next cell.
    third = " ".join(ships) if len(ships) < 5 else f"{len(ships)} fleets"
    return f"{cell + 1} {title}", below, third
