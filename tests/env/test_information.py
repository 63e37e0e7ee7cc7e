"""Views hide what a seat may not know and nothing else; determinizations fill it in uniformly."""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

from fuzzed import NAMES, SETTINGS, decisions, hidden, moments, same, scrambled
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.engine.cards import COPIES_BY_CARD
from impulse_env.engine.constants import CORE, FACES, HIDDEN, NO_CARD, NO_SEAT, Op
from impulse_env.engine.state import STATE
from impulse_env.game import Game
from impulse_env.information import (
    determinize_all,
    determinized,
    redact_all,
    redraw_all,
    view_of,
)
from impulse_env.observation import observe_all, section
from impulse_env.options import Options
from printed import cards_by_face

ALL = pytest.mark.parametrize("number", range(len(SETTINGS)), ids=NAMES)


def views(records, seat):
    made = records.copy()
    redact_all(made, np.full(len(records), seat))
    return made


def drawn(records, seat, rng):
    made = records.copy()
    seeds = rng.integers(1, 1 << 64, size=len(records), dtype=np.uint64)
    determinize_all(made, np.full(len(records), seat), seeds)
    return made


def critical(degrees):
    """The chi-square value that chance exceeds once in 10,000 times (Wilson and Hilferty)."""
    part = 2 / (9 * degrees)
    return degrees * (1 - part + 3.719 * part**0.5) ** 3


def chi_square(observed, expected):
    """Distance of the counts of outcomes from their probabilities, and its degrees of freedom."""
    total = sum(observed.values())
    assert set(observed) <= set(expected), "only what is possible comes up"
    distance = sum((observed[o] - total * p) ** 2 / (total * p) for o, p in expected.items())
    return distance, len(expected) - 1


# --- Views ------------------------------------------------------------------------------------


@ALL
def test_what_is_hidden_from_a_seat_does_not_change_its_view(number):
    records = np.concatenate([decisions(number), moments(number)])
    rng = np.random.default_rng(number)
    for seat in (NO_SEAT, *range(SETTINGS[number]["players"])):
        other = scrambled(records, seat, rng)
        assert not same(other, records)
        assert same(views(other, seat), views(records, seat))


@ALL
def test_a_view_hides_exactly_what_the_seat_may_not_know(number):
    records = np.concatenate([decisions(number), moments(number)])
    for seat in range(SETTINGS[number]["players"]):
        seen = views(records, seat)
        blanks = hidden(records, seat)
        for field in STATE.names:
            if field in blanks:
                blank = 0 if field == "rng" else HIDDEN
                assert blanks[field].any()
                assert (seen[field][blanks[field]] == blank).all(), field
                assert (seen[field] == records[field])[~blanks[field]].all(), field
            else:
                assert (seen[field] == records[field]).all(), field


@ALL
def test_the_view_of_a_view_is_the_view(number):
    records = moments(number)
    for seat in range(SETTINGS[number]["players"]):
        assert same(views(views(records, seat), seat), views(records, seat))


def test_a_view_shows_the_own_hand_and_the_face_up_cards_alone():
    game = Game(3, seed=4)
    seen = view_of(game.state, 1)
    assert seen["rng"] == 0
    assert (seen["hand"][1] == game.state["hand"][1]).all()
    for other in (0, 2):
        count = game.state["hand_count"][other]
        assert count >= 5
        assert (seen["hand"][other, :count] == HIDDEN).all()
        assert (seen["hand"][other, count:] == NO_CARD).all()
    assert (seen["deck"][: seen["deck_count"]] == HIDDEN).all()
    face_down = (seen["cell_face_up"] == 0) & (game.state["cell_card"] != NO_CARD)
    assert face_down.sum() >= 15
    assert ((seen["cell_card"] == HIDDEN) == face_down).all()
    assert seen["cell_card"][CORE] == NO_CARD


def test_a_view_is_a_copy():
    game = Game(2, seed=1)
    before = game.to_bytes()
    view_of(game.state, 0)
    determinized(game.state, 0, np.random.default_rng(0))
    assert game.to_bytes() == before


# --- Determinizations -------------------------------------------------------------------------


@ALL
def test_a_determinization_looks_the_same_and_holds_every_card_once(number):
    records = np.concatenate([decisions(number)[::4], moments(number)])
    rng = np.random.default_rng(number)
    slots = np.arange(records["hand"].shape[2])
    for seat in (NO_SEAT, *range(SETTINGS[number]["players"])):
        full = drawn(records, seat, rng)
        assert same(views(full, seat), views(records, seat))
        assert (cards_by_face(full) == COPIES_BY_CARD).all()
        assert (full["rng"] != 0).all()
        for cards, counts in (("hand", "hand_count"), ("laid", "laid_count")):
            beyond = slots >= full[counts][:, :, None]
            assert (full[cards][beyond] == NO_CARD).all()
            assert (np.diff(np.where(beyond, 99, full[cards]), axis=2) >= 0).all(), "ascending"


