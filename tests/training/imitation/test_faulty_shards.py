"""A shard that is damaged, or of other games, is one sentence that names file and array."""

import random

import numpy as np
import pytest
import torch

from impulse_agents.base import AgentError
from impulse_agents.network.weights_file import write_weights
from impulse_env.observation import size
from impulse_training.imitation import shards
from impulse_training.imitation.demonstrations import TOP_ACTIONS, Demonstrations
from impulse_training.imitation.imitation_options import DemonstrationConfig
from impulse_training.imitation.shard_check import ShardError, read_shard, write_shard

N = 5
WHOLE = Demonstrations(
    np.zeros((N, size(2)), np.uint8),
    np.full((N, 23), 255, np.uint8),
    np.arange(N, dtype=np.uint8),
    np.zeros((N, TOP_ACTIONS), np.uint8),
    np.full((N, TOP_ACTIONS), 0.5, np.float16),
    np.ones(N, np.float32),
    np.zeros(N, np.float32),
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "shard-00000.safetensors"


def write(path, **arrays):
    write_weights(path, "", {name: torch.from_numpy(np.asarray(a)) for name, a in arrays.items()})


def test_a_whole_shard_is_read_as_it_was_written(path):
    write_shard(path, WHOLE)
    assert all((a == b).all() for a, b in zip(read_shard(path, 2), WHOLE, strict=True))
    assert [len(part.actions) for part in shards.load(path.parent, 9, 2)] == [N]


@pytest.mark.parametrize(
    ("name", "array", "said"),
    [
        ("actions", np.array([0, 1, 2, 3, 200], np.uint8), "actions must be less than 180"),
        ("wins", np.full(N, np.nan, np.float32), "wins must be finite"),
        ("wins", np.ones(N), r"wins must have shape \(5,\) and type float32, not .* float64"),
        ("masks", np.ones((N, 22), np.uint8), r"masks must have shape \(5, 23\)"),
        ("shares", np.ones((4, TOP_ACTIONS), np.float16), r"shares must have shape \(5, 12\)"),
        ("actions", np.uint8(3), r"must have shape"),
    ],
)
def test_an_array_that_is_not_what_it_may_be_is_named(path, name, array, said):
    write(path, **{**WHOLE._asdict(), name: array})
    with pytest.raises(ShardError, match=said) as raised:
        read_shard(path, 2)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_shard_of_other_players_or_of_something_else_is_refused(path):
    write_shard(path, WHOLE)
    with pytest.raises(ShardError, match="not a shard of decisions of 3 players: observations"):
        read_shard(path, 3)
    with path.open("wb") as file:
        np.savez(file, **WHOLE._asdict())
    with pytest.raises(ShardError, match="safetensors cannot read it"):
        read_shard(path, 2)
    write_weights(path, "", {"wins": torch.ones(N, dtype=torch.bfloat16)})
    with pytest.raises(ShardError, match="unsupported ScalarType BFloat16"):
        read_shard(path, 2)
    write(path, actions=WHOLE.actions)
    with pytest.raises(ShardError, match="it has no array observations"):
        read_shard(path, 2)


def test_damage_to_a_shard_is_reported_or_harmless(path):
    write_shard(path, WHOLE)
    content, rng, told = path.read_bytes(), random.Random(0), 0
    for place in [rng.randrange(len(content)) for _ in range(200)]:
        byte = bytes([content[place] ^ (1 << rng.randrange(8))])
        for other in (content[:place], content[:place] + byte + content[place + 1 :]):
            path.write_bytes(other)
            try:
                found = read_shard(path, 2)
            except ShardError:
                told += 1
            else:
                assert all((a == b).all() for a, b in zip(found, WHOLE, strict=True))
    assert told > 350


def test_a_note_on_the_source_that_is_no_json_is_refused(tmp_path):
    (tmp_path / "source.json").write_text("{", encoding="utf-8")
    source = DemonstrationConfig("core_rush", ("miner",))
    with pytest.raises(AgentError, match=r"source\.json does not hold"):
        next(shards.record_all(tmp_path, source, 1, workers=1))
