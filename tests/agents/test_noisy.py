"""A careless agent draws where it is told to, and plays as the other everywhere else."""

import numpy as np
import pytest

import impulse_agents
from impulse_env.batch import GameBatch
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_agents.noisy import KINDS, Careless, pending_kinds
from impulse_training.rollout.continuations import dealt, play_on, streams_of

OPTIONS = Options(players=2)
GAMES = 80


@pytest.fixture(scope="module")
def starts():
    return dealt(OPTIONS, np.arange(GAMES))


def test_without_kinds_it_is_the_other_agent(starts):
    greedy = impulse_agents.make("greedy")
    own = play_on(OPTIONS, starts, [greedy])
    assert (own.states == play_on(OPTIONS, starts, [Careless(greedy, ())]).states).all()


def test_careless_in_everything_it_is_no_better_than_random(starts):
    greedy = impulse_agents.make("greedy")
    by_seat = np.array([0, 1])
    wild = play_on(OPTIONS, starts, [Careless(greedy, KINDS), greedy], by_seat)
    assert wild.won[:, 0].mean() < 0.1
    some = play_on(OPTIONS, starts, [Careless(greedy, ["add_impulse"]), greedy], by_seat)
    assert 0.1 < some.won[:, 0].mean() < 0.6


def test_it_draws_every_legal_action():
    batch = GameBatch(OPTIONS, np.zeros(400, np.int64))
    games, streams = np.arange(400), streams_of(2, 0, np.arange(400))
    careless = Careless(impulse_agents.make("greedy"), ["place_home"])
    actions = careless.act_in_batch(batch, games, streams, 2 * games)
    assert set(actions.tolist()) == set(np.flatnonzero(batch.masks[0]).tolist())


def test_kinds_are_those_of_the_game(starts):
    games = np.arange(GAMES)
    kinds = pending_kinds(starts, games)
    for state, kind in zip(starts, kinds.tolist(), strict=True):
        assert Game.from_state(state).decision.kind == KINDS[kind - 1]


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="not 'dance'"):
        Careless(impulse_agents.make("greedy"), ["dance"])
