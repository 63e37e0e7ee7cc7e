"""What a page names is made in a worker; code is loaded only if whoever started it said so."""

import numpy as np
import pytest

from impulse_agents.advice import worker_tasks
from impulse_agents.base import AgentError
from impulse_env.game import Game

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
    monkeypatch.setattr(worker_tasks, "_allowed", set())
    worker_tasks.agent_of.cache_clear()
    return f"{file}:Mine"


def test_a_page_cannot_have_code_loaded(name):
    view = view_of(Game(seed=1))
    for question in (worker_tasks.choose, worker_tasks.suggest):
        with pytest.raises(AgentError, match=r"start with `impulse play --agents .*mine\.py:Mine`"):
            question(name, view, (1,))
    with pytest.raises(AgentError, match="which a page cannot have loaded"):
        worker_tasks.check([name], 2)


def test_an_agent_that_was_named_at_the_start_plays(name, monkeypatch):
    monkeypatch.setattr(worker_tasks, "_COMPILED", ())
    worker_tasks.warm_up((name,))
    game = Game(seed=1)
    chosen = worker_tasks.choose(name, view_of(game), (1,))
    assert chosen in map(game.name, game.legal_actions())
    assert worker_tasks.agent_of(name).act_in_game(game, np.random.default_rng(0)) >= 0
