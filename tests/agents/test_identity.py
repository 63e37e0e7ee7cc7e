"""An identity tells agents apart that may play in another way, and no others."""

import os
import re
import shutil
import sys

import pytest

import impulse_agents
from impulse_agents import checkpoints, plugins, registry
from impulse_agents.base import AgentError
from impulse_agents.identity import (
    _AGENTS,
    _DECIDING,
    _RULES,
    _RULES_PLACES,
    _SHARED,
    _code,
    _sources,
    identity_of,
)
from networks import untrained

CODE = """
from impulse_agents import Agent


class Own(Agent):
    def __init__(self, argument="none"):
        self.argument = argument

    def act(self, seen, streams):
        return seen.masks.argmax(axis=1)


class Derived(Own):
    version = "2.1"


class Declared(Own):
    identity = "my agent of June"


class Computed(Own):
    @property
    def version(self):
        return "weights " + self.argument


class Wrong(Own):
    version = 3


def make():
    return Derived()
"""


def identity(name):
    return identity_of(impulse_agents.make(str(name)))


def save(path, seed, **more):
    untrained(seed=seed, **more).save(path)
    return path


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "their_agent.py"
    path.write_text(CODE)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "their_agent", raising=False)
    yield path
    sys.modules.pop("their_agent", None)
    plugins._entry_points.cache_clear()


def test_the_projects_own_agents_differ_and_stay_what_they_are():
    names = ("random", "greedy", "core_rush", "warrior", "ismcts:10", "ismcts:11")
    found = {name: identity(name) for name in names}
    assert len({one.digest for one in found.values()}) == len(names)
    assert {name: identity(name) for name in names} == found
    assert all(one.digest.startswith(one.short) for one in found.values())
    assert len({one.parts["rules"] for one in found.values()}) == 1


def test_a_search_counts_what_it_asks_and_an_agent_by_itself_its_own_folder_alone():
    found = {}
    for name in ("random", "greedy", "ismcts:10"):
        files = _code(impulse_agents.make(name))
        found[name] = {key.split("/")[1] for key in files if key.count("/") > 1}
        assert "impulse_agents/base.py" in files
    assert found["random"] == {"heuristics"}
    assert found["greedy"] == found["ismcts:10"] == {"heuristics", "network", "search"}


TELLING = re.compile(
    r"impulse_env\.(compiled|errors|files|positions|records|schema|text|validation)\b.*"
)
"""What the code that counts imports, and what decides nothing."""
LOADING = ("impulse_agents.base", "impulse_agents.plugins")


def test_what_the_counting_code_imports_counts():
    agents = _sources(_AGENTS, [*_SHARED, *_DECIDING])
    paths = {*agents.values(), *_sources(_RULES, _RULES_PLACES).values()}
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            if module := re.match(r" *(?:from|import) (impulse_(?:env|agents)\.[\w.]+)", line):
                if not (TELLING.fullmatch(module[1]) or module[1] in LOADING):
                    top, _, inner = module[1].partition(".")
                    place = (_RULES if top == _RULES.name else _AGENTS) / inner.replace(".", "/")
                    assert {place.with_suffix(".py"), place / "__init__.py"} & paths, (path, line)


def test_a_checkpoint_is_its_weights_and_its_network_wherever_it_lies(tmp_path):
    save(tmp_path / "a.safetensors", seed=1)
    shutil.copy(tmp_path / "a.safetensors", tmp_path / "copy.safetensors")
    save(tmp_path / "described.safetensors", seed=1, trained={"minutes": 3})
    save(tmp_path / "b.safetensors", seed=2)
    for kind, budget in (("policy", ""), ("policy+search", ":4")):
        found = [
            identity(f"{kind}:{tmp_path / name}.safetensors{budget}").digest
            for name in ("a", "copy", "described", "b")
        ]
        assert len(set(found[:3])) == 1
        assert found[3] != found[0]
    path = tmp_path / "a.safetensors"
    others = f"policy:{path}", f"policy+search:{path}:4", f"policy+search:{path}:5"
    assert len({identity(name).digest for name in others}) == 3


def test_a_search_that_asks_for_values_counts_what_they_mean():
    if not checkpoints.shipped():
        pytest.skip("no agent is shipped")
    agent = impulse_agents.make(f"policy+search:{checkpoints.shipped()[0]}:4")
    assert "calibration" not in identity_of(agent).parts
    agent.config["value_weight"] = 0.5
    assert "slope" in identity_of(agent).parts["calibration"]


def test_code_of_another_author_is_its_sources_its_class_and_its_argument(file, tmp_path):
    names = ["Own", "Own:deep", "Derived", "make"]
    found = [identity(f"{file}:{name}") for name in names]
    assert len({one.digest for one in found}) == len(names)
    assert [one.parts.get("version") for one in found] == [None, None, "2.1", "2.1"]
    copy = tmp_path / "elsewhere" / "renamed.py"
    copy.parent.mkdir()
    shutil.copy(file, copy)
    assert identity(f"{copy}:Own").digest == found[0].digest
    file.write_text(CODE.replace("argmax", "argmin"))
    assert identity(f"{file}:Own").digest != found[0].digest
    assert identity(f"{file}:Own").parts["rules"] == found[0].parts["rules"]


def test_a_module_is_known_by_its_sources_too(file):
    before = identity("their_agent:Own")
    file.write_text(CODE.replace("argmax", "argmin"))
    assert identity("their_agent:Own").digest != before.digest


def test_a_class_may_say_itself_what_it_is(file):
    """Also where the changed file has the size and the time of the file before it."""
    os.utime(file, (0, 0))
    before = identity(f"{file}:Declared")
    for old, new, is_same in (("argmax", "argmin", True), ("June", "July", False)):
        file.write_text(CODE.replace(old, new))
        os.utime(file, (0, 0))
        assert (identity(f"{file}:Declared") == before) is is_same
    assert "code" not in before.parts
    first, second = (identity(f"{file}:Computed:{weights}") for weights in "ab")
    assert (first.parts["version"], second.parts["version"]) == ("weights a", "weights b")
    with pytest.raises(AgentError, match=r"the version of .*:Wrong must be a text, not 3"):
        identity(f"{file}:Wrong")


def test_an_installed_agent_is_its_distribution_too(file, tmp_path):
    for version in ("1.0", "1.1"):
        info = tmp_path / f"theirs-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: theirs\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\ntheirs = their_agent:Own\n")
        plugins._entry_points.cache_clear()
        found = identity("theirs")
        assert found.parts["distribution"] == f"theirs {version}"
        assert "code" in found.parts
        shutil.rmtree(info)
