"""Points from closed sources are not given or not sought, and games go on as if there were none."""

import numpy as np
import pandas as pd
import pytest

import impulse_agents
from impulse_agents.luck.chance import stepped
from impulse_agents.playing.continuations import dealt, play_on, streams_of
from impulse_agents.playing.game_runner import GameRunner
from impulse_env.batch import copy_games, take_games
from impulse_env.engine.action_space import USE
from impulse_env.engine.cards import ACTION_BY_CARD
from impulse_env.engine.constants import CORE, WON_BY_SCORE, Op, PointSource, Purpose
from impulse_env.engine.state import OP, A
from impulse_env.frame import absolute_frame
from impulse_env.options import Options
from impulse_env.outcomes import SOURCE_NAMES
from impulse_env.validation import fault_in
from lab.experiments.point_source_ablation import (
    SOURCES,
    PointTables,
    RestrictedRunner,
    play_restricted,
)
from lab.experiments.point_sources import pursuing, sources_of, withhold

GAMES = 40
TWO = Options(players=2)
NOTHING = np.zeros((1, 1, len(SOURCE_NAMES)), np.bool_)


def first_seat(*names):
    """Return a restriction of seat 0 of two."""
    found = np.zeros((1, 2, len(SOURCE_NAMES)), np.bool_)
    found[0, 0] = sources_of(names)
    return found


@pytest.fixture(scope="module")
def starts():
    return dealt(TWO, np.arange(GAMES))


def restricted(starts, agent, unsought=NOTHING, uncounted=NOTHING):
    seats = np.zeros(2, np.int64)
    return play_restricted(TWO, starts, [agent], seats, unsought=unsought, uncounted=uncounted)


def test_without_a_restriction_the_games_are_the_same(starts, greedy):
    assert (restricted(starts, greedy).states == play_on(TWO, starts, [greedy]).states).all()


@pytest.mark.parametrize("source", SOURCE_NAMES)
def test_what_does_not_count_brings_its_seat_nothing_and_the_other_as_before(
    starts, greedy, source
):
    at = SOURCE_NAMES.index(source)
    ended = restricted(starts, greedy, uncounted=first_seat(source))
    assert (ended.points[:, 0, at] == 0).all()
    assert (ended.withheld[:, 1] == 0).all()
    assert (np.delete(ended.withheld[:, 0], at, axis=1) == 0).all()
    assert (ended.points.sum(axis=2) == ended.states["score"][:, :2]).all()
    by_score = ended.states["status"] == WON_BY_SCORE
    assert (ended.states["score"][by_score].max(axis=1) >= 20).all()
    if source in ("core_patrol", "trade", "ships"):
        assert ended.withheld.sum() > 0
        assert ended.points[:, 1, at].sum() > 0


def test_every_record_on_the_way_is_sound(greedy):
    uncounted = np.ones((20, 2, len(SOURCE_NAMES)), np.bool_)
    uncounted[:, :, PointSource.CORE_PATROL] = False
    tables = RestrictedRunner(
        [greedy],
        TWO,
        np.arange(20),
        np.zeros((20, 2), np.int64),
        streams_of(2, 0, np.arange(20)),
        unsought=uncounted,
        uncounted=uncounted,
    )
    while len(tables.step()):
        assert [fault_in(state) for state in tables.batch.states] == [None] * 20
        assert (np.delete(tables.batch.states["points"], 0, axis=2) == 0).all()
    assert (tables.batch.states["score"].max(axis=1) >= 20).all()


class Stepping(GameRunner):
    """Notes every step."""

    def before_step(self, tables, actions):
        batch = self.batch
        states, seats = take_games(batch.states, tables), batch.seats[tables]
        absolute = absolute_frame(2)[seats, actions]
        self.noted = [*getattr(self, "noted", []), (states, absolute, seats, batch.masks[tables])]


def test_a_win_by_points_that_do_not_count_has_not_happened(greedy):
    # The same games with a target that nobody reaches: so the steps go on by themselves.
    tables = Stepping(
        [greedy], TWO, [5], np.zeros((1, 2), np.int64), streams_of(2, 0, np.arange(1))
    )
    tables.noted = []
    while len(tables.step()):
        pass
    winner = int(tables.batch.states["score"][0].argmax())
    before, actions, seats, _ = tables.noted[-1]
    source = int((tables.batch.states["points"] - before["points"])[0, winner].argmax())
    uncounted = np.zeros((1, 2, len(SOURCE_NAMES)), np.bool_)
    uncounted[0, winner, source] = True
    after = copy_games(tables.batch.states)
    taken = withhold(before, after, actions, seats, uncounted)
    free = copy_games(before)
    free["target_score"] = 100
    stepped(free, seats, actions)
    gained = (free["points"] - before["points"])[:, :2, : len(SOURCE_NAMES)]
    assert (taken == gained * uncounted).all()
    assert taken.sum() > 0
    assert fault_in(after[0]) is None
    assert after["status"][0] != WON_BY_SCORE
    for state in (free, after):
        state["target_score"], state["score"], state["points"] = 0, 0, 0
    assert (free == after).all()


