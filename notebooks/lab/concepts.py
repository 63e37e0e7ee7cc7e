"""What a player would name in a position: numbers and truths, each computed from the record."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine.cards import ACTION_BY_CARD, COPIES_BY_CARD
from impulse_env.engine.constants import CELLS, FACES
from impulse_env.engine.sector_map import CELLS_OF_GATE
from impulse_env.observation import section
from lab.sampling import Sampled

GOOD_TURN: Final = 3
"""Points of a turn that a player would notice."""
OFTEN: Final = 0.5
"""Share of the tries in which they have to come."""
TRADE: Final = "Trade in the other hand"
"""The one concept that is hidden from the seat."""
_TOUCHES: Final = np.zeros((len(CELLS_OF_GATE), CELLS), np.bool_)
_TOUCHES[np.arange(len(CELLS_OF_GATE))[:, None], CELLS_OF_GATE] = True


def concepts_of(sampled: Sampled, gains: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
    """Return concepts by name, seen by the seat that decides in games of two players.

    Args:
        sampled: The positions.
        gains: From `gains_of_turn`, shape ``(n, tries)``.

    Returns:
        An array of shape ``(n,)`` for each: numbers, or 0 and 1; NaN where there is nothing to
        say: of a good turn when it is the other seat's.
    """
    is_own_turn = sampled.states["active"] == sampled.seats
    good = (gains >= GOOD_TURN).mean(axis=1) >= OFTEN
    return {
        "lead in points": sampled.lead.astype(np.float64),
        "turns to the end": sampled.turns_to_come.astype(np.float64),
        "who wins": sampled.has_won.astype(np.float64),
        "3 points this turn": np.where(is_own_turn, good, np.nan),
        "size of its largest fleet": largest_fleet(sampled).astype(np.float64),
        "a fleet is in danger": is_in_danger(sampled).astype(np.float64),
        TRADE: holds(sampled, "trade").astype(np.float64),
    }


def largest_fleet(sampled: Sampled) -> NDArray[np.int64]:
    """Return the ships of the largest own fleet, shape ``(n,)``."""
    rows = np.arange(len(sampled))
    transports = sampled.states["transports"][rows, sampled.seats].max(axis=1)
    cruisers = np.where(_own_gates(sampled), sampled.states["gate_ships"], 0).max(axis=1)
    return np.maximum(transports, cruisers).astype(np.int64)


def is_in_danger(sampled: Sampled) -> NDArray[np.bool_]:
    """Return whether an enemy's Cruisers can reach an own fleet or the own home with one move.

    That is where they stand on a gate of a cell on which own Transports are or that own Cruisers
    patrol: crossing it, they destroy the former or fight the latter. Shape ``(n,)``.
    """
    rows = np.arange(len(sampled))
    own = _own_gates(sampled)
    enemies = (sampled.states["gate_ships"] > 0) & ~own
    occupied = sampled.states["transports"][rows, sampled.seats] > 0
    theirs = (enemies @ _TOUCHES) & (occupied | (own @ _TOUCHES))
    return np.asarray(theirs.any(axis=1), np.bool_)


def _own_gates(sampled: Sampled) -> NDArray[np.bool_]:
    owners = np.asarray(sampled.states["gate_owner"] == sampled.seats[:, None], np.bool_)
    return owners & (sampled.states["gate_ships"] > 0)


def holds(sampled: Sampled, action: str) -> NDArray[np.bool_]:
    """Return whether the hidden part of the other hand holds a card of an action, shape ``(n,)``.

    Cards that everybody knows to be there do not count.
    """
    states, others = sampled.states, 1 - sampled.seats
    rows = np.arange(len(sampled))
    counts = _counted(states["hand"][rows, others]) - _counted(states["known"][rows, others])
    return np.asarray((counts[:, _faces(action)] > 0).any(axis=1), np.bool_)


def chance_by_counting(sampled: Sampled, action: str) -> NDArray[np.float64]:
    """Return how probable `holds` is for one who counts cards and infers nothing, shape ``(n,)``.

    The hidden cards of the hand are as good as drawn from all that this seat has not seen.
    """
    unseen = section(sampled.observations, "unseen", 2).astype(np.int64)
    sought, total = unseen[:, _faces(action)].sum(axis=1), unseen.sum(axis=1)
    rows, others = np.arange(len(sampled)), 1 - sampled.seats
    states = sampled.states
    hidden = states["hand_count"][rows, others] - states["known_count"][rows, others]
    none = np.ones(len(sampled))
    for drawn in range(int(hidden.max(initial=0))):
        left = np.maximum(total - drawn, 1)
        none *= np.where(drawn < hidden, np.clip((total - sought - drawn) / left, 0, 1), 1)
    return 1 - none


def _faces(action: str) -> NDArray[np.bool_]:
    return np.array([name == action for name in ACTION_BY_CARD])


def _counted(cards: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return how often each face is in each row, shape ``(n, FACES)``; empty slots do not count."""
    counts = np.zeros((len(cards), FACES), np.int64)
    rows, slots = np.nonzero(cards >= 0)
    np.add.at(counts, (rows, cards[rows, slots]), 1)
    assert (counts <= COPIES_BY_CARD).all()
    return counts
