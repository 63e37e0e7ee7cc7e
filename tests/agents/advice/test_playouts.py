"""Playouts: from what the seat knows, the same whichever are played together, and not for ever."""

import numpy as np
import pytest

import impulse_agents
from impulse_agents.advice.playouts import played_out
from impulse_agents.base import AgentError
from impulse_env import Game
from impulse_env.testing.random_play import random_choice


def a_game(decisions=60, **options):
    game, choose = Game(seed=4, **options), random_choice(4)
    for _ in range(decisions):
        game.step(choose(game))
    return game


@pytest.mark.parametrize("name", ["greedy", "ismcts:2"])
def test_they_know_what_the_seat_knows_and_no_more(name):
    game, agent = a_game(20, max_turns=8), impulse_agents.make(name)
    other = game.determinize(game.seat, np.random.default_rng(3))
    assert game != other
    won = played_out(game, agent, range(6))
    assert won.shape == (6, 2)
    assert np.array_equal(won, played_out(other, agent, range(6)))


def test_each_is_the_same_whichever_are_played_with_it():
    game, agent = a_game(20, target_score=6), impulse_agents.make("greedy")
    whole = played_out(game, agent, range(8), seed=7)
    assert np.array_equal(whole[3:], played_out(game, agent, range(3, 8), seed=7))
    assert (whole.sum(axis=1) == 1).all()
    assert len({tuple(played_out(game, agent, range(8), seed)[:, 0]) for seed in range(6)}) > 1


def test_a_team_wins_together_and_at_the_last_turn_nobody_does():
    agent = impulse_agents.make("greedy")
    won = played_out(a_game(20, players=4, team_size=2, target_score=6), agent, range(4))
    assert np.array_equal(won[:, :2], won[:, 2:])
    assert won.any()
    assert not played_out(a_game(20, max_turns=6), agent, range(4)).any()


def test_an_agent_that_is_too_slow_or_plays_other_games_says_so():
    game, agent = a_game(), impulse_agents.make("greedy")
    with pytest.raises(AgentError, match="choose a faster agent"):
        played_out(game, agent, range(4), patience=0.0)
    with pytest.raises(AgentError, match="3 players"):
        played_out(game, impulse_agents.make("policy:3p"), range(4))
