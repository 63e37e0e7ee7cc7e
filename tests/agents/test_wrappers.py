"""A wrapped agent plays otherwise in the kinds of decision that are named, and nowhere else."""

import numpy as np
import pytest

import impulse_agents
from impulse_agents.base import AgentError, ObservationBatch
from impulse_agents.playing.continuations import dealt, play_on, streams_of
from impulse_agents.rng import RngStreams
from impulse_agents.wrappers import Delegating, Noisy, delegating
from impulse_env.batch import GameBatch
from impulse_env.engine.ops import KINDS
from impulse_env.game import Game
from impulse_env.options import Options

OPTIONS = Options(players=2)
GREEDY, CORE_RUSH = impulse_agents.make("greedy"), impulse_agents.make("core_rush")


@pytest.fixture(scope="module")
def starts():
    return dealt(OPTIONS, np.arange(80))


@pytest.mark.parametrize(
    ("wrapped", "alone"),
    [
        (Noisy(GREEDY, ()), GREEDY),
        (Delegating(GREEDY, CORE_RUSH, ()), GREEDY),
        (Delegating(GREEDY, CORE_RUSH, KINDS), CORE_RUSH),
    ],
    ids=lambda agent: agent.name[:30],
)
def test_with_no_kinds_or_all_it_is_one_of_the_agents(starts, wrapped, alone):
    assert (
        play_on(OPTIONS, starts, [wrapped]).states == play_on(OPTIONS, starts, [alone]).states
    ).all()


def test_each_decision_is_taken_by_whose_it_is():
    kinds = ("choose_fleet", "choose_move")
    mixed, game, seen = Delegating(GREEDY, CORE_RUSH, kinds), Game(players=2, seed=4), set()
    while game.seat is not None:
        kind = game.decision.kind
        row, streams = ObservationBatch.from_game(game), RngStreams.from_seeds([1])
        action = int(mixed.act(row, streams)[0])
        expected = (CORE_RUSH if kind in kinds else GREEDY).act(row, RngStreams.from_seeds([1]))[0]
        assert action == expected
        seen.add(kind)
        game.step(GREEDY.act_in_game(game, np.random.default_rng(0)))
    assert {*kinds, "add_impulse"} <= seen


def test_random_in_everything_it_is_no_better_than_random(starts):
    by_seat = np.array([0, 1])
    wild = play_on(OPTIONS, starts, [Noisy(GREEDY, KINDS), GREEDY], by_seat)
    assert wild.won[:, 0].mean() < 0.1
    some = play_on(OPTIONS, starts, [Noisy(GREEDY, ["add_impulse"]), GREEDY], by_seat)
    assert 0.1 < some.won[:, 0].mean() < 0.6


def test_noise_is_every_legal_action():
    batch = GameBatch(OPTIONS, np.zeros(400, np.int64))
    games, streams = np.arange(400), streams_of(2, 0, np.arange(400))
    actions = Noisy(GREEDY, ["place_home"]).act_in_batch(batch, games, streams, 2 * games)
    assert set(actions.tolist()) == set(np.flatnonzero(batch.masks[0]).tolist())


def test_noise_needs_no_batch():
    game, rng = Game(players=2, seed=4), np.random.default_rng(0)
    noisy = Noisy(GREEDY, KINDS)
    assert {noisy.act_in_game(game, rng) for _ in range(200)} == set(game.legal_actions())


def test_it_is_made_by_a_name():
    name = "impulse_agents.wrappers:delegating:greedy,core_rush,choose_move+activate"
    made = impulse_agents.make(name)
    assert "delegating choose_move, activate to core_rush" in delegating(name.split(":")[2]).name
    assert made.name == name


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("greedy,core_rush", "AGENT,OTHER,KIND"),
        ("greedy,core_rush,dance", "not 'dance'"),
        ("greedy,nobody,activate", "nobody"),
    ],
)
def test_errors_say_what_is_wrong(argument, told):
    with pytest.raises(AgentError, match=told):
        delegating(argument)


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="not 'dance'"):
        Noisy(GREEDY, ["dance"])
