"""A record from elsewhere is refused in one sentence, or it is a game that plays to its end."""

import csv
import json
import re
import struct
import subprocess
import sys
import zlib
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from helpers import play, using
from impulse_env.batch import NOBODY, GameBatch
from impulse_env.engine.cards import COLOR_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import BASIC_TECH, NO_CARD, NO_SEAT, Op
from impulse_env.engine.state import COLORS, DONE, HIGH, LEFT, OP, STATE, A, B
from impulse_env.errors import GameBytesError, PositionError
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.testing.checked_play import play_checked
from impulse_env.testing.edit_trials import VARIETY
from impulse_env.testing.random_play import random_choice
from impulse_env.validation import fault_in

TRY = """
import json, sys
from dataclasses import asdict
from impulse_env.testing.edit_trials import records_by_kind, try_edits
edits, games, decisions, turns, seed = json.loads(sys.argv[1])
print(json.dumps(asdict(try_edits(records_by_kind(games, decisions, seed, turns), edits, seed))))
"""


with (Path(__file__).parent / "invalid_records.csv").open(encoding="utf-8") as file:
    INVALID = list(csv.DictReader(file))
"""Changes of one number in a record, each with the end of the sentence that refuses it."""


def tried(edits, games, decisions, turns, seed, seconds):
    """What became of edited records, in a process that may crash or hang without this one."""
    given = json.dumps([edits, games, decisions, turns, seed])
    run = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", TRY, given],
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def after(decisions, seed=0, **options):
    """A game some random decisions later."""
    game = Game(seed=seed, **options)
    choose = random_choice(seed)
    for _ in range(decisions):
        game.step(choose(game))
    return game


def at(kind, where=lambda game: True, **options):
    """A game at the first decision of that kind for which `where` holds."""
    for seed in range(50):
        game = Game(seed=seed, **options)
        choose = random_choice(seed)
        while not game.is_over:
            if game.decision.kind == kind and where(game):
                return game
            game.step(choose(game))
        if kind == "over":
            return game
    raise AssertionError(f"no {kind} came up")


@cache
def first(kind, players, where):
    """The first such game in which a condition such as ``laid_count[1] > 0`` holds; read-only."""
    options = {"races": "draft"} if players == 6 else {}
    if not where:
        return at(kind, players=players, **options)
    field, index, least = re.fullmatch(r"(\w+?)(?:\[(\d)\])? > (\d)", where).groups()
    place = () if index is None else int(index)
    return at(kind, lambda game: game.state[field][place] > int(least), players=players, **options)


def bytes_with(game, field, value, index=()):
    """The bytes of a game with one element changed and a checksum that agrees."""
    states = np.zeros(1, STATE)
    states[0] = game.state
    states[field][(0, *index)] = value
    return bytes_of(states)


def bytes_of(states):
    """The bytes of a game with a checksum that agrees, from its record, shape ``(1,)``."""
    payload = states.tobytes()
    return struct.pack("<7sBHI", b"IMPULSE", 1, len(payload), zlib.crc32(payload)) + payload


@pytest.mark.parametrize("row", INVALID, ids=lambda row: " ".join([*row.values()][:-1]))
def test_a_record_with_one_wrong_number_is_refused_in_one_sentence(row):
    game = first(row["kind"], int(row["players"]), row["where"])
    index = tuple(map(int, row["index"].split()))
    with pytest.raises(GameBytesError) as caught:
        Game.from_bytes(bytes_with(game, row["field"], int(row["value"]), index))
    assert str(caught.value) == f"these bytes are not a game: {row['sentence']}"


def executing():
    """A card of the deck is revealed, to be executed."""
    return play(using(82, deck=[15, 22, 30]), "use")


def revealing():
    """A card of the deck is revealed, to be traded."""
    return using(95, deck=[2, 5])


def building():
    """A ship at home is built, and one at 9 comes next."""
    return using(62, transports={8: 1, 9: 1}, face_up={9: 9})


def building_on():
    """A ship is built at 9."""
    return play(building(), "cell 8")


