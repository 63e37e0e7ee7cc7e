"""What is recorded is what the teacher did, and a network fitted to it plays like the teacher."""

import numpy as np
import pytest
from rich.console import Console

import impulse_agents
from impulse_agents import registry
from impulse_agents.base import AgentError, ObservationBatch
from impulse_agents.rng import RngStreams
from impulse_env.observation import size
from impulse_training.imitation import demonstrations, shards
from impulse_training.imitation.behavior_cloning import batches, imitate
from impulse_training.imitation.demonstrations import DemonstrationConfig
from impulse_training.imitation.imitation_options import Args
from networks import NETWORK, untrained

SOURCE = DemonstrationConfig("core_rush", ("miner", "random"))
QUIET = Console(quiet=True)


@pytest.fixture(scope="module")
def shard():
    return demonstrations.record(SOURCE, 0)


def test_a_shard_holds_what_the_teacher_saw_and_did(shard):
    count = len(shard.actions)
    assert shard.observations.shape == (count, size(2))
    legal = shard.legal(np.arange(count))
    assert (legal[np.arange(count), shard.actions] == 1).all()
    assert (legal.sum(1) > 1).mean() > 0.9


def test_games_are_paid_as_they_ended(shard):
    assert set(np.unique(shard.wins)) <= {-1, 0, 1}
    assert shard.wins.mean() > 0  # better than miner and random
    assert (shard.paid("score") == shard.wins + shard.score_returns).all()
    assert (shard.paid("win") == shard.wins).all()


def test_the_same_shard_is_the_same(shard):
    again = demonstrations.record(SOURCE, 0)
    assert all((a == b).all() for a, b in zip(shard, again, strict=True))


def test_recording_continues_where_it_was(tmp_path):
    counts = list(shards.record_all(tmp_path, SOURCE, 3000, workers=1))
    files = {p.name: p.stat().st_mtime_ns for p in tmp_path.glob("*.safetensors")}
    assert counts[-1] >= 3000
    assert [len(part.actions) for part in shards.load(tmp_path, 1, 2)] == [counts[1]]
    have = sum(len(part.actions) for part in shards.load(tmp_path, 10**9, 2))
    more = list(shards.record_all(tmp_path, SOURCE, have + 1, workers=1))
    assert more[0] == have
    assert more[-1] > have
    assert all((tmp_path / name).stat().st_mtime_ns == at for name, at in files.items())


def test_another_source_is_refused(tmp_path):
    list(shards.record_all(tmp_path, SOURCE, 1, workers=1))
    other = DemonstrationConfig("greedy", ("miner",))
    with pytest.raises(AgentError, match="holds decisions of another source"):
        next(shards.record_all(tmp_path, other, 1, workers=1))


def test_an_unknown_teacher_is_reported_before_anything_is_written(tmp_path):
    with pytest.raises(AgentError, match="unknown agent 'master'"):
        next(shards.record_all(tmp_path / "new", DemonstrationConfig("master", ()), 1, workers=1))
    assert not (tmp_path / "new").exists()


def test_batches_hold_every_row_once():
    rows = np.concatenate(list(batches(1000, 64, np.random.default_rng(0))))
    assert sorted(rows) == list(range(1000))


def test_a_fitted_network_plays_like_its_teacher(tmp_path, shard):
    args = Args(teacher="core_rush", opponents=("miner", "random"), decisions=12_000, out=tmp_path)
    args = Args(**{**args.__dict__, "workers": 1, "width": 64, "epochs": 4, "minibatch_size": 256})
    agent = impulse_agents.make(f"policy:{imitate(args, QUIET)}")
    masks = shard.legal(np.arange(len(shard.actions))).astype(np.int8)
    seen = ObservationBatch(shard.observations, masks, np.zeros(len(masks), np.int8))
    played = agent.act(seen, RngStreams.from_seeds(range(len(seen))))
    guessed = impulse_agents.make("random").act(seen, RngStreams.from_seeds(range(len(seen))))
    assert (played == shard.actions).mean() > 0.6 > 0.4 > (guessed == shard.actions).mean()
    assert agent.config["training"]["steps"] >= 12_000


def test_the_visits_of_a_search_are_stored_as_shares():
    shard = demonstrations.record(DemonstrationConfig("ismcts:20", ("random",)), 0)
    rows = np.arange(len(shard.actions))
    targets = shard.targets(rows)
    assert targets.shape == shard.legal(rows).shape
    assert (targets[shard.legal(rows) == 0] == 0).all()
    assert np.allclose(targets.sum(1), 1)
    assert (targets.argmax(1) == shard.actions).all()
    assert 0.2 < (targets.max(1) < 0.9).mean()  # it is of two minds often


