"""Values of the rules of thumb in a hand-made position, for seat 0 unless a test names another.

`liking(trade=1)` is a style with a single weight, so that a value shows only what that one counts.
"""

import numba
import numpy as np

from impulse_agents.heuristics import action_scores, card_value, evaluation, place_value
from impulse_agents.heuristics.styles import STYLE_NAMES, STYLES, WEIGHTS
from impulse_env.actions import CELL_NAMES, GATE_NAMES
from impulse_env.engine.cards import CARD_BY_NUMBER

_KINDS = ("card", "gate", "cell", "fight", "leaving", "cruisers", "transports", "fleet", "action")
(_CARD, _GATE, _CELL, _FIGHT, _LEAVING, _CRUISERS, _TRANSPORTS, _FLEET, _ACTION) = range(9)


def liking(**weights):
    """Return the weights of a style that likes just this."""
    return np.array([weights.get(name, 0) for name in WEIGHTS], np.float32)


STYLE = dict(zip(STYLE_NAMES, STYLES, strict=True))
"""The weights of every style by its name."""


# Without a file of machine code: the folder of those knows nothing of a change of the agents.
@numba.njit
def _value(kind, state, seat, a, b, c, weights):
    if kind == _CARD:
        return float(card_value.card_worth(state, seat, a, weights, b != 0))
    if kind == _GATE:
        return float(place_value.gate_worth(state, seat, a, weights))
    if kind == _CELL:
        return float(place_value.cell_worth(state, seat, a, b, weights))
    if kind == _FIGHT:
        return float(place_value.fight_worth(state, seat, a, b, weights))
    if kind == _LEAVING:
        return float(place_value.leaving_cost(state, seat, a, b, weights))
    if kind == _CRUISERS:
        return float(place_value.cruiser_gain(state, seat, a, b, c, weights))
    if kind == _TRANSPORTS:
        return float(place_value.transport_gain(state, seat, a, b, c, weights))
    if kind == _FLEET:
        return float(place_value.best_fleet_gain(state, seat, a, b, c, weights))
    op = action_scores.current_op(state)
    return float(action_scores.score_option(state, seat, op, a, weights))


@numba.njit
def _chances(state, scratch, chances):
    evaluation.win_probabilities(state, scratch, chances)


def chances(made):
    """Each side's chance to win by the rule-based evaluation."""
    found = np.full(6, np.nan, np.float32)
    _chances(made.state, np.empty(len(evaluation.FEATURES), np.float32), found)
    return found[: made.state["teams"]]


def _ask(kind, made, weights, seat, a, b=0, c=0):
    return _value(_KINDS.index(kind), made.state, seat, a, b, c, weights)


def card_worth(made, number, weights, *, is_in_hand=False, seat=0):
    """Return the value of using that card."""
    return _ask("card", made, weights, seat, CARD_BY_NUMBER[number], int(is_in_hand))


def gate_worth(made, gate, weights, *, seat=0):
    """Return the value of own Cruisers on a gate."""
    return _ask("gate", made, weights, seat, GATE_NAMES.index(gate))


def leaving_cost(made, gate, weights, *, ships=1, seat=0):
    """Return the loss when `ships` Cruisers leave a gate."""
    return _ask("leaving", made, weights, seat, GATE_NAMES.index(gate), ships)


def fight_worth(made, gate, weights, *, ships=1, seat=0):
    """Return the value of attacking the Cruisers on a gate with `ships` Cruisers."""
    return _ask("fight", made, weights, seat, GATE_NAMES.index(gate), ships)


def cell_worth(made, cell, weights, *, ships=1, seat=0):
    """Return the value of arriving on a cell with `ships` Transports."""
    return _ask("cell", made, weights, seat, CELL_NAMES.index(str(cell)), ships)


def cruiser_gain(made, gate, weights, *, ships=1, moves=1, seat=0):
    """Return the value of the best move of `ships` Cruisers from a gate."""
    return _ask("cruisers", made, weights, seat, GATE_NAMES.index(gate), ships, moves)


def transport_gain(made, cell, weights, *, ships=1, moves=1, seat=0):
    """Return the value of the best move of `ships` Transports from a cell."""
    return _ask("transports", made, weights, seat, CELL_NAMES.index(str(cell)), ships, moves)


def fleet_gain(made, types, weights, *, ships=1, moves=1, seat=0):
    """Return the value of commanding the best fleet of these types."""
    return _ask("fleet", made, weights, seat, types, ships, moves)


def scores(made, weights, state=None):
    """The score of every legal action by its name, for the seat that decides.

    Args:
        made: The game.
        weights: The style.
        state: What is looked at instead of the game's record, such as the seat's view.
    """
    record = made.state if state is None else state
    return {
        made.name(action): _value(_ACTION, record, made.seat, action, 0, 0, weights)
        for action in made.legal_actions()
    }


def best(made, weights):
    """The names of the actions with the highest score, in the single precision of the agents."""
    found = {name: np.float32(score) for name, score in scores(made, weights).items()}
    return [name for name, score in found.items() if score == max(found.values())]
