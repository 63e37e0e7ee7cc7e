"""The current battle: its sides, its cards, its Cruisers."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.cards import SIZE_BY_CARD
from impulse_env.engine.constants import CELLS, GATES, NO_SEAT, Op, State
from impulse_env.engine.scoring import is_enemy_gate
from impulse_env.engine.state import ATTACKER, DEFENDER, LEFT, OP, SIDES, A, B
from impulse_env.engine.validity.expected import holds
from impulse_env.engine.validity.faults import Field, Reason, is_within, refuse
from impulse_env.engine.validity.movement import destination_of


@jit_internal
def agrees(fault: NDArray[np.int64], field: int, side: int, value: int, expected: int) -> bool:
    """Return whether a field of a side has the value that the battle requires."""
    return is_within(fault, field, side, value, expected, expected, Reason.BATTLE)


@jit_internal
def is_at_peace(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether the fields of a battle are empty, without a battle."""
    if not agrees(fault, Field.BATTLE_GATE, 0, state["battle_gate"], -1):
        return False
    for side in range(SIDES):
        if (
            not agrees(fault, Field.BATTLE_SEAT, side, state["battle_seat"][side], NO_SEAT)
            or not agrees(fault, Field.BATTLE_SHIPS, side, state["battle_ships"][side], 0)
            or not agrees(fault, Field.BATTLE_ICONS, side, state["battle_icons"][side], 0)
            or not agrees(fault, Field.LAID_COUNT, side, state["laid_count"][side], 0)
        ):
            return False
    return True


@jit_internal
def are_sides_sound(state: State, fault: NDArray[np.int64], several: int) -> bool:
    """Return whether the sides and their Cruisers are those of the gate and of the fleets."""
    seat = int(state["active"])
    gate = int(state["battle_gate"])
    if not is_within(fault, Field.BATTLE_GATE, 0, gate, 0, GATES - 1, Reason.BATTLE):
        return False
    if not is_enemy_gate(state, seat, gate):
        return refuse(fault, Field.BATTLE_GATE, 0, gate, Reason.BATTLE)
    attackers = 0
    first = -1
    for fleet in range(int(state["fleet_count"])):
        place = destination_of(state, several, fleet)
        ships = int(state["fleet_ships"][fleet])
        if place < CELLS or ships == 0:
            continue
        if not is_enemy_gate(state, seat, place - CELLS):
            return refuse(fault, Field.FLEET_SHIPS, fleet, ships, Reason.BATTLE)
        if first == -1:
            first = place
        if place == CELLS + gate:
            attackers += ships
    if first != CELLS + gate:
        return refuse(fault, Field.BATTLE_GATE, 0, gate, Reason.BATTLE)
    owner = int(state["gate_owner"][gate])
    defenders = int(state["gate_ships"][gate])
    seats = state["battle_seat"]
    counts = state["battle_ships"]
    return (
        agrees(fault, Field.BATTLE_SEAT, DEFENDER, seats[DEFENDER], owner)
        and agrees(fault, Field.BATTLE_SEAT, ATTACKER, seats[ATTACKER], seat)
        and agrees(fault, Field.BATTLE_SHIPS, DEFENDER, counts[DEFENDER], defenders)
        and agrees(fault, Field.BATTLE_SHIPS, ATTACKER, counts[ATTACKER], attackers)
    )


@jit_internal
def is_battle_sound(
    state: State, fault: NDArray[np.int64], at: int, several: int, base: int
) -> bool:
    """Return whether the battle and its frame `at` agree.

    The battle's cards begin at slot `base` of the table.
    """
    if not are_sides_sound(state, fault, several):
        return False
    op = int(state["stack"][at, OP])
    if not holds(state, fault, at, B, base, base):
        return False
    side = int(state["stack"][at, A])
    is_laying = op == Op.REINFORCE
    lowest = 0 if is_laying else 1
    highest = 0 if is_laying else int(state["battle_ships"][side])
    if not holds(state, fault, at, LEFT, lowest, highest):
        return False
    icons = 0
    for slot in range(base, int(state["table_count"])):
        icons += SIZE_BY_CARD[state["table"][slot]]
    if is_laying and icons > 0:
        return agrees(fault, Field.TABLE_COUNT, 0, state["table_count"], base)
    for other in range(SIDES):
        revealed = int(state["battle_icons"][other])
        most = icons if other == DEFENDER else icons - int(state["battle_icons"][DEFENDER])
        least = most if other == ATTACKER else 0
        if not is_within(fault, Field.BATTLE_ICONS, other, revealed, least, most, Reason.BATTLE):
            return False
        seat = int(state["battle_seat"][other])
        most = 0
        if is_laying and other <= side:
            most = int(state["hand_limit"]) - int(state["hand_count"][seat])
        laid = int(state["laid_count"][other])
        if not is_within(fault, Field.LAID_COUNT, other, laid, 0, most, Reason.BATTLE):
            return False
    return True
