"""The expected observation of a record, in plain code, and all changes that it must show.

It is written for readability and independently of the encoder, which tests compare with it.
"""

import numpy as np

from fuzzed import FRAMES, values
from impulse_env import observation
from impulse_env.engine.action_space import CELL_0, GATE_0
from impulse_env.engine.cards import COLOR_BY_CARD, COPIES_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import CELLS, FACES, GATES, NO_CARD, Op
from impulse_env.engine.sector_map import HOMES
from impulse_env.engine.state import CARD, COLORS, DONE, HIGH, LEFT, LOW, OP, A, B
from impulse_env.frame import own_frame

EACH = 1
"""The kind of a Build that continues to further cells."""

# --- What every section must hold -------------------------------------------------------------


def coded(card):
    """A card as the vector has it."""
    return {-3: 81, -4: 82, -5: 83}.get(int(card), int(card) + 1)


def slots(cards, length):
    """The codes of an ordered zone's first cards, 0 past its end."""
    return ([int(card) + 1 for card in cards] + [0] * length)[:length]


def faces(cards):
    return np.bincount([int(card) for card in cards], minlength=FACES)


def expected(state, seat):
    """Return the expected value of every section, in readable code instead of fast code."""
    players, teams = int(state["players"]), int(state["teams"])
    frame = own_frame(players)[seat]
    own_cell = frame[CELL_0 : CELL_0 + CELLS] - CELL_0
    own_gate = frame[GATE_0 : GATE_0 + GATES] - GATE_0
    clockwise = [(seat + k) % players for k in range(players)]
    active = int(state["active"])
    running = state["status"] == 0
    depth = int(state["stack_count"])
    stack = state["stack"][:depth][::-1].astype(int)
    op = stack[0][OP] if depth else int(state["phase"])
    decides = running and op < Op.SCORE_CORE
    table = state["table"][: state["table_count"]][::-1]
    in_battle = state["battle_gate"] >= 0

    def relative(who):
        return 0 if who < 0 else clockwise.index(who) + 1

    def place(where):
        if where < 0:
            return 0
        return 1 + (own_cell[where] if where < CELLS else CELLS + own_gate[where - CELLS])

    def turned(by_cell):
        out = np.zeros(CELLS, int)
        out[own_cell] = by_cell
        return out

    def gates_of(who):
        out = np.zeros(GATES, int)
        out[own_gate] = np.where(state["gate_owner"] == who, state["gate_ships"], 0)
        return out

    def plan(who):
        return state["plan"][who, : state["plan_count"][who]]

    def next_plan(who):
        first = int(state["plan_count"][who])
        return state["plan"][who, first : first + state["next_plan_count"][who]]

    laid = [state["laid"][k, : state["laid_count"][k]] for k in (0, 1)]
    own_laid = [cards for k, cards in enumerate(laid) if state["battle_seat"][k] == seat]
    known = [state["known"][who, : state["known_count"][who]] for who in range(players)]
    own_hand = state["hand"][seat, : state["hand_count"][seat]]
    impulses = state["impulse"][: teams if teams < players else 1]

    def fighting(who):
        """Colours and sizes of the cards that a seat's reinforcements may match."""
        row = impulses[who % len(impulses)]
        lying = [*row[row >= 0], *plan(who), *next_plan(who), *state["techs"][who]]
        return {(COLOR_BY_CARD[card], SIZE_BY_CARD[card]) for card in lying if card >= 0}

    def fights(card, who):
        return card >= 0 and (COLOR_BY_CARD[card], SIZE_BY_CARD[card]) in fighting(who)

    visible = [own_hand, table, *own_laid, state["cell_card"][state["cell_face_up"] == 1]]
    visible += [state["techs"].ravel(), impulses.ravel(), *(plan(w) for w in range(players))]
    visible += [next_plan(who) for who in range(players)]
    visible += [cards for who, cards in enumerate(known) if who != seat]
    lying = np.concatenate(visible)
    unseen = COPIES_BY_CARD - faces(lying[lying >= 0]) - state["discard"]
    unseen = unseen - state["minerals"].sum(0)

    offered, boost = 0, 0
    if decides:
        offered, boost = offer(state, op, stack, table)
    own_team = seat % len(impulses)
    most_impulses = {4: 2, 6: 3}.get(players, 1)
    rows = [impulses[(own_team + k) % len(impulses)] for k in range(len(impulses))]
    rows += [[]] * (most_impulses - len(rows))
    phases = [*range(Op.DRAFT_RACE, Op.CHOOSE_FLEET), Op.SCORE_CORE, Op.DRAW_CARDS, Op.END_TURN]
    fleets, legs = int(state["fleet_count"]), int(state["path_count"])
    frames = [frame_features(frame, place, relative) for frame in stack[:2]]
    frames += [frame_features(np.zeros(9, int), place, relative)] * (2 - len(frames))
    return {
        "own_hand": faces(own_hand),
        "unseen": unseen,
        "discard": state["discard"],
        "deck_size": state["deck_count"],
        "table_size": len(table),
        "table": slots(table, 8),
        "impulse": [slots(row, 4) for row in rows],
        "cell_card": turned(
            [
                84 if cell == 9 else 0 if card == NO_CARD else card + 1 if is_up else 81
                for cell, (card, is_up) in enumerate(
                    zip(state["cell_card"].astype(int), state["cell_face_up"], strict=True)
                )
            ]
        ),
        "transports": [turned(state["transports"][who]) for who in clockwise],
        "cruisers": [gates_of(who) for who in clockwise],
        "seat_race": [state["race"][who] + 1 for who in clockwise],
        "home": [place(int(HOMES[players, who])) for who in clockwise],
        "ally": [(who - seat) % teams == 0 for who in clockwise],
        "eliminated": [state["eliminated"][who] for who in clockwise],
        "score": [min(100, state["score"][who]) for who in clockwise],
        "points_needed": [max(0, state["target_score"] - state["score"][who]) for who in clockwise],
        "ships_left": [state["ships"] - state["ships_on_map"][who] for who in clockwise],
        "hand_size": [state["hand_count"][who] for who in clockwise],
        "known": [slots(known[who], 11) for who in clockwise],
        "tech": [
            [82 + k if card == -2 else card + 1 for k, card in enumerate(state["techs"][who])]
            for who in clockwise
        ],
        "plan_size": [len(plan(who)) for who in clockwise],
        "plan": [slots(plan(who), 12) for who in clockwise],
        "next_plan_size": len(next_plan(active)),
        "next_plan": slots(next_plan(active), 12),
        "gems": state["gems"][clockwise],
        "minerals": state["minerals"][clockwise],
        "status": state["status"],
        "winner": [state["winner"] >= 0 and who % teams == state["winner"] for who in clockwise],
        "option": [state[name] for name in observation.layout.OPTIONS],
        "start": relative(state["start_seat"]),
        "turn": min(255, state["turn"]),
        "turns_left": min(255, state["max_turns"] - state["turn"]),
        "active": [who == active for who in clockwise],
        "phase": [state["phase"] == phase for phase in phases],
        "cursor": state["cursor"],
        "activations_left": state["max_activations"] - state["activations"],
        "decider": [decides and who == decider(state, op, stack) for who in clockwise],
        "decision": [decides and op == kind for kind in range(1, Op.SCORE_CORE)],
        "offered": offered,
        "offered_boost": boost,
        "depth": depth,
        **{f"frame_{name}": [f[name] for f in frames] for name in frames[0]},
        "waiting": ([coded(frame[CARD]) for frame in stack[2:]] + [0] * 4)[:4],
        "build_to_come": turned(build_to_come(state, stack)),
        "fleet_from": [place(int(p)) for p in state["fleet_from"]],
        "fleet_ships": [*state["fleet_ships"][:fleets], *[0] * (12 - fleets)],
        "path": [place(int(p)) for p in state["path"][:legs]] + [0] * (36 - legs),
        "battle_gate": place(CELLS + int(state["battle_gate"])) if in_battle else 0,
        "battle_seat": [relative(who) for who in state["battle_seat"]],
        "battle_ships": state["battle_ships"],
        "battle_icons": state["battle_icons"],
        "laid_size": state["laid_count"],
        "own_laid": slots(own_laid[0] if own_laid else [], 11),
        "matched": [
            [[(color, size) in fighting(who) for size in (1, 2, 3)] for color in range(4)]
            for who in clockwise
        ],
        "matching": faces([card for card in own_hand if fights(card, seat)]),
        "matching_icons": [
            sum(int(SIZE_BY_CARD[card]) for card in cards if fights(card, seat))
            for cards in (own_hand, own_laid[0] if own_laid and in_battle else [])
        ],
    }


