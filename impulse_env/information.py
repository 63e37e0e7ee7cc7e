"""Hidden information: what each seat may not know. No other module decides that.

Hidden from a seat are the other hands, the order of the deck, the face-down cells, reinforcements
that another side laid, and the generator of random numbers. Everything else is public: counts,
face-up cards, and the hand cards that everybody has seen (`known`, R12).

A *view* is a record with every hidden field blank. A *determinization* is a full record with a
possible card in every hidden place. A *redraw* has other cards where nobody has looked yet. All
three keep every public byte.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.arguments import checked_integer, integer_of, shown
from impulse_env.compiled.compilation import jit, jit_internal, plain
from impulse_env.engine.cards import COPIES_BY_CARD
from impulse_env.engine.constants import (
    CARDS,
    CELLS,
    FACES,
    HAND_SLOTS,
    HIDDEN,
    LOOSE_CARDS,
    MAX_IMPULSES,
    MIN_PLAYERS,
    NO_CARD,
    NO_SEAT,
    RUNNING,
    TECHS,
    Op,
    Seat,
    State,
)
from impulse_env.engine.decisions import deciding_seat
from impulse_env.engine.deck import insert
from impulse_env.engine.rng import random_below
from impulse_env.engine.state import SIDES, STATE
from impulse_env.errors import ArgumentError

EVERYTHING: Final = "all"
"""Used instead of a seat: an observer that sees everything, including hidden cards."""
SCRATCH: Final = CARDS + 2 * HAND_SLOTS
"""Smallest length of the scratch array of `determinize` and `redraw`: cards, then a hand."""
_COPIES: Final = COPIES_BY_CARD.astype(np.int8)
_COPIES.setflags(write=False)


# --- Blanking ---------------------------------------------------------------------------------


@jit_internal
def redact(state: State, seat: Seat) -> None:
    """Blank everything that `seat` may not know, in place; counts stay.

    A second call changes nothing. `NO_SEAT` is a spectator, who sees no hand.
    """
    state["rng"] = 0
    for slot in range(int(state["deck_count"])):
        state["deck"][slot] = HIDDEN
    for cell in range(CELLS):
        if not state["cell_face_up"][cell] and state["cell_card"][cell] != NO_CARD:
            state["cell_card"][cell] = HIDDEN
    for other in range(int(state["players"])):
        if other != seat:
            for slot in range(int(state["hand_count"][other])):
                state["hand"][other, slot] = HIDDEN
    for side in range(SIDES):
        if state["battle_seat"][side] != seat:
            for slot in range(int(state["laid_count"][side])):
                state["laid"][side, slot] = HIDDEN


# --- Counting ---------------------------------------------------------------------------------


@jit_internal
def _subtract(others: NDArray[np.int8], counts: NDArray[np.uint8]) -> None:
    """Subtract the counts of every face. `len`, not a constant, lets the compiler vectorise."""
    for face in range(len(counts)):
        counts[face] -= others[face]


@jit_internal
def _leave_out(cards: NDArray[np.int8], count: int, counts: NDArray[np.uint8]) -> None:
    """Subtract the faces of the first `count` cards from the counts."""
    for slot in range(count):
        if cards[slot] >= 0:
            counts[cards[slot]] -= 1


@jit_internal
def unseen_counts(state: State, seat: Seat, counts: NDArray[np.uint8]) -> None:
    """Count the copies of each face that are neither visible to `seat` nor known to be in a hand.

    These cards are in the deck, face-down on the map, or among the unknown cards of other hands
    and reinforcements. A view gives the same counts as the full record.

    Args:
        state: A full record, or the view of `seat`.
        seat: The observing seat; `NO_SEAT` for a spectator.
        counts: Shape ``(80,)``; overwritten.
    """
    players = int(state["players"])
    discard = state["discard"]
    minerals = state["minerals"]
    for face in range(len(counts)):  # in one pass for the two seats that every game has
        counts[face] = _COPIES[face] - discard[face] - minerals[0, face] - minerals[1, face]
    for other in range(MIN_PLAYERS, players):
        _subtract(minerals[other], counts)
    for other in range(players):
        planned = int(state["plan_count"][other]) + int(state["next_plan_count"][other])
        _leave_out(state["plan"][other], planned, counts)
        _leave_out(state["techs"][other], TECHS, counts)
        if other == seat:
            _leave_out(state["hand"][other], int(state["hand_count"][other]), counts)
        else:
            _leave_out(state["known"][other], int(state["known_count"][other]), counts)
    for row in range(MAX_IMPULSES):
        _leave_out(state["impulse"][row], int(state["impulse_count"][row]), counts)
    _leave_out(state["table"], int(state["table_count"]), counts)
    for cell in range(CELLS):
        if state["cell_face_up"][cell] and state["cell_card"][cell] >= 0:
            counts[state["cell_card"][cell]] -= 1
    for side in range(SIDES):
        if state["battle_seat"][side] == seat:
            _leave_out(state["laid"][side], int(state["laid_count"][side]), counts)


# --- Filling in -------------------------------------------------------------------------------


@jit_internal
def _shuffle(state: State, cards: NDArray[np.int16], count: int) -> None:
    """Put the first `count` cards into a random order."""
    for slot in range(count - 1, 0, -1):
        other = random_below(state, slot + 1)
        card = int(cards[slot])
        cards[slot] = cards[other]
        cards[other] = card


@jit_internal
def _deal_hand(state: State, seat: Seat, scratch: NDArray[np.int16], count: int) -> int:
    """Give `seat` its known hand cards and, from the end of the `count` cards, random unknown ones.

    Any of these cards may be the reinforcements it has laid. Returns the number of cards left.
    """
    laying = -1
    laid = 0
    for side in range(SIDES):
        if state["battle_seat"][side] == seat:
            laying = side
            laid = int(state["laid_count"][side])
    known = int(state["known_count"][seat])
    total = int(state["hand_count"][seat]) + laid
    assert known <= total, "more cards are known than held"
    assert count >= total - known, "too few unseen cards are left"
    for slot in range(known):
        scratch[CARDS + slot] = state["known"][seat, slot]
    for slot in range(known, total):
        count -= 1
        scratch[CARDS + slot] = scratch[count]
    for slot in range(laid):
        other = slot + random_below(state, total - slot)
        card = int(scratch[CARDS + other])
        scratch[CARDS + other] = scratch[CARDS + slot]
        insert(state["laid"][laying], slot, card)
    for slot in range(laid, total):
        insert(state["hand"][seat], slot - laid, int(scratch[CARDS + slot]))
    return count


@jit_internal
def determinize(view: State, seat: Seat, seed: int, scratch: NDArray[np.int16]) -> None:
    """Make a view a full record, in place: every way to place the unseen cards is equally likely.

    Args:
        view: The record that `redact` left for `seat`; nothing else is read.
        seat: The seat of the view.
        seed: Generator state for this call and for the rest of the game; not 0.
        scratch: Room for `SCRATCH` numbers, for example a list of options; overwritten.
    """
    view["rng"] = seed
    if view["phase"] == Op.START_GAME:
        return
    counts = view["deck"][:FACES]  # free room until the deck is filled
    unseen_counts(view, seat, counts)
    count = 0
    for face in range(FACES):
        for _ in range(int(counts[face])):
            scratch[count] = face
            count += 1
    _shuffle(view, scratch, count)
    for cell in range(CELLS):
        if view["cell_card"][cell] == HIDDEN:
            count -= 1
            view["cell_card"][cell] = scratch[count]
    for other in range(int(view["players"])):
        if other != seat:
            count = _deal_hand(view, other, scratch, count)
    assert count == view["deck_count"], "the unseen cards do not fill the hidden places"
    for slot in range(count):
        view["deck"][slot] = scratch[slot]
    for slot in range(count, LOOSE_CARDS):
        view["deck"][slot] = NO_CARD


# --- Redrawing --------------------------------------------------------------------------------


@jit_internal
def redraw(state: State, seed: int, scratch: NDArray[np.int16]) -> None:
    """Resample, in place, what no seat has seen yet: every way to place it is equally likely.

    Resampled are the deck, the face-down cells and all future randomness. Hands and reinforcements
    stay: some seat has seen them.

    Args:
        state: A full record.
        seed: Generator state for this call and for the rest of the game; not 0.
        scratch: Room for `SCRATCH` numbers; overwritten.
    """
    state["rng"] = seed
    count = int(state["deck_count"])
    for slot in range(count):
        scratch[slot] = state["deck"][slot]
    for cell in range(CELLS):
        if not state["cell_face_up"][cell] and state["cell_card"][cell] != NO_CARD:
            scratch[count] = state["cell_card"][cell]
            count += 1
    _shuffle(state, scratch, count)
    for cell in range(CELLS):
        if not state["cell_face_up"][cell] and state["cell_card"][cell] != NO_CARD:
            count -= 1
            state["cell_card"][cell] = scratch[count]
    for slot in range(count):
        state["deck"][slot] = scratch[slot]


# --- From Python ------------------------------------------------------------------------------


@jit
def redact_all(states: np.ndarray, seats: NDArray[np.int64]) -> None:
    """Make every record the view of its seat.

    Args:
        states: Shape ``(n,)``, dtype `STATE`; changed.
        seats: Shape ``(n,)``.
    """
    for game in range(len(states)):
        redact(states[game], seats[game])


def determinize_all(
    states: np.ndarray, seats: NDArray[np.int64], seeds: NDArray[np.uint64]
) -> None:
    """Make every record a full game, drawn uniformly from those that fit its seat's view.

    Args:
        states: Full records or views of those seats, shape ``(n,)``, dtype `STATE`; changed.
        seats: Shape ``(n,)``.
        seeds: Shape ``(n,)``, not 0; equal seeds and equal views give equal games.
    """
    _determinize_all(states, seats, seeds, np.empty(SCRATCH, np.int16))


@jit
def _determinize_all(
    states: np.ndarray,
    seats: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    scratch: NDArray[np.int16],
) -> None:
    for game in range(len(states)):
        redact(states[game], seats[game])
        determinize(states[game], seats[game], seeds[game], scratch)


def redraw_all(states: np.ndarray, seeds: NDArray[np.uint64]) -> None:
    """Resample, in every record, what no seat has seen yet; see `redraw`.

    Args:
        states: Full records, shape ``(n,)``, dtype `STATE`; changed.
        seeds: Shape ``(n,)``, not 0; equal seeds and equal games stay equal.
    """
    _redraw_all(states, seeds, np.empty(SCRATCH, np.int16))


@jit
def _redraw_all(states: np.ndarray, seeds: NDArray[np.uint64], scratch: NDArray[np.int16]) -> None:
    for game in range(len(states)):
        redraw(states[game], seeds[game], scratch)


def view_of(state: State, seat: Seat) -> State:
    """Return a copy of the record in which everything hidden from `seat` is blank.

    `NO_SEAT` is a spectator.

    Raises:
        ArgumentError: The game does not have that seat.
    """
    seat = checked_integer("seat", seat, NO_SEAT, int(state["players"]) - 1)
    views = np.zeros(1, STATE)
    views[0] = state
    redact_all(views, np.array([seat]))
    return views[0]


def determinized(state: State, seat: Seat, rng: np.random.Generator) -> State:
    """Return a full record drawn uniformly from those that look the same to `seat`.

    The result depends only on that seat's view and on `rng`, which also determines the future
    randomness. Records look the same if their public bytes are equal. If another seat is to decide,
    its resampled hand may therefore leave it no choice.

    Raises:
        ArgumentError: The game does not have that seat.
    """
    seat = checked_integer("seat", seat, 0, int(state["players"]) - 1)
    states = np.zeros(1, STATE)
    states[0] = state
    seeds = rng.integers(1, 1 << 64, size=1, dtype=np.uint64)
    determinize_all(states, np.array([seat]), seeds)
    return states[0]


# --- For Python ---------------------------------------------------------------------------------


def as_seen(state: State, by: Seat | str | None) -> State:
    """Return the record as an observer sees it, with every hidden field blank.

    Args:
        state: A full record; not changed.
        by: A seat; None for public information only; `EVERYTHING` for the record itself.

    Raises:
        ArgumentError: `by` has another value.
    """
    if by is None:
        return view_of(state, NO_SEAT)
    if isinstance(by, str) and by == EVERYTHING:
        return state
    players = int(state["players"])
    seat = integer_of(by)
    if seat is None or not 0 <= seat < players:
        raise ArgumentError(
            f"by must be a seat from 0 to {players - 1}, None or {EVERYTHING!r}, not {shown(by)}"
        )
    return view_of(state, seat)


def decider(state: State) -> Seat:
    """Return the seat that decides, `NO_SEAT` if the game is over."""
    if state["status"] != RUNNING:
        return NO_SEAT
    return int(plain(deciding_seat)(state))
