"""A search with a network counts right, ends when it should, and is the same in compiled code."""

import numpy as np
import pytest

from impulse_agents.base import AgentError
from impulse_agents.heuristics.styles import BALANCED, STYLES
from impulse_agents.search import network_agent
from impulse_agents.search.network_agent import NetworkSearch
from impulse_agents.search.tree import NONE
from impulse_agents.search.variations import root_visits
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.game import Game
from impulse_env.observation import observe
from searches import BOTH, GAMES, agent_of, seen_by


def watched(agent):
    """Let an agent tell how many leaves its network was asked about, call by call."""
    asked, evaluate = [], agent.policy.evaluate

    def count(observations):
        asked.append(len(observations))
        return evaluate(observations)

    agent.policy.evaluate = count
    return asked


@BOTH
@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_simulation_is_counted_once_at_the_root(players, by_torch):
    agent = agent_of("60", players, by_torch)
    agent.config["early_stop"] = False
    search = agent.search(*seen_by(players))
    assert search.done.tolist() == [60] * GAMES
    for row in range(GAMES):
        assert sum(root_visits(search.forest, row).values()) in (59, 60)  # the first is the root's


@BOTH
def test_a_settled_search_ends_early_with_the_same_action(by_torch):
    early, whole = agent_of("60", by_torch=by_torch), agent_of("60", by_torch=by_torch)
    whole.config["early_stop"] = False
    searches = early.search(*seen_by()), whole.search(*seen_by())
    assert searches[0].actions.tolist() == searches[1].actions.tolist()
    assert (searches[0].done <= 60).all()
    assert searches[0].done.min() < 60


def test_a_search_that_has_ended_is_not_evaluated_while_others_continue():
    early, whole = agent_of("60", by_torch=True), agent_of("60", by_torch=True)
    whole.config["early_stop"] = False
    asked, asked_by_whole = watched(early), watched(whole)
    early.search(*seen_by())
    whole.search(*seen_by())
    assert sum(asked) < sum(asked_by_whole)
    assert sorted(asked, reverse=True) == asked


@BOTH
def test_what_has_ended_may_not_change(by_torch):
    """No action leads another by more visits than the simulations that a search has spared."""
    search = agent_of("60", by_torch=by_torch).search(*seen_by())
    for row in range(GAMES):
        first, second, *_ = [*sorted(root_visits(search.forest, row).values())[::-1], 0]
        assert first - second > 60 - search.done[row] or search.done[row] == 60


@pytest.mark.skipif(not IS_COMPILED, reason="there is only the one way")
@pytest.mark.parametrize("value_weight", [0, 0.5, 1])
@pytest.mark.parametrize(
    ("players", "team_size", "reward"),
    [(2, None, "win"), (2, None, "score"), (3, None, "score"), (4, 2, "score"), (6, 3, "win")],
)
def test_compiled_code_searches_as_python_does(players, team_size, reward, value_weight):
    seen, streams = seen_by(players, team_size=team_size)
    searches = []
    for by_torch in (False, True):
        agent = agent_of("8", players, by_torch, reward, value_weight=value_weight)
        agent.config["early_stop"] = False
        searches.append(agent.search(seen, streams.take(np.arange(GAMES))))
    compiled, other = searches
    assert compiled.actions.tolist() == other.actions.tolist()
    assert compiled.done.tolist() == other.done.tolist() == [8] * GAMES
    edges, others = compiled.forest.edges, other.forest.edges
    for field in ("action", "visits", "value"):
        assert np.allclose(edges[field], others[field], atol=1e-4)
    assert 0 < edges["value"].max() <= 8
    asked = edges["prior"] > 0
    assert np.allclose(edges["prior"][asked], others["prior"][asked], atol=1e-4)
    assert np.all(edges["visits"][~asked] == 0)
    assert asked.sum() < (others["prior"] > 0).sum()


def edges_of(forest, row, node):
    """Return the edges of a node."""
    found, edge = [], forest.nodes[row, node]["first_edge"]
    while edge != NONE:
        found.append(forest.edges[row, edge])
        edge = forest.edges[row, edge]["next_edge"]
    return np.array(found)


