"""With the lowest versions that pyproject.toml allows everything can be played and trained."""

import asyncio
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import impulse_agents
from commands import impulse
from impulse_agents.base import ObservationBatch
from impulse_agents.rng import RngStreams
from impulse_env import Game, GameBatch, Options, analysis, impulse_v0
from impulse_table.workers import agent_tasks
from impulse_table.workers.pool import WorkerPool
from replayed import play

# Without the extras the other tests are still collected.
pd = pytest.importorskip("pandas")
pytest.importorskip("sb3_contrib")
pytest.importorskip("aiohttp")

from sb3_contrib import MaskablePPO  # noqa: E402 - these need extras

from impulse_training.selfplay.train import train  # noqa: E402
from impulse_training.selfplay.train_options import Args  # noqa: E402
from serving import serving  # noqa: E402

with warnings.catch_warnings():
    # It imports its example by a path that PettingZoo itself calls deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

pytestmark = pytest.mark.interop
NAME = "impulse_env:Impulse-v0"


@pytest.fixture
def display(monkeypatch):
    """A window that nobody sees."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.mark.parametrize("players", [2, 6])
def test_pettingzoos_tests_pass(players, display):
    api_test(impulse_v0.env(players=players), num_cycles=300)
    api_test(impulse_v0.raw_env(players=players, reward="score"), num_cycles=300)
    parallel_api_test(impulse_v0.parallel_env(players=players), num_cycles=300)
    seed_test(lambda: impulse_v0.env(players=players), num_cycles=300)
    render_test(lambda **arguments: impulse_v0.env(players=players, **arguments))


def test_gymnasiums_checker_passes(display):
    check_env(gymnasium.make(NAME, players=3).unwrapped)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_many_games_are_played_at_once(mode):
    envs = gymnasium.make_vec(NAME, num_envs=8, autoreset_mode=mode, target_score=4)
    _, info = envs.reset(seed=1)
    rng, ends = np.random.default_rng(1), 0
    for _ in range(200):
        masks = info["action_mask"]
        _, _, terminated, truncated, info = envs.step((rng.random(masks.shape) + masks).argmax(1))
        ends += (terminated | truncated).sum()
    assert ends > 8


@pytest.mark.parametrize("name", ["greedy", "miner", "warrior", "ismcts:20"])
def test_an_agent_of_rules_plays_a_game(name):
    game, rng = Game(seed=1, target_score=6), np.random.default_rng(1)
    agents = [impulse_agents.make(name), impulse_agents.make("greedy")]
    while not game.is_over:
        game.step(agents[game.seat].act_in_game(game, rng))
    assert game.winners


def test_a_trained_agent_is_read_and_plays():
    agent, batch = impulse_agents.make("policy:2p"), GameBatch(Options(players=2), range(4))
    streams = RngStreams.from_generator(np.random.default_rng(1), 4)
    for _ in range(20):
        actions = agent.act(ObservationBatch.from_batch(batch), streams)
        assert batch.masks[np.arange(4), actions].all()
        batch.step(actions)


def test_maskable_ppo_learns():
    model = MaskablePPO("MlpPolicy", gymnasium.make(NAME), n_steps=64, batch_size=64, n_epochs=1)
    assert model.learn(total_timesteps=128).num_timesteps == 128


def test_the_projects_own_training_runs(tmp_path):
    """Its loop, its network and its figures, which TensorBoard's writer takes."""
    small = Args(
        timesteps=200, num_envs=8, rollout_steps=16, minibatch_size=64, epochs=1, width=16,
        policy_layers=(16,), value_layers=(), card_dim=4, eval_games=4, eval_every=1e9,
        eval_opponents=("random",), out=tmp_path,
    )  # fmt: skip
    assert train(small).steps >= 200
    assert list((tmp_path / "tensorboard").iterdir())


def test_a_tournament_is_played_and_rated(tmp_path, capsys):
    short = ["--games", "4", "--target-score", "5", "--max-turns", "40", "--workers", "1"]
    assert impulse("tournament", "--agents", "random", "greedy", *short, "--out", tmp_path) == 0
    assert "Ratings" in capsys.readouterr().out


def test_games_are_tables():
    found = analysis.tables([play(0)])
    assert [len(found.games), len(found.seats)] == [1, 2]
    for table in analysis.COLUMNS:
        for column in analysis.COLUMNS[table]:
            # What is called "str" there, older versions of pandas keep as objects.
            kept = pd.Series(dtype=column.dtype).dtype
            assert str(getattr(found, table)[column.name].dtype) == str(kept)


def test_the_table_in_the_browser_is_served(tmp_path):
    workers = WorkerPool(agent_tasks.warm_up, count=1)

    async def opens_a_table():
        await workers.prepare()
        async with serving(tmp_path, workers) as browser:
            return await browser.new("person", "greedy", seed=7)

    try:
        _, tokens = asyncio.run(opens_a_table())
    finally:
        workers.close()
    assert list(tokens) == [0]