def bombing(hand=(5, 33, 92)):
    """Bombs fall when seat 1 has discarded for a new deck."""
    rival = {"transports": {9: 2}, "hand": [*hand]}
    made = using(24, transports={9: 1}, hand=[], rival=rival, deck=[], discard=[])
    return play(made, "cell 9")


@pytest.mark.parametrize(
    ("position", "field", "value", "said"),
    [
        (executing, LEFT, 2, "[2] must be 1, not 2"),
        (executing, COLORS, 1, "[3] must be 15, not 1"),
        (executing, A, 1, "[7] must be 5, not 1"),
        (executing, B, 1, "[8] must be 0, not 1"),
        (revealing, A, 0, "[7] must be 1, not 0"),
        (building, LEFT, 5, "[2] must be 1, not 5"),
        (building, B, 8, "[6] must be 9, not 0"),
        (building, DONE, 3, "[6] must be 0, not 3"),
        (building_on, B, 9, "[8] must be 7, not 9"),
        (building_on, B, 7, "[6] must be 0, not 9"),
        (building_on, DONE, 3, "[6] must be 9, not 3"),
        (bombing, LEFT, 100, "[2] must be from 1 to 32, not 100"),
        (bombing, B, 9, "[8] must be from 0 to 1, not 9"),
        (bombing, B, 0, "[8] cannot be 0"),
    ],
)
def test_the_frame_of_an_effect_has_what_the_effect_allows(position, field, value, said):
    states = np.array([position().state])
    assert fault_in(states[0]) is None
    states["stack"][0, 0, field] = value
    assert fault_in(states[0]) == f"stack[0]{said}: the current card and step allow nothing else"


def test_a_player_who_discards_for_a_new_deck_has_cards_for_it_and_there_is_no_deck():
    few = np.array([bombing().state])
    few["discard"][0, few["hand"][0, 1, 2]] += 1
    few["discard_count"], few["hand"][0, 1, 2], few["hand_count"][0, 1] = 1, NO_CARD, 2
    assert fault_in(few[0]).startswith("hand_count[1] must be from 3 to 11, not 2")
    full = np.array([bombing(hand=[2, 5, 33, 92]).state])
    full["deck_count"], full["deck"][0, 0] = 1, full["hand"][0, 1, 3]
    full["hand"][0, 1, 3], full["hand_count"][0, 1] = NO_CARD, 3
    assert fault_in(full[0]).startswith("deck_count must be 0, not 1")


def misfits(game, in_color, in_size):
    """The places in the deck of cards that do not fit the innermost frame in these ways alone."""
    frame = game.state["stack"][int(game.state["stack_count"]) - 1]
    return [
        index
        for index, card in enumerate(game.state["deck"][: int(game.state["deck_count"])])
        if (frame[COLORS] >> COLOR_BY_CARD[card] & 1 == 0) == in_color
        and (SIZE_BY_CARD[card] > frame[HIGH]) == in_size
    ]


@pytest.mark.parametrize(("in_color", "in_size"), [(True, False), (False, True)])
def test_a_revealed_card_that_its_effect_cannot_take_is_refused(in_color, in_size):
    game = at("keep_revealed", lambda game: misfits(game, in_color, in_size), players=3)
    states = np.zeros(1, STATE)
    states[0] = game.state
    (below, *_), slot = misfits(game, in_color, in_size), int(game.state["table_count"]) - 1
    other = int(states["deck"][0, below])
    states["deck"][0, below], states["table"][0, slot] = states["table"][0, slot], other
    with pytest.raises(
        GameBytesError, match=rf"table\[{slot}\] cannot be {other}: the cards on the"
    ):
        Game.from_bytes(bytes_of(states))


