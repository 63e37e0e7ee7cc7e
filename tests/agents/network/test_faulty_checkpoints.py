"""Whatever is in a file, loading it as a checkpoint is one sentence or an agent that plays."""

import copy
import json
import os
import pickle
import random
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

import impulse_agents
from impulse_agents.base import ObservationBatch
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_own
from impulse_agents.network.checkpoint import MOST_BYTES, CheckpointError, checkpoint_config
from impulse_agents.network.config_check import MOST_LAYERS, WIDEST
from impulse_agents.network.weights_file import WeightsError, read_weights, write_weights
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch
from impulse_env.errors import ImpulseError
from impulse_env.options import Options

NETWORK = {"kind": "pointers", "width": 8, "policy": [4], "value": [4], "card_dim": 2}
VALUES = (
    *(None, True, False, -1, 0, 1, 3, 7, 100_000, 10**30, 10**400, -0.5, 2.5, 1e308),
    *(float("nan"), float("inf"), "", "2", "flat", "x" * 10_000, "/etc/passwd", "os:system"),
    *([], [0], [-1], [1e9], [4] * 1000, [[4]], ["4"], {}, {"kind": "flat"}, {"x": [None]}),
)
"""What takes the place of each field in turn."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the content of a small checkpoint that tells everything that one may tell."""
    torch.manual_seed(0)
    network = build_own(2, NETWORK)
    path = tmp_path_factory.mktemp("whole") / "whole.safetensors"
    config = checkpoint_config(
        2,
        copy.deepcopy(NETWORK),
        trained={"reward": "score", "team_size": None, "seed": 1},
        training={"legs": [{"steps": 1, "seconds": 1}], "recipe": "2p/1", "started_from": {}},
        recipe={"leg": "2p/1", "digest": "0" * 16},
    )
    agent = PolicyAgent(network, config, "whole")
    coefficients = {"slope": 2.0, "cubic": 0.25, "progress": 0.5, "bias": -0.25}
    config["calibration"] = {"weights": agent.weights_digest(), **coefficients, "report": {}}
    agent.save(path)
    config, weights = read_weights(path, MOST_BYTES)
    return {"config": json.loads(config), "weights": weights}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.safetensors"


@pytest.fixture(scope="module")
def seen():
    return ObservationBatch.from_batch(GameBatch(Options(players=2), range(3)))


def write(path, config, weights):
    write_weights(path, json.dumps(config), weights)


def fault_of(path, seen):
    """Return the sentence that loading a file ends in, or nothing if what is loaded plays."""
    try:
        agent = impulse_agents.make(f"policy:{path}")
    except ImpulseError as error:
        said = str(error)
        assert "\n" not in said
        assert str(path) in said
        assert len(said) < 1500
        return said
    logits, values = agent.evaluate(seen.observations)
    assert np.isfinite(logits).all()
    assert np.isfinite(values).all()
    chosen = agent.act(seen, RngStreams.from_seeds(range(len(seen))))
    assert seen.masks[np.arange(len(seen)), chosen].all()
    return ""


def places(config, above=()):
    """Yield the keys that lead to each field, containers included."""
    inner = config.items() if isinstance(config, dict) else enumerate(config)
    for key, value in inner:
        yield (*above, key)
        if isinstance(value, dict | list) and value:
            yield from places(value, (*above, key))


def edited(config, keys, value, is_gone=False):
    """Return a config in which one field is something else, or missing."""
    changed = copy.deepcopy(config)
    at = changed
    for key in keys[:-1]:
        at = at[key]
    if is_gone:
        del at[keys[-1]]
    else:
        at[keys[-1]] = value
    return changed


def edits(config):
    """Yield configs with one field that is another."""
    for keys in places(config):
        if keys[0] == "layout" and len(keys) > 2 and keys[2] > 1:
            continue  # a section is as another
        yield edited(config, keys, None, is_gone=True)
        for value in VALUES:
            yield edited(config, keys, value)


def test_a_whole_checkpoint_plays(whole, path, seen):
    write(path, **whole)
    assert fault_of(path, seen) == ""
    write(path, whole["config"], {name: one.half() for name, one in whole["weights"].items()})
    assert fault_of(path, seen) == ""


