"""A first rule-based agent: every legal action gets a score, the highest is played.

The scores are rules of thumb in units of points: fill the gates of the Sector Core with Cruisers
and stay there, attack with more ships only, build Cruisers, trade and refine what is big, give away
what is small, use what is offered if it brings anything. No action is tried out.
"""

from functools import cache
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent, AgentError, Seen, best_of
from agents.randomness import Streams
from impulse_env.engine import cards
from impulse_env.engine.action_space import (
    BASIC_BUILD,
    BASIC_COMMAND,
    CARD_0,
    COLOR_0,
    PASS,
    PLACE_0,
    SEAT_0,
    SHIPS_0,
    SIZE,
    TECH_0,
    USE,
)
from impulse_env.engine.constants import (
    CELLS,
    COLOR_COUNT,
    CORE,
    CRUISER,
    FACES,
    MAX_PLAYERS,
    MAX_SHIPS,
    MIN_PLAYERS,
    PLACES,
    TRANSPORT,
    Family,
    Op,
)
from impulse_env.engine.sector_map import (
    CELLS_OF_GATE,
    COORDINATES,
    CROSSED_CELL,
    NEIGHBORS_OF_CELL,
)
from impulse_env.observation import sections, size
from impulse_env.observation.layout import DECISIONS

Scores = NDArray[np.float32]

# --- What does not change ------------------------------------------------------------------------

CELL_DISTANCE: Final = np.array(
    [max(abs(q), abs(r), abs(q + r)) for q, r in COORDINATES], np.float32
)
"""Shape (19,): moves from a cell to the Sector Core."""
GATE_DISTANCE: Final = CELL_DISTANCE[CELLS_OF_GATE].min(axis=1)
"""Shape (42,): moves of a Cruiser to a gate of the Sector Core; 0 on one."""
IS_CORE_GATE: Final = GATE_DISTANCE == 0

_shared = [np.flatnonzero(row >= 0) for row in CROSSED_CELL]
NEXT_GATES: Final = np.array([np.resize(row, max(map(len, _shared))) for row in _shared])
"""Shape (42, 10): the gates that a Cruiser reaches in a move; repeated where there are fewer."""
NEXT_CELLS: Final = np.array([np.resize(row[row >= 0], row.size) for row in NEIGHBORS_OF_CELL])
"""Shape (19, 6): the cells that a Transport reaches in a move, likewise."""

CARD_SIZE: Final = cards.SIZE_BY_CARD.astype(np.float32)
CARD_CLASS: Final = cards.COLOR_BY_CARD * 3 + cards.SIZE_BY_CARD - 1
"""Colour and size as one number: what a reinforcement has to share with a card in play."""
CLASSES: Final = COLOR_COUNT * 3

_family = cards.FAMILY_BY_CARD
_COLOR_OF_CLASS: Final = np.arange(CLASSES) // 3
_SIZE_OF_CLASS: Final = (np.arange(CLASSES) % 3 + 1).astype(np.float32)
_IS_OF_CLASS: Final = (CARD_CLASS[:, None] == np.arange(CLASSES)).astype(np.float32)
_FITS: Final = ((cards.COLORS_BY_CARD[:, None] >> _COLOR_OF_CLASS) & 1 == 1) & (
    _SIZE_OF_CLASS <= cards.MAX_SIZE_BY_CARD[:, None]
)
"""Shape (80, 12): whether cards of a class fit what the card asks for, unboosted."""
_IS_COMMAND: Final = np.isin(_family, (Family.COMMAND_FLEET, Family.COMMAND_FLEETS_TO_SAME_CARD))
_types = cards.SHIP_TYPES_BY_CARD
_types = np.where(_family == Family.COMMAND_FLEETS_TO_SAME_CARD, TRANSPORT | CRUISER, _types)
_MOVES_CRUISERS: Final = _IS_COMMAND & (_types & CRUISER > 0)
_MOVES_TRANSPORTS: Final = _IS_COMMAND & (_types & TRANSPORT > 0)
_IS_BUILD: Final = np.isin(
    _family,
    (Family.BUILD_AT_HOME, Family.BUILD_AT_OCCUPIED, Family.BUILD_AT_HOME_AND_EACH_OCCUPIED),
)
_BUILDS_CRUISERS: Final = _IS_BUILD & (_types & CRUISER > 0)
_FROM_HAND: Final = np.isin(_family, (Family.TRADE_FROM_HAND, Family.MINE_FROM_HAND))
_HAND_FACTOR: Final = np.where(_family == Family.TRADE_FROM_HAND, 1.0, 0.4)[_FROM_HAND]
_REFINES: Final = _family == Family.REFINE_PER_GEM