def test_a_game_is_over_in_an_effect_that_may_end_it_alone():
    for seed in range(100):
        game = Game(seed=seed, target_score=3)
        choose = random_choice(seed)
        while not game.is_over:
            game.step(choose(game))
        if game.state["stack_count"] == 1 and game.state["stack"][0, OP] == Op.TRADE_CARD:
            break
    assert Game.from_bytes(bytes_with(game, "stack", int(Op.TRADE_CARD), (0, OP))).is_over
    with pytest.raises(GameBytesError, match=r"stack\[0\]\[0\] cannot be 16: an effect lies"):
        Game.from_bytes(bytes_with(game, "stack", int(Op.PLAN_CARD), (0, OP)))


def test_a_card_too_many_is_named_by_its_number():
    game = at("use_tech")
    card, other = game.state["deck"][0], game.state["deck"][1]
    assert card != other
    with pytest.raises(GameBytesError, match=r"the number of cards \d+ must be \d, not \d"):
        Game.from_bytes(bytes_with(game, "deck", other, (0,)))


@pytest.mark.parametrize("field", [name for name in STATE.names if name != "rng"])
def test_every_field_is_refused_below_its_least_value(field):
    game = at("choose_ships", players=4, team_size=2)
    least = np.iinfo(STATE[field].base).min
    where = (0,) * len(STATE[field].shape)
    with pytest.raises(GameBytesError, match=re.escape(str(least))):
        Game.from_bytes(bytes_with(game, field, least, where))


def test_a_record_at_which_nobody_has_a_choice_is_refused():
    game = at("use_tech")
    states = np.zeros(1, STATE)
    states[0] = game.state
    states["phase"], states["cursor"] = Op.USE_IMPULSE, states["impulse_count"][0, 0]
    payload = states.tobytes()
    header = struct.pack("<7sBHI", b"IMPULSE", 1, len(payload), zlib.crc32(payload))
    with pytest.raises(GameBytesError, match="nobody has a choice there"):
        Game.from_bytes(header + payload)


@pytest.mark.parametrize("settings", VARIETY, ids=str)
def test_every_record_of_random_games_is_read_again(settings):
    rng = np.random.default_rng(3)
    batch = GameBatch(Options(**settings), range(6))
    for _ in range(60):
        for state, seat in zip(batch.states, batch.seats, strict=True):
            if seat != NOBODY:
                game = Game.from_state(state)
                assert Game.from_bytes(game.to_bytes()) == game
        for _ in range(4):
            batch.step((rng.random(batch.masks.shape) + batch.masks).argmax(1))


def test_a_finished_game_is_read_again():
    game = after(0, seed=1)
    choose = random_choice(1)
    while not game.is_over:
        game.step(choose(game))
    assert Game.from_bytes(game.to_bytes()) == game


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda deck, seat: {"discard": [deck.pop()]}, "discard_count must be 0, not 1"),
        (lambda deck, seat: {"impulse": [deck.pop()]}, "impulse_count[0] must be 0, not 1"),
        (lambda deck, seat: seat.update(score=1), "score[1] must be 0, not 1"),
        (lambda deck, seat: seat["hand"].append(deck.pop()), "hand_count[1] must be 5, not 6"),
        (
            lambda deck, seat: seat.update(known=seat["hand"][:1]),
            "known_count[1] must be 0, not 1",
        ),
        (lambda deck, seat: seat.update(plan=[deck.pop()]), "plan_count[1] must be 0, not 1"),
        (lambda deck, seat: seat.update(minerals=[deck.pop()]), "gems[1][0] must be 0, not 3"),
        (
            lambda deck, seat: seat.update(techs=["basic", deck.pop()]),
            "techs[1][1] must be -2, not 67",
        ),
        (
            lambda deck, seat: seat.update(transports={"9": 1}),
            "ships_on_map[1] must be 0, not 1",
        ),
    ],
)
def test_a_position_in_setup_in_which_something_has_happened_is_refused(change, sentence):
    position = Game(3, seed=0).to_position()
    position |= change(position["deck"], position["seats"][1]) or {}
    with pytest.raises(PositionError) as caught:
        Game.from_position(position)
    assert str(caught.value) == (
        f"no game can be in this position: {sentence}: in setup nothing has happened yet"
    )


