"""Steps of a game by where points come from: what goes after them, and what is left without them.

An action counts as aiming at a source if the decision itself shows it, whatever chance does later:
the use of a Trade card, not the points that it brings; an attack, not a victory. So an agent that
must leave out such actions learns nothing about hidden cards.

    core_patrol       a Cruiser comes to a gate of the Sector Core on which the seat has none
    core_activation   the Sector Core is activated
    trade, refine     a card of that action is used, or executed from the hand
    battle            an attack begins
    ships             an attack begins, a Sabotage card is used, or Cruisers cross a cell and
                      destroy the Transports there

Not every such point can be left out: who is attacked may win the battle, and a fleet that was
chosen may have no other way to go.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.luck.chance import stepped
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import copy_games, put_games, step_games, take_games
from impulse_env.engine.action_space import CARD_0, PASS, TECH_0, USE
from impulse_env.engine.cards import ACTION_BY_CARD
from impulse_env.engine.constants import (
    CORE,
    FACES,
    NO_CARD,
    TECHS,
    WON_BY_SCORE,
    Op,
    PointSource,
    Purpose,
)
from impulse_env.engine.sector_map import GATE_COUNT_OF_CELL, GATES_OF_CELL
from impulse_env.engine.state import ATTACKER, OP, A
from impulse_env.frame import absolute_frame, own_frame
from impulse_env.observation import observe_all
from impulse_env.observation.layout import STARTS, Part
from impulse_env.outcomes import SOURCE_NAMES

CARDS_OF: Final = {
    PointSource.TRADE: "trade",
    PointSource.REFINE: "refine",
    PointSource.SHIPS: "sabotage",
}
"""The action of the cards that bring points from a source."""
SEEN_AHEAD: Final = (PointSource.CORE_PATROL, PointSource.BATTLE, PointSource.SHIPS)
"""Sources of whose points a step in a copy of the game tells."""
DEPTH: Final = 2
"""How many decisions of a movement are tried further on, to see whether it can end otherwise."""
_COUNT: Final = len(SOURCE_NAMES)
_CORE_GATES: Final = GATES_OF_CELL[CORE, : GATE_COUNT_OF_CELL[CORE]]
_BY_OTHERS: Final = (Op.REINFORCE, Op.DISCARD_FOR_DECK)
"""Decisions that do not begin anything."""
_MOVING: Final = (Op.CHOOSE_FLEET, Op.CHOOSE_SHIPS, Op.CHOOSE_MOVE, Op.PLACE_EXPLORED)
_BOMBS_FALL: Final = (Op.SABOTAGE_FLEET, Op.SABOTAGE_OWNER)


def sources_of(names: Iterable[str]) -> NDArray[np.bool_]:
    """Return which sources are named, shape ``(6,)``.

    Args:
        names: Of `SOURCE_NAMES`.

    Raises:
        ValueError: There is no such source.
    """
    found = np.zeros(_COUNT, np.bool_)
    for name in names:
        if name not in SOURCE_NAMES:
            raise ValueError(f"points come from {', '.join(SOURCE_NAMES)}; not from {name!r}")
        found[SOURCE_NAMES.index(name)] = True
    return found


def pursuing(
    states: np.ndarray,
    seats: NDArray[np.int8],
    masks: NDArray[np.int8],
    sources: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return which legal actions go after points from some sources.

    Args:
        states: Full records at a decision, of one number of players, shape ``(n,)``.
        seats: Who decides, shape ``(n,)``.
        masks: Its legal actions, in its own frame, shape ``(n, N_ACTIONS)``.
        sources: Which sources are meant in each game, shape ``(n, 6)``.

    Returns:
        Shape ``(n, N_ACTIONS)``, in the own frame.
    """
    legal = masks != 0
    found = np.zeros_like(legal)
    ops, frames = _decisions(states)
    offered = _on_offer(states, seats, ops, frames)
    for source, action in CARDS_OF.items():
        rows = np.flatnonzero(sources[:, source])
        found[rows] |= _uses(states[rows], seats[rows], ops[rows], offered[rows], action)
    at_core = (ops == Op.ACTIVATE) & (frames[:, A] == CORE)
    at_core &= sources[:, PointSource.CORE_ACTIVATION]
    found[at_core] = True
    found[at_core, PASS] = False
    rows = np.flatnonzero(sources[:, SEEN_AHEAD].any(axis=1) & ~np.isin(ops, _BY_OTHERS))
    if len(rows):
        tried = legal[rows] & ~found[rows]
        found[rows] |= _leads(take_games(states, rows), seats[rows], tried, sources[rows], DEPTH)
    return found & legal