@pytest.mark.skipif(not IS_COMPILED, reason="only a compiled network is part of the search")
def test_a_compiled_network_is_asked_only_for_leaves_that_are_visited_again():
    seen, streams = seen_by()
    forest = agent_of("40").search(seen, streams).forest
    shares = []
    for row in range(GAMES):
        asked = forest.nodes[row, : forest.trees[row]["nodes"]]["unguided"] == NONE
        for node, is_asked in enumerate(asked):
            edges = edges_of(forest, row, node)
            assert (edges["visits"].sum() > 0) == is_asked
            assert edges["prior"].max() == is_asked
        shares.append(asked.mean())
    assert 0.1 < np.mean(shares) < 0.7


def test_the_network_says_what_the_end_of_a_playout_is_worth_to_whoever_decides_there():
    seen, streams = seen_by()
    agent = agent_of("2", by_torch=True, value_weight=1)
    search = NetworkSearch(seen, agent.config, STYLES[BALANCED], streams, room=2)
    search.advance(2)
    search.step(agent.policy.evaluate(search.leaves)[0], np.zeros(GAMES, np.float32), 2)
    assert search.waiting.tolist() == list(range(GAMES))
    ends = [Game.from_state(state) for state in search.end_games]
    for row, end in enumerate(ends):
        assert end.turn > int(seen.views[row]["turn"])
        assert end.seat == search.end_seats[row]
        assert np.array_equal(observe(end, end.seat), search.ends[row])
    own = [end.seat == seat for end, seat in zip(ends, seen.seats, strict=True)]
    chances = np.linspace(0.1, 0.9, GAMES).astype(np.float32)
    search.step(agent.policy.evaluate(search.leaves)[0], chances, 2)
    assert search.done.tolist() == [2] * GAMES
    for row in range(GAMES):
        root = search.forest.edges[row][search.forest.edges[row]["visits"] == 1]
        assert root["value"] == pytest.approx(chances[row] if own[row] else 1 - chances[row])


def test_a_game_is_searched_beside_others_as_it_is_alone():
    seen, streams = seen_by()
    together = agent_of("40").act(seen, streams.take(np.arange(GAMES)))
    for row in range(GAMES):
        one = np.array([row])
        assert agent_of("40").act(seen.take(one), streams.take(one))[0] == together[row]


@BOTH
def test_games_are_searched_at_once_as_far_as_their_trees_have_room(by_torch, monkeypatch):
    agent = agent_of("60", by_torch=by_torch)
    searched, search = [], agent.search

    def remember(*arguments):
        searched.append(search(*arguments))
        return searched[-1]

    monkeypatch.setattr(agent, "search", remember)
    one = sum(array[:1].nbytes for array in search(*seen_by()).forest.arrays[1:])
    monkeypatch.setattr(network_agent, "ROOM", 2 * one)
    agent.act(*seen_by())
    assert [len(made.done) for made in searched] == [2] * (GAMES // 2)


@pytest.mark.skipif(not IS_COMPILED, reason="there is only the one way")
def test_only_what_is_evaluated_in_python_gains_by_many_games_at_once():
    assert not agent_of("40").is_batched
    assert agent_of("40", by_torch=True).is_batched
    assert not agent_of("0.1s", by_torch=True).is_batched


@BOTH
def test_a_value_that_is_not_calibrated_weighs_nothing(by_torch):
    seen, streams = seen_by()
    agent = agent_of("5", by_torch=by_torch, value_weight=0.5)
    agent.policy.calibration = None
    with pytest.raises(AgentError, match="policy:made is not calibrated"):
        agent.act(seen, streams)
    agent.config["value_weight"] = 0
    assert agent.act(seen, streams).shape == (GAMES,)


@BOTH
def test_time_ends_a_search_and_nothing_else_does(by_torch):
    agent = agent_of("0.3s", by_torch=by_torch)
    assert not agent.config["early_stop"][0]
    seen, streams = seen_by()
    search = agent.search(seen, streams)
    assert (search.done > 1).all()
    assert len(search.waiting) == 0
    assert agent.act(seen, streams).shape == (GAMES,)
