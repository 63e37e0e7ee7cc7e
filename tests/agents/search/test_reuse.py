"""A search begins with what the one before has found, if it was foreseen, and with nothing else."""

import numpy as np
import pytest

from impulse_agents.base import ObservationBatch
from impulse_agents.rng import RngStreams
from impulse_agents.search.reuse import KeptTrees
from impulse_agents.search.tree import EDGE, NODE, NONE, TREE, Forest
from impulse_agents.search.variations import root_visits
from impulse_env.batch import GameBatch
from impulse_env.engine.state import STATE
from impulse_env.frame import absolute_frame
from impulse_env.options import Options
from searches import BOTH, GAMES, agent_of, seen_by


def below(forest, row, node=0):
    """Return what was found of a node's actions, with what is below them, as nested tuples."""
    nodes, edges = forest.nodes[row], forest.edges[row]
    found, edge = [], int(nodes[node]["first_edge"])
    while edge != NONE:
        outcomes, child = [], int(edges[edge]["first_outcome"])
        while child != NONE:
            outcomes.append((int(nodes[child]["decision"]), below(forest, row, child)))
            child = int(nodes[child]["next_outcome"])
        one = edges[edge]
        figures = int(one["action"]), int(one["visits"]), float(one["value"]), float(one["prior"])
        found.append((*figures, outcomes))
        edge = int(edges[edge]["next_edge"])
    return found


def begun_with(agent, monkeypatch):
    """Let an agent tell call by call what its trees know of the root's actions to begin with."""
    calls, take = [], KeptTrees.take

    def taken(self, forest, views, states):
        take(self, forest, views, states)
        calls.append(
            [
                root_visits(forest, row) if forest.trees["nodes"][row] else None
                for row in range(len(views))
            ]
        )

    monkeypatch.setattr(KeptTrees, "take", taken)
    return calls


def play(agent, players, decisions, games=GAMES):
    """Play games side by side; return what was played at each decision, and what was legal."""
    batch = GameBatch(Options(players=players), range(games))
    streams = RngStreams.from_seeds(range(games * players))
    played, legal = [], []
    for _ in range(decisions):
        seen = ObservationBatch.from_batch(batch, np.arange(games), with_views=True)
        rows = np.arange(games) * players + seen.seats
        own = streams.take(rows)
        actions = agent.act(seen, own)
        streams.put(rows, own)
        absolute = absolute_frame(players)
        legal.append(
            [
                set(absolute[seat, np.flatnonzero(mask)].tolist())
                for seat, mask in zip(seen.seats, seen.masks, strict=True)
            ]
        )
        played.append(actions.tolist())
        batch.step(actions)
    return played, legal


@pytest.mark.parametrize("players", [2, 4])
def test_most_searches_begin_with_what_is_known_and_legal(players, monkeypatch):
    agent = agent_of("30", players, reuse=4)
    calls = begun_with(agent, monkeypatch)
    _, legal = play(agent, players, 80)
    begun = [
        (roots, options)
        for call, some in zip(calls, legal, strict=True)
        for roots, options in zip(call, some, strict=True)
    ]
    known = [(roots, options) for roots, options in begun if roots is not None]
    assert len(known) > len(begun) / 2
    for roots, options in known:
        assert set(roots) <= options
    assert np.mean([sum(roots.values()) for roots, _ in known]) > 10


def test_the_subtree_of_the_played_action_is_reused():
    agent = agent_of("60", reuse=4)
    seen, streams = seen_by()
    trees = KeptTrees()
    search = agent.search(seen, streams, trees)
    kept = Forest(GAMES, search.forest.room, search.forest.observations.shape[2])
    views = np.zeros(GAMES, STATE)
    search._call(0, kept, views)
    rows = np.flatnonzero(kept.trees["nodes"])
    assert len(rows) > GAMES / 2
    for row in rows:
        action = absolute_frame(2)[seen.seats[row], search.actions[row]]
        played = [edge for edge in below(search.forest, row) if edge[0] == action]
        assert below(kept, row) in [tree for _, tree in played[0][-1]]


def test_a_game_continues_beside_others_as_it_does_alone():
    together, _ = play(agent_of("20", reuse=4), 2, 40)
    agent = agent_of("20", reuse=4)
    alone, _ = play(agent, 2, 40, games=1)
    assert [row[0] for row in together] == [row[0] for row in alone]


def test_compiled_code_continues_as_python_does():
    ways = [
        play(agent_of("12", by_torch=by_torch, reuse=3), 2, 30)[0] for by_torch in (False, True)
    ]
    assert ways[0] == ways[1]


@BOTH
def test_a_tree_never_outgrows_its_room(by_torch):
    agent = agent_of("10", by_torch=by_torch, reuse=2)
    play(agent, 2, 40)
    for kept in agent._trees._kept.values():
        assert len(kept.nodes) <= agent.room + 1
        assert kept.nodes.nbytes + kept.edges.nbytes <= Forest.size(agent.room)


def test_who_asks_with_another_generator_finds_nothing():
    seen, streams = seen_by()
    agent = agent_of("20", reuse=4)
    agent.act(seen, streams)
    others = RngStreams.from_seeds(range(100, 100 + GAMES))
    fresh = agent_of("20", reuse=4).act(seen, others.take(np.arange(GAMES)))
    assert agent.act(seen, others).tolist() == fresh.tolist()


def test_another_view_than_was_foreseen_finds_nothing_and_is_forgotten():
    trees, forest = KeptTrees(), Forest(1, 4)
    forest.trees["nodes"] = forest.trees["edges"] = 1
    views, states = np.zeros(1, STATE), np.array([7], np.uint64)
    trees.put(forest, views, states)
    other = views.copy()
    other["turn"] = 3
    found = Forest(1, 4)
    trees.take(found, other, states)
    assert found.trees["nodes"][0] == 0
    assert len(trees) == 0
    trees.put(forest, views, states)
    trees.take(found, views, states)
    assert found.trees["nodes"][0] == 1


def test_the_oldest_trees_are_dropped_when_there_is_no_room_for_more():
    size = TREE.itemsize + NODE.itemsize + EDGE.itemsize
    trees, forest = KeptTrees(most=3 * size), Forest(2, 4)
    forest.trees["nodes"] = forest.trees["edges"] = 1
    views = np.zeros(2, STATE)
    trees.put(forest, views, np.array([1, 2], np.uint64))
    for _ in range(2):  # what replaces a tree of the same game takes no more room
        trees.put(forest, views, np.array([3, 4], np.uint64))
    assert len(trees) == 3
    found = Forest(2, 4)
    trees.take(found, views, np.array([1, 2], np.uint64))
    assert found.trees["nodes"].tolist() == [0, 1]


def test_without_reuse_no_tree_is_stored():
    agent = agent_of("20")
    play(agent, 2, 5)
    assert len(agent._trees) == 0