_USUAL_WORTH: Final = {
    Family.DRAW: 0.8,
    Family.DRAW_OF_SIZE: 0.8,
    Family.DRAW_THEN_OF_COLORS: 0.8,
    Family.TRADE_FROM_DECK: 1.2,
    Family.MINE_FROM_DECK: 0.8,
    Family.REFINE_FLAT: 1.2,
    Family.SABOTAGE: 0.6,
}
_WORTH: Final = np.array([_USUAL_WORTH.get(Family(f), 0.5) for f in _family], np.float32)
_WORTH[_IS_COMMAND] = -9  # until it is known what can move
_WORTH[_IS_BUILD] = 0.8
_WORTH[_BUILDS_CRUISERS] = 1.5


def _by_op(**values: float) -> Scores:
    """Return a weight for every kind of decision, 0 where none is given."""
    table = np.zeros(max(Op) + 1, np.float32)
    for name, value in values.items():
        table[Op[name]] = value
    return table


# How a card is judged, by decision: its size, what using it is worth, whether it reinforces.
_BY_SIZE: Final = _by_op(
    ADD_IMPULSE=-0.4,
    TRADE_CARD=1,
    MINE_CARD=1,
    REFINE_CARD=1,
    PLAN_CARD=-0.2,
    RESEARCH_CARD=-0.2,
    EXECUTE=-0.2,
    PLACE_HOME=-1,
    PLACE_EXPLORED=-1,
    BASIC_DISCARD=-1,
    DISCARD_FOR_DECK=-1,
)
_BY_WORTH: Final = _by_op(
    ADD_IMPULSE=1,
    PLAN_CARD=1,
    RESEARCH_CARD=1,
    RESEARCH_PLANNED=1,
    EXECUTE=1,
    PLACE_HOME=0.5,
    PLACE_EXPLORED=0.2,
    BASIC_DISCARD=-0.5,
    DISCARD_FOR_DECK=-0.5,
)
_BY_HELP: Final = _by_op(REINFORCE=1)
# How a place is judged.
_BY_GAIN: Final = _by_op(CHOOSE_FLEET=1)
_BY_PLACE: Final = _by_op(CHOOSE_MOVE=1)
_BY_BUILDING: Final = _by_op(BUILD_SHIP=1, BUILD_LOCATION=1)
_BY_TARGET: Final = _by_op(SABOTAGE_FLEET=1)


@cache
def _parts(players: int) -> dict[str, tuple[slice, tuple[int, ...]]]:
    return {s.name: (slice(s.start, s.stop), s.shape) for s in sections(players)}


_PLAYERS_BY_SIZE: Final = {size(n): n for n in range(MIN_PLAYERS, MAX_PLAYERS + 1)}


class _Seen:
    """Observations, section by section."""

    def __init__(self, observations: NDArray[np.uint8]) -> None:
        players = _PLAYERS_BY_SIZE.get(observations.shape[1])
        if players is None:
            raise AgentError(
                f"observations have {observations.shape[1]} features; those of 2 to 6 players "
                f"have {', '.join(map(str, _PLAYERS_BY_SIZE))}"
            )
        self._parts = _parts(players)
        self._rows = observations

    def __getitem__(self, name: str) -> NDArray[np.int16]:
        part, shape = self._parts[name]
        return self._rows[:, part].reshape(-1, *shape).astype(np.int16)


class GreedyAgent(Agent):
    """Plays the legal action with the highest score; equals are drawn by lot."""

    summary: ClassVar[str] = "rules of thumb: hold the Sector Core, trade and refine what is big"

    def __init__(self) -> None:
        self.name = "greedy"

    def act(self, seen: Seen, streams: Streams) -> NDArray[np.int64]:
        """Score all actions at once and take the best legal one of each game."""
        return best_of(_scores(_Seen(seen.observations)), seen.masks, streams)


