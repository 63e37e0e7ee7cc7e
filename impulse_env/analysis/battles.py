"""The battles of some games."""

from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import GATE_NAMES
from impulse_env.analysis.decision_log import Log
from impulse_env.analysis.odds import chance_to_win
from impulse_env.compiled.compilation import plain
from impulse_env.engine.cards import COLOR_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import Op, PointSource, Seat, State
from impulse_env.engine.deck import impulse_of
from impulse_env.engine.state import ATTACKER, DEFENDER
from impulse_env.outcomes import SOURCES

_SIDES: Final = (("attacker", ATTACKER), ("defender", DEFENDER))
_LOOK: Final = COLOR_BY_CARD * (SIZE_BY_CARD.max() + 1) + SIZE_BY_CARD
"""Colour and size of each face as one number."""
_BATTLE: Final = SOURCES.index(PointSource.BATTLE)
_SHIPS: Final = SOURCES.index(PointSource.SHIPS)


def battle_columns(log: Log, gained: NDArray[np.int16], first_game: int) -> dict[str, Any]:
    """Return the columns of the table of battles.

    Args:
        log: The games.
        gained: The result of `Log.gained`.
        first_game: Number of the log's first game.
    """
    result: dict[str, list[Any]] = {}
    for state, row in zip(log.battles, log.battle_rows.tolist(), strict=True):
        game = int(log.rows["game"][row])
        columns = {
            "game": first_game + game,
            "turn": int(log.rows["turn"][row]),
            "gate": GATE_NAMES[int(state["battle_gate"])],
            "odds": chance_to_win(*(int(state["battle_ships"][side]) for _, side in _SIDES)),
            **_outcome(state, _until_decided(log, row, gained)),
        }
        for name, side in _SIDES:
            columns |= _side(state, name, side, log.plays[game].header.agents)
        for column, value in columns.items():
            result.setdefault(column, []).append(value)
    return result


def _until_decided(log: Log, row: int, gained: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the points gained until the battle is over, shape ``(6 seats, 6 sources)``.

    Only a new deck can cause a decision while the cards are revealed.
    """
    end = row + 1
    while (
        end < len(log.rows)
        and log.rows["game"][end] == log.rows["game"][row]
        and log.rows["op"][end] == Op.DISCARD_FOR_DECK
    ):
        end += 1
    total: NDArray[np.int16] = gained[row:end].sum(axis=0)
    return total


def _outcome(state: State, gained: NDArray[np.int16]) -> dict[str, Any]:
    seats = [int(state["battle_seat"][side]) for _, side in _SIDES]
    winner = next((seat for seat in seats if gained[seat, _BATTLE] > 0), None)
    points = 0 if winner is None else int(gained[winner, _BATTLE] + gained[winner, _SHIPS])
    return {"attacker_won": winner == seats[0], "points": points}


def _side(state: State, name: str, side: int, agents: Any) -> dict[str, Any]:
    """Return the columns of one side, from the record after all cards are laid."""
    seat = int(state["battle_seat"][side])
    laid = state["laid"][side, : int(state["laid_count"][side])].astype(np.int64)
    kept = state["hand"][seat, : int(state["hand_count"][seat])].astype(np.int64)
    looks = _looks_that_count(state, seat)
    laid_counts = np.isin(_LOOK[laid], looks)
    kept_counts = np.isin(_LOOK[kept], looks)
    usable = SIZE_BY_CARD[laid] @ laid_counts + SIZE_BY_CARD[kept] @ kept_counts
    return {
        name: seat,
        f"{name}_agent": agents[seat].name,
        f"{name}_ships": int(state["battle_ships"][side]),
        f"{name}_hand": len(laid) + len(kept),
        f"{name}_usable": int(usable),
        f"{name}_laid": len(laid),
        f"{name}_bluffs": int((~laid_counts).sum()),
        f"{name}_icons": int(SIZE_BY_CARD[laid] @ laid_counts) + _icons_drawn(state, side),
    }


def _looks_that_count(state: State, seat: Seat) -> NDArray[np.int64]:
    """Return colour and size of the cards on the Impulse, own Plans and own Techs (p. 34, R7)."""
    row = plain(impulse_of)(state, seat)
    planned = int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])
    cards = chain(
        state["impulse"][row, : int(state["impulse_count"][row])].tolist(),
        state["plan"][seat, :planned].tolist(),
        (card for card in state["techs"][seat].tolist() if card >= 0),
    )
    return _LOOK[np.fromiter(cards, np.int64)]


def _icons_drawn(state: State, side: int) -> float:
    """Return the icons that a side's Cruisers will reveal, NaN if the deck runs out.

    The defender's cards are revealed first (R6), and the last card of `deck` is the next one.
    """
    ships, left = state["battle_ships"], int(state["deck_count"])
    if left <= int(ships.sum()):
        return float("nan")
    stop = left - (int(ships[DEFENDER]) if side == ATTACKER else 0)
    drawn = state["deck"][stop - int(ships[side]) : stop].astype(np.int64)
    return float(SIZE_BY_CARD[drawn].sum())
