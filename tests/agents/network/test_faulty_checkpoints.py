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
from impulse_agents.network.checkpoint import CheckpointError, checkpoint_config
from impulse_agents.network.kinds import MOST_LAYERS, WIDEST
from impulse_agents.network.policy_network import PolicyNetwork
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
    network = PolicyNetwork(2, **NETWORK)
    path = tmp_path_factory.mktemp("whole") / "whole.pt"
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
    content = torch.load(path, weights_only=True)
    return {"config": json.loads(content["config"]), "weights": content["weights"]}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.pt"


@pytest.fixture(scope="module")
def seen():
    return ObservationBatch.from_batch(GameBatch(Options(players=2), range(3)))


def write(path, config, weights):
    torch.save({"config": json.dumps(config), "weights": weights}, path)


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
        (("players",), 9, "players must be a whole number from 2 to 6, not 9"),
        (("players",), "2", "players must be a whole number from 2 to 6, not '2'"),
        (("format",), 1, "format 1 is not 2"),
        (("network", "width"), 100_000, f"network.width must be .* to {WIDEST:,}, not 100000"),
        (("network", "width"), True, "network.width must be a whole number .*, not True"),
        (("network", "policy"), [4] * 100, f"network.policy must be a list of {MOST_LAYERS} wid"),
        (("network", "policy", 0), 0, r"network.policy\[0\] must be a whole number from 1 to"),
        (("network", "value"), None, "network.value must be a list of"),
        (("network", "card_dim"), -2, "network.card_dim must be a whole number from 1 to"),
        (("network", "wdth"), 8, "network has a field 'wdth' that is not known; did you mean w"),
        (("network", "kind"), 3, "network.kind must be the name of a network, not 3"),
        (("network", "kind"), "pointer", "there is no network 'pointer'|not known"),
        (("network",), [8], r"network must be an object, not \[8\]"),
        (("layout", "actions"), 179, "another version of the observation"),
        (("trained", "reward"), "fame", "trained.reward must be one of win, score, not 'fame'"),
        (("training", "recipe"), [1], r"training.recipe must be a text, not \[1\]"),
        (("recipe", "digest"), 7, "recipe.digest must be a text, not 7"),
        (("calibration", "slope"), float("nan"), "calibration.slope must be a number from 0 to"),
        (("calibration", "slope"), -1, "calibration.slope must be a number from 0 to 1e.06, not"),
        (("calibration", "bias"), "0", "calibration.bias must be a number from -1e.06 to"),
        (("calibration", "weights"), "ab", "calibration.weights must be a SHA-256"),
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


def test_some_edits_of_the_config_are_told_or_harmless(whole, path, seen):
    for config in random.Random(0).sample(list(edits(whole["config"])), 40):
        write(path, config, whole["weights"])
        fault_of(path, seen)


@pytest.mark.slow
def test_every_edit_of_the_config_is_told_or_harmless(whole, path, seen):
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
        yield "must have shape|it does not fit", {**others, name: weight.flatten()[:0]}
        yield "must be float16 or float32, not float64", {**others, name: weight.double()}
        yield "must be float16 or float32, not int64", {**others, name: weight.long()}
        yield "must be float16 or float32, not bool", {**others, name: weight.bool()}
        yield "must be finite", {**others, name: weight * float("nan")}
        yield "must be finite", {**others, name: beyond}
        yield "must be a tensor, not a str", {**others, name: "weights"}
        yield "must be a tensor, not a list", {**others, name: weight.tolist()}
        yield "must be a tensor", {**others, name: None}


def test_weights_that_are_not_the_networks_are_named(whole, path):
    # Those with NaN used to be loaded and to play.
    for said, weights in weight_edits(whole["weights"]):
        write(path, whole["config"], weights)
        with pytest.raises(CheckpointError, match=said):
            PolicyAgent.load(path)


