"""The layout of the observation: one list of named sections.

`Part` is that list. The sizes, the limits, the encoder (`board.py`, `effects.py`) and the table in
the documentation are derived from it; `reading.py` turns numbers back into words.
"""

from enum import IntEnum, StrEnum
from math import prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from impulse_env.arguments import by_players
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.cards import COLOR_BY_CARD, COPIES_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import (
    BASIC_TECH,
    CELLS,
    COLOR_COUNT,
    COMMON_TECH,
    FACES,
    GATES,
    GEMS_PER_BOOST,
    HAND_SLOTS,
    HIDDEN,
    IMPULSE_SLOTS,
    LOOSE_CARDS,
    MAX_ACTIVATIONS,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_SHIPS,
    MIN_PLAYERS,
    NO_CARD,
    NO_SEAT,
    PLACES,
    RACE_COUNT,
    TECHS,
    TRUNCATED,
    Card,
    Color,
    Op,
    Place,
    Purpose,
    Seat,
)
from impulse_env.engine.ops import DECISIONS
from impulse_env.engine.sector_map import TURNED_CELL, TURNED_GATE
from impulse_env.engine.state import PATH_SLOTS, SIDES, STACK_DEPTH

# --- Values -----------------------------------------------------------------------------------


class Kind(StrEnum):
    """The meaning of a section's numbers."""

    COUNT = "count"
    FLAG = "flag"
    CARD = "card"
    PLACE = "place"
    SEAT = "seat"
    RACE = "race"
    OP = "op"
    STATUS = "status"
    PURPOSE = "purpose"
    MODE = "mode"


CATEGORIES: Final = frozenset(Kind) - {Kind.COUNT, Kind.FLAG}
"""Kinds whose numbers, 0…high, are categories: embed them or make them one-hot."""

CODE_FACE_DOWN: Final = FACES + 1
CODE_COMMON_TECH: Final = FACES + 2
CODE_RACE_TECH: Final = FACES + 3
CODE_CORE: Final = FACES + 4
"""The code of a card is 0 for no card, the face plus 1 (1…80), or one of these four."""

TURNED_PLACE: Final = np.concatenate([TURNED_CELL, CELLS + TURNED_GATE], axis=1)
"""The place after k sixths of a clockwise turn, shape ``(6, 61)``."""
TURNED_PLACE.setflags(write=False)


@jit_internal
def card_code(card: Card) -> int:
    """Return the code of a face, NO_CARD, HIDDEN, COMMON_TECH or RACE_TECH."""
    if card >= NO_CARD:
        return card + 1
    if card == HIDDEN:
        return CODE_FACE_DOWN
    return CODE_COMMON_TECH if card == COMMON_TECH else CODE_RACE_TECH


@jit_internal
def tech_code(card: Card, slot: int) -> int:
    """Return the code of the card on a Tech slot: a face, or the Basic Tech of that slot."""
    if card == BASIC_TECH:
        return CODE_COMMON_TECH if slot == 0 else CODE_RACE_TECH
    return card + 1


@jit_internal
def place_code(place: Place, turns: int) -> int:
    """Return 0 for no place (-1), else 1 plus the place on the map turned by `turns` sixths."""
    return int(TURNED_PLACE[turns, place]) + 1 if place >= 0 else 0


@jit_internal
def seat_code(seat: Seat, viewer: Seat, players: int) -> int:
    """Return 0 for NO_SEAT, 1 for the viewer, 2 for the next seat clockwise, and so on."""
    return own_seat(seat, viewer, players) + 1 if seat != NO_SEAT else 0


@jit_internal
def own_seat(seat: Seat, viewer: Seat, players: int) -> int:
    """Return how many seats clockwise of the viewer a seat is; without a division, for speed."""
    return seat - viewer if seat >= viewer else seat - viewer + players


@jit_internal
def seat_at(place: int, viewer: Seat, players: int) -> Seat:
    """Return the seat that is `place` seats clockwise of the viewer, the inverse of `own_seat`."""
    seat = viewer + place
    return seat if seat < players else seat - players


# --- Axes and limits --------------------------------------------------------------------------

