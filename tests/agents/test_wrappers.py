"""An agent that asks plays as the other where it is told to, and as itself everywhere else."""

import numpy as np
import pytest

import impulse_agents
from impulse_agents.base import AgentError, ObservationBatch
from impulse_agents.rng import RngStreams
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_agents.wrappers import Asking, asking
from impulse_agents.noisy import KINDS
from impulse_training.rollout.continuations import dealt, play_on

OPTIONS = Options(players=2)
GAMES = 60


@pytest.fixture(scope="module")
def starts():
    return dealt(OPTIONS, np.arange(GAMES))


@pytest.fixture(scope="module")
def agents():
    return impulse_agents.make("greedy"), impulse_agents.make("core_rush")


def test_asked_for_nothing_or_everything_it_is_one_of_the_two(starts, agents):
    for kinds, alone in ((), agents[0]), (KINDS, agents[1]):
        mixed = play_on(OPTIONS, starts, [Asking(*agents, kinds)])
        assert (mixed.states == play_on(OPTIONS, starts, [alone]).states).all()


def test_each_decision_is_taken_by_whose_it_is(agents):
    kinds = ("choose_fleet", "choose_move")
    mixed, game, seen = Asking(*agents, kinds), Game(players=2, seed=4), set()
    while game.seat is not None:
        kind = game.decision.kind
        row, streams = ObservationBatch.from_game(game), RngStreams.from_seeds([1])
        action = int(mixed.act(row, streams)[0])
        expected = agents[kind in kinds].act(row, RngStreams.from_seeds([1]))[0]
        assert action == expected
        seen.add(kind)
        game.step(impulse_agents.make("greedy").act_in_game(game, np.random.default_rng(0)))
    assert {*kinds, "add_impulse"} <= seen


def test_it_is_made_by_a_name():
    name = "impulse_agents.wrappers:asking:greedy,core_rush,choose_move+activate"
    made = impulse_agents.make(name)
    assert "asking core_rush for choose_move, activate" in asking(name.split(":")[2]).name
    assert made.name == name


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("greedy,core_rush", "AGENT,OTHER,KIND"),
        ("greedy,core_rush,dance", "not 'dance'"),
        ("greedy,nobody,activate", "nobody"),
    ],
)
def test_what_is_wrong_is_told(argument, told):
    with pytest.raises(AgentError, match=told):
        asking(argument)
