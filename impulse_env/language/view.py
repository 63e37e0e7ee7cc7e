"""All that a seat may know about a game, as JSON and as short text, in the rulebook's nouns.

Both are made from the record that `information.view_of` leaves to the seat. Cards are written as
their number, action, colour and size: ``57 Build B2``. The effect follows where the seat may use
the card soon; `rules_digest` has the effects of all cards. Cells have the numbers 1 to 19, gates
those of their two cells: ``5-10``; ``5-10 x2`` is a fleet of two ships. Seats count from 0.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np

from impulse_env.actions import CELL_NAMES, GATE_NAMES
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.constants import (
    BASIC_TECH,
    CELLS,
    CORE,
    FACES,
    GATES,
    NO_CARD,
    NO_SEAT,
    RUNNING,
    TRUNCATED,
    Card,
    Color,
    Race,
    Seat,
    State,
)
from impulse_env.engine.sector_map import HOMES
from impulse_env.engine.state import ATTACKER, DEFENDER, STATE
from impulse_env.information import decider, view_of
from impulse_env.language.calls import Choice, choices
from impulse_env.language.digest import effect_of
from impulse_env.outcomes import turn_number
from impulse_env.text.board import color_and_size, short_card
from impulse_env.text.describe import kind_of, prompt_of

_NUMBERS: Final = [int(number) for number in NUMBER_BY_CARD]
_COLORS: Final = [color.name.lower() for color in Color]
_RACES: Final = [race.name.lower() for race in Race]
_PLACES: Final = (*CELL_NAMES, *GATE_NAMES)
_FIELDS: Final = STATE.names or ()


_SHORT: Final = [short_card(card) for card in range(FACES)]
_MINERALS: Final = [f"{_NUMBERS[card]} {color_and_size(card)}" for card in range(FACES)]
_LONG: Final = [f"{_SHORT[card]} ({effect_of(card)})" for card in range(FACES)]


class _Fields(dict[str, Any]):
    """The fields of a view as Python numbers and lists, each converted when it is first used."""

    def __init__(self, view: State) -> None:
        super().__init__()
        self._raw = dict(zip(_FIELDS, view.item(), strict=True))

    def __missing__(self, name: str) -> Any:
        value = self._raw[name]
        self[name] = value.tolist() if isinstance(value, np.ndarray) else value
        return self[name]


# --- JSON ---------------------------------------------------------------------------------------


def _numbers(cards: list[int], count: int) -> list[int]:
    return [_NUMBERS[card] for card in cards[:count] if 0 <= card < FACES]


def _copies(counts: list[int]) -> list[int]:
    return [_NUMBERS[card] for card, copies in enumerate(counts) for _ in range(copies)]


def _tech(card: Card) -> int | str:
    return "basic" if card == BASIC_TECH else _NUMBERS[card]


def _hand(fields: _Fields, seat: Seat, viewer: Seat) -> dict[str, Any]:
    count = fields["hand_count"][seat]
    if seat == viewer:
        return {"count": count, "cards": _numbers(fields["hand"][seat], count)}
    known = _numbers(fields["known"][seat], fields["known_count"][seat])
    return {"count": count, "known": known}


def _seat_data(fields: _Fields, seat: Seat, viewer: Seat) -> dict[str, Any]:
    planned = fields["plan_count"][seat]
    grown = planned + fields["next_plan_count"][seat]
    race = fields["race"][seat]
    owners, ships = fields["gate_owner"], fields["gate_ships"]
    return {
        "seat": seat,
        "team": seat % fields["teams"],
        "race": _RACES[race] if race >= 0 else None,
        "eliminated": bool(fields["eliminated"][seat]),
        "score": fields["score"][seat],
        "ships_to_build": fields["ships"] - fields["ships_on_map"][seat],
        "hand": _hand(fields, seat, viewer),
        "techs": [_tech(card) for card in fields["techs"][seat]],
        "plan": _numbers(fields["plan"][seat], planned),
        "next_plan": _numbers(fields["plan"][seat][planned:], grown - planned),
        "minerals": _copies(fields["minerals"][seat]),
        "gems": dict(zip(_COLORS, fields["gems"][seat], strict=True)),
        "transports": {
            _PLACES[cell]: count for cell, count in enumerate(fields["transports"][seat]) if count
        },
        "cruisers": {
            GATE_NAMES[gate]: ships[gate] for gate in range(GATES) if owners[gate] == seat
        },
    }


def _cell_data(fields: _Fields, cell: int) -> int | str | None:
    card = fields["cell_card"][cell]
    if cell == CORE:
        return "core"
    if card == NO_CARD:
        return None
    return _NUMBERS[card] if fields["cell_face_up"][cell] else "face-down"


def _battle_data(fields: _Fields) -> dict[str, Any] | None:
    if fields["battle_gate"] < 0:
        return None
    sides = {}
    for side, word in ((ATTACKER, "attacker"), (DEFENDER, "defender")):
        count = fields["laid_count"][side]
        sides[word] = {
            "seat": fields["battle_seat"][side],
            "cruisers": fields["battle_ships"][side],
            "laid": {"count": count, "cards": _numbers(fields["laid"][side], count)},
        }
    return {"gate": GATE_NAMES[fields["battle_gate"]], **sides}


def _movement_data(fields: _Fields) -> dict[str, Any] | None:
    count = fields["fleet_count"]
    if not count:
        return None
    fleets = zip(fields["fleet_from"][:count], fields["fleet_ships"][:count], strict=True)
    return {
        "fleets": [{"from": _PLACES[origin], "ships": ships} for origin, ships in fleets],
        "path": [_PLACES[place] for place in fields["path"][: fields["path_count"]]],
    }


def _is_team_game(fields: _Fields) -> bool:
    return bool(fields["teams"] < fields["players"])


def _end_data(fields: _Fields) -> dict[str, Any] | None:
    if fields["status"] == RUNNING:
        return None
    teams, winner = fields["teams"], fields["winner"]
    seats = range(fields["players"])
    return {
        "truncated": fields["status"] == TRUNCATED,
        "winners": [seat for seat in seats if winner != NO_SEAT and seat % teams == winner],
    }


def view_data(state: State, seat: Seat, actions: list[int] | None = None) -> dict[str, Any]:
    """Return what a seat may know, as JSON values: dicts, lists, strings, integers, None.

    Equal knowledge gives equal values in equal order.

    Args:
        state: A record, full or the seat's view; not changed.
        seat: The seat; `NO_SEAT` for a spectator.
        actions: The legal actions, absolute and ascending, if the seat decides and they are to be
            in ``decision``; None to leave them out.
    """
    view = view_of(state, seat)
    fields = _Fields(view)
    rows = fields["teams"] if _is_team_game(fields) else 1
    decides = decider(view)
    impulses = zip(fields["impulse"], fields["impulse_count"], strict=True)
    data = {
        "seat": seat if seat != NO_SEAT else None,
        "players": fields["players"],
        "teams": fields["teams"],
        "target_score": fields["target_score"],
        "turn": turn_number(view),
        "max_turns": fields["max_turns"],
        "active": fields["active"],
        "deck": fields["deck_count"],
        "discard": _copies(fields["discard"]),
        "impulse": [_numbers(cards, count) for cards, count in list(impulses)[:rows]],
        "map": {CELL_NAMES[cell]: _cell_data(fields, cell) for cell in range(CELLS)},
        "homes": [int(HOMES[fields["players"], other]) + 1 for other in range(fields["players"])],
        "seats": [_seat_data(fields, other, seat) for other in range(fields["players"])],
        "table": _numbers(fields["table"], fields["table_count"]),
        "movement": _movement_data(fields),
        "battle": _battle_data(fields),
        "end": _end_data(fields),
        "decision": None,
    }
    if decides != NO_SEAT:
        data["decision"] = {"seat": decides, "kind": kind_of(view)}
        if decides == seat:
            data["decision"]["prompt"] = prompt_of(view)
            if actions is not None:
                legal = choices(view, actions)
                data["decision"]["legal"] = [_choice_data(choice) for choice in legal]
    return data


def _choice_data(choice: Choice) -> dict[str, Any]:
    values = {choice.argument: list(choice.values)} if choice.argument else {}
    return {"action": choice.verb, **values}


# --- Text ---------------------------------------------------------------------------------------

_Row: TypeAlias = Callable[[list[int]], str]
"""Writes the names of several cards."""


def _short(card: Card) -> str:
    return _SHORT[card] if 0 <= card < FACES else "hidden"


class _Cards:
    """Names of cards that the seat may use; the first mention of a face adds its effect."""

    def __init__(self) -> None:
        self.named: set[int] = set()

    def name(self, card: Card) -> str:
        """Return e.g. ``57 Build B2 (2 Transports at home)``."""
        if card in self.named or not 0 <= card < FACES:
            return _short(card)
        self.named.add(card)
        return _LONG[card]

    def row(self, cards: list[int]) -> str:
        """Return the names of several cards; "none" without any."""
        return ", ".join(map(self.name, cards)) or "none"


def _names(cards: list[int]) -> str:
    """Return the names of several cards without effects; "none" without any."""
    return ", ".join(map(_short, cards)) or "none"


def _board_lines(fields: _Fields, seat: Seat, row: _Row) -> list[str]:
    """Return Techs, Plan, minerals and ships of a seat; empty parts are left out."""
    race = fields["race"][seat]
    basic = "Basic", _RACES[race].capitalize() if race >= 0 else "own"
    techs = [
        f"{slot}: {basic[slot] if card == BASIC_TECH else row([card])}"
        for slot, card in enumerate(fields["techs"][seat])
    ]
    owners, ships = fields["gate_owner"], fields["gate_ships"]
    fleets = [*zip(CELL_NAMES, fields["transports"][seat], strict=True)]
    fleets += [(GATE_NAMES[gate], ships[gate]) for gate in range(GATES) if owners[gate] == seat]
    named = [f"{place} x{count}" if count > 1 else place for place, count in fleets if count]
    lines = [f"  Techs: {', '.join(techs)}; ships: {', '.join(named) or 'none'}"]
    planned = fields["plan_count"][seat]
    grown = planned + fields["next_plan_count"][seat]
    if grown:
        plan = fields["plan"][seat]
        more = f"; next Plan: {row(plan[planned:grown])}" if grown > planned else ""
        lines.append(f"  Plan: {row(plan[:planned])}{more}")
    held = [card for card, copies in enumerate(fields["minerals"][seat]) for _ in range(copies)]
    if held:
        lines.append(f"  minerals: {', '.join(_MINERALS[card] for card in held)}")
    return lines


def _own_lines(fields: _Fields, seat: Seat, cards: _Cards) -> list[str]:
    gems = zip(_COLORS, fields["gems"][seat], strict=True)
    counts = ", ".join(f"{count} {color}" for color, count in gems if count)
    return [
        f"  hand: {cards.row(fields['hand'][seat][: fields['hand_count'][seat]])}",
        *_board_lines(fields, seat, cards.row),
        *([f"  gems: {counts}"] if counts else []),
    ]


def _seat_lines(fields: _Fields, seat: Seat, viewer: Seat, cards: _Cards) -> list[str]:
    team = f" (team {seat % fields['teams']})" if _is_team_game(fields) else ""
    who = f"You, seat {seat}" if seat == viewer else f"Seat {seat}"
    head = f"{who}{team}: {fields['score'][seat]} points"
    if fields["eliminated"][seat]:
        return [f"{head}, eliminated"]
    if seat == viewer:
        head += f", {fields['ships'] - fields['ships_on_map'][seat]} ships to build"
        return [head, *_own_lines(fields, seat, cards)]
    known = [card for card in fields["known"][seat][: fields["known_count"][seat]] if card >= 0]
    hand = f", {fields['hand_count'][seat]} cards"
    hand += f" (known: {_names(known)})" if known else ""
    return [head + hand, *_board_lines(fields, seat, _names)]


def _map_line(fields: _Fields) -> str:
    players = fields["players"]
    homes = {int(HOMES[players, seat]): f" (home {seat})" for seat in range(players)}
    up, down = [], []
    for cell, card in enumerate(fields["cell_card"]):
        name = f"{cell + 1}{homes.get(cell, '')}"
        if card == NO_CARD:
            up += [f"{name}: none"] if cell in homes else []
        elif fields["cell_face_up"][cell]:
            up.append(f"{name}: {_SHORT[card]}")
        else:
            down.append(name)
    return f"Map: {'; '.join(up) or 'no card'}; face-down: {' '.join(down) or 'none'}"


def _fleets(fields: _Fields) -> list[str]:
    """Return the fleets that move, each with its path; those that have fought are left out."""
    movement = _movement_data(fields)
    if movement is None:
        return []
    named = []
    newest = len(movement["fleets"]) - 1
    for place, fleet in enumerate(movement["fleets"]):
        # Several fleets make one move each.
        path = movement["path"][place : place + 1] if newest else movement["path"]
        to = f" to {' > '.join(path)}" if path else ""
        if fleet["ships"]:
            named.append(f"{fleet['ships']} from {fleet['from']}{to}")
        elif place == newest and not path:
            named.append(f"a fleet from {fleet['from']}")
    return named


def _state_lines(fields: _Fields, cards: _Cards) -> list[str]:
    """Return the current movement, battle and cards on the table."""
    lines = []
    if fields["table_count"]:
        lines.append(f"On the table: {cards.row(fields['table'][: fields['table_count']])}")
    fleets = _fleets(fields)
    if fleets:
        lines.append(f"Moving: {', '.join(fleets)}")
    if fields["battle_gate"] >= 0:
        sides = []
        for side, word in ((ATTACKER, "attacks"), (DEFENDER, "defends")):
            count = fields["laid_count"][side]
            own = [card for card in fields["laid"][side][:count] if card >= 0]
            laid = f"{count} laid" + (f" ({_names(own)})" if own else "")
            who = f"seat {fields['battle_seat'][side]} {word}"
            sides.append(f"{who}, {fields['battle_ships'][side]} Cruisers, {laid}")
        lines.append(f"Battle at {GATE_NAMES[fields['battle_gate']]}: {'; '.join(sides)}")
    return lines


def view_text(state: State, seat: Seat, actions: list[int] | None = None) -> str:
    """Return what a seat may know, as short text.

    The arguments are those of `view_data`; with `actions`, the last line lists them as calls.
    """
    view = view_of(state, seat)
    fields = _Fields(view)
    cards = _Cards()
    own = f"; you are seat {seat}" if seat != NO_SEAT else ""
    lines = [
        f"Turn {turn_number(view)} of seat {fields['active']}{own}; "
        f"{fields['target_score']} points win; deck {fields['deck_count']}"
    ]
    rows = fields["teams"] if _is_team_game(fields) else 1
    for row in range(rows):
        whose = f" of team {row}" if rows > 1 else ""
        count = fields["impulse_count"][row]
        lines.append(f"Impulse{whose}: {cards.row(fields['impulse'][row][:count])}")
    others = range(fields["players"])
    order = [seat, *(other for other in others if other != seat)] if seat != NO_SEAT else others
    for other in order:
        lines += _seat_lines(fields, other, seat, cards)
    lines += [_map_line(fields), *_state_lines(fields, cards)]
    end = _end_data(fields)
    if end:
        who = " and ".join(map(str, end["winners"]))
        lines.append(f"The game is over: {f'seat {who} won' if who else 'nobody won'}")
        return "\n".join(lines)
    decides = decider(view)
    if decides != seat:
        lines.append(f"Seat {decides} decides")
        return "\n".join(lines)
    lines.append(f"Decide ({kind_of(view)}): {prompt_of(view)}")
    if actions is not None:
        lines.append(f"Legal: {', '.join(map(str, choices(view, actions)))}")
    return "\n".join(lines)
