"""Minari reads what is written: every episode is what one seat of a recorded game saw and did."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from impulse_env import dataset
from impulse_env.environments.single_seat import ImpulseEnv
from impulse_env.options import OptionError
from impulse_env.outcomes import STOPPED
from impulse_env.records.recorded_games import records
from replayed import TABLES, play

minari = pytest.importorskip("minari")

from impulse_env.dataset.minari import to_minari  # noqa: E402 - it needs minari

pytestmark = pytest.mark.interop
ABOUT = {"author": "me", "author_email": "me@example.org", "code_permalink": "none"}


@pytest.fixture(autouse=True)
def datasets(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))


@pytest.fixture
def page(datasets, shown):
    """The page, run where its datasets are its own."""
    return shown


def test_the_page_of_minari_runs(page):
    assert page["loaded"].total_episodes == 40
    assert page["loaded"].total_steps == len(page["found"].actions)


def written(plays, **arguments):
    to_minari(plays, "impulse/test-v0", **ABOUT, **arguments)
    return minari.load_dataset("impulse/test-v0")


def of_episode(found, row):
    """What the metadata of an episode says."""
    (told,) = found.storage.get_episode_metadata([row])
    return told["options"]


@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize("index", range(len(TABLES)))
def test_an_episode_is_what_a_seat_saw_and_did(index, reward):
    plays = [play(index, seed) for seed in (2, 3)]
    found, rows = written(plays, reward=reward), dataset.decisions(plays)
    assert found.total_steps == len(rows.actions)
    for number, episode in enumerate(found.iterate_episodes()):
        told = of_episode(found, number)
        own = rows.take((rows.games == told["game"]) & (rows.seats == told["seat"]))
        assert told["agent"] == plays[told["game"]].header.agents[told["seat"]].name
        assert (episode.observations[:-1] == own.observations).all()
        assert (episode.infos["action_mask"][:-1] == own.masks).all()
        assert not episode.infos["action_mask"][-1].any()
        assert (episode.actions == own.actions).all()
        returns = np.cumsum(episode.rewards[::-1])[::-1]
        assert returns == pytest.approx(own.returns(reward), abs=1e-5)
        is_cut = plays[told["game"]].end == "truncation"
        assert episode.truncations.tolist() == [False] * (len(own.actions) - 1) + [is_cut]
        assert episode.terminations.tolist() == [False] * (len(own.actions) - 1) + [not is_cut]


def test_an_episode_is_what_the_environment_of_one_seat_shows(tmp_path):
    env, rng = ImpulseEnv(players=3, seat=1, reward="score"), np.random.default_rng(1)
    seen, _ = env.reset(seed=3)
    observations, masks, rewards, ended = [seen], [env.action_masks()], [], False
    while not ended:
        action = rng.choice(np.flatnonzero(env.action_masks()))
        seen, reward, terminated, truncated, _ = env.step(action)
        observations.append(seen)
        masks.append(env.action_masks())
        rewards.append(reward)
        ended = terminated or truncated
    env.save_record(tmp_path / "game.jsonl")
    found = written(records(tmp_path / "game.jsonl"), reward="score", agents={"learner"})
    (episode,) = found.iterate_episodes()
    assert (episode.observations == observations).all()
    assert (episode.infos["action_mask"] == masks).all()
    assert episode.rewards == pytest.approx(rewards, abs=1e-6)
    assert (episode.terminations[-1], episode.truncations[-1]) == (terminated, truncated)
    assert found.recover_environment().observation_space == env.observation_space


def test_games_that_come_in_parts_are_one_dataset(monkeypatch):
    monkeypatch.setattr("impulse_env.dataset.minari.GAMES_AT_ONCE", 2)
    found = written([play(0, seed) for seed in range(5)])
    assert found.total_episodes == 10
    assert [of_episode(found, row)["game"] for row in range(10)] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_what_cannot_be_written_is_refused_in_one_sentence():
    with pytest.raises(OptionError, match="reward must be one of 'win', 'score'; not 'points'"):
        written([play(0)], reward="points")
    with pytest.raises(OptionError, match="there is no decision of these agents"):
        written([play(0)], agents={"nobody"})
    with pytest.raises(OptionError, match="played to their end"):
        written([replace(play(0), end=STOPPED)])
    assert minari.list_local_datasets() == {}


def test_without_minari_it_says_what_is_missing():
    script = "import sys; sys.modules['minari'] = None; import impulse_env.dataset.minari"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stderr.endswith('this needs Minari: pip install "minari[hdf5]" pillow\n')