def test_finite_weights_that_compute_infinity_are_refused(whole, path):
    weights = {name: one.sign() * 1e38 for name, one in whole["weights"].items()}
    write(path, whole["config"], weights)
    with pytest.raises(CheckpointError, match="so large that what is computed from them is not"):
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
    for place in range(max(0, len(content) - 3000), len(content), 3000 // count + 1):
        yield content[:place] + b"\xff" + content[place + 1 :]  # the table of contents


def check_damaged(whole, path, seen, count):
    write(path, **whole)
    content = path.read_bytes()
    weights = PolicyAgent.load(path).network.state_dict()
    told = 0
    for other in damaged(content, count):
        path.write_bytes(other)
        is_told = fault_of(path, seen) != ""
        told += is_told
        if not is_told:  # it was a byte between the parts, or of a date
            again = PolicyAgent.load(path).network.state_dict()
            assert all(again[name].equal(weights[name]) for name in weights)
    assert told > 4 * count


def test_damage_to_the_file_is_told_or_does_not_matter(whole, path, seen):
    check_damaged(whole, path, seen, 8)


@pytest.mark.slow
def test_damage_to_the_file_is_told_or_does_not_matter_at_hundreds_of_places(whole, path, seen):
    check_damaged(whole, path, seen, 500)


class Code:
    """What runs a command where it is read without care."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


def zipped(path, compression=zipfile.ZIP_STORED, **parts):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(f"archive/{name.replace('_', '.')}", content)


def test_code_in_a_pickle_is_refused_and_not_run(path, tmp_path, seen):
    ran = tmp_path / "ran"
    for code in (Code(os.system, f"touch {ran}"), Code(eval, f"open({str(ran)!r}, 'w')")):
        for given in ({"config": code, "weights": {}}, {"config": "{}", "weights": {"a": code}}):
            torch.save(given, path)
            assert "is not run" in fault_of(path, seen)
            path.write_bytes(pickle.dumps(given))
            assert "is no zip archive" in fault_of(path, seen)
    assert not ran.exists()


def test_what_takes_memory_because_a_pickle_says_so_is_refused(path, seen):
    torch.save({"config": Code(bytearray, 1 << 50), "weights": {}}, path)
    assert "asks for __builtin__.bytearray, which no weights need" in fault_of(path, seen)
    doubled = [(), ()]
    for _ in range(60):
        doubled = (doubled, doubled)
    torch.save({"config": "{}", "weights": doubled}, path)
    assert "uses 60 parts again, of 24 allowed" in fault_of(path, seen)


def test_a_zip_that_is_no_checkpoint_is_told(path, seen):
    zipped(path, data_pkl=b"", more=b"x")
    assert "torch cannot read it" in fault_of(path, seen)
    zipped(path, other=b"x")
    assert "not one of torch" in fault_of(path, seen)
    zipped(path, zipfile.ZIP_DEFLATED, data_pkl=bytes(1 << 26))
    assert "archive/data.pkl is compressed or encrypted" in fault_of(path, seen)
    torch.save([1, 2], path)
    assert "it does not hold a config and weights" in fault_of(path, seen)
    torch.save({"config": "[" * 100_000, "weights": {}}, path)
    assert "config is no JSON" in fault_of(path, seen)


def test_a_small_file_that_claims_to_hold_much_is_told(whole, path, seen):
    weight = torch.zeros(1).expand(1 << 20, 1 << 20)
    write(path, whole["config"], {**whole["weights"], "action.bias": weight})
    assert "1048576 x 1048576 does not fit into" in fault_of(path, seen)
    write(path, **whole)
    bias = whole["weights"]["features.dense.bias"].numel()
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    (program,) = (name for name in parts if name.endswith("data.pkl"))
    # The number of elements of a storage, and of the tensor that is in it.
    small, large = b"K" + bytes([bias]), b"J" + struct.pack("<i", 1 << 30)
    parts[program] = parts[program].replace(small, large)
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    assert "no checkpoint of this project" in fault_of(path, seen)


@pytest.mark.parametrize("kind", ["policy:{}", "policy+search:{}:4"])
def test_what_is_no_file_of_weights_is_one_sentence(kind, tmp_path):
    (tmp_path / "empty.pt").touch()
    zipped(tmp_path / "some.zip", text=b"x")
    (tmp_path / "folder.pt").mkdir()
    os.mkfifo(tmp_path / "pipe.pt")
    for given, said in (
        (tmp_path / "empty.pt", "it is empty"),
        (tmp_path / "some.zip", "not one of torch"),
        (tmp_path / "folder.pt", "is a folder, and a checkpoint is a file"),
        (tmp_path / "pipe.pt", "is no regular file, and a checkpoint is a file"),
        ("/dev/zero", "is no regular file, and a checkpoint is a file"),
        ("/etc/passwd", "it is no zip archive"),
        (f"/{'a' * 300}.pt", "there is no checkpoint"),
        ("/a\0b.pt", "there is no checkpoint"),
    ):
        with pytest.raises(impulse_agents.AgentError, match=said):
            impulse_agents.make(kind.format(given))


def test_a_file_loaded_by_its_path_alone_is_told_too(tmp_path):
    os.mkfifo(tmp_path / "pipe.pt")
    for given, said in (
        (tmp_path / "pipe.pt", "it is no regular file"),
        (tmp_path, "it is a folder"),
        (Path("/dev/zero"), "it is no regular file"),
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
    write(tmp_path / "good.pt", config, weights)
    paths = [tmp_path / f"{number}.pt" for number in range(7)]
    for path, size in zip(paths, (WIDEST, 100_000, 10**9), strict=False):
        write(path, edited(config, ("network", "width"), size), weights)
    many = edited(config, ("network", "policy"), [WIDEST] * MOST_LAYERS)
    write(paths[3], many, weights)
    write(paths[4], edited(config, ("network", "card_dim"), WIDEST), weights)
    write(paths[5], config, {**weights, "more": torch.zeros(1).expand(1 << 40)})
    torch.save({"config": Code(bytearray, 1 << 33), "weights": {}}, paths[6])
    command = [sys.executable, "-c", _LOADED, str(tmp_path / "good.pt"), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    kilobytes = int(done.stdout) // (1024 if sys.platform == "darwin" else 1)
    assert kilobytes < 64 * 1024
