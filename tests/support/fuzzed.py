"""Records of random games, at every decision, and of moments that random games hardly reach.

For tests of what a seat sees. `FRAMES` and `scrambled` say once more, apart from the package, what
the fields of a frame mean and what is hidden from whom.
"""

from functools import cache

import numpy as np

from impulse_env.batch import GameBatch
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.engine.constants import (
    CELLS,
    COMMON_TECH,
    FACES,
    GATES,
    HAND_SLOTS,
    NO_CARD,
    PLACES,
    RACE_TECH,
    WON_BY_SCORE,
    Op,
)
from impulse_env.engine.state import CARD, COLORS, DONE, HIGH, LEFT, LOW, OP, A, B
from impulse_env.options import Options
from impulse_env.testing.signature import SETTINGS

GAMES = 6 if IS_COMPILED else 1
MOST_DECISIONS = 500 if IS_COMPILED else 40
THIN = 1 if IS_COMPILED else 10
NAMES = ["-".join(f"{key}={value}" for key, value in s.items()) for s in SETTINGS]
"""Readable names of the settings, for test ids."""


@cache
def decisions(number):
    """Records at every decision of some random games of ``SETTINGS[number]``, and their ends."""
    options = Options(**SETTINGS[number])
    rng = np.random.default_rng(number)
    games = GameBatch(options, range(100 * number, 100 * number + GAMES))
    found = [games.states.copy()]
    for _ in range(MOST_DECISIONS):
        playing = np.flatnonzero(games.seats >= 0)
        if len(playing) == 0:
            break
        games.step((games.masks + rng.random(games.masks.shape)).argmax(1))
        found.append(games.states[playing])
    return np.concatenate(found)


# What the fields of a frame mean, by op; the numbers are how many values there are.
COMMAND = {LEFT: 9, COLORS: 2, LOW: 9, HIGH: 12, A: "types", B: 3}
FROM_HAND = {LEFT: 9, COLORS: 16, LOW: 4, HIGH: 9, DONE: 9}
REVEAL = {LEFT: 9, COLORS: 16, HIGH: 9, A: 6, B: 4}
BUILD = {LEFT: 9, LOW: 9, COLORS: 16, HIGH: 3, A: "types", B: CELLS, DONE: 9}
FRAMES = {
    Op.CHOOSE_FLEET: COMMAND,
    Op.CHOOSE_SHIPS: COMMAND,
    Op.CHOOSE_MOVE: COMMAND,
    Op.MOVE: COMMAND,
    Op.FIGHT: COMMAND,
    Op.EXPLORE: {A: "cell"},
    Op.PLACE_EXPLORED: {A: "cell"},
    Op.ACTIVATE: {A: "cell", B: 12},
    Op.REINFORCE: {A: 2, B: 9},
    Op.BATTLE_DRAW: {A: 2, B: 9, LEFT: 9},
    Op.TRADE_CARD: FROM_HAND,
    Op.MINE_CARD: FROM_HAND,
    Op.PLAN_CARD: {**FROM_HAND, A: 2},
    Op.RESEARCH_CARD: {**FROM_HAND, A: 2},
    Op.RESEARCH_PLANNED: {LEFT: 9, DONE: 9},
    Op.CHOOSE_COPY: {LEFT: 9, DONE: 9, A: FACES},
    Op.RESEARCH_SLOT: {A: 2},
    Op.USE_RESEARCHED: {A: 2, B: 2},
    Op.REVEAL: REVEAL,
    Op.REVEAL_NEXT: REVEAL,
    Op.KEEP_REVEALED: REVEAL,
    Op.REFINE_CARD: {LEFT: 9, COLORS: 16, DONE: 9, A: 9, B: 2},
    Op.EXECUTE: {HIGH: 9, A: 2, B: 4},
    Op.USE_EXECUTED: {},
    Op.EXECUTED: {},
    Op.BUILD_LOCATION: {**BUILD, B: 1, DONE: 1},
    Op.BUILD_SHIP: {**BUILD, B: "cell"},
    Op.SABOTAGE_FLEET: {LEFT: 9, A: "types"},
    Op.SABOTAGE_OWNER: {LEFT: 9, A: "place"},
    Op.BOMB: {LEFT: 9, A: "place", B: "seat"},
    Op.BASIC_DISCARD: {},
    Op.BASIC_MODE: {},
    Op.DISCARD_FOR_DECK: {A: "seat", LEFT: 7, DONE: 2},
    Op.NEXT_TO_DISCARD: {A: "seat", LEFT: 7},
}
"""Field of a frame to the number of its values, or to what it names."""
BELOW = (
    Op.MOVE,
    Op.FIGHT,
    Op.RESEARCH_CARD,
    Op.RESEARCH_PLANNED,
    Op.REVEAL,
    Op.REVEAL_NEXT,
    Op.BATTLE_DRAW,
    Op.BOMB,
    Op.EXECUTED,
)
"""The frames that may lie below another frame."""
NAMED = {"cell": (0, CELLS), "place": (0, PLACES), "types": (1, 4)}
"""Values of the fields that name something, from and below; seats depend on the game."""