def test_a_network_as_a_teacher_is_stored_with_its_probabilities(tmp_path):
    # All was kept as if it had been certain of the likeliest action.
    path = tmp_path / "teacher.safetensors"
    untrained(sizes=NETWORK).save(path)
    shard = demonstrations.record(DemonstrationConfig(f"policy:{path}", ("random",)), 0)
    rows = np.arange(0, len(shard.actions), 97)
    masks = shard.legal(rows).astype(np.int8)
    seen = ObservationBatch(shard.observations[rows], masks, np.zeros(len(rows), np.int8))
    teacher, streams = impulse_agents.make(f"policy:{path}"), RngStreams.from_seeds(rows)
    expected = teacher.action_probabilities(seen, streams)
    few = masks.sum(1) <= demonstrations.TOP_ACTIONS
    assert few.any()
    assert shard.targets(rows)[few] == pytest.approx(expected[few], abs=2e-3)
    assert (shard.actions[rows] == expected.argmax(1)).all()
    assert (shard.actions[rows] == teacher.act(seen, streams)).all()
    assert (shard.targets(rows).max(1) < 0.9).mean() > 0.5


class Drawing(impulse_agents.Agent):
    """A policy that draws: the first legal action and the last are as probable."""

    name = "drawing"
    is_stochastic = True

    def act(self, seen, streams):
        first = seen.masks.argmax(axis=1)
        last = seen.masks.shape[1] - 1 - seen.masks[:, ::-1].argmax(axis=1)
        return np.where(streams.random() < 0.5, first, last)

    def action_probabilities(self, seen, streams):
        shares = np.zeros(seen.masks.shape, np.float32)
        rows = np.arange(len(shares))
        shares[rows, seen.masks.argmax(axis=1)] += 0.5
        shares[rows, shares.shape[1] - 1 - seen.masks[:, ::-1].argmax(axis=1)] += 0.5
        return shares


def test_a_teacher_that_draws_continues_drawing(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTERED", {"drawing": Drawing})
    played = []

    def before_step(self, tables, actions):
        played.append(self.batch.masks[tables].argmax(axis=1) == actions)

    monkeypatch.setattr(demonstrations.DemonstrationRunner, "before_step", before_step)
    shard = demonstrations.record(DemonstrationConfig("drawing", ("drawing",)), 0)
    assert 0.3 < np.concatenate(played).mean() < 0.9
    assert 0.3 < (shard.targets(np.arange(len(shard.actions))).max(1) < 0.6).mean()


def test_a_pupil_plays_and_the_teacher_only_speaks():
    alone = DemonstrationConfig("core_rush", ("random",))
    pupil = DemonstrationConfig("core_rush", ("random",), rollout_policy="random")
    taught, played = demonstrations.record(pupil, 0), demonstrations.record(alone, 0)
    legal = taught.legal(np.arange(len(taught.actions)))
    assert (legal[np.arange(len(legal)), taught.actions] == 1).all()
    # The pupil does not follow, so it does not win more than its like.
    assert taught.wins.mean() < played.wins.mean() - 0.1


def test_a_fit_begins_at_the_given_weights(tmp_path):
    small = {"opponents": ("random",), "workers": 1, "width": 16, "decisions": 1}
    first = Args(teacher="core_rush", out=tmp_path / "first", epochs=1, **small)
    checkpoint = imitate(first, QUIET)
    again = Args(
        **{**first.__dict__, "warm_start": str(checkpoint), "out": tmp_path / "again"},
    )
    still = Args(**{**again.__dict__, "learning_rate": 0.0, "out": tmp_path / "still"})
    weights = [
        impulse_agents.make(f"policy:{p}").network.state_dict()
        for p in (checkpoint, imitate(still, QUIET), imitate(again, QUIET))
    ]
    assert all((weights[0][name] == weights[1][name]).all() for name in weights[0])
    assert any((weights[0][name] != weights[2][name]).any() for name in weights[0])


def test_decisions_of_earlier_recordings_are_learned_from_too(tmp_path):
    small = {"opponents": ("random",), "workers": 1, "width": 16, "decisions": 1, "epochs": 1}
    first = Args(teacher="core_rush", out=tmp_path / "first", **small)
    imitate(first, QUIET)
    second = Args(
        teacher="core_rush",
        rollout_policy="random",
        extra_demonstrations=(str(tmp_path / "first" / "decisions"),),
        out=tmp_path / "second",
        **small,
    )
    agent = impulse_agents.make(f"policy:{imitate(second, QUIET)}")
    folders = [tmp_path / name / "decisions" for name in ("first", "second")]
    # All of the earlier ones, and of its own as many as were asked for.
    parts = shards.load(folders[0], 2**62, 2) + shards.load(folders[1], 1, 2)
    assert agent.config["training"]["steps"] == sum(len(part.actions) for part in parts)