def test_trade_refining_and_the_core_can_be_left_out_altogether(starts, greedy):
    names = ("trade", "refine", "core_activation")
    ended = restricted(starts, greedy, unsought=first_seat(*names))
    assert (ended.points[:, 0, sources_of(names)] == 0).all()
    assert ended.points[:, 1, PointSource.TRADE].sum() > 0


@pytest.mark.parametrize("source", ["core_patrol", "battle", "ships"])
def test_other_sources_bring_less_where_they_are_left_out(starts, source):
    warrior, at = impulse_agents.make("warrior"), SOURCE_NAMES.index(source)
    free, ended = restricted(starts, warrior), restricted(starts, warrior, first_seat(source))
    assert ended.points[:, 0, at].sum() < free.points[:, 0, at].sum()


def noted(agent, games):
    """Return every step of some games: states, what was done, by whom, what was legal."""
    tables = Stepping(
        [agent],
        TWO,
        np.arange(games),
        np.zeros((games, 2), np.int64),
        streams_of(2, 0, np.arange(games)),
    )
    while len(tables.step()):
        pass
    return tables.noted


@pytest.mark.parametrize("source", SOURCE_NAMES)
def test_only_legal_actions_pursue_and_of_some_decisions_all_or_some(source):
    some = every = 0
    for states, _, seats, masks in noted(impulse_agents.make("random"), 10):
        found = pursuing(states, seats, masks, np.tile(sources_of([source]), (len(states), 1)))
        assert (found <= (masks != 0)).all()
        some += (found.any(axis=1) & (found != (masks != 0)).any(axis=1)).sum()
        every += (found == (masks != 0)).all(axis=1).sum()
    assert some > every


def test_a_revealed_card_is_used_where_it_is_executed_and_not_where_it_is_kept():
    wanted = sources_of(["trade", "refine", "ships"])
    brings = np.isin(ACTION_BY_CARD, ("trade", "refine", "sabotage"))
    counted = {True: 0, False: 0}
    for states, _, seats, masks in noted(impulse_agents.make("random"), 60):
        found = pursuing(states, seats, masks, np.tile(wanted, (len(states), 1)))
        rows = np.flatnonzero(states["stack_count"])
        frames = states["stack"][rows, states["stack_count"][rows].astype(int) - 1]
        rows, frames = (each[frames[:, OP] == Op.KEEP_REVEALED] for each in (rows, frames))
        revealed = states["table"][rows, states["table_count"][rows].astype(int) - 1]
        is_executed = frames[:, A] == Purpose.EXECUTE
        assert (found[rows, USE] == (is_executed & brings[revealed])).all()
        for executed in counted:
            counted[executed] += (brings[revealed] & (is_executed == executed)).sum()
    assert min(counted.values()) > 0


def test_the_core_may_always_be_left_alone():
    activations = 0
    for states, _, seats, masks in noted(impulse_agents.make("random"), 10):
        wanted = np.tile(sources_of(["core_activation"]), (len(states), 1))
        found = pursuing(states, seats, masks, wanted)
        top = states["stack_count"].astype(int) - 1
        frames = states["stack"][np.arange(len(states)), np.maximum(top, 0)]
        at_core = (top >= 0) & (frames[:, OP] == Op.ACTIVATE) & (frames[:, A] == CORE)
        assert (found.sum(axis=1) == np.where(at_core, masks.sum(axis=1) - 1, 0)).all()
        activations += at_core.sum()
    assert activations > 0


def test_unknown_sources_are_refused():
    with pytest.raises(ValueError, match="not from 'luck'"):
        sources_of(["luck"])


def test_tables_have_a_row_for_each_seat_asked_about():
    deals = np.arange(6)
    both = PointTables().mirrored("greedy", deals)
    one = PointTables().against("greedy", "greedy", deals, uncounted=["trade"])
    assert len(both) == len(one) == 12
    assert (both[SOURCES].sum(axis=1) == both.score).all()
    assert (both.groupby("deal").won.sum() == 1).all()
    assert (one.trade == 0).all()
    assert (one.groupby("deal").seat.nunique() == 2).all()
    assert one.withheld.sum() > 0
    assert both.largest.between(0, 1).all()


def test_at_a_table_of_more_every_seat_is_had_once():
    rows = PointTables().against("greedy", "core_rush", np.arange(3), players=4)
    assert sorted(rows.seat) == sorted([*range(4)] * 3)
    assert rows.won.sum() <= 12


def test_kept_tables_are_read_where_the_same_is_asked_for_again(tmp_path, monkeypatch):
    monkeypatch.setattr("lab.experiments.point_source_ablation.PART", 3)
    kept, deals = PointTables(tmp_path), np.arange(4)
    first = kept.against("greedy", "core_rush", deals, uncounted=["trade"])
    other = kept.mirrored("greedy", deals)
    by_seat = ["deal", "seat"]
    played = PointTables().mirrored("greedy", deals).sort_values(by_seat, ignore_index=True)
    pd.testing.assert_frame_equal(other.sort_values(by_seat, ignore_index=True), played)
    monkeypatch.setattr("lab.experiments.point_source_ablation._played", None)
    again = kept.against("greedy", "core_rush", deals, uncounted=["trade"])
    pd.testing.assert_frame_equal(first, again)
    with pytest.raises(TypeError):
        kept.against("greedy", "core_rush", deals, uncounted=["refine"])
