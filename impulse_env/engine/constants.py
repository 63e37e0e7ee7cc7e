"""Numbers and words of the rulebook, and the empty values of the record.

This is the only place for numbers of the rulebook. Pages are those of the 2014 rulebook.
"""

from enum import IntEnum
from typing import Final, TypeAlias

import numpy as np

Seat: TypeAlias = int
"""0…5 in turn order (clockwise from the first home corner)."""
Team: TypeAlias = int
"""`seat % teams`; without teams every seat is its own team."""
Card: TypeAlias = int
"""A printed face, 0…79 in the order of its lowest printed number; copies share it."""
Cell: TypeAlias = int
"""0…18, row by row from the top left; printed as 1…19."""
Gate: TypeAlias = int
"""0…41, the touching pairs of cells in ascending order; printed as "a-b"."""
Place: TypeAlias = int
"""The place of a fleet: 0…18 a cell (Transports), 19…60 the gate 0…41 (Cruisers)."""
Action: TypeAlias = int
"""Index into the action space, see `action_space.py`."""
State: TypeAlias = np.void
"""One record of `state.STATE`."""

# --- Components (pp. 2-5) ---------------------------------------------------------------------
MAX_PLAYERS: Final = 6
MIN_PLAYERS: Final = 2
CARDS: Final = 108
FACES: Final = 80
CELLS: Final = 19
GATES: Final = 42
PLACES: Final = CELLS + GATES
CORE: Final = 9
"""The Sector Core's cell (printed 10)."""
MAX_COPIES: Final = 5
"""Highest number of copies of a face."""
START_HAND: Final = 5
START_TRANSPORTS: Final = 2
START_CRUISERS: Final = 1
MAX_SHIPS: Final = 12
MAX_HAND: Final = 10
HAND_SLOTS: Final = MAX_HAND + 1
"""One spare slot: exploring may exceed the limit for a moment (p. 17)."""
LOOSE_CARDS: Final = CARDS - (CELLS - 1)
"""Number of cards that are not on the map, the maximum for every other zone."""
IMPULSE_KEPT: Final = 3
IMPULSE_SLOTS: Final = IMPULSE_KEPT + 1
MAX_IMPULSES: Final = 3
PLAN_MUST_BE_USED: Final = 4
CARDS_DRAWN: Final = 2
CARDS_FOR_NEW_DECK: Final = 2
TECHS: Final = 2
GEMS_PER_BOOST: Final = 2
BOMB_HIT_SIZE: Final = 2
"""A bomb destroys a ship if the revealed card has this size or more (p. 36)."""

# --- Options and their limits -----------------------------------------------------------------
TARGET_SCORE: Final = 20
MOST_TARGET_SCORE: Final = 100
LEAST_HAND_LIMIT: Final = START_HAND + 1
LEAST_SHIPS: Final = START_TRANSPORTS + START_CRUISERS
MAX_TURNS: Final = 300
MOST_TURNS: Final = 30_000
MAX_ACTIVATIONS: Final = 32
"""Default and upper limit: the stack has room for chains of this length."""

# --- Empty values -----------------------------------------------------------------------------
NO_CARD: Final = -1
BASIC_TECH: Final = -2
HIDDEN: Final = -3
"""A card that the viewing seat may not see, in a redacted record."""
COMMON_TECH: Final = -4
"""The common Basic Tech, as the card in use."""
RACE_TECH: Final = -5
"""The race's Basic Tech, as the card in use."""
NO_SEAT: Final = -1
NO_RACE: Final = -1

# --- Ship types, as bits ----------------------------------------------------------------------
TRANSPORT: Final = 1
CRUISER: Final = 2
ALL_SHIPS: Final = MAX_SHIPS

# --- Status of a game -------------------------------------------------------------------------
RUNNING: Final = 0
WON_BY_SCORE: Final = 1
WON_BY_ELIMINATION: Final = 2
TRUNCATED: Final = 3


class Color(IntEnum):
    """Colours as printed; a colour mask has bit `1 << color`."""

    RED = 0
    BLUE = 1
    GREEN = 2
    YELLOW = 3


COLOR_COUNT: Final = len(Color)
ANY_COLOR: Final = (1 << COLOR_COUNT) - 1