def decider(state, op, stack):
    if op == Op.REINFORCE:
        return state["battle_seat"][stack[0][A]]
    return stack[0][A] if op == Op.DISCARD_FOR_DECK else state["active"]


def offer(state, op, stack, table):
    """Code and boost of the card that a decision is about."""
    seat, cursor = int(state["active"]), int(state["cursor"])
    card, arrived = NO_CARD, 0
    if op == Op.USE_IMPULSE:
        row = seat % int(state["teams"]) if state["teams"] < state["players"] else 0
        card = state["impulse"][row, cursor]
    elif op == Op.USE_PLAN_CARD:
        card = state["plan"][seat, cursor]
    elif op in (Op.KEEP_REVEALED, Op.USE_EXECUTED, Op.RESEARCH_SLOT):
        card = table[0]
    elif op == Op.USE_RESEARCHED:
        card = stack[0][CARD]
    elif op == Op.CHOOSE_COPY:
        card = stack[0][A]
    elif op == Op.ACTIVATE:
        card, arrived = state["cell_card"][stack[0][A]], stack[0][B]
        if stack[0][A] == 9:
            return 84, 0
        if not state["cell_face_up"][stack[0][A]]:  # only in a record made by hand
            return 0, 0
    if card < 0:
        return coded(card), 0
    return int(card) + 1, (int(state["gems"][seat, COLOR_BY_CARD[card]]) + arrived) // 2