@pytest.mark.parametrize(
    ("keys", "value", "said"),
    [
        (("players",), 9, "players must be a whole number <= 6, not 9"),
        (("players",), "2", "players must be a whole number, not '2'"),
        (("format",), 1, "format 1 is not 2"),
        (("network", "width"), 100_000, f"network.width must be .* <= {WIDEST}, not 100000"),
        (("network", "width"), True, "network.width must be a whole number, not True"),
        (("network", "policy"), [4] * 100, f"network.policy must be .* length <= {MOST_LAYERS}, n"),
        (("network", "policy", 0), 0, r"network.policy\[0\] must be a whole number >= 1, not 0"),
        (("network", "value"), None, "network.value must be a list, not None"),
        (("network", "card_dim"), -2, "network.card_dim must be a whole number >= 1, not -2"),
        (("network", "wdth"), 8, "network has an unknown field 'wdth'; did you mean w"),
        (("network", "kind"), 3, "network.kind must be a text, not 3"),
        (("network", "kind"), "pointer", "there is no network 'pointer'|unknown field"),
        (("network",), [8], r"network must be an object, not \[8\]"),
        (("layout", "actions"), 179, "another version of the observation"),
        (("trained", "reward"), "fame", "trained.reward must be one of win, score, not 'fame'"),
        (("training", "recipe"), [1], r"training.recipe must be a text or null, not \[1\]"),
        (("recipe", "digest"), 7, "recipe.digest must be a text or null, not 7"),
        (("calibration", "slope"), float("nan"), "JSON is malformed"),
        (("calibration", "slope"), -1, "calibration.slope must be a number >= 0.0, not -1"),
        (("calibration", "bias"), "0", "calibration.bias must be a number, not '0'"),
        (("calibration", "weights"), "ab", "calibration.weights must be a text matching regex"),
    ],
)
def test_a_field_that_is_not_what_it_may_be_is_named(whole, path, keys, value, said):
    write(path, edited(whole["config"], keys, value), whole["weights"])
    with pytest.raises(impulse_agents.AgentError, match=said) as raised:
        impulse_agents.make(f"policy:{path}")
    assert str(path) in str(raised.value)


def test_fields_that_must_be_there_are_missed(whole, path):
    for keys in (("players",), ("layout",), ("network",), ("network", "width")):
        write(path, edited(whole["config"], keys, None, is_gone=True), whole["weights"])
        with pytest.raises(CheckpointError, match=f"has no {keys[-1]}"):
            PolicyAgent.load(path)
    write(path, edited(whole["config"], ("network", "kind"), None, is_gone=True), whole["weights"])
    assert PolicyAgent.load(path).config["network"]["kind"] == "pointers"


def test_some_edits_of_the_config_are_reported_or_harmless(whole, path, seen):
    for config in random.Random(0).sample(list(edits(whole["config"])), 40):
        write(path, config, whole["weights"])
        fault_of(path, seen)


@pytest.mark.slow
def test_every_edit_of_the_config_is_reported_or_harmless(whole, path, seen):
    told = 0
    for config in edits(whole["config"]):
        write(path, config, whole["weights"])
        told += bool(fault_of(path, seen))
    assert told > 400


def weight_edits(weights):
    """Yield what is wrong, in words, and the weights with one tensor that is another."""
    for name, weight in weights.items():
        others = {key: one for key, one in weights.items() if key != name}
        beyond = weight.clone()
        beyond.view(-1)[-1] = float("inf")
        yield "are missing", others
        yield "it has no weights 'more'", {**weights, "more": weight}
        yield "are missing", {**others, f"{name}_": weight}
        yield "must have shape", {**others, name: weight[None]}
        yield "must have shape", {**others, name: torch.cat([weight, weight])}
        yield "must have shape", {**others, name: weight.flatten()[:0]}
        yield "must be float16 or float32, not float64", {**others, name: weight.double()}
        yield "must be float16 or float32, not int64", {**others, name: weight.long()}
        yield "must be float16 or float32, not bool", {**others, name: weight.bool()}
        yield "must be finite", {**others, name: weight * float("nan")}
        yield "must be finite", {**others, name: beyond}


def test_weights_that_are_not_the_networks_are_named(whole, path):
    # Those with NaN used to be loaded and to play.
    for said, weights in weight_edits(whole["weights"]):
        write(path, whole["config"], weights)
        with pytest.raises(CheckpointError, match=said):
            PolicyAgent.load(path)


