"""Replays many games at once and logs the state of each at every decision.

Forced choices are decisions here, too, so that each turn has a row and all points gained between
two rows belong to the turn of the first one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.batch import take_games
from impulse_env.engine.action_space import CARD_0, CELL_0, PASS, SEAT_0, TECH_0
from impulse_env.engine.constants import HAND_SLOTS, MAX_PLAYERS, NO_CARD, Op
from impulse_env.engine.state import ATTACKER, CARD, OP, A
from impulse_env.outcomes import SOURCES
from impulse_env.records.recorded_games import RecordedGame
from impulse_env.records.side_by_side import SideBySide, beginnings

NOT_RECORDED: Final = -1
"""Used instead of the number of a decision that the engine took, with one legal action."""
_IN_SETUP: Final = (Op.DRAFT_RACE, Op.PLACE_HOME)
_ON_THE_TABLE: Final = (Op.KEEP_REVEALED, Op.USE_EXECUTED, Op.RESEARCH_SLOT)
"""Decisions about the top card on the table."""

ROW: Final = np.dtype(
    [
        ("game", np.int32),  # index among the games of the log
        ("seat", np.int8),  # seat that decides
        ("active", np.int8),  # seat whose turn it is
        ("turn", np.int16),  # player turns completed, -1 in setup
        ("op", np.int8),  # `Op`
        ("legal", np.int16),  # legal actions
        ("action", np.int16),  # absolute
        ("recorded", np.int32),  # number of the decision in the record, or NOT_RECORDED
        ("card", np.int8),  # face that the action names or that is offered, or NO_CARD
        ("effect", np.int8),  # face or Basic Tech in use, NO_CARD without one
        ("in_phase", np.bool_),  # there is no current effect
        ("planned", np.int8),  # cards in the active seat's Plan
        ("impulse", np.int8),  # cards on the active seat's Impulse
        ("score", np.int16, (MAX_PLAYERS,)),
        ("points", np.int16, (MAX_PLAYERS, len(SOURCES))),
        ("hand", np.int8, (HAND_SLOTS,)),  # of the seat that decides
        ("hand_count", np.int8),
    ]
)
"""The state of a game at a decision, and the decision."""


@dataclass(frozen=True)
class Log:
    """All decisions of some games; R rows, G games, B battles.

    Attributes:
        plays: The games.
        rows: Game by game, in order, shape ``(R,)``, dtype `ROW`.
        ends: The records at the end, shape ``(G,)``.
        battles: The records after all reinforcements are laid, shape ``(B,)``.
        battle_rows: The row of each of these, shape ``(B,)``.
    """

    plays: Sequence[RecordedGame]
    rows: NDArray[np.void]
    ends: np.ndarray
    battles: np.ndarray
    battle_rows: NDArray[np.intp]

    def gained(self) -> NDArray[np.int16]:
        """Return the points from each row to the next, shape ``(R, 6 seats, 6 sources)``."""
        rows = self.rows
        after = np.empty_like(rows["points"])
        after[:-1] = rows["points"][1:]
        last = np.flatnonzero(np.diff(rows["game"], append=len(self.plays)))
        after[last] = self.ends["points"][rows["game"][last]][:, :, : len(SOURCES)]
        gained: NDArray[np.int16] = after - rows["points"]
        return gained


def replay(plays: Sequence[RecordedGame]) -> Log:
    """Replay games and return the log of their decisions.

    Raises:
        RecordError: A game differs from its record.
    """
    states = beginnings(plays)
    forced = states["auto_forced"] != 0
    states["auto_forced"] = 0
    again = SideBySide(plays, states, forced)
    parts, battles, last_passes = [np.empty(0, ROW)], [states[:0]], [np.empty(0, np.bool_)]
    for games in again:
        some = take_games(states, games)
        rows = _rows(some, again.seats[games], again.actions[games])
        rows["game"] = games
        rows["legal"] = again.masks[games].sum(axis=1)
        rows["recorded"] = np.where(again.is_forced[games], NOT_RECORDED, again.taken[games])
        is_last = _is_last_pass(some, rows)
        parts.append(rows)
        battles.append(some[is_last])
        last_passes.append(is_last)
    rows, is_last = np.concatenate(parts), np.concatenate(last_passes)
    order = np.argsort(rows["game"], kind="stable")
    of_battles = np.argsort(rows["game"][is_last], kind="stable")
    return Log(
        plays,
        rows[order],
        states,
        np.concatenate(battles)[of_battles],
        np.flatnonzero(is_last[order]),
    )


# --- A row for each of some games ---------------------------------------------------------------


def _rows(
    states: np.ndarray, seats: NDArray[np.int8], actions: NDArray[np.int64]
) -> NDArray[np.void]:
    """Return the rows of n games, without the fields that only the replay knows."""
    rows = np.zeros(len(states), ROW)
    each = np.arange(len(states))
    frames = states["stack"][each, np.maximum(states["stack_count"] - 1, 0)]
    active, phase = states["active"], states["phase"]
    rows["in_phase"] = in_phase = states["stack_count"] == 0
    rows["seat"], rows["active"], rows["action"] = seats, active, actions
    rows["turn"] = np.where(np.isin(phase, _IN_SETUP), -1, states["turn"])
    rows["op"] = op = np.where(in_phase, phase, frames[:, OP])
    rows["effect"] = np.where(in_phase, NO_CARD, frames[:, CARD])
    rows["planned"] = states["plan_count"][each, active]
    team = np.where(states["teams"] < states["players"], active % states["teams"], 0)
    rows["impulse"] = states["impulse_count"][each, team]
    rows["score"] = states["score"]
    rows["points"] = states["points"][:, :, : len(SOURCES)]
    rows["hand"] = states["hand"][each, seats]
    rows["hand_count"] = states["hand_count"][each, seats]

    card = np.full(len(states), NO_CARD, np.int64)
    for mask, value in (
        (op == Op.USE_IMPULSE, lambda i: states["impulse"][i, team[i], states["cursor"][i]]),
        (op == Op.USE_PLAN_CARD, lambda i: states["plan"][i, active[i], states["cursor"][i]]),
        (op == Op.ACTIVATE, lambda i: states["cell_card"][i, frames[i, A]]),
        (op == Op.USE_RESEARCHED, lambda i: frames[i, CARD]),
        (np.isin(op, _ON_THE_TABLE), lambda i: states["table"][i, states["table_count"][i] - 1]),
        (
            (actions >= TECH_0) & (actions < SEAT_0) & (op != Op.RESEARCH_SLOT),
            lambda i: states["techs"][i, active[i], actions[i] - TECH_0],
        ),
        ((actions >= CARD_0) & (actions < CELL_0), lambda i: actions[i] - CARD_0),
    ):
        which = np.flatnonzero(mask)
        card[which] = value(which)
    rows["card"] = np.maximum(card, NO_CARD)  # a Basic Tech is not a card
    return rows


def _is_last_pass(states: np.ndarray, rows: NDArray[np.void]) -> NDArray[np.bool_]:
    """Return whether the attacker passes, which starts the fight."""
    top = states["stack"][np.arange(len(states)), np.maximum(states["stack_count"] - 1, 0)]
    is_pass = (rows["op"] == Op.REINFORCE) & (rows["action"] == PASS)
    last: NDArray[np.bool_] = is_pass & (top[:, A] == ATTACKER)
    return last