class Race(IntEnum):
    """The six races in the order of their Basic Techs in the rules."""

    PISCESISH = 0
    ARIEK = 1
    HERCULESE = 2
    DRACONIANS = 3
    TRIANGULUMNISTS = 4
    CAELUMNITES = 5


RACE_COUNT: Final = len(Race)


class PointSource(IntEnum):
    """Sources of points (p. 15); GIVEN is a position's initial score without a source."""

    CORE_PATROL = 0
    CORE_ACTIVATION = 1
    TRADE = 2
    REFINE = 3
    BATTLE = 4
    SHIPS = 5
    GIVEN = 6


class Family(IntEnum):
    """The 25 effects, named as in `cards.csv`."""

    COMMAND_FLEET = 0
    COMMAND_FLEETS_TO_SAME_CARD = 1
    RESEARCH_FROM_HAND = 2
    RESEARCH_FROM_HAND_THEN_EXECUTE = 3
    RESEARCH_FROM_DECK = 4
    RESEARCH_FROM_PLAN = 5
    EXECUTE_FROM_HAND_OR_TECH = 6
    EXECUTE_FROM_DECK_OR_TECH = 7
    BUILD_AT_HOME = 8
    BUILD_AT_OCCUPIED = 9
    BUILD_AT_HOME_AND_EACH_OCCUPIED = 10
    SABOTAGE = 11
    PLAN_FROM_HAND = 12
    PLAN_DIFFERENT_COLORS_FROM_HAND = 13
    PLAN_FROM_DECK = 14
    PLAN_FROM_DECK_THEN_SAME_COLOR = 15
    DRAW = 16
    DRAW_OF_SIZE = 17
    DRAW_THEN_OF_COLORS = 18
    TRADE_FROM_HAND = 19
    TRADE_FROM_DECK = 20
    MINE_FROM_HAND = 21
    MINE_FROM_DECK = 22
    REFINE_PER_GEM = 23
    REFINE_FLAT = 24


class Op(IntEnum):
    """The next step of a frame of the stack or, with an empty stack, of the phase.

    Below `FIRST_AUTOMATIC` a seat decides: the member is the kind of decision, and its name in
    lower case is the stable word of `Game.decision.kind`. From `FIRST_AUTOMATIC` on, the engine
    takes the step without a decision.
    """

    OVER = 0
    # Phases: these live in `state["phase"]`, never on the stack.
    DRAFT_RACE = 1
    PLACE_HOME = 2
    ADD_IMPULSE = 3
    USE_TECH = 4
    USE_IMPULSE = 5
    USE_PLAN = 6
    USE_PLAN_CARD = 7
    # Decisions inside an effect.
    CHOOSE_FLEET = 8
    CHOOSE_SHIPS = 9
    CHOOSE_MOVE = 10
    PLACE_EXPLORED = 11
    ACTIVATE = 12
    REINFORCE = 13
    TRADE_CARD = 14
    MINE_CARD = 15
    PLAN_CARD = 16
    RESEARCH_CARD = 17
    RESEARCH_PLANNED = 18
    CHOOSE_COPY = 19
    RESEARCH_SLOT = 20
    USE_RESEARCHED = 21
    REVEAL_NEXT = 22
    KEEP_REVEALED = 23
    REFINE_CARD = 24
    EXECUTE = 25
    USE_EXECUTED = 26
    BUILD_LOCATION = 27
    BUILD_SHIP = 28
    SABOTAGE_FLEET = 29
    SABOTAGE_OWNER = 30
    BASIC_DISCARD = 31
    BASIC_MODE = 32
    DISCARD_FOR_DECK = 33
    # Automatic phases and steps.
    SCORE_CORE = 34
    DRAW_CARDS = 35
    END_TURN = 36
    REVEAL = 37
    MOVE = 38
    ARRIVE = 39
    FIGHT = 40
    EXPLORE = 41
    BATTLE_REVEAL = 42
    BATTLE_DRAW = 43
    BATTLE_END = 44
    BOMB = 45
    EXECUTED = 46
    NEXT_BUILD_LOCATION = 47
    NEXT_TO_DISCARD = 48
    START_GAME = 49
    TAKE_HOME_CARD = 50


FIRST_AUTOMATIC: Final = 34


class Purpose(IntEnum):
    """The use of a revealed card that fits, in a REVEAL frame."""

    DRAW = 0
    TRADE = 1
    MINE = 2
    RESEARCH = 3
    PLAN = 4
    EXECUTE = 5
