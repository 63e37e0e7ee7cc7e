"""The tree search counts right, finds what is there to find, and ends when it should."""

from time import perf_counter, process_time

import numpy as np
import pytest

import impulse_agents
from impulse_agents.advice.analyse import analyse
from impulse_agents.base import ObservationBatch
from impulse_agents.rng import RngStreams
from impulse_agents.search.agent import Budget, SearchAgent, settings
from impulse_agents.search.playout import BY_RULES
from impulse_agents.search.tree import NONE
from impulse_env.batch import GameBatch
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_training.rollout import match


def midgame(seed=3, decisions=40, players=2, **options):
    game, agent = Game(players, seed, **options), impulse_agents.make("greedy")
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        game.step(agent.act_in_game(game, rng))
    return game


def searched(game, simulations, may_stop=False, **config):
    agent = SearchAgent("test", Budget(simulations), config=settings(BY_RULES, 2, **config))
    agent.config["early_stop"] = may_stop
    agent.act(ObservationBatch.from_game(game), RngStreams.from_seeds([0]))
    return agent.forest


def root_visits(forest):
    nodes, edges = forest.nodes[0], forest.edges[0]
    visits, edge = [], int(nodes[0]["first_edge"])
    while edge != NONE:
        visits.append(int(edges[edge]["visits"]))
        edge = int(edges[edge]["next_edge"])
    return visits


@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_simulation_is_counted_once_at_the_root(players):
    game = midgame(players=players)
    visits = root_visits(searched(game, 200))
    assert len(visits) == len(game.legal_actions())
    assert sum(visits) == 200


def test_values_are_chances():
    forest = searched(midgame(), 300)
    edges = forest.edges[0][: int(forest.trees[0]["edges"])]
    assert (edges["value"] >= -1e-4).all()
    assert (edges["value"] <= edges["visits"] + 1e-3).all()


def test_no_node_is_visited_more_often_than_the_edge_above_it():
    forest = searched(midgame(), 300)
    nodes, edges = forest.nodes[0], forest.edges[0]
    for edge in edges[: int(forest.trees[0]["edges"])]:
        below, node = 0, int(edge["first_outcome"])
        while node != NONE:
            step = int(nodes[node]["first_edge"])
            while step != NONE:
                below += int(edges[step]["visits"])
                step = int(edges[step]["next_edge"])
            node = int(nodes[node]["next_outcome"])
        assert below <= edge["visits"]


def test_a_settled_search_ends_early_with_the_same_action():
    for seed in range(5):
        game = midgame(seed)
        early, whole = searched(game, 200, may_stop=True), searched(game, 200)
        assert sum(root_visits(early)) <= 200
        assert int(np.argmax(root_visits(early))) == int(np.argmax(root_visits(whole)))


def winning(game):
    """The legal actions that win at once."""
    found = set()
    for action in game.legal_actions():
        tried = game.copy()
        tried.step(action)
        if tried.is_over and game.seat in tried.winners:
            found.add(action)
    return found


def test_a_search_is_certain_where_it_can_win_at_once():
    rng, agent = np.random.default_rng(0), impulse_agents.make("random")
    values = []
    for seed in range(40):
        game = Game(2, seed, target_score=6)
        while game.seat is not None and len(values) < 10:
            if 0 < len(winning(game)) < len(game.legal_actions()):
                values.append(analyse(game, "ismcts:200", lines=1)[0].value)
            game.step(agent.act_in_game(game, rng))
    assert len(values) == 10
    assert min(values) > 0.95


def test_time_ends_a_search():
    agent, game = impulse_agents.make("ismcts:0.2s"), midgame()
    agent.act_in_game(game, np.random.default_rng(0))  # compiled code is loaded
    began, spent = perf_counter(), process_time()
    agent.act_in_game(game, np.random.default_rng(0))
    assert perf_counter() - began >= 0.2
    assert process_time() - spent < 1  # by the clock, a process may wait long for its turn


def test_a_thousand_simulations_take_at_most_a_second():
    agent, game = impulse_agents.make("ismcts:1000"), midgame()
    agent.config["early_stop"] = 0
    agent.act_in_game(game, np.random.default_rng(0))
    began = process_time()
    agent.act_in_game(game, np.random.default_rng(0))
    assert process_time() - began < 1


def test_top_lines_name_actions_and_add_up():
    game = midgame()
    lines = analyse(game, "ismcts:300", lines=99)
    assert {game.action(line.actions[0]) for line in lines} == set(game.legal_actions())
    assert sum(line.share for line in lines) == pytest.approx(1)
    assert lines == sorted(lines, key=lambda line: -line.visits)
    assert all(0 <= line.value <= 1 for line in lines)
    assert "wins" in str(lines[0])


def test_only_a_searching_agent_is_analysed():
    with pytest.raises(impulse_agents.AgentError, match="greedy does not search"):
        analyse(midgame(), "greedy")


def test_a_search_goes_deeper_than_the_decision():
    forest = searched(midgame(), 500)
    assert int(forest.trees[0]["nodes"]) > 20


@pytest.mark.parametrize("players", [2, 4])
def test_searching_beats_the_best_rules(players):
    entrants = [impulse_agents.make("ismcts:50"), impulse_agents.make("core_rush")]
    result = match.play(entrants, Options(players=players), 60, seed=1)
    assert result.interval()[0] > 1 / players


def test_a_batch_is_searched_as_its_games_are():
    batch = GameBatch(Options(), range(3))
    agent = impulse_agents.make("ismcts:20")
    seen = ObservationBatch.from_batch(batch, with_views=True)
    together = agent.act(seen, RngStreams.from_seeds(range(3)))
    for row in range(3):
        alone = agent.act(seen.take(np.array([row])), RngStreams.from_seeds([row]))
        assert alone[0] == together[row]
