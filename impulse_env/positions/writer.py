"""Positions: a game at the start of a phase as a JSON-able dict.

Fields (all are optional)
    players, team_size  as in `Options`; players defaults to the number of `seats`, else 2
    config              options that differ from their defaults: target_score, hand_limit, ships,
                        max_turns, max_activations, auto_forced, races ("draft")
    seed                replaces the random state; it also shuffles the missing cards
    turn, active        player turns completed; the seat whose turn it is (in setup: who sets up)
    start_player        the seat that began (0)
    phase               "setup", "add_impulse" (default), "use_tech", "use_impulse", "use_plan"
    cursor              use_impulse: cards offered already; use_plan: the same once the Plan is in
                        use, missing or None while it is to be used or delayed
    activations         map activations in this turn (R5)
    face_up, face_down  {cell: card}; cells not named get cards of the rest, homes face-up
    deck                next card first; missing: the rest, shuffled
    discard             in any order; missing with a given deck: the rest
    impulse             oldest first; one list per team in team games
    seats               a dict each: race, score, points {source: n}, hand, known, plan, next_plan,
                        minerals, techs, transports {cell: n}, cruisers {gate: n}, eliminated. The
                        cards in `known` are those of the hand that everybody knows. There are two
                        techs, each "basic" or a card. Without transports and cruisers a seat has
                        its three ships of the setup.
Cards are printed numbers (any copy), cells 1-19, gates "a-b" with a < b.
"""

from typing import Any, Final

from impulse_env.actions import CELL_NAMES, GATE_NAMES
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.constants import (
    BASIC_TECH,
    CELLS,
    FACES,
    GATES,
    NO_CARD,
    NO_RACE,
    RUNNING,
    Op,
    PointSource,
    Seat,
    State,
)
from impulse_env.engine.rng import seed_of_state
from impulse_env.errors import PositionError
from impulse_env.options import RACE_NAMES, Options

PHASES: Final = {
    Op.DRAFT_RACE: "setup",
    Op.PLACE_HOME: "setup",
    Op.ADD_IMPULSE: "add_impulse",
    Op.USE_TECH: "use_tech",
    Op.USE_IMPULSE: "use_impulse",
    Op.USE_PLAN: "use_plan",
    Op.USE_PLAN_CARD: "use_plan",
}
CONFIG: Final = (
    "target_score",
    "hand_limit",
    "ships",
    "max_turns",
    "max_activations",
    "auto_forced",
)
SOURCES: Final = tuple(source.name.lower() for source in PointSource)


def _numbers(cards: Any) -> list[int]:
    return [NUMBER_BY_CARD[int(card)] for card in cards]


def _numbers_of_counts(counts: Any) -> list[int]:
    return [NUMBER_BY_CARD[card] for card in range(FACES) for _ in range(int(counts[card]))]


def to_position(state: State) -> dict[str, Any]:
    """Return the position of a full record; see `Game.to_position`."""
    if state["status"] != RUNNING or state["stack_count"] or state["phase"] not in PHASES:
        raise PositionError(
            "a position is written at the start of a phase, not inside an effect or after the end; "
            "to_bytes() works at any time"
        )
    if state["rng"] == 0:
        raise PositionError("a seat's view has no position: its hidden cards are blank")
    players = int(state["players"])
    teams = int(state["teams"])
    is_team_game = teams < players
    phase = Op(int(state["phase"]))
    impulses = [
        _numbers(state["impulse"][row, : state["impulse_count"][row]])
        for row in range(teams if is_team_game else 1)
    ]
    defaults = Options()
    config = {
        name: value
        for name in CONFIG
        if (value := type(getattr(defaults, name))(state[name])) != getattr(defaults, name)
    }
    if state["draft"]:
        config["races"] = "draft"
    position: dict[str, Any] = {
        "players": players,
        "team_size": players // teams if is_team_game else None,
        "config": config,
        "seed": seed_of_state(int(state["rng"])),
        "turn": int(state["turn"]),
        "active": int(state["active"]),
        "start_player": int(state["start_seat"]),
        "phase": PHASES[phase],
        "activations": int(state["activations"]),
    }
    if phase in (Op.USE_IMPULSE, Op.USE_PLAN_CARD):
        position["cursor"] = int(state["cursor"])
    for field, is_up in (("face_up", 1), ("face_down", 0)):
        position[field] = {
            CELL_NAMES[cell]: NUMBER_BY_CARD[int(state["cell_card"][cell])]
            for cell in range(CELLS)
            if state["cell_face_up"][cell] == is_up and state["cell_card"][cell] != NO_CARD
        }
    position["deck"] = _numbers(state["deck"][: state["deck_count"]][::-1])
    position["discard"] = _numbers_of_counts(state["discard"])
    position["impulse"] = impulses if is_team_game else impulses[0]
    position["seats"] = [_seat_to_dict(state, seat) for seat in range(players)]
    return position


def _seat_to_dict(state: State, seat: Seat) -> dict[str, Any]:
    planned = int(state["plan_count"][seat])
    grown = int(state["next_plan_count"][seat])
    race = int(state["race"][seat])
    return {
        "race": None if race == NO_RACE else RACE_NAMES[race],
        "score": int(state["score"][seat]),
        "points": {
            name: int(points)
            for name, points in zip(SOURCES, state["points"][seat], strict=True)
            if points
        },
        "hand": _numbers(state["hand"][seat, : state["hand_count"][seat]]),
        "known": _numbers(state["known"][seat, : state["known_count"][seat]]),
        "plan": _numbers(state["plan"][seat, :planned]),
        "next_plan": _numbers(state["plan"][seat, planned : planned + grown]),
        "minerals": _numbers_of_counts(state["minerals"][seat]),
        "techs": [
            "basic" if card == BASIC_TECH else NUMBER_BY_CARD[int(card)]
            for card in state["techs"][seat]
        ],
        "transports": {
            CELL_NAMES[cell]: int(count)
            for cell, count in enumerate(state["transports"][seat])
            if count
        },
        "cruisers": {
            GATE_NAMES[gate]: int(state["gate_ships"][gate])
            for gate in range(GATES)
            if state["gate_owner"][gate] == seat
        },
        "eliminated": bool(state["eliminated"][seat]),
    }