def _decisions(states: np.ndarray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the `Op` of each decision and its frame, zeros where the stack is empty."""
    rows = np.arange(len(states))
    top = states["stack_count"].astype(np.int64) - 1
    frames = states["stack"][rows, np.maximum(top, 0)].astype(np.int64)
    frames[top < 0] = 0
    return np.where(top >= 0, frames[:, OP], states["phase"]), frames


def _uses(
    states: np.ndarray,
    seats: NDArray[np.int8],
    ops: NDArray[np.int64],
    offered: NDArray[np.int64],
    action: str,
) -> NDArray[np.bool_]:
    """Return the actions by which a card of an action type is used, legal or not."""
    # One more element, False, for NO_CARD and everything else below 0.
    is_such = np.array([name == action for name in ACTION_BY_CARD] + [False])
    found = np.zeros((len(states), N_ACTIONS), np.bool_)
    found[:, USE] = is_such[offered]
    from_hand = ops == Op.EXECUTE
    found[from_hand, CARD_0 : CARD_0 + FACES] = is_such[:FACES]
    by_tech = np.flatnonzero(from_hand | (ops == Op.USE_TECH))
    techs = states["techs"][by_tech, seats[by_tech]]
    found[by_tech, TECH_0 : TECH_0 + TECHS] = is_such[np.maximum(techs, NO_CARD)]
    return found


def _on_offer(
    states: np.ndarray, seats: NDArray[np.int8], ops: NDArray[np.int64], frames: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the card that "use" would use, negative without one, shape ``(n,)``."""
    start = STARTS[int(states["players"][0]), Part.OFFERED]
    cards = observe_all(states, seats)[:, start].astype(np.int64) - 1
    # A revealed card is told as well where it is only to be kept, and so is the Sector Core.
    is_only_kept = (ops == Op.KEEP_REVEALED) & (frames[:, A] != Purpose.EXECUTE)
    return np.where(is_only_kept | (cards >= FACES), NO_CARD, cards)


def _leads(
    states: np.ndarray,
    seats: NDArray[np.int8],
    tried: NDArray[np.bool_],
    sources: NDArray[np.bool_],
    depth: int,
) -> NDArray[np.bool_]:
    """Return which of the tried actions lead to points of `SEEN_AHEAD`, by taking them.

    Those count, too, after which all that the same movement leaves to choose does.
    """
    at, own = np.nonzero(tried)
    before, who = take_games(states, at), seats[at]
    after, next_seats = copy_games(before), who.copy()
    masks = np.zeros((len(after), N_ACTIONS), np.int8)
    masks[np.arange(len(after)), own] = 1
    players = int(states["players"][0])
    step_games(after, own, masks, next_seats, frames=(absolute_frame(players), own_frame(players)))
    aimed_at = sources[at]
    leads = _brings(before, after, who, aimed_at)
    goes_on = np.isin(_decisions(after)[0], _MOVING) & (next_seats == who) & ~leads
    rows = np.flatnonzero(goes_on) if depth else np.zeros(0, np.intp)
    if len(rows):
        legal = masks[rows] != 0
        found = _leads(take_games(after, rows), who[rows], legal, aimed_at[rows], depth - 1)
        leads[rows] = (found == legal).all(axis=1)
    found = np.zeros_like(tried)
    found[at[leads], own[leads]] = True
    return found


def _brings(
    before: np.ndarray, after: np.ndarray, who: NDArray[np.int8], aimed_at: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return whether a step was one for points of `SEEN_AHEAD`, shape ``(n,)``."""
    battles = [each["points"][:, :, PointSource.BATTLE].sum(axis=1) for each in (before, after)]
    begins = (after["battle_gate"] >= 0) & (after["battle_seat"][:, ATTACKER] == who)
    fights = (before["battle_gate"] < 0) & (begins | (battles[1] > battles[0]))
    fights &= after["turn"] == before["turn"]
    gates = [each["gate_owner"][:, _CORE_GATES] == who[:, None] for each in (before, after)]
    rows = np.arange(len(who))
    ships = [each["points"][rows, who, PointSource.SHIPS] for each in (before, after)]
    destroys = (ships[1] > ships[0]) & ~np.isin(_decisions(before)[0], _BOMBS_FALL)
    leads = aimed_at[:, PointSource.CORE_PATROL] & (gates[1].sum(axis=1) > gates[0].sum(axis=1))
    leads |= aimed_at[:, PointSource.BATTLE] & fights
    leads |= aimed_at[:, PointSource.SHIPS] & (fights | destroys)
    return leads


def withhold(
    before: np.ndarray,
    after: np.ndarray,
    actions: NDArray[np.int64],
    seats: NDArray[np.int8],
    uncounted: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Put steps right in which points came that do not count.

    The games are then where they would be if the rules did not give these points: the same
    decisions and draws, and a win by such points has not happened.

    Args:
        before: Full records before the step, shape ``(n,)``.
        after: After it, shape ``(n,)``; changed.
        actions: What was done, in the absolute frame, shape ``(n,)``.
        seats: By whom, shape ``(n,)``.
        uncounted: What does not count, shape ``(n, players, 6)``.

    Returns:
        The points that were withheld, shape ``(n, players, 6)``.
    """
    players = uncounted.shape[1]
    gained = _gained(before, after, players)
    # Only a win makes a score matter within a step. Where it is none, the step is taken again from
    # scores that are lower by what came too much until then: it goes on past that moment.
    while len(rows := np.flatnonzero(_is_undue(before, after, gained, uncounted))):
        again = take_games(before, rows)
        again["score"][:, :players] -= (gained * uncounted)[rows].sum(axis=2).astype(np.int16)
        stepped(again, seats[rows], actions[rows])
        put_games(after, rows, again)
        gained[rows] = _gained(take_games(before, rows), again, players)
    taken = gained * uncounted
    after["score"][:, :players] = _due_scores(before, gained, uncounted)
    after["points"][:, :players, :_COUNT] -= taken.astype(np.int16)
    return taken


def _gained(before: np.ndarray, after: np.ndarray, players: int) -> NDArray[np.int64]:
    """Return the points that a step brought, shape ``(n, players, 6)``."""
    points = [states["points"][:, :players, :_COUNT].astype(np.int64) for states in (before, after)]
    return points[1] - points[0]


def _due_scores(
    before: np.ndarray, gained: NDArray[np.int64], uncounted: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return the scores without what does not count, shape ``(n, players)``."""
    return before["score"][:, : gained.shape[1]] + (gained * ~uncounted).sum(axis=2)


def _is_undue(
    before: np.ndarray,
    after: np.ndarray,
    gained: NDArray[np.int64],
    uncounted: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Whether a game was won by points of which some do not count, shape ``(n,)``."""
    scores = _due_scores(before, gained, uncounted)
    is_enough = (scores >= before["target_score"][:, None]).any(axis=1)
    return (after["status"] == WON_BY_SCORE) & ~is_enough
