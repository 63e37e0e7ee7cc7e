"""What a task on a cluster does, without a cluster: it makes the same agents elsewhere."""

import shutil
import sys
from dataclasses import replace

import pytest
import torch

import bots
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.workers import ray
from impulse_training.tournament.workers.play import make_agents, play, several
from impulse_training.tournament.workers.same_agents import digests_of

NETWORK = {"width": 8, "policy": (), "value": (), "card_dim": 2}
CODE = """
from impulse_agents import Agent


class Last(Agent):
    def act(self, seen, streams):
        return seen.masks.shape[1] - 1 - seen.masks[:, ::-1].argmax(axis=1)
"""


@pytest.fixture
def settings(tmp_path, monkeypatch):
    torch.manual_seed(1)
    config = checkpoint_config(2, NETWORK)
    PolicyAgent(PolicyNetwork(2, **NETWORK), config, "made").save(tmp_path / "policy.safetensors")
    (tmp_path / "their_agent.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    shutil.copy(bots.__file__, tmp_path / "bots.py")
    program = f"cmd:{sys.executable} ./bots.py first"
    agents = ("random", "policy:policy.safetensors", "their_agent.py:Last", program)
    return Settings(agents, games=6, target_score=4, max_turns=10)


def bare(results):
    return sorted((replace(r, seconds=[]) for r in results), key=lambda result: result.game)


@pytest.mark.parametrize("has_guard", [False, True])
def test_files_that_were_sent_make_the_same_agents_and_games(
    has_guard, settings, tmp_path, monkeypatch
):
    schedule = Schedule(settings)
    games = several([schedule[number] for number in range(6)])
    here = bare(play(schedule, make_agents(settings.agents), games))
    files, digests = ray._files(settings), digests_of(settings.agents)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    lines = ray._play_chunk(settings, range(6), files, 4, digests, has_guard)
    assert bare(GameResult.from_line(line) for some in lines for line in some) == here


def test_a_machine_with_another_version_plays_nothing(settings):
    digests = ("0" * 64, *digests_of(settings.agents)[1:])
    files = ray._files(settings)
    with pytest.raises(TournamentError, match="random was 000000000000 when the tournament began"):
        list(ray._play_chunk(settings, range(6), files, 4, digests, False))
