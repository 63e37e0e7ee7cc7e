"""A game as one fixed-size record. Copying it copies the game; equal bytes are equal games.

The record never contains old values: slots past a count hold their empty value, popped frames are
zero, and there is no padding. `impulse_env.information` decides which fields are hidden from a
seat.
"""

from typing import Final

import numpy as np

from impulse_env.engine.constants import (
    BASIC_TECH,
    CELLS,
    FACES,
    GATES,
    HAND_SLOTS,
    IMPULSE_SLOTS,
    LOOSE_CARDS,
    MAX_IMPULSES,
    MAX_PLAYERS,
    MAX_SHIPS,
    NO_CARD,
    NO_RACE,
    NO_SEAT,
    TECHS,
    Color,
    PointSource,
)

STACK_DEPTH: Final = 52
"""Room for the most frames at once.

At most 32 activations may each leave one executed card waiting. The others are the six Execute
cards, which may execute each other, and the few frames of the movement or battle under way.
"""
FRAME_FIELDS: Final = 9
PATH_SLOTS: Final = 36
"""Room for the longest path: [1] move boosted by all 45 yellow gems and 12 Transports makes 29."""
SIDES: Final = 2
DEFENDER: Final = 0
ATTACKER: Final = 1

# --- Fields of a frame. The module of each op describes its use of them. ------------------------
OP: Final = 0
"""`Op` of the frame."""
CARD: Final = 1
"""Face in use, COMMON_TECH or RACE_TECH for a Basic Tech, NO_CARD for a step without a card."""
LEFT: Final = 2
"""Remaining cards, ships, bombs or fleets, after boost; for MOVE and FIGHT the next index."""
COLORS: Final = 3
"""Mask of the allowed colours."""
LOW: Final = 4
"""Smallest allowed size."""
HIGH: Final = 5
"""Largest allowed size."""
DONE: Final = 6
"""Number already chosen; pass is legal if it is above 0."""
A: Final = 7
B: Final = 8

