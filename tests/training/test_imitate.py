"""What is recorded is what the teacher did, and a network fitted to it plays like the teacher."""

import numpy as np
import pytest
from rich.console import Console

import agents
from agents.base import AgentError, Seen
from impulse_env.observation import size
from training import recording
from training.imitate import Args, imitate
from training.recording import Source

SOURCE = Source("core_rush", ("miner", "random"))
QUIET = Console(quiet=True)


@pytest.fixture(scope="module")
def shard():
    return recording.record(SOURCE, [agents.make(n) for n in ("core_rush", "miner", "random")], 0)


def test_a_shard_holds_what_the_teacher_saw_and_did(shard):
    count = len(shard.actions)
    assert shard.observations.shape == (count, size(2))
    legal = shard.legal(np.arange(count))
    assert (legal[np.arange(count), shard.actions] == 1).all()
    assert (legal.sum(1) > 1).mean() > 0.9


def test_games_are_paid_as_they_ended(shard):
    assert set(np.unique(shard.wins)) <= {-1, 0, 1}
    assert shard.wins.mean() > 0  # better than miner and random
    assert (shard.paid("score") == shard.wins + shard.leads).all()
    assert (shard.paid("win") == shard.wins).all()


def test_the_same_shard_is_the_same(shard):
    again = recording.record(SOURCE, [agents.make(n) for n in ("core_rush", "miner", "random")], 0)
    assert all((a == b).all() for a, b in zip(shard, again, strict=True))


def test_recording_goes_on_where_it_was(tmp_path):
    counts = list(recording.record_all(tmp_path, SOURCE, 3000, workers=1))
    files = {p.name: p.stat().st_mtime_ns for p in tmp_path.glob("*.npz")}
    assert counts[-1] >= 3000
    assert [len(part.actions) for part in recording.load(tmp_path, 1)] == [counts[1]]
    have = sum(len(part.actions) for part in recording.load(tmp_path, 10**9))
    more = list(recording.record_all(tmp_path, SOURCE, have + 1, workers=1))
    assert more[0] == have
    assert more[-1] > have
    assert all((tmp_path / name).stat().st_mtime_ns == at for name, at in files.items())


def test_another_source_is_refused(tmp_path):
    list(recording.record_all(tmp_path, SOURCE, 1, workers=1))
    other = Source("greedy", ("miner",))
    with pytest.raises(AgentError, match="holds decisions of another source"):
        next(recording.record_all(tmp_path, other, 1, workers=1))


def test_an_unknown_teacher_is_told_before_anything_is_written(tmp_path):
    with pytest.raises(AgentError, match="unknown agent 'master'"):
        next(recording.record_all(tmp_path / "new", Source("master", ()), 1, workers=1))
    assert not (tmp_path / "new").exists()


def test_batches_hold_every_row_once():
    rows = np.concatenate(list(recording.batches(1000, 64, np.random.default_rng(0))))
    assert sorted(rows) == list(range(1000))


def test_a_fitted_network_plays_like_its_teacher(tmp_path, shard):
    args = Args(teacher="core_rush", others=("miner", "random"), decisions=12_000, out=tmp_path)
    args = Args(**{**args.__dict__, "workers": 1, "width": 64, "epochs": 4, "batch": 256})
    agent = agents.make(f"policy:{imitate(args, QUIET)}")
    masks = shard.legal(np.arange(len(shard.actions))).astype(np.int8)
    seen = Seen(shard.observations, masks, np.zeros(len(masks), np.int8))
    played = agent.act(seen, agents.randomness.Streams.of_seeds(range(len(seen))))
    guessed = agents.make("random").act(seen, agents.randomness.Streams.of_seeds(range(len(seen))))
    assert (played == shard.actions).mean() > 0.6 > 0.4 > (guessed == shard.actions).mean()
    assert agent.config["training"]["steps"] >= 12_000