def test_finite_weights_that_compute_infinity_are_refused(whole, path):
    weights = {name: one.sign() * 1e38 for name, one in whole["weights"].items()}
    write(path, whole["config"], weights)
    with pytest.raises(CheckpointError, match="so large that the network's output is not"):
        PolicyAgent.load(path)


# --- The file -------------------------------------------------------------------------------------


def damaged(content, count):
    """Yield the bytes of a file with some of them changed, cut off, left out or added."""
    rng = random.Random(1)
    for place in (rng.randrange(len(content)) for _ in range(count)):
        byte = bytes([content[place] ^ (1 << rng.randrange(8))])
        yield content[:place] + byte + content[place + 1 :]
        yield content[:place]
        yield content[:place] + content[place + rng.randrange(1, 400) :]
        yield content[:place] + rng.randbytes(8) + content[place:]
        yield content[:place] + rng.randbytes(16) + content[place + 16 :]
    for place in range(0, min(3000, len(content)), 3000 // count + 1):
        yield content[:place] + b"\xff" + content[place + 1 :]  # the header


def check_damaged(whole, path, seen, count):
    write(path, **whole)
    content = path.read_bytes()
    weights = PolicyAgent.load(path).network.state_dict()
    told = 0
    for other in damaged(content, count):
        path.write_bytes(other)
        is_told = fault_of(path, seen) != ""
        told += is_told
        if not is_told:  # it was a blank of the header, or 8 bytes that were the same
            again = PolicyAgent.load(path).network.state_dict()
            assert all(again[name].equal(weights[name]) for name in weights)
    assert told > 5 * count


def test_damage_to_the_file_is_reported_or_harmless(whole, path, seen):
    check_damaged(whole, path, seen, 8)


@pytest.mark.slow
def test_damage_to_the_file_is_reported_or_harmless_at_hundreds_of_places(whole, path, seen):
    check_damaged(whole, path, seen, 500)


class Code:
    """What runs a command where it is read without care."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


def zipped(path, **parts):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(f"archive/{name}", content)


def test_code_in_a_file_is_refused_and_not_run(path, tmp_path, seen):
    ran = tmp_path / "ran"
    for code in (Code(os.system, f"touch {ran}"), Code(eval, f"open({str(ran)!r}, 'w')")):
        for given in ({"config": code, "weights": {}}, {"config": "{}", "weights": {"a": code}}):
            torch.save(given, path)
            assert "safetensors cannot read it" in fault_of(path, seen)
            path.write_bytes(pickle.dumps(given))
            assert "safetensors cannot read it" in fault_of(path, seen)
    assert not ran.exists()


def headed(header, content=b""):
    """Return a file with a header of one's own."""
    text = json.dumps(header).encode() if isinstance(header, dict) else header
    return struct.pack("<Q", len(text)) + text + content


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is empty"),
        (b"x", "safetensors cannot read it"),
        (struct.pack("<Q", 1 << 62), "safetensors cannot read it"),
        (headed(b"[" * 100_000), "safetensors cannot read it"),
        (headed({}), "its header does not say what the weights are"),
        (headed({"__metadata__": {"format": "pt"}}), "its header does not say what"),
        (headed({"__metadata__": {"impulse": "{}"}}), "the checksum differs"),
        (headed({"__metadata__": {"impulse": "0" * 64 + "\n{}"}}), "the checksum differs"),
        (headed({"__metadata__": {"impulse": 3}}), "safetensors cannot read it"),
        (
            headed(
                {"a": {"dtype": "F32", "shape": [1 << 20] * 2, "data_offsets": [0, 4]}}, b"0000"
            ),
            "safetensors cannot read it",
        ),
        (
            headed({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 1 << 40]}}, b"0000"),
            "safetensors cannot read it",
        ),
        (
            headed({"a": {"dtype": "F8_E4M3", "shape": [4], "data_offsets": [0, 4]}}, b"0000"),
            "which weights cannot be",
        ),
    ],
)
def test_a_wrong_header_is_reported(path, seen, content, said):
    path.write_bytes(content)
    assert said in fault_of(path, seen)


def test_a_config_that_is_not_json_is_reported(path, seen):
    write_weights(path, "[" * 100_000, {})
    assert "config is not JSON" in fault_of(path, seen)


def test_only_arrays_of_numbers_are_written(path):
    for weight in ("weights", None, [1.0], torch.zeros(2, dtype=torch.complex64)):
        with pytest.raises(WeightsError, match="which a file of weights cannot contain"):
            write_weights(path, "{}", {"a": weight})
    assert not path.exists()