def without(*seats):
    """The record of a game of three in which these seats are out; shape ``(1,)``."""
    states = np.array([after(40, players=3).state])
    for seat in seats:
        assert states["plan_count"][0, seat] == 0
        assert states["gems"][0, seat].sum() == 0
        hand = states["hand"][0, seat, : states["hand_count"][0, seat]]
        techs = states["techs"][0, seat]
        cards = [*hand, *techs[techs != BASIC_TECH]]
        np.add.at(states["discard"][0], cards, 1)
        states["discard_count"] += len(cards)
        states["techs"][0, seat] = BASIC_TECH
        for zone in ("hand", "known"):
            states[zone][0, seat] = NO_CARD
            states[f"{zone}_count"][0, seat] = 0
        gates = states["gate_owner"][0] == seat
        states["gate_ships"][0, gates], states["gate_owner"][0, gates] = 0, NO_SEAT
        states["transports"][0, seat], states["ships_on_map"][0, seat] = 0, 0
        states["eliminated"][0, seat] = 1
    return states


def drawn(states):
    """Take the top card of the deck."""
    states["deck_count"] -= 1
    top = int(states["deck_count"][0])
    card = int(states["deck"][0, top])
    states["deck"][0, top] = NO_CARD
    return card


def give(states, zone, seat):
    """Move the top card of the deck to a zone of a seat."""
    card = drawn(states)
    if zone == "minerals":
        states["minerals"][0, seat, card] += 1
        states["gems"][0, seat, COLOR_BY_CARD[card]] += SIZE_BY_CARD[card]
    else:
        states[zone][0, seat, 0] = card
        if zone != "techs":
            states[f"{zone}_count"][0, seat] += 1


@pytest.mark.parametrize(
    ("zone", "seat", "field"),
    [
        ("hand", 2, "hand_count[2] must be 0, not 1"),
        ("plan", 2, "plan_count[2] must be 0, not 1"),
        ("techs", 2, "techs[2][0] must be -2, not "),
        ("techs", 3, "techs[3][0] must be -2, not "),
        ("minerals", 2, "minerals[2]["),
        ("minerals", 3, "minerals[3]["),
    ],
)
def test_a_seat_that_is_out_or_not_in_the_game_has_no_cards(zone, seat, field):
    states = without(2)
    assert fault_in(states[0]) is None
    give(states, zone, seat)
    assert re.fullmatch(rf"{re.escape(field)}.*: it agrees with the seats.*", fault_in(states[0]))


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [((0, 2), "status cannot be 0"), ((1,), "active cannot be 1")],
    ids=["one seat is left", "the active seat is out"],
)
def test_a_game_goes_on_while_two_seats_are_in_it_and_the_active_one_is_among_them(seats, sentence):
    assert fault_in(without(*seats)[0]) == f"{sentence}: it agrees with the status of the game"


def test_a_view_has_a_fault():
    assert fault_in(after(40).view(0).state) == "rng cannot be 0"


@pytest.mark.slow  # its kernel takes a minute to compile
def test_twenty_thousand_edited_records_are_refused_or_play_to_their_end():
    found = tried(20_000, games=2, decisions=150, turns=8, seed=5, seconds=600)
    assert found["failures"] == []
    assert found["refused"] > 15_000
    assert found["played"] > 1_000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_million_edited_records_are_refused_or_play_to_their_end(seed):
    found = tried(250_000, games=12, decisions=900, turns=40, seed=seed, seconds=7200)
    assert found["failures"] == []
    assert found["edits"] == 250_000
    assert found["played"] > 10_000


def test_a_record_that_goes_wrong_stops_its_game_with_a_fault():
    states = Options(3).new_states([1, 2])
    randomness = np.array([5, 6], np.uint64)
    play_checked(states, randomness, 30)
    states["gems"][1, 2, 3] += 1
    decisions, faults = play_checked(states, randomness, 100_000)
    assert decisions[0] > 0
    assert states["status"][0] > 0
    assert decisions[1] == 0
    assert faults[0, 0] == -1
    assert faults[1, 0] >= 0