PHASES: Final = (
    Op.DRAFT_RACE,
    Op.PLACE_HOME,
    Op.ADD_IMPULSE,
    Op.USE_TECH,
    Op.USE_IMPULSE,
    Op.USE_PLAN,
    Op.USE_PLAN_CARD,
    Op.SCORE_CORE,
    Op.DRAW_CARDS,
    Op.END_TURN,
)
"""The phases in which a seat may decide or the game may end; consecutive values of `Op`."""
OPTIONS: Final = (
    "target_score",
    "hand_limit",
    "ships",
    "max_activations",
    "teams",
    "auto_forced",
    "draft",
)
SIZES: Final = int(SIZE_BY_CARD.max())
"""Number of sizes of cards: 1 to `SIZES`."""
PLAN_SHOWN: Final = 12
FRAMES_SHOWN: Final = 2
WAITING_SHOWN: Final = 4
TABLE_SHOWN: Final = 8
IMPULSES_BY_PLAYERS: Final = {4: 2, 6: 3}
"""Rows of Impulses by number of players in team games; one row without teams."""

AXES: Final = {
    "face": FACES,
    "cell": CELLS,
    "gate": GATES,
    "color": COLOR_COUNT,
    "tech slot": TECHS,
    "hand slot": HAND_SLOTS,
    "plan slot": PLAN_SHOWN,
    "impulse slot": IMPULSE_SLOTS,
    "table slot": TABLE_SHOWN,
    "fleet": MAX_SHIPS,
    "leg": PATH_SLOTS,
    "side": SIDES,
    "pile": 2,
    "size": SIZES,
    "frame": FRAMES_SHOWN,
    "waiting frame": WAITING_SHOWN,
    "ship type": 2,
    "phase": len(PHASES),
    "decision": len(DECISIONS),
    "option": len(OPTIONS),
}
"""Length of every axis except "seat" and "impulse", which depend on the number of players."""

COPIES: Final = tuple(int(copies) for copies in COPIES_BY_CARD)
ICONS_BY_COLOR: Final = tuple(
    int((SIZE_BY_CARD * COPIES_BY_CARD)[COLOR_BY_CARD == color].sum()) for color in Color
)
"""Icons on all cards of each colour, the highest possible number of gems."""
MAX_SCORE: Final = 100
"""The largest target score; points beyond it, from a last action, are not shown."""
MAX_TURNS_SHOWN: Final = 255
MAX_BOOST: Final = (max(ICONS_BY_COLOR) + MAX_SHIPS) // GEMS_PER_BOOST
MAX_NUMBER: Final = max(3 + MAX_BOOST, PATH_SLOTS)
"""Largest number of a card after boost; three is the largest printed number."""
MAX_ICONS: Final = 3 * (HAND_SLOTS + MAX_SHIPS)
MAX_MODE: Final = 3
OPTION_HIGHS: Final = (MAX_SCORE, MAX_HAND, MAX_SHIPS, MAX_ACTIVATIONS, MAX_PLAYERS, 1, 1)
HIGH_BY_KIND: Final = {
    Kind.FLAG: 1,
    Kind.CARD: CODE_CORE,
    Kind.PLACE: PLACES,
    Kind.SEAT: MAX_PLAYERS,
    Kind.RACE: RACE_COUNT,
    Kind.OP: max(Op),
    Kind.STATUS: TRUNCATED,
    Kind.PURPOSE: len(Purpose),
    Kind.MODE: MAX_MODE,
}

# --- The list ---------------------------------------------------------------------------------

_High = int | tuple[int, ...]
_Entry = tuple[Kind, _High, str, tuple[str, ...]]


def _count(high: _High, meaning: str, *axes: str) -> _Entry:
    """Describe a section of numbers 0…high; a tuple for `high` goes along the last axis."""
    return Kind.COUNT, high, meaning, axes


def _coded(kind: Kind, meaning: str, *axes: str) -> _Entry:
    """Describe a section of flags or codes of a kind."""
    return kind, HIGH_BY_KIND[kind], meaning, axes