def values(meaning, players):
    """The values that a field of a frame may have."""
    if meaning == "seat":
        return range(players)
    return range(*NAMED[meaning]) if meaning in NAMED else range(meaning)


def topmost(records):
    """The op that is next in each record: the top frame's or the phase."""
    top = records["stack"][np.arange(len(records)), np.maximum(records["stack_count"] - 1, 0), OP]
    return np.where(records["stack_count"] > 0, top, records["phase"])


def moments(number):
    """Some of `all_moments` where nothing is compiled, every setting others; else all of them."""
    return all_moments(number)[number % THIN :: THIN]


@cache
def all_moments(number):
    """A few records of every kind of decision that came up, and by hand all frames and ends."""
    rng = np.random.default_rng(number)
    records = decisions(number)
    kinds = np.where(records["status"] == 0, topmost(records), Op.OVER)
    picked = [rng.choice(np.flatnonzero(kinds == kind), 2) for kind in np.unique(kinds)]
    base = records[(records["status"] == 0) & (records["deck_count"] > 12)]
    base = base[base["battle_gate"] < 0]
    won = np.repeat(base[-1:], int(base["teams"][0]))
    won["status"] = WON_BY_SCORE
    won["winner"] = np.arange(len(won))
    return np.concatenate(
        [
            records[np.concatenate(picked)],
            won,
            *(by_hand(base[rng.integers(len(base))], op, rng) for op in FRAMES),
        ]
    )


def by_hand(record, op, rng):
    """A copy in the middle of a battle, with a frame of that op above one below and five more."""
    made = np.zeros(1, record.dtype)
    made[0] = record
    state = made[0]
    players = int(state["players"])
    state["stack"] = 0
    state["stack_count"] = 7
    for depth, frame in enumerate(state["stack"][:7]):
        frame[OP] = Op.EXECUTED if depth < 5 else rng.choice(BELOW) if depth == 5 else op
        frame[CARD] = rng.integers(FACES)
        for field, meaning in FRAMES[Op(int(frame[OP]))].items():
            frame[field] = rng.choice(values(meaning, players))
    if op not in (Op.CHOOSE_COPY, Op.USE_RESEARCHED, Op.USE_EXECUTED):
        state["stack"][5:7, CARD] = rng.choice([NO_CARD, COMMON_TECH, RACE_TECH], 2)
    active = int(state["active"])
    state["next_plan_count"] = 0  # what was there is planned now
    for seat in range(players):
        state["plan_count"][seat] = (state["plan"][seat] >= 0).sum()
    for number in range(12):  # cards of the deck: two to the Plan, two to the next one
        state["deck_count"] -= 1
        card = int(state["deck"][state["deck_count"]])
        state["deck"][state["deck_count"]] = NO_CARD
        if number < 4:
            slot = int(state["plan_count"][active] + state["next_plan_count"][active])
            state["plan"][active, slot] = card
            state["plan_count" if number < 2 else "next_plan_count"][active] += 1
        else:
            state["table"][state["table_count"]] = card
            state["table_count"] += 1
    state["known"] = NO_CARD
    state["known_count"] = np.minimum(state["hand_count"], 2)
    for seat, count in enumerate(state["known_count"]):
        state["known"][seat, :count] = state["hand"][seat, :count]
    state["battle_gate"] = rng.integers(GATES)
    state["battle_seat"] = rng.permutation(players)[:2]
    for side, seat in enumerate(state["battle_seat"]):  # all hand cards are laid
        state["battle_ships"][side], state["battle_icons"][side] = rng.integers(12, size=2)
        state["laid"][side] = state["hand"][seat]
        state["laid_count"][side] = state["hand_count"][seat]
        state["hand"][seat] = NO_CARD
        state["hand_count"][seat] = 0
    state["fleet_count"] = state["path_count"] = 3
    state["fleet_from"][:3] = rng.integers(PLACES, size=3)
    state["fleet_ships"][:3] = rng.integers(12, size=3)
    state["path"][:3] = rng.integers(PLACES, size=3)
    return made


def hidden(records, seat):
    """Return masks of the entries hidden from a seat, by field and with the field's shape."""
    slots = np.arange(HAND_SLOTS)
    is_other = np.arange(6)[:, None] != seat
    is_foreign = (records["battle_seat"] != seat)[:, :, None]
    return {
        "rng": np.ones(len(records), bool),
        "hand": (slots < records["hand_count"][:, :, None]) & is_other,
        "laid": (slots < records["laid_count"][:, :, None]) & is_foreign,
        "deck": np.arange(records["deck"].shape[1]) < records["deck_count"][:, None],
        "cell_card": (records["cell_face_up"] == 0) & (records["cell_card"] >= 0),
    }


def scrambled(records, seat, rng):
    """Copies in which everything hidden from that seat is something else at random."""
    made = records.copy()
    for field, is_hidden in hidden(records, seat).items():
        noise = rng.integers(0 if field != "rng" else 1, FACES, made[field].shape)
        made[field] = np.where(is_hidden, noise, made[field])
    return made


def same(left, right):
    """Whether two arrays of records agree in every field."""
    return all(np.array_equal(left[field], right[field]) for field in left.dtype.names)
