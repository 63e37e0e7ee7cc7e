"""What a page names is made in a worker; code is loaded only if whoever started it said so."""

import numpy as np
import pytest

from impulse_agents.base import AgentError
from impulse_env.game import Game
from impulse_table.workers import agent_tasks

SOURCE = """
from impulse_agents.heuristics.random_agent import RandomAgent


class Mine(RandomAgent):
    pass
"""


def view_of(game):
    return game.view(game.seat).state.tobytes()


@pytest.fixture
def name(tmp_path, monkeypatch):
    file = tmp_path / "mine.py"
    file.write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(agent_tasks, "_allowed", set())
    agent_tasks.agent_of.cache_clear()
    return f"{file}:Mine"


def test_a_page_cannot_have_code_loaded(name):
    view = view_of(Game(seed=1))
    for question in (agent_tasks.choose, agent_tasks.suggest):
        with pytest.raises(AgentError, match=r"start with `impulse play --agents .*mine\.py:Mine`"):
            question(name, view, (1,))
    with pytest.raises(AgentError, match="which a page cannot load"):
        agent_tasks.check([name], 2)


def test_an_agent_that_was_named_at_the_start_plays(name, monkeypatch):
    monkeypatch.setattr(agent_tasks, "_COMPILED", ())
    agent_tasks.warm_up((name,))
    game = Game(seed=1)
    chosen = agent_tasks.choose(name, view_of(game), (1,))
    assert chosen in map(game.name, game.legal_actions())
    assert agent_tasks.agent_of(name).act_in_game(game, np.random.default_rng(0)) >= 0