class Part(IntEnum):
    """Every section in the order of the vector; a member's number is its section's number."""

    kind: Kind
    high: _High
    meaning: str
    axes: tuple[str, ...]

    def __new__(cls, kind: Kind, high: _High, meaning: str, axes: tuple[str, ...]) -> "Part":
        """Number the members from 0 and store their descriptions."""
        member = int.__new__(cls, len(cls.__members__))
        member._value_ = len(cls.__members__)
        member.kind, member.high, member.meaning, member.axes = kind, high, meaning, axes
        return member

    # Cards.
    OWN_HAND = _count(COPIES, "own hand", "face")
    UNSEEN = _count(COPIES, "deck, face-down cells and unknown cards of other hands", "face")
    DISCARD = _count(COPIES, "discard pile", "face")
    DECK_SIZE = _count(LOOSE_CARDS, "cards in the deck")
    TABLE_SIZE = _count(LOOSE_CARDS, "cards revealed, executed or fighting, between the zones")
    TABLE = _coded(Kind.CARD, "the latest of them, latest first", "table slot")
    IMPULSE = _coded(
        Kind.CARD,
        "Impulse, oldest first; with teams the own Impulse first",
        "impulse",
        "impulse slot",
    )
    # The map.
    CELL_CARD = _coded(Kind.CARD, "card of the cell; none while one is being placed", "cell")
    TRANSPORTS = _count(MAX_SHIPS, "Transports on the cell", "seat", "cell")
    CRUISERS = _count(MAX_SHIPS, "Cruisers on the gate", "seat", "gate")
    # Seats.
    SEAT_RACE = _coded(Kind.RACE, "race; none before it is drafted", "seat")
    HOME = _coded(Kind.PLACE, "home cell", "seat")
    ALLY = _coded(Kind.FLAG, "member of the own team, including oneself", "seat")
    ELIMINATED = _coded(Kind.FLAG, "out of the game", "seat")
    SCORE = _count(MAX_SCORE, f"points, {MAX_SCORE} for more", "seat")
    POINTS_NEEDED = _count(MAX_SCORE, "points missing to win", "seat")
    SHIPS_LEFT = _count(MAX_SHIPS, "ships that may still be built", "seat")
    HAND_SIZE = _count(HAND_SLOTS, "cards in hand", "seat")
    KNOWN = _coded(
        Kind.CARD,
        "cards everybody knows in that hand or among its reinforcements (R12)",
        "seat",
        "hand slot",
    )
    TECH = _coded(Kind.CARD, "Techs", "seat", "tech slot")
    PLAN_SIZE = _count(LOOSE_CARDS, "cards of the Plan", "seat")
    PLAN = _coded(Kind.CARD, "its first cards, oldest first", "seat", "plan slot")
    NEXT_PLAN_SIZE = _count(LOOSE_CARDS, "cards of the active seat's next Plan")
    NEXT_PLAN = _coded(Kind.CARD, "its first cards, oldest first", "plan slot")
    GEMS = _count(ICONS_BY_COLOR, "icons on the mineral cards", "seat", "color")
    MINERALS = _count(COPIES, "mineral cards", "seat", "face")
    # The status of the game.
    STATUS = _coded(Kind.STATUS, "running, or the kind of end")
    WINNER = _coded(Kind.FLAG, "has won", "seat")
    OPTION = _count(OPTION_HIGHS, "options of the game", "option")
    START = _coded(Kind.SEAT, "start player")
    TURN = _count(MAX_TURNS_SHOWN, f"player turns completed, {MAX_TURNS_SHOWN} for more")
    TURNS_LEFT = _count(MAX_TURNS_SHOWN, f"turns to truncation, {MAX_TURNS_SHOWN} for more")
    ACTIVE = _coded(Kind.FLAG, "active seat, whose turn it is", "seat")
    PHASE = _coded(Kind.FLAG, "phase of the turn", "phase")
    CURSOR = _count(LOOSE_CARDS, "finished Impulse, Plan or drawn cards; 1 after the use of a Tech")
    ACTIVATIONS_LEFT = _count(MAX_ACTIVATIONS, "map activations left in this turn (R5)")
    # The decision.
    DECIDER = _coded(Kind.FLAG, "seat that decides; none if the game is over", "seat")
    DECISION = _coded(Kind.FLAG, "kind of decision", "decision")
    OFFERED = _coded(Kind.CARD, "card to use, activate, keep, lay as Tech or take a copy of")
    OFFERED_BOOST = _count(MAX_BOOST, "amount that boost would add to the number in its box")
    # Current effects: a frame each, the innermost on top.
    DEPTH = _count(STACK_DEPTH, "frames")
    FRAME_OP = _coded(Kind.OP, "next step of the frame", "frame")
    FRAME_CARD = _coded(Kind.CARD, "card or Basic Tech in use", "frame")
    FRAME_LEFT = _count(
        MAX_NUMBER, "cards, ships, bombs, fleets or players to come; next leg of a move", "frame"
    )
    FRAME_DONE = _count(LOOSE_CARDS, "number already chosen", "frame")
    FRAME_LOW = _count(
        MAX_NUMBER, "smallest size; of a Command moves, of a Build ships per location", "frame"
    )
    FRAME_HIGH = _count(MAX_NUMBER, "largest size; of a Command ships per fleet", "frame")
    FRAME_COLOR = _coded(Kind.FLAG, "allowed colours", "frame", "color")
    FRAME_SHIP_TYPE = _coded(Kind.FLAG, "allowed ship types", "frame", "ship type")
    FRAME_CHAIN = _coded(Kind.FLAG, "Techs not to be executed again (P3)", "frame", "tech slot")
    FRAME_PLACE = _coded(Kind.PLACE, "place to explore, activate, build at or bomb", "frame")
    FRAME_SEAT = _coded(Kind.SEAT, "seat that is bombed, or discards for a new deck", "frame")
    FRAME_PURPOSE = _coded(Kind.PURPOSE, "use of a revealed card", "frame")
    FRAME_MODE = _coded(Kind.MODE, "variant of the next step; 0 the plain one", "frame")
    FRAME_NUMBER = _count(LOOSE_CARDS, "further number of the next step", "frame")
    WAITING = _coded(Kind.CARD, "cards of the frames below, nearest first", "waiting frame")
    BUILD_TO_COME = _coded(Kind.FLAG, "cells where this Build continues later", "cell")
    # The current movement and battle.
    FLEET_FROM = _coded(Kind.PLACE, "starting places of the declared fleets", "fleet")
    FLEET_SHIPS = _count(MAX_SHIPS, "their ships; 0 before the choice and after a fight", "fleet")
    PATH = _coded(Kind.PLACE, "path of the fleet; destination of each of several", "leg")
    BATTLE_GATE = _coded(Kind.PLACE, "gate of the battle")
    BATTLE_SEAT = _coded(Kind.SEAT, "seats that fight", "side")
    BATTLE_SHIPS = _count(MAX_SHIPS, "Cruisers in the battle", "side")
    BATTLE_ICONS = _count(MAX_ICONS, "icons revealed so far", "side")
    LAID_SIZE = _count(HAND_SLOTS, "reinforcements laid face-down", "side")
    OWN_LAID = _coded(Kind.CARD, "own reinforcements", "hand slot")
    # The cards that would fight in a battle now.
    MATCHED = _coded(
        Kind.FLAG,
        "that seat's reinforcements of the colour and size would fight: it has such a card on the "
        "Impulse, in its Plan or as a Tech (p. 34)",
        "seat",
        "color",
        "size",
    )
    MATCHING = _count(COPIES, "cards of the own hand that would fight", "face")
    MATCHING_ICONS = _count(
        MAX_ICONS, "icons on those cards, and on the own laid cards that would fight", "pile"
    )