@ALL
def test_known_cards_are_in_the_hand_or_laid_from_it(number):
    records = np.concatenate([decisions(number), moments(number)])
    full = drawn(records, 0, np.random.default_rng(number))
    assert (full["known_count"] > 0).any()
    for state in full[full["known_count"][:, 1] > 0]:
        held = Counter(state["hand"][1][state["hand"][1] >= 0].tolist())
        for side in np.flatnonzero(state["battle_seat"] == 1):
            held += Counter(state["laid"][side][state["laid"][side] >= 0].tolist())
        known = Counter(state["known"][1, : state["known_count"][1]].tolist())
        assert known <= held


@ALL
def test_a_determinization_depends_on_the_view_alone(number):
    records = moments(number)
    for seat in range(SETTINGS[number]["players"]):
        other = scrambled(records, seat, np.random.default_rng(1))
        full = drawn(records, seat, np.random.default_rng(2))
        assert same(drawn(other, seat, np.random.default_rng(2)), full)
        assert same(drawn(views(records, seat), seat, np.random.default_rng(2)), full)
        assert not same(drawn(records, seat, np.random.default_rng(3)), full)


def test_one_game_and_many_are_drawn_alike():
    state = Game(4, seed=2).state
    one = determinized(state, 3, np.random.default_rng(5))
    many = np.zeros(3, STATE)
    many[:] = state
    assert drawn(many[:1], 3, np.random.default_rng(5)).tobytes() == one.tobytes()
    three = drawn(many, 3, np.random.default_rng(5))
    assert len({game.tobytes() for game in three}) == 3


def test_a_game_that_is_not_dealt_yet_keeps_its_look():
    fresh = Options(players=3, races="draft").new_states([1])
    full = drawn(fresh, 0, np.random.default_rng(0))
    assert (full["rng"] != fresh["rng"]).all()
    assert same(views(full, 0), views(fresh, 0))


def test_the_home_card_taken_at_setup_is_in_no_other_place():
    game = Game(2, seed=3, start_player=0)
    assert game.decision.kind == Op.PLACE_HOME.name.lower()
    for seat in (0, 1):
        full = determinized(game.state, seat, np.random.default_rng(seat))
        assert full["hand_count"].tolist()[:2] == [6, 5]
        assert (full["cell_card"] == NO_CARD).sum() == 2, "the Sector Core and that home"
        assert (cards_by_face(np.array([full], STATE)) == COPIES_BY_CARD).all()


def small_case(hand, laid, known, face_down, deck):
    """A record in which seat 1, in a battle, holds so many cards; all cards unnamed are discarded.

    `hand`, `laid` and `known` are of seat 1; the names are faces.
    """
    states = np.zeros(1, STATE)
    states[0] = Game(2, seed=0).state
    state = states[0]
    state["phase"] = Op.USE_IMPULSE
    state["hand"] = state["known"] = state["deck"] = state["cell_card"] = NO_CARD
    state["cell_face_up"] = 1
    state["hand_count"] = state["known_count"] = 0
    for field, count, cards in (
        (state["hand"][1], state["hand_count"][1:], hand),
        (state["known"][1], state["known_count"][1:], known),
        (state["laid"][0], state["laid_count"], laid),
        (state["deck"], states["deck_count"], deck),
    ):
        field[: len(cards)] = cards
        count[0] = len(cards)
    state["cell_card"][: len(face_down)] = face_down
    state["cell_face_up"][: len(face_down)] = 0
    state["battle_gate"] = 0
    state["battle_seat"] = (1, 0)
    held = Counter([*hand, *laid, *face_down, *deck])
    state["discard"] = [int(COPIES_BY_CARD[face]) - held[face] for face in range(FACES)]
    state["discard_count"] = state["discard"].sum()
    return states


A_FACE, B_FACE, C_FACE, D_FACE = (int(face) for face in np.flatnonzero(COPIES_BY_CARD >= 3)[:4])


