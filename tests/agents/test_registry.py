"""Every agent plays legal actions, the same for the same generator, at every table."""

import numpy as np
import pytest

import impulse_agents
from impulse_agents.base import AgentError, ObservationBatch
from impulse_agents.rng import RngStreams
from impulse_agents.search.agent import Budget
from impulse_agents.search.network_agent import PolicySearchAgent
from impulse_env.batch import GameBatch
from impulse_env.game import Game
from impulse_env.information import determinize_all
from impulse_env.observation import observe_all
from impulse_env.options import Options
from networks import NETWORK, untrained

TABLES = [
    {"players": 2},
    {"players": 3, "races": "draft"},
    {"players": 4},
    {"players": 4, "team_size": 2},
    {"players": 5},
    {"players": 6, "team_size": 2},
    {"players": 6, "team_size": 3},
]

SEARCHING = ["ismcts:8", "ismcts:8:random"]
ALL = ["random", *impulse_agents.RULE_BASED, *SEARCHING, "policy", "policy+search"]


def agent_of(name, players):
    if not name.startswith("policy"):
        return impulse_agents.make(name)
    policy = untrained(players, NETWORK, is_stochastic=True)
    return policy if name == "policy" else PolicySearchAgent(policy, Budget(8))


def play_to_the_end(agent, options, games, watch=lambda batch, actions: None):
    """Play whole games with one agent on every seat."""
    streams = RngStreams.from_seeds(range(games))
    batch = GameBatch(options, range(games))
    while (batch.seats >= 0).any():
        playing = np.flatnonzero(batch.seats >= 0)
        actions = np.zeros(len(batch.seats), np.int64)
        actions[playing] = agent.act_in_batch(batch, playing, streams, playing)
        watch(batch, actions)
        batch.step(actions)  # raises IllegalActionError


@pytest.mark.parametrize("options", TABLES, ids=str)
@pytest.mark.parametrize("name", ALL)
def test_every_action_is_legal_to_the_end_of_the_game(name, options):
    play_to_the_end(agent_of(name, options["players"]), Options(**options, max_turns=40), 4)


@pytest.mark.slow
@pytest.mark.parametrize("options", TABLES, ids=str)
@pytest.mark.parametrize("name", ALL)
def test_every_action_is_legal_in_two_hundred_games(name, options):
    play_to_the_end(agent_of(name, options["players"]), Options(**options), 200)


def decisions(players=2, games=30, after=25):
    """A batch in the midst of its games."""
    batch, agent = (
        GameBatch(Options(players=players), range(games)),
        impulse_agents.make("core_rush"),
    )
    streams, every = RngStreams.from_seeds(range(games)), np.arange(games)
    for _ in range(after):
        batch.step(agent.act_in_batch(batch, every, streams, every))
    return batch


@pytest.mark.parametrize("name", ALL)
def test_the_same_generator_gives_the_same_actions(name):
    agent = agent_of(name, 2)
    seen = ObservationBatch.from_batch(decisions(), with_views=True)
    left, right = (agent.act(seen, RngStreams.from_seeds(range(30))) for _ in range(2))
    assert (left == right).all()


@pytest.mark.parametrize("name", ALL)
def test_an_action_does_not_depend_on_the_games_beside_it(name):
    agent = agent_of(name, 2)
    seen = ObservationBatch.from_batch(decisions(), with_views=True)
    together = agent.act(seen, RngStreams.from_seeds(range(30)))
    rows = np.array([3, 17, 29])
    assert (agent.act(seen.take(rows), RngStreams.from_seeds(rows)) == together[rows]).all()


@pytest.mark.parametrize("name", ALL)
def test_probabilities_are_of_legal_actions_and_lead_to_the_action(name):
    agent = agent_of(name, 2)
    seen = ObservationBatch.from_batch(decisions(games=8), with_views=True)
    shares = agent.action_probabilities(seen, RngStreams.from_seeds(range(8)))
    assert shares.shape == seen.masks.shape
    assert shares.dtype == np.float32
    assert (shares[seen.masks == 0] == 0).all()
    assert shares.sum(axis=1) == pytest.approx(1, abs=1e-5)
    actions = agent.act(seen, RngStreams.from_seeds(range(8)))
    assert (shares[np.arange(8), actions] > 0).all()
    if not agent.is_stochastic:
        assert (shares.argmax(axis=1) == actions).all()


@pytest.mark.parametrize("name", ALL)
def test_deciding_changes_nothing(name):
    seen = ObservationBatch.from_batch(decisions(), with_views=True)
    before = [a.tobytes() for a in (seen.observations, seen.masks, seen.seats, seen.views)]
    agent_of(name, 2).act(seen, RngStreams.from_seeds(range(30)))
    after = [a.tobytes() for a in (seen.observations, seen.masks, seen.seats, seen.views)]
    assert before == after


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", ALL)
def test_hidden_information_changes_no_decision(name, players):
    agent, batch = agent_of(name, players), decisions(players)
    every = np.arange(len(batch.seats))
    actions = agent.act_in_batch(batch, every, RngStreams.from_seeds(every), every)
    before = batch.states.copy()
    redealt = RngStreams.from_seeds(every + 1000).bits()
    determinize_all(batch.states, batch.seats.astype(np.int64), redealt)
    assert (before["deck"] != batch.states["deck"]).any()
    batch.observations[:] = observe_all(batch.states, batch.seats)
    again = agent.act_in_batch(batch, every, RngStreams.from_seeds(every), every)
    assert (actions == again).all()


@pytest.mark.parametrize("name", ["random", "greedy", "miner", "ismcts:8"])
def test_an_agent_plays_a_single_game_in_its_absolute_frame(name):
    game, rng = Game(players=3, seed=4, target_score=6), np.random.default_rng(0)
    agent = impulse_agents.make(name)
    while game.seat is not None:
        action = agent.act_in_game(game, rng)
        assert action in game.legal_actions()
        game.step(action)
    with pytest.raises(impulse_agents.AgentError, match="the game is over"):
        agent.act_in_game(game, rng)


@pytest.mark.parametrize("name", ["clever", "policy", "policy:", "random:3", ""])
def test_an_unknown_name_is_refused_with_those_that_exist(name):
    with pytest.raises(impulse_agents.AgentError, match="there are random, greedy, core_rush"):
        impulse_agents.make(name)


@pytest.mark.parametrize("name", ["ismcts:0", "ismcts:many", "ismcts:-1s", "ismcts:nans"])
def test_a_search_without_a_budget_is_refused(name):
    with pytest.raises(impulse_agents.AgentError, match="simulations such as 1000, or seconds"):
        impulse_agents.make(name)


def test_an_unknown_playout_is_refused_with_those_that_exist():
    with pytest.raises(impulse_agents.AgentError, match="there are random, balanced, core_rush"):
        impulse_agents.make("ismcts:10:clever")


def test_an_agent_that_looks_ahead_asks_for_a_game():
    with pytest.raises(impulse_agents.AgentError, match="act_in_game"):
        impulse_agents.make("greedy").act_on_observation(
            np.zeros(850, np.uint8), np.ones(180, np.int8), np.random.default_rng(0)
        )


@pytest.mark.parametrize("name", ["a\udcff.py:Best", "a" * 301, "random\n"])
def test_a_name_that_no_record_can_tell_is_refused(name):
    with pytest.raises(AgentError, match="must be text of at most 300 printable characters"):
        impulse_agents.make(name)
