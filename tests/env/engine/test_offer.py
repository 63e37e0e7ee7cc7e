"""The card that a decision is about."""

import pytest

from fuzzed import moments, topmost
from impulse_env.compiled.compilation import plain
from impulse_env.engine.constants import NO_CARD, Op
from impulse_env.engine.offer import card_on_offer
from impulse_env.engine.state import CARD, A
from impulse_env.testing.signature import SETTINGS


def of_impulse(state, frame):
    row = state["active"] % state["teams"] if state["teams"] < state["players"] else 0
    has_more = state["cursor"] < state["impulse_count"][row]
    return state["impulse"][row, state["cursor"]] if has_more else NO_CARD


def of_map(state, frame):
    return state["cell_card"][frame[A]] if state["cell_face_up"][frame[A]] else NO_CARD


def on_table(state, frame):
    return state["table"][state["table_count"] - 1]


OFFERED = {
    Op.USE_IMPULSE: of_impulse,
    Op.USE_PLAN_CARD: lambda state, frame: state["plan"][state["active"], state["cursor"]],
    Op.ACTIVATE: of_map,
    Op.KEEP_REVEALED: on_table,
    Op.USE_EXECUTED: on_table,
    Op.RESEARCH_SLOT: on_table,
    Op.USE_RESEARCHED: lambda state, frame: frame[CARD],
    Op.CHOOSE_COPY: lambda state, frame: frame[A],
}


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_the_card_on_offer_is_that_of_the_decision(number):
    records = moments(number)
    for state, op in zip(records, topmost(records), strict=True):
        frame = state["stack"][state["stack_count"] - 1]
        expected = OFFERED[op](state, frame) if op in OFFERED else NO_CARD
        assert plain(card_on_offer)(state) == expected


@pytest.mark.parametrize("phase", [Op.USE_IMPULSE, Op.USE_PLAN_CARD])
def test_past_the_last_card_none_is_on_offer(phase):
    records = moments(0)
    state = records[records["stack_count"] == 0][0]
    state["phase"] = phase
    state["cursor"] = max(state["impulse_count"][0], state["plan_count"].max())
    assert plain(card_on_offer)(state) == NO_CARD