@pytest.mark.parametrize(
    ("hand", "laid", "known", "face_down", "deck"),
    [
        ([A_FACE], [B_FACE], [], [C_FACE], [D_FACE]),
        ([A_FACE], [D_FACE], [D_FACE], [A_FACE], [B_FACE, C_FACE]),
        ([A_FACE, D_FACE], [B_FACE], [D_FACE], [], [A_FACE, D_FACE]),
        ([D_FACE], [A_FACE, D_FACE], [A_FACE, D_FACE], [B_FACE], [C_FACE]),
    ],
    ids=["nothing known", "one known", "a copy of the known one", "two laid"],
)
def test_every_way_to_place_the_unseen_cards_is_equally_likely(hand, laid, known, face_down, deck):
    unseen = Counter([*hand, *laid, *face_down, *deck]) - Counter(known)
    held = len(hand) + len(laid)
    ways = Counter()
    for order in permutations(unseen.elements()):
        cards = [*known, *order[: held - len(known)]]
        rest = order[held - len(known) :]
        for chosen in combinations(range(held), len(laid)):
            down = tuple(sorted(cards[slot] for slot in chosen))
            kept = tuple(sorted(cards[slot] for slot in range(held) if slot not in chosen))
            ways[down, kept, rest] += 1
    expected = {outcome: count / ways.total() for outcome, count in ways.items()}
    games = 20_000 if IS_COMPILED else 500
    records = np.repeat(small_case(hand, laid, known, face_down, deck), games)
    full = drawn(records, 0, np.random.default_rng(11))
    cells = full["cell_card"][:, : len(face_down)]
    piles = np.concatenate([cells, full["deck"][:, : len(deck)]], axis=1)
    observed = Counter(
        (tuple(down), tuple(kept), tuple(rest))
        for down, kept, rest in zip(
            full["laid"][:, 0, : len(laid)].tolist(),
            full["hand"][:, 1, : len(hand)].tolist(),
            piles.tolist(),
            strict=True,
        )
    )
    distance, degrees = chi_square(observed, expected)
    assert distance < critical(degrees)


def test_every_unseen_card_is_as_likely_in_every_place_of_a_whole_game():
    states = np.zeros(20_000 if IS_COMPILED else 1000, STATE)
    records = decisions(4)
    is_face_down = (records["cell_face_up"] == 0) & (records["cell_card"] >= 0)
    states[:] = records[is_face_down.any(1)][-1]
    seat = 2
    full = drawn(states, seat, np.random.default_rng(12))
    unseen = section(observe_all(states[:1], np.array([seat])), "unseen", 6)[0]
    expected = {face: unseen[face] / unseen.sum() for face in np.flatnonzero(unseen)}
    seen = views(states[:1], seat)[0]
    face_down = int(np.flatnonzero(seen["cell_card"] == HIDDEN)[0])
    for cards in (full["deck"][:, 0], full["cell_card"][:, face_down]):
        distance, degrees = chi_square(Counter(cards.tolist()), expected)
        assert distance < critical(degrees)
    assert len(np.unique(full["rng"])) == len(full)


# --- Redraws ----------------------------------------------------------------------------------


def redrawn(records, rng):
    made = records.copy()
    redraw_all(made, rng.integers(1, 1 << 64, size=len(records), dtype=np.uint64))
    return made


@ALL
def test_a_redraw_changes_what_nobody_has_seen_and_nothing_else(number):
    records = np.concatenate([decisions(number), moments(number)])
    records = records[records["phase"] != Op.START_GAME]
    other = redrawn(records, np.random.default_rng(number))
    assert not same(other, records)
    for seat in range(SETTINGS[number]["players"]):
        assert same(views(other, seat), views(records, seat)), "each seat sees what it saw"
    assert (cards_by_face(other) == cards_by_face(records)).all(), "no card comes or goes"
    assert same(redrawn(records, np.random.default_rng(number)), other), "it follows from the seed"


def test_every_unseen_card_is_as_likely_on_top_and_below_a_face_down_cell():
    record = decisions(0)[40:41]
    cell = int(np.flatnonzero((record["cell_face_up"][0] == 0) & (record["cell_card"][0] >= 0))[0])
    top = int(record["deck_count"][0]) - 1
    unseen = Counter(record["deck"][0, : top + 1].tolist())
    is_face_down = (record["cell_face_up"][0] == 0) & (record["cell_card"][0] >= 0)
    unseen.update(record["cell_card"][0, is_face_down].tolist())
    expected = {card: copies / unseen.total() for card, copies in unseen.items()}
    made = redrawn(np.repeat(record, 4000 if IS_COMPILED else 400), np.random.default_rng(5))
    for column in (made["deck"][:, top], made["cell_card"][:, cell]):
        distance, degrees = chi_square(Counter(column.tolist()), expected)
        assert distance < critical(degrees)