class Section(NamedTuple):
    """A named run of features of the vector, `vector[start:stop]`."""

    name: str
    start: int
    stop: int
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    kind: Kind
    high: int | tuple[int, ...]
    meaning: str


def _length(axis: str, players: int) -> int:
    if axis == "seat":
        return players
    return IMPULSES_BY_PLAYERS.get(players, 1) if axis == "impulse" else AXES[axis]


@by_players
def sections(players: int) -> tuple[Section, ...]:
    """Return the sections of the vector for a number of players, in order and without a gap.

    Raises:
        ArgumentError: The number of players is not an integer from 2 to 6.
    """
    result: list[Section] = []
    start = 0
    for part in Part:
        shape = tuple(_length(axis, players) for axis in part.axes)
        stop = start + prod(shape)
        description = (part.axes, part.kind, part.high, part.meaning)
        result.append(Section(part.name.lower(), start, stop, shape, *description))
        start = stop
    return tuple(result)


def size(players: int) -> int:
    """Return the length of the vector."""
    return sections(players)[-1].stop


@by_players
def high(players: int) -> NDArray[np.uint8]:
    """Return the largest value of every feature, shape ``(size(players),)``; the smallest is 0."""
    limits = [np.broadcast_to(s.high, s.shape).ravel() for s in sections(players)]
    vector = np.concatenate(limits).astype(np.uint8)
    vector.setflags(write=False)
    return vector


STARTS: Final = np.zeros((MAX_PLAYERS + 1, len(Part)), np.int64)
"""The start of each section, by number of players and `Part`; the encoder reads it."""
for _players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
    STARTS[_players] = [section.start for section in sections(_players)]
STARTS.setflags(write=False)