def test_arrays_that_share_their_numbers_are_written_each(path):
    both = torch.arange(4.0)
    write_weights(path, "{}", {"a": both, "b": both, "c": both[::2], "d": torch.tensor(1)})
    _, found = read_weights(path, MOST_BYTES)
    assert found["a"].equal(both)
    assert found["c"].tolist() == [0, 2]
    found["a"][0] = 9
    assert found["b"].equal(both)
    path.write_bytes(b"")
    assert found["d"].item() == 1


@pytest.mark.parametrize("kind", ["policy:{}", "policy+search:{}:4"])
def test_a_file_without_weights_is_one_sentence(kind, tmp_path):
    (tmp_path / "empty.safetensors").touch()
    zipped(tmp_path / "some.zip", text=b"x")
    (tmp_path / "training").mkdir()
    (tmp_path / "folder.safetensors").mkdir()
    os.mkfifo(tmp_path / "pipe.safetensors")
    for given, said in (
        (tmp_path / "empty.safetensors", "it is empty"),
        (tmp_path / "some.zip", "safetensors cannot read it"),
        (tmp_path / "training", "a folder without policy.safetensors, and a checkpoint is a file"),
        (tmp_path / "folder.safetensors", "is a folder without policy.safetensors"),
        (tmp_path / "pipe.safetensors", "is no regular file, and a checkpoint is a file"),
        ("/dev/zero", "is no regular file, and a checkpoint is a file"),
        ("/etc/passwd", "safetensors cannot read it"),
        (f"/{'a' * 260}.safetensors", "there is no checkpoint"),  # too long for a file
        (f"/{'a' * 300}.safetensors", "at most 300 printable characters"),
        ("/a\0b.safetensors", "at most 300 printable characters"),
    ):
        with pytest.raises(impulse_agents.AgentError, match=said):
            impulse_agents.make(kind.format(given))


def test_a_file_loaded_by_its_path_alone_is_reported_too(tmp_path):
    os.mkfifo(tmp_path / "pipe.safetensors")
    for given, said in (
        (tmp_path / "pipe.safetensors", "it is not a regular file"),
        (tmp_path, "it is a folder"),
        (Path("/dev/zero"), "it is not a regular file"),
        (Path("/a\0b"), "there is no checkpoint"),
    ):
        with pytest.raises(CheckpointError, match=said):
            PolicyAgent.load(given)


def test_a_file_beyond_all_bounds_is_not_read(path):
    with open(path, "wb") as file:
        file.truncate(5 << 30)  # which takes no room on the disk
    with pytest.raises(CheckpointError, match=r"5,368,709,120 bytes, and 4,294,967,296 are"):
        PolicyAgent.load(path)


# --- Memory ---------------------------------------------------------------------------------------

_LOADED = """
import resource, sys
import impulse_agents
from impulse_env.errors import ImpulseError
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
impulse_agents.make("policy:" + sys.argv[1])
before = peak()
for path in sys.argv[2:]:
    try:
        impulse_agents.make("policy:" + path)
    except ImpulseError:
        continue
    raise SystemExit(path)
print(peak() - before)
"""


def test_memory_is_not_taken_for_what_a_checkpoint_claims(whole, tmp_path):
    # A width of 100,000 used to stall the machine.
    config, weights = whole["config"], whole["weights"]
    write(tmp_path / "good.safetensors", config, weights)
    paths = [tmp_path / f"{number}.safetensors" for number in range(7)]
    for path, size in zip(paths, (WIDEST, 100_000, 10**9), strict=False):
        write(path, edited(config, ("network", "width"), size), weights)
    many = edited(config, ("network", "policy"), [WIDEST] * MOST_LAYERS)
    write(paths[3], many, weights)
    write(paths[4], edited(config, ("network", "card_dim"), WIDEST), weights)
    claimed = {"dtype": "F32", "shape": [1 << 38], "data_offsets": [0, 1 << 40]}
    paths[5].write_bytes(headed({"more": claimed}, b"0000"))
    torch.save({"config": Code(bytearray, 1 << 33), "weights": {}}, paths[6])
    command = [sys.executable, "-c", _LOADED, str(tmp_path / "good.safetensors"), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    kilobytes = int(done.stdout) // (1024 if sys.platform == "darwin" else 1)
    assert kilobytes < 64 * 1024
