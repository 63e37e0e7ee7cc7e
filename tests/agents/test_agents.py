"""Every agent plays legal actions, the same for the same generator, at every table."""

import numpy as np
import pytest

import agents
from agents.base import Seen
from agents.network import PolicyNetwork
from agents.policy import PolicyAgent, describe
from agents.randomness import Streams
from impulse_env.batch import GameBatch
from impulse_env.game import Game
from impulse_env.options import Options
from training import match

TABLES = [
    {"players": 2},
    {"players": 3, "races": "draft"},
    {"players": 4},
    {"players": 4, "teams": 2},
    {"players": 5},
    {"players": 6, "teams": 2},
    {"players": 6, "teams": 3},
]
NETWORK = {"width": 16, "policy": (16,), "value": (), "card_dim": 4}


def agent_of(name, players):
    if name != "policy":
        return agents.make(name)
    network = PolicyNetwork(players, **NETWORK)
    return PolicyAgent(network, describe(players, NETWORK), name, samples=True)


@pytest.mark.parametrize("options", TABLES, ids=str)
@pytest.mark.parametrize("name", ["random", "greedy", "policy"])
def test_every_action_is_legal_to_the_end_of_the_game(name, options):
    agent = agent_of(name, options["players"])
    streams = Streams.of_seeds(range(8))
    batch = GameBatch(Options(**options, max_turns=60), range(8))
    while (batch.seats >= 0).any():
        playing = np.flatnonzero(batch.seats >= 0)
        actions = np.zeros(len(batch.seats), np.int64)
        actions[playing] = agent.act_in(batch, playing, streams, playing)
        batch.step(actions)  # raises IllegalActionError


@pytest.mark.parametrize("name", ["random", "greedy", "policy"])
def test_the_same_generator_gives_the_same_actions(name):
    agent = agent_of(name, 2)
    batch = GameBatch(Options(), range(50))
    seen = Seen.in_batch(batch, with_views=True)
    left, right = (agent.act(seen, Streams.of_seeds(range(50))) for _ in range(2))
    assert (left == right).all()


@pytest.mark.parametrize("name", ["random", "greedy", "policy"])
def test_deciding_changes_nothing(name):
    batch = GameBatch(Options(), range(20))
    seen, masks = batch.observations.copy(), batch.masks.copy()
    agent_of(name, 2).act(Seen.in_batch(batch, with_views=True), Streams.of_seeds(range(20)))
    assert (batch.observations == seen).all()
    assert (batch.masks == masks).all()


def test_the_random_agent_draws_every_legal_action_alike():
    masks = np.zeros((30_000, 180), np.int8)
    masks[:, [0, 7, 179]] = 1
    seen = Seen(np.empty((30_000, 0), np.uint8), masks, np.zeros(30_000, np.int8))
    drawn = agents.make("random").act(seen, Streams.of_seeds(range(30_000)))
    counts = np.bincount(drawn, minlength=180)
    assert counts[[0, 7, 179]].sum() == 30_000
    assert (abs(counts[[0, 7, 179]] - 10_000) < 400).all()


def test_greedy_beats_random():
    entrants = [agents.make("greedy"), agents.make("random")]
    assert match.play(entrants, Options(), 200, seed=1).interval()[0] > 0.95


def test_greedy_beats_random_at_a_table_of_four():
    entrants = [agents.make("greedy"), agents.make("random")]
    assert match.play(entrants, Options(players=4), 100, seed=1).interval()[0] > 0.9


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_an_agent_plays_a_single_game_in_its_absolute_frame(name):
    game, rng = Game(players=3, seed=4, target_score=6), np.random.default_rng(0)
    agent = agents.make(name)
    while game.seat is not None:
        action = agent.choose_in(game, rng)
        assert action in game.legal_actions()
        game.step(action)
    with pytest.raises(agents.AgentError, match="the game is over"):
        agent.choose_in(game, rng)


@pytest.mark.parametrize("name", ["clever", "policy", "policy:", "random:3", ""])
def test_an_unknown_name_is_refused_with_those_that_exist(name):
    with pytest.raises(agents.AgentError, match="there are random, greedy, policy:PATH"):
        agents.make(name)


def test_greedy_refuses_observations_of_no_table():
    masks = np.ones((1, 180), np.int8)
    with pytest.raises(agents.AgentError, match="850"):
        agents.make("greedy").act(
            Seen(np.zeros((1, 7), np.uint8), masks, np.zeros(1, np.int8)), Streams.of_seeds([0])
        )
