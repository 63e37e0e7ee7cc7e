"""What `make mutants` rests on: a module that is imported changed, and the list of changes."""

import importlib
import sys
import tomllib

import pytest

from mutant import Calls, Finder
from paths import ROOT

ENGINE = ROOT / "impulse_env" / "engine"
LISTED = tomllib.loads(
    (ROOT / "tests/env/engine/equivalent_mutants.toml").read_text(encoding="utf-8")
)["group"]


@pytest.fixture
def two_modules(tmp_path, monkeypatch):
    """Two modules in a folder of their own, of which one will be changed."""
    for name in ("changed_one", "other_one"):
        (tmp_path / f"{name}.py").write_text("VALUE = 1\n", encoding="utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", sys.meta_path.copy())
    return tmp_path


def test_one_module_is_imported_changed_and_its_file_stays_as_it_is(two_modules):
    path = two_modules / "changed_one.py"
    sys.meta_path.insert(0, Finder("changed_one", path, "VALUE = 2\n"))
    assert importlib.import_module("changed_one").VALUE == 2
    assert importlib.import_module("other_one").VALUE == 1
    assert path.read_text(encoding="utf-8") == "VALUE = 1\n"
    assert not list(two_modules.rglob("changed_one*.pyc")), "nobody must find it later"


def test_calls_of_the_engine_are_noted_and_no_others(tmp_path):
    path = tmp_path / "impulse_env" / "engine" / "tiny.py"
    scope = {}
    exec(compile("def inner():\n    return 1\n", str(path), "exec"), scope)
    calls = Calls(tmp_path)
    calls.start()
    scope["inner"]()
    calls.stop()
    assert calls.take() == ["impulse_env/engine/tiny.py:inner"]
    assert calls.take() == []


@pytest.mark.parametrize("group", LISTED, ids=lambda group: group["why"])
def test_a_change_that_is_listed_as_equal_has_a_reason_and_its_line_is_still_there(group):
    assert group["why"].endswith(".")
    for module, was, now in group["mutants"]:
        lines = (ENGINE / module).read_text(encoding="utf-8").splitlines()
        assert was in {" ".join(line.split()) for line in lines}, (module, was)
        assert was != now


def test_no_change_is_listed_twice():
    listed = [tuple(mutant) for group in LISTED for mutant in group["mutants"]]
    assert len(set(listed)) == len(listed)
