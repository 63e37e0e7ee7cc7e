"""What an author wants to know of an agent: it is found, plays whole games, and learns."""

import numpy as np
import torch
from impulse_scout.network import make_network
from impulse_scout.training import train_scout

import impulse_agents
from impulse_env import N_ACTIONS, Game, observation
from impulse_env.options import Options
from impulse_training.rollout.match import play


def test_impulse_finds_the_agent_by_its_name():
    assert "scout" in impulse_agents.names()
    assert impulse_agents.make("scout").name == "scout"


def test_it_plays_whole_games_at_every_table():
    for players in range(2, 7):
        game, rng = Game(players=players, seed=players), np.random.default_rng(players)
        scout = impulse_agents.make("scout")
        while game.seat is not None:
            game.step(scout.act_in_game(game, rng))
        assert game.is_over


def test_its_rules_of_thumb_beat_random_play():
    entrants = [impulse_agents.make("scout"), impulse_agents.make("random")]
    result = play(entrants, Options(), games=200, seed=1)
    assert result.interval()[0] > 0.5


def test_the_network_reads_every_observation():
    for players in (2, 6):
        network = make_network(players, observation.sections(players), N_ACTIONS, width=8)
        seen = observation.observe(Game(players=players, seed=0), 0)
        logits, values = network(torch.from_numpy(seen[None]))
        assert logits.shape == (1, N_ACTIONS)
        assert values.shape == (1,)


def test_a_training_of_seconds_leaves_an_agent_that_plays(tmp_path):
    trained = train_scout(minutes=0.05, out=tmp_path / "run", games=16)
    scout = impulse_agents.make(f"scout:{trained.checkpoint}")
    result = play([scout, impulse_agents.make("random")], Options(), games=4)
    assert result.games == 4