def frame_features(frame, place, relative):
    """Return the expected entries of one frame."""
    op, a, b = int(frame[OP]), int(frame[A]), int(frame[B])
    is_command = op in (Op.CHOOSE_FLEET, Op.CHOOSE_SHIPS, Op.CHOOSE_MOVE, Op.MOVE, Op.FIGHT)
    is_build = op in (Op.BUILD_LOCATION, Op.BUILD_SHIP)
    is_battle = op in (Op.REINFORCE, Op.BATTLE_DRAW)
    is_reveal = op in (Op.REVEAL, Op.REVEAL_NEXT, Op.KEEP_REVEALED)
    has_place = (Op.EXPLORE, Op.PLACE_EXPLORED, Op.ACTIVATE, Op.SABOTAGE_OWNER, Op.BOMB)
    discards = op in (Op.DISCARD_FOR_DECK, Op.NEXT_TO_DISCARD)
    in_a = (Op.PLAN_CARD, Op.RESEARCH_CARD, Op.RESEARCH_SLOT, Op.USE_RESEARCHED, Op.EXECUTE)
    in_b = (Op.ACTIVATE, Op.RESEARCH_SLOT, Op.USE_RESEARCHED)
    counts_cells = op == Op.BUILD_SHIP and frame[HIGH] == EACH
    types = a if is_command or is_build or op == Op.SABOTAGE_FLEET else 0
    colors = 0 if is_command else int(frame[COLORS])
    where = a if op in has_place else b if op == Op.BUILD_SHIP else -1
    return {
        "op": op,
        "card": coded(frame[CARD]) if op else 0,
        "left": frame[LEFT],
        "done": 0 if counts_cells else frame[DONE],
        "low": frame[LOW],
        "high": 0 if is_build else frame[HIGH],
        "color": [colors >> k & 1 for k in range(4)],
        "ship_type": [types & 1, types >> 1],
        "chain": [b & 1, b >> 1] if op == Op.EXECUTE else [0, 0],
        "place": place(where),
        "seat": relative(a if discards else b if op == Op.BOMB else -1),
        "purpose": a + 1 if is_reveal else 0,
        "mode": b
        if is_command or is_reveal or op == Op.REFINE_CARD
        else a
        if is_battle or op in in_a
        else frame[HIGH]
        if is_build
        else 0,
        "number": frame[COLORS]
        if is_command
        else a
        if op == Op.REFINE_CARD
        else b
        if is_battle or op in in_b
        else 0,
    }


