"""What a page names is made in a worker; code runs only if whoever started it said so."""

import numpy as np
import pytest

from bots import bot
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


@pytest.fixture(params=["file", "program"])
def name(request, tmp_path, monkeypatch):
    file = tmp_path / "mine.py"
    file.write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(agent_tasks, "_allowed", set())
    agent_tasks.agent_of.cache_clear()
    yield f"{file}:Mine" if request.param == "file" else bot("first")
    agent_tasks.agent_of.cache_clear()


def test_a_page_cannot_have_code_loaded(name):
    view = view_of(Game(seed=1))
    for question in (agent_tasks.choose, agent_tasks.suggest):
        with pytest.raises(
            AgentError, match=r"start with `impulse play --agents .*(mine\.py:Mine|first')`"
        ):
            question(name, view, (1,))
    with pytest.raises(AgentError, match="which a page cannot run"):
        agent_tasks.check([name], 2)


def test_an_agent_that_was_named_at_the_start_plays(name, monkeypatch):
    monkeypatch.setattr(agent_tasks, "_COMPILED", ())
    agent_tasks.warm_up((name,))
    game = Game(seed=1)
    chosen = agent_tasks.choose(name, view_of(game), (1,))
    assert chosen in map(game.name, game.legal_actions())
    assert agent_tasks.agent_of(name).act_in_game(game, np.random.default_rng(0)) >= 0


def test_a_page_starts_no_program_however_it_names_one(tmp_path, monkeypatch):
    monkeypatch.setattr(agent_tasks, "_allowed", {bot("first")})
    agent_tasks.agent_of.cache_clear()
    there = tmp_path / "there"
    words = f"/usr/bin/touch {there}"
    for name in (f"cmd:{words}", f"cmd: {words}", f"cmd::{words}", f"{bot('first')} {there}"):
        with pytest.raises(AgentError, match="which a page cannot run"):
            agent_tasks.choose(name, view_of(Game(seed=1)), (1,))
    for name in (f"CMD:{words}", f" cmd:{words}", f"policy:cmd:{words}", f"ismcts:8:cmd:{words}"):
        with pytest.raises(AgentError):
            agent_tasks.choose(name, view_of(Game(seed=1)), (1,))
    assert not there.exists()