def _scores(seen: _Seen) -> Scores:
    """Return a score for every action, shape ``(n, N_ACTIONS)``."""
    op = seen["decision"].argmax(axis=1) + int(DECISIONS[0])
    rows = np.arange(len(op))
    gates = _gate_worth(seen)
    cruiser_gain = _cruiser_gain(seen, gates)
    best_cruisers = cruiser_gain.max(axis=1)
    worth = _card_worth(seen, best_cruisers)
    cells = _cell_worth(seen, worth)
    transport_gain = _transport_gain(seen, cells)
    best_transports = transport_gain.max(axis=1)
    _add_transports(worth, best_transports)

    scores = np.zeros((len(op), SIZE), np.float32)
    scores[:, CARD_0 : CARD_0 + FACES] = (
        _BY_SIZE[op, None] * CARD_SIZE
        + _BY_WORTH[op, None] * worth
        + _BY_HELP[op, None] * _help(seen)
    )
    place = np.concatenate([cells, _attacked(seen, gates)], axis=1)
    scores[:, PLACE_0 : PLACE_0 + PLACES] = (
        _BY_GAIN[op, None] * np.concatenate([transport_gain, cruiser_gain], axis=1)
        + _BY_PLACE[op, None] * place
        + _BY_BUILDING[op, None] * _building(seen)
        + _BY_TARGET[op, None] * _target(seen)
    )
    # A path may end where the fleet is; everything else that can be declined is worth 0 if it is.
    scores[:, PASS] = _BY_PLACE[op] * place[rows, _last_place(seen)]
    scores[:, USE] = _use(seen, worth)
    # Whole fleets, but from the Sector Core's gates one ship: the others hold it.
    origin = _last(seen["fleet_from"])
    from_core = (origin > CELLS) & IS_CORE_GATE[np.maximum(origin - 1 - CELLS, 0)]
    ships = np.arange(1, MAX_SHIPS + 1, dtype=np.float32)
    scores[:, SHIPS_0 + 1 : SHIPS_0 + 1 + MAX_SHIPS] = np.where(from_core, -1, 1)[:, None] * ships
    scores[:, COLOR_0 : COLOR_0 + COLOR_COUNT] = seen["gems"][:, 0]
    leaders = seen["score"]
    scores[:, SEAT_0 : SEAT_0 + leaders.shape[1]] = leaders
    scores[:, TECH_0 : TECH_0 + 2] = _techs(seen, worth, op)
    scores[:, BASIC_BUILD] = 0.8
    scores[:, BASIC_COMMAND] = np.maximum(best_cruisers, best_transports)
    return scores


# --- Gates and cells -----------------------------------------------------------------------------


def _enemies(seen: _Seen, ships: str) -> NDArray[np.int16]:
    """Return the enemies' ships at each place."""
    return (seen[ships] * (1 - seen["ally"])[:, :, None]).sum(axis=1)


def _gate_worth(seen: _Seen) -> Scores:
    """Return what a Cruiser is worth on each gate: one for each gate of the Sector Core."""
    is_new = IS_CORE_GATE & (seen["cruisers"].sum(axis=1) == 0)
    return (2.0 * is_new + 0.3 * IS_CORE_GATE - 0.6 * GATE_DISTANCE).astype(np.float32)


def _fight(own: NDArray[np.int16], enemies: NDArray[np.int16]) -> Scores:
    """Return what an attack is worth: one point and the ships, if it is more than a gamble."""
    return np.where(own > enemies, 1.5 + enemies, -2.0).astype(np.float32)


def _attacked(seen: _Seen, gates: Scores) -> Scores:
    """Return the worth of each gate to the fleet that is moving, a battle included."""
    enemies = _enemies(seen, "cruisers")
    own = _last(seen["fleet_ships"])[:, None]
    return np.where(enemies > 0, _fight(own, enemies), gates)


def _cruiser_gain(seen: _Seen, gates: Scores) -> Scores:
    """Return what moving Cruisers from each gate brings, shape ``(n, 42)``; -9 without any."""
    own = seen["cruisers"][:, 0]
    enemies = _enemies(seen, "cruisers")[:, NEXT_GATES]
    there = np.where(enemies > 0, _fight(own[:, :, None], enemies), gates[:, NEXT_GATES])
    is_needed = IS_CORE_GATE & (own == 1)
    gain = there.max(axis=2) - np.where(is_needed, 2.3, 0.3 * IS_CORE_GATE - 0.6 * GATE_DISTANCE)
    return np.where(own > 0, gain, -9.0).astype(np.float32)


def _cell_worth(seen: _Seen, worth: Scores) -> Scores:
    """Return what Transports are worth on each cell: what they activate there."""
    codes = seen["cell_card"]
    is_face = (codes > 0) & (codes <= FACES)
    face = np.where(is_face, codes - 1, 0)
    activated = 0.5 * np.take_along_axis(worth, face.astype(np.int64), axis=1)
    value = np.where(is_face, activated, 0.4) - 0.1 * CELL_DISTANCE
    value[:, CORE] = 1.2 + 0.2 * seen["gems"][:, 0].max(axis=1)
    return value.astype(np.float32)


def _transport_gain(seen: _Seen, cells: Scores) -> Scores:
    """Return what moving Transports from each cell brings; -9 without any."""
    own = seen["transports"][:, 0]
    return np.where(own > 0, cells[:, NEXT_CELLS].max(axis=2), -9.0).astype(np.float32)


