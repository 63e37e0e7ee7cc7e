"""What times the agents counts every decision and times every search."""

import numpy as np
import pytest

import impulse_agents
from impulse_env.options import Options
from impulse_training.bench import agents, forward
from impulse_training.bench.bench_options import AgentsArgs


def test_positions_are_in_the_midst_of_games():
    asked = agents.positions(impulse_agents.make("greedy"), Options(), 4, seed=1)
    assert len(asked) == len(agents.MIDDLE)
    assert all(0 < len(seen) <= 4 and seen.views is not None for seen in asked)
    assert asked[-1].views["turn"].mean() > asked[0].views["turn"].mean() > 0


def test_every_agent_is_timed():
    args = AgentsArgs(games=8, seconds=0.001, repeats=1)
    found = agents.rates(args)
    assert list(found) == list(agents.FASTEST)
    assert min(found.values()) > 0


def test_searches_are_timed_with_all_their_simulations():
    seen = agents.positions(impulse_agents.make("greedy"), Options(), 2, seed=1)[0]
    few, many = (
        np.sum(agents.search_seconds(agents.make_searcher("ismcts", n), seen, 1)[0])
        for n in (10, 1000)
    )
    assert many > 5 * few


def test_the_search_of_the_shipped_agent_is_timed_too(monkeypatch):
    assert agents.searchers(AgentsArgs()) == ("ismcts", "policy+search:2p")
    assert agents.searchers(AgentsArgs(players=6)) == ("ismcts", "policy+search:6p")
    table = agents.search_times(AgentsArgs(searches=1, simulations=(2, 3)))
    assert [row[0] for row in table.rows] == [
        f"{name}:{n}" for name in ("ismcts", "policy+search:2p") for n in (2, 3)
    ]
    assert all(float(row[3].replace(",", "")) > 0 for row in table.rows)
    monkeypatch.setattr(agents, "shipped", lambda: ["2p"])
    assert agents.searchers(AgentsArgs(players=6)) == ("ismcts",)


def test_what_does_not_search_is_not_timed(tmp_path):
    file = tmp_path / "still.py"
    file.write_text(
        "from impulse_agents.heuristics.random_agent import RandomAgent\n\n\n"
        "class Still(RandomAgent):\n"
        "    def __init__(self, argument):\n"
        "        super().__init__()\n"
    )
    with pytest.raises(impulse_agents.AgentError, match="not a search"):
        agents.make_searcher(f"{file}:Still", 2)


def test_the_network_is_timed_alone_and_in_batches(monkeypatch):
    (table,) = agents.network_times(AgentsArgs(seconds=0.001, repeats=1))
    assert [int(row[0]) for row in table.rows] == list(forward.ROWS)
    assert all(int(time.replace(",", "")) > 0 for row in table.rows for time in row[1:])
    monkeypatch.setattr(agents, "shipped", lambda: ["2p"])
    assert agents.network_times(AgentsArgs(players=6)) == ()
