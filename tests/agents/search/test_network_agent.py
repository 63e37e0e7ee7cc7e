"""A search with a network counts right, ends when it should, and asks about nothing in vain."""

import numpy as np
import pytest

from impulse_agents.base import ObservationBatch
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_agents.rng import RngStreams
from impulse_agents.search.agent import Budget, settings
from impulse_agents.search.network_agent import PolicySearchAgent
from impulse_agents.search.simulation import BY_NETWORK
from impulse_agents.search.variations import root_visits
from impulse_env.batch import GameBatch
from impulse_env.options import Options
from networks import NETWORK, network

GAMES = 6


def agent_of(budget, players=2):
    policy = PolicyAgent(
        network(players), checkpoint_config(players, NETWORK), "policy:made", is_stochastic=True
    )
    return PolicySearchAgent(policy, Budget.read(budget), settings(BY_NETWORK, 2, exploration=1.0))


def seen_by(players=2, decisions=30):
    """What is seen in the midst of some games, and a generator for each."""
    batch, streams = (
        GameBatch(Options(players=players), range(GAMES)),
        RngStreams.from_seeds([1] * GAMES),
    )
    policy = agent_of("1", players).policy
    for _ in range(decisions):
        batch.step(policy.act(ObservationBatch.from_batch(batch), streams))
    return ObservationBatch.from_batch(batch, np.arange(GAMES), with_views=True), streams


def watched(agent):
    """Let an agent tell how many leaves its network was asked about, call by call."""
    asked, evaluate = [], agent.policy.evaluate

    def count(observations):
        asked.append(len(observations))
        return evaluate(observations)

    agent.policy.evaluate = count
    return asked


@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_simulation_is_counted_once_at_the_root(players):
    agent = agent_of("60", players)
    agent.config["early_stop"] = False
    search = agent.search(*seen_by(players))
    assert search.done.tolist() == [60] * GAMES
    for row in range(GAMES):
        assert sum(root_visits(search.forest, row).values()) in (59, 60)  # the first is the root's


def test_a_settled_search_ends_early_with_the_same_action():
    early, whole = agent_of("60"), agent_of("60")
    whole.config["early_stop"] = False
    asked, asked_by_whole = watched(early), watched(whole)
    searches = early.search(*seen_by()), whole.search(*seen_by())
    assert searches[0].actions.tolist() == searches[1].actions.tolist()
    assert (searches[0].done <= 60).all()
    assert searches[0].done.min() < 60
    # A search that has ended is not evaluated while the others go on.
    assert sum(asked) < sum(asked_by_whole)
    assert sorted(asked, reverse=True) == asked


def test_what_has_ended_may_not_change():
    """No action leads another by more visits than the simulations that a search has spared."""
    search = agent_of("60").search(*seen_by())
    for row in range(GAMES):
        first, second, *_ = [*sorted(root_visits(search.forest, row).values())[::-1], 0]
        assert first - second > 60 - search.done[row] or search.done[row] == 60


def test_time_ends_a_search_and_nothing_else_does():
    agent = agent_of("0.05s")
    assert not agent.config["early_stop"][0]
    seen, streams = seen_by()
    search = agent.search(seen, streams)
    assert (search.done > 1).all()
    assert len(search.waiting) == 0
    assert agent.act(seen, streams).shape == (GAMES,)