def build_to_come(state, stack):
    """Return, by absolute cell, the remaining locations of a Build of several locations."""
    out = np.zeros(CELLS, int)
    if len(stack) and stack[0][OP] == Op.BUILD_SHIP and stack[0][HIGH] == EACH:
        seat = int(state["active"])
        for cell in range(stack[0][DONE], CELLS):
            if state["transports"][seat, cell] and state["cell_face_up"][cell]:
                card = int(state["cell_card"][cell])
                fits = card >= 0 and stack[0][COLORS] >> COLOR_BY_CARD[card] & 1
                out[cell] = fits and cell != HOMES[int(state["players"]), seat]
    return out


# --- What must not go unseen ------------------------------------------------------------------

UNSEEN_FIELDS = {
    "rng": "hidden",
    "players": "the length of the vector",
    "points": "how the score came about",
    "hand": "hidden, but the own one",
    "deck": "hidden",
    # Each is the length of what is seen, and changes with it.
    "discard_count": "derived",
    "impulse_count": "derived",
    "known_count": "derived",
    "fleet_count": "derived",
    "path_count": "derived",
    "stack_count": "derived",
}
"""Fields of the record that are not to be changed alone, and why."""


def changes(state, seat):
    """Yield (what, field, index, new value): every single change that this seat would notice."""
    players, teams = int(state["players"]), int(state["teams"])
    in_battle = state["battle_gate"] >= 0

    def step(field, low, high, where=None):
        """One more, or one less at the upper limit, in those places."""
        for index in np.ndindex(state[field].shape) if where is None else where:
            value = int(state[field][index])
            if low <= value <= high:
                yield field, index, value + 1 if value < high else value - 1

    def other(field, below, where, start=0):
        """The next of so many values."""
        for index in where:
            value = int(state[field][index])
            yield field, index, start + (value + 1 - start) % below

    def row(length):
        return [(k,) for k in range(int(length))]

    def rows(counts, most=99):
        return [(who, k) for who in range(players) for k in range(min(int(counts[who]), most))]

    def per_seat(*axes):
        return [(who, *rest) for who in range(players) for rest in np.ndindex(*axes)]

    yield from step("target_score", 1, 100)
    yield from step("hand_limit", 6, 10)
    if state["ships_on_map"].max() < state["ships"]:
        yield "ships", (), int(state["ships"]) - 1
    yield from step("max_activations", 32, 32)
    for field in ("auto_forced", "draft"):
        yield from other(field, 2, [()])
    if players == 4:
        yield "teams", (), 2 if teams == 4 else 4
    if players == 6:
        yield "teams", (), 3 if teams == 2 else 2
    yield "max_turns", (), int(state["turn"]) + 7
    if int(state["turn"]) < 255:
        yield from step("turn", 0, 254)
    for field in ("start_seat", "active"):
        yield from other(field, players, [()])
    yield from other("status", 4, [()])
    yield "winner", (), (int(state["winner"]) + 2) % (teams + 1) - 1
    yield "phase", (), Op.ADD_IMPULSE if state["phase"] != Op.ADD_IMPULSE else Op.USE_TECH
    yield from step("cursor", 0, 3)
    yield from step("activations", 0, int(state["max_activations"]))
    yield from other("cell_face_up", 2, [(c,) for c in range(CELLS) if state["cell_card"][c] >= 0])
    face_up = np.flatnonzero((state["cell_face_up"] == 1) & (state["cell_card"] >= 0))
    yield from other("cell_card", FACES, [(int(cell),) for cell in face_up])
    yield from step("transports", 0, 12, per_seat(CELLS))
    held = [(int(g),) for g in np.flatnonzero(state["gate_ships"])]
    yield from other("gate_owner", players, held)
    yield from step("gate_ships", 1, 12, held)
    yield from step("deck_count", 0, 90)
    yield from step("discard", 0, 5)
    for team in range(teams if teams < players else 1):
        where = [(team, k) for k in range(int(state["impulse_count"][team]))]
        yield from other("impulse", FACES, where)
    first = max(0, int(state["table_count"]) - 8)
    yield from other("table", FACES, row(state["table_count"])[first:])
    if state["table_count"] == 0:
        yield "table_count", (), 1
    yield from other("race", 6, per_seat())
    yield from step("score", 0, 99, per_seat())
    yield from other("eliminated", 2, per_seat())
    yield from step("ships_on_map", 0, int(state["ships"]), per_seat())
    yield from step("hand_count", 0, 11, [(w,) for w in range(players) if w != seat])
    yield from other("hand", FACES, [(seat, k) for k in range(int(state["hand_count"][seat]))])
    yield from other("known", FACES, rows(state["known_count"]))
    yield from other("plan", FACES, rows(state["plan_count"], 12))
    active, planned = int(state["active"]), int(state["plan_count"][int(state["active"])])
    grown = min(12, int(state["next_plan_count"][active]))
    yield from other("plan", FACES, [(active, planned + k) for k in range(grown)])
    yield from step("plan_count", 1, 90, per_seat())
    yield from step("next_plan_count", 1, 90, [(active,)])
    yield from step("minerals", 0, 5, per_seat(FACES))
    yield from step("gems", 0, 46, per_seat(4))
    yield from other("techs", FACES, per_seat(2))
    fleets = row(state["fleet_count"])
    yield from other("fleet_from", CELLS + GATES, fleets)
    yield from step("fleet_ships", 0, 12, fleets)
    yield from other("path", CELLS + GATES, row(state["path_count"]))
    yield "battle_gate", (), (int(state["battle_gate"]) + 1) % GATES
    if in_battle:
        yield from other("battle_seat", players, row(2))
        yield from step("battle_ships", 0, 12)
        yield from step("battle_icons", 0, 69)
        yield from step(
            "laid_count", 0, 11, [(k,) for k in (0, 1) if state["battle_seat"][k] != seat]
        )
        yield from other(
            "laid",
            FACES,
            [
                (k, slot)
                for k in (0, 1)
                if state["battle_seat"][k] == seat
                for slot in range(int(state["laid_count"][k]))
            ],
        )
    yield from frame_changes(state)


def frame_changes(state):
    """Changes of the two top frames, and of the cards of the four below them."""
    players, depth = int(state["players"]), int(state["stack_count"])
    for below in range(min(depth, 6)):
        index = depth - 1 - below
        card = int(state["stack"][index, CARD])
        if card != NO_CARD:
            yield "stack", (index, CARD), (card + 1) % FACES if card >= 0 else NO_CARD
        op = Op(int(state["stack"][index, OP]))
        if below >= 2 or op not in FRAMES:
            continue
        for field, meaning in FRAMES[op].items():
            allowed = values(meaning, players)
            value = int(state["stack"][index, field])
            if field == DONE and state["stack"][index, HIGH] == EACH and op == Op.BUILD_SHIP:
                continue  # a cell; see `test_the_cells_where_a_build_continues`
            if value in allowed and len(allowed) > 1:
                new = allowed[(allowed.index(value) + 1) % len(allowed)]
                yield "stack", (index, field), new