STATE: Final = np.dtype(
    [
        # The only source of randomness (xorshift64, never 0).
        ("rng", np.uint64),
        # Fields of two bytes are adjacent, because padding would be bytes without a meaning.
        ("target_score", np.int16),
        ("max_turns", np.int16),
        ("turn", np.int16),  # player turns completed
        ("score", np.int16, (MAX_PLAYERS,)),
        ("points", np.int16, (MAX_PLAYERS, len(PointSource))),  # the score by source
        # Icons of either side in the current battle.
        ("battle_icons", np.int16, (SIDES,)),
        # --- Options ---
        ("players", np.int8),
        # Number of teams; without teams, of players. Seats of a team have equal `seat % teams`.
        ("teams", np.int8),
        ("hand_limit", np.int8),
        ("ships", np.int8),
        ("max_activations", np.int8),
        ("auto_forced", np.int8),
        ("draft", np.int8),  # 1: races are drafted
        ("start_seat", np.int8),  # NO_SEAT before the deal if it is random
        # --- Status of the game ---
        ("status", np.int8),  # RUNNING, WON_BY_SCORE, WON_BY_ELIMINATION, TRUNCATED
        ("winner", np.int8),  # team that has won, NO_SEAT otherwise
        ("active", np.int8),  # seat whose turn it is (in setup: the seat that sets up)
        ("phase", np.int8),  # Op: what happens when the stack is empty
        # USE_TECH: 1 after a Tech was chosen. USE_IMPULSE, USE_PLAN_CARD: index of the next card
        # to offer; while the stack is not empty, the card in use is the previous one.
        # DRAW_CARDS: cards drawn.
        ("cursor", np.int8),
        ("activations", np.int8),  # of map cards in this turn (R5)
        # --- The map ---
        ("cell_card", np.int8, (CELLS,)),  # NO_CARD: the Sector Core, and a home being set up
        ("cell_face_up", np.int8, (CELLS,)),  # 0 or 1
        ("transports", np.int8, (MAX_PLAYERS, CELLS)),
        ("gate_owner", np.int8, (GATES,)),  # NO_SEAT without Cruisers
        ("gate_ships", np.int8, (GATES,)),
        # --- Common cards ---
        ("deck", np.int8, (LOOSE_CARDS,)),  # the next card is the last one
        ("deck_count", np.int8),
        ("discard", np.int8, (FACES,)),  # copies of each face; order has no meaning
        ("discard_count", np.int8),
        ("impulse", np.int8, (MAX_IMPULSES, IMPULSE_SLOTS)),  # by team, oldest first
        ("impulse_count", np.int8, (MAX_IMPULSES,)),
        # Face-up cards between zones, latest last: revealed, executed, fighting in a battle.
        ("table", np.int8, (LOOSE_CARDS,)),
        ("table_count", np.int8),
        # --- Seats ---
        ("race", np.int8, (MAX_PLAYERS,)),  # NO_RACE until drafted
        ("eliminated", np.int8, (MAX_PLAYERS,)),
        ("ships_on_map", np.int8, (MAX_PLAYERS,)),  # sum over the map, stored for speed
        ("hand", np.int8, (MAX_PLAYERS, HAND_SLOTS)),  # ascending
        ("hand_count", np.int8, (MAX_PLAYERS,)),
        # Publicly known cards of that hand, or of the reinforcements laid from it (R12);
        # ascending.
        ("known", np.int8, (MAX_PLAYERS, HAND_SLOTS)),
        ("known_count", np.int8, (MAX_PLAYERS,)),
        # The Plan, oldest first, followed by the next Plan, which grows while the Plan is in use.
        ("plan", np.int8, (MAX_PLAYERS, LOOSE_CARDS)),
        ("plan_count", np.int8, (MAX_PLAYERS,)),
        ("next_plan_count", np.int8, (MAX_PLAYERS,)),
        ("minerals", np.int8, (MAX_PLAYERS, FACES)),  # copies of each face
        ("gems", np.int8, (MAX_PLAYERS, len(Color))),  # icons on the minerals, stored for speed
        ("techs", np.int8, (MAX_PLAYERS, TECHS)),  # face or BASIC_TECH
        # --- The current Command ---
        ("fleet_count", np.int8),
        ("fleet_from", np.int8, (MAX_SHIPS,)),  # Place
        ("fleet_ships", np.int8, (MAX_SHIPS,)),  # 0 after the fleet has fought
        # One fleet: its places in order. Several fleets: the destination of each.
        ("path", np.int8, (PATH_SLOTS,)),
        ("path_count", np.int8),
        # --- The current battle; sides are DEFENDER and ATTACKER ---
        ("battle_gate", np.int8),  # -1 without a battle
        ("battle_seat", np.int8, (SIDES,)),
        ("battle_ships", np.int8, (SIDES,)),
        ("laid", np.int8, (SIDES, HAND_SLOTS)),  # face-down reinforcements, ascending
        ("laid_count", np.int8, (SIDES,)),
        # --- Current effects, the innermost last ---
        ("stack", np.int8, (STACK_DEPTH, FRAME_FIELDS)),
        ("stack_count", np.int8),
    ],
    align=True,
)
"""One game."""

EMPTY_FIELDS: Final = {
    "start_seat": NO_SEAT,
    "winner": NO_SEAT,
    "cell_card": NO_CARD,
    "gate_owner": NO_SEAT,
    "deck": NO_CARD,
    "impulse": NO_CARD,
    "table": NO_CARD,
    "race": NO_RACE,
    "hand": NO_CARD,
    "known": NO_CARD,
    "plan": NO_CARD,
    "techs": BASIC_TECH,
    "fleet_from": -1,
    "path": -1,
    "battle_gate": -1,
    "battle_seat": NO_SEAT,
    "laid": NO_CARD,
}
"""The empty value of every field whose empty value is not 0."""


def empty_states(count: int) -> np.ndarray:
    """Return `count` records with every field at its empty value, shape ``(count,)``."""
    states = np.zeros(count, STATE)
    for field, value in EMPTY_FIELDS.items():
        states[field] = value
    return states
