"""A checkpoint on the Hugging Face Hub is played by its name there; a server stands for it."""

import sys

import huggingface_hub.file_download
import pytest

import impulse_agents
from commands import run_impulse
from hub_stand_in import serving
from impulse_agents.base import AgentError
from impulse_agents.checkpoints import checkpoint_in, file_of, hub, path_of
from impulse_agents.identity import identity_of
from networks import untrained


def content_of(seed, tmp_path):
    untrained(seed=seed).save(tmp_path / "made.safetensors")
    return (tmp_path / "made.safetensors").read_bytes()


def told(monkeypatch, **constants):
    """Set what the library read from the environment; older ones hold it in several modules."""
    for module in (huggingface_hub.constants, huggingface_hub.file_download):
        for name, value in constants.items():
            if hasattr(module, name):
                monkeypatch.setattr(module, name, value)


def at(url, monkeypatch):
    """Let the library look for the hub there."""
    template = url + "/{repo_id}/resolve/{revision}/{filename}"
    told(monkeypatch, ENDPOINT=url, HUGGINGFACE_CO_URL_TEMPLATE=template)


@pytest.fixture
def there(tmp_path, monkeypatch):
    """Return a hub with ann/rusher in two versions, and an empty cache."""
    with serving() as found:
        at(found.url, monkeypatch)
        told(monkeypatch, HF_HUB_CACHE=str(tmp_path / "cache"))
        first, second = (content_of(seed, tmp_path) for seed in (1, 2))
        found.first = found.commit("ann/rusher", "v1", policy_safetensors=first)
        found.second = found.commit("ann/rusher", "main", policy_safetensors=second)
        yield found


def test_it_is_played_by_its_name_as_it_is_now_or_was(there):
    now, before = (impulse_agents.make(f"policy:hf:ann/rusher{at}") for at in ("", "@v1"))
    assert now.name == "policy:hf:ann/rusher"
    assert now.weights_digest() != before.weights_digest()
    searching = impulse_agents.make("policy+search:hf:ann/rusher@v1:20")
    assert searching.name == "policy+search:hf:ann/rusher@v1:20"
    assert searching.policy.weights_digest() == before.weights_digest()
    assert identity_of(before).parts["weights"] != identity_of(now).parts["weights"]


def test_a_branch_is_asked_for_each_time_and_a_commit_once(there):
    pinned = f"policy:hf:ann/rusher@{there.first}"
    for name in ("policy:hf:ann/rusher", pinned):
        impulse_agents.make(name)
    there.asked.clear()
    impulse_agents.make(pinned)
    assert there.asked == []
    there.commit("ann/rusher", "main", policy_safetensors=b"damaged")
    with pytest.raises(AgentError, match="not a checkpoint of this project"):
        impulse_agents.make("policy:hf:ann/rusher")
    assert any(one.startswith("GET") for one in there.asked)


def test_without_a_network_what_was_there_the_last_time_plays(there, monkeypatch):
    impulse_agents.make("policy:hf:ann/rusher")
    at("http://127.0.0.1:9", monkeypatch)
    impulse_agents.make("policy:hf:ann/rusher")
    with pytest.raises(AgentError, match="cannot be downloaded from the hub") as raised:
        impulse_agents.make("policy:hf:ann/other")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("hf:ann/rusher@v9", "ann/rusher on the hub has no revision 'v9'"),
        ("hf:ann/rusher/other.safetensors", "ann/rusher on the hub has no file other.safetensors"),
        ("hf:ann/nobody", "ann/nobody does not exist on the hub, or is private"),
        ("hf:rusher", "names nothing on the hub: write hf:OWNER/NAME, hf:OWNER/NAME@REVISION"),
        ("hf:ann/rusher@", "names nothing on the hub"),
        ("hf:ann/ru..sher", "names nothing on the hub"),
        ("hf:ann/../x", "names nothing on the hub"),
    ],
)
def test_a_missing_file_is_one_sentence(there, name, said):
    for kind in ("policy:{}", "policy+search:{}:20"):
        with pytest.raises(AgentError, match=said) as raised:
            impulse_agents.make(kind.format(name))
        assert "\n" not in str(raised.value)


def test_a_file_beyond_all_bounds_is_not_downloaded(there, monkeypatch):
    monkeypatch.setattr(hub, "_MOST_BYTES", 1000)
    with pytest.raises(AgentError, match=r"has [\d,]+ bytes, and 1,000 are allowed"):
        path_of("hf:ann/rusher")
    assert not any(one.startswith("GET") for one in there.asked)


def test_a_name_that_somebody_else_wrote_downloads_nothing(there):
    name = "policy:hf:ann/rusher"
    assert file_of(name) is None
    with pytest.raises(AgentError, match="a name that a file contains never starts a download"):
        impulse_agents.make(name, allow_code=False)
    assert there.asked == []
    impulse_agents.make(name)
    assert impulse_agents.make(name, allow_code=False).name == name
    assert file_of(name).is_file()


def test_the_checkpoint_in_a_name_keeps_its_revision():
    assert checkpoint_in("policy+search:hf:ann/rusher@v1:0.5s") == "hf:ann/rusher@v1"
    assert checkpoint_in("policy:hf:ann/rusher") == "hf:ann/rusher"


def test_a_command_plays_it(there, tmp_path):
    name = "policy:hf:ann/rusher@v1"
    environment = {"HF_ENDPOINT": there.url, "HF_HOME": str(tmp_path / "home")}
    done = run_impulse("match", name, "random", "--games", "4", environment=environment)
    assert done.returncode == 0, done.stderr
    assert name in done.stdout


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ImportError, match=r'pip install "impulse-env\[hub\]"'):
        impulse_agents.make("policy:hf:ann/rusher")