def _building(seen: _Seen) -> Scores:
    """Return what a new ship is worth at each place: Cruisers near the Sector Core first."""
    transports = seen["transports"][:, 0].sum(axis=1)[:, None]
    cruisers = seen["cruisers"][:, 0].sum(axis=1)[:, None]
    cells = 0.8 - 0.2 * transports - 0.05 * CELL_DISTANCE
    gates = 2.0 - 0.2 * cruisers - 0.3 * GATE_DISTANCE
    return np.concatenate([cells, gates], axis=1).astype(np.float32)


def _target(seen: _Seen) -> Scores:
    """Return what bombs are worth on each place."""
    gates = np.minimum(_enemies(seen, "cruisers"), 3) + 1.0 * IS_CORE_GATE
    return np.concatenate([np.minimum(_enemies(seen, "transports"), 3), gates], axis=1)


def _last(row: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the last number of each row that is not 0, or 0."""
    at = row.shape[1] - 1 - (row[:, ::-1] > 0).argmax(axis=1)
    return row[np.arange(len(row)), at]


def _last_place(seen: _Seen) -> NDArray[np.int64]:
    """Return where the path stands, as a place."""
    path, origin = _last(seen["path"]), _last(seen["fleet_from"])
    return np.maximum(np.where(path > 0, path, origin).astype(np.int64) - 1, 0)


# --- Cards ---------------------------------------------------------------------------------------


def _largest_fitting(counts: NDArray[np.int16], chosen: NDArray[np.bool_]) -> Scores:
    """Return the size of the largest card among `counts` that fits each chosen one, 0 if none."""
    sizes = _SIZE_OF_CLASS * (counts.astype(np.float32) @ _IS_OF_CLASS > 0)
    return (sizes[:, None, :] * _FITS[chosen]).max(axis=2)


def _card_worth(seen: _Seen, cruisers: Scores) -> Scores:
    """Return what using each face brings now, shape ``(n, 80)``, moves of Transports left out.

    Args:
        seen: What the seat sees.
        cruisers: What the best move of Cruisers brings, shape ``(n,)``.
    """
    worth = np.tile(_WORTH, (len(cruisers), 1))
    worth[:, _FROM_HAND] = _largest_fitting(seen["own_hand"], _FROM_HAND) * _HAND_FACTOR
    worth[:, _REFINES] = _largest_fitting(seen["minerals"][:, 0], _REFINES)
    worth[:, _IS_BUILD] *= seen["ships_left"][:, :1] > 0
    worth[:, _MOVES_CRUISERS] = cruisers[:, None]
    return worth


def _add_transports(worth: Scores, transports: Scores) -> None:
    """Count moves of Transports as well; `transports` is what the best brings, shape ``(n,)``."""
    worth[:, _MOVES_TRANSPORTS] = np.maximum(worth[:, _MOVES_TRANSPORTS], transports[:, None])


def _help(seen: _Seen) -> Scores:
    """Return the icons that each face brings as reinforcement, -1 for a bluff."""
    codes = np.concatenate([seen["impulse"][:, 0], seen["plan"][:, 0], seen["tech"][:, 0]], axis=1)
    is_face = (codes > 0) & (codes <= FACES)
    classes = np.where(is_face, CARD_CLASS[np.where(is_face, codes - 1, 0)], CLASSES)
    is_there = (classes[:, :, None] == np.arange(CLASSES)).any(axis=1)
    return np.where(is_there[:, CARD_CLASS], CARD_SIZE, -1.0)


def _use(seen: _Seen, worth: Scores) -> Scores:
    """Return what saying yes brings: a Command must move something, the rest cannot do harm."""
    code = seen["offered"]
    is_command = (code > 0) & (code <= FACES)
    face = np.where(is_command, code - 1, 0).astype(np.int64)
    is_command &= _IS_COMMAND[face]
    return np.where(is_command, worth[np.arange(len(code)), face], 1.0)


def _techs(seen: _Seen, worth: Scores, op: NDArray[np.int64]) -> Scores:
    """Return the worth of each Tech; where one is covered, the lesser the better."""
    codes = seen["tech"][:, 0]
    is_face = (codes > 0) & (codes <= FACES)
    face = np.where(is_face, codes - 1, 0).astype(np.int64)
    # The common Basic Tech costs a card.
    basic = np.stack([0.25 * seen["hand_size"][:, 0] - 1.0, np.full(len(op), 0.7)], axis=1)
    value = np.where(is_face, np.take_along_axis(worth, face, axis=1), basic)
    return np.where((op == Op.RESEARCH_SLOT)[:, None], -value, value).astype(np.float32)
