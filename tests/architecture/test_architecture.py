"""Who may talk to whom: imports point one way, and each module stays small."""

import ast
import re

import pytest

from paths import ROOT

LAYERS = ("impulse_env/engine", "impulse_env", "impulse_agents", "impulse_training", "notebooks")
PACKAGES = ("impulse_env", "agents/impulse_agents", "training/impulse_training")
FOREIGN_TO_THE_PACKAGE = {"torch", "stable_baselines3", "sb3_contrib", "matplotlib", "rich"}
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def imports(path):
    """Dotted names of the modules that a file imports, at whatever depth."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def layer_of(module):
    """Index of the layer a module belongs to, -1 if it is not ours."""
    path = module.replace(".", "/")
    if path.startswith(LAYERS[0]):
        return 0
    name = path.split("/")[0]
    return LAYERS.index(name) if name in LAYERS else -1


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_inwards(path):
    inside = path.relative_to(ROOT).as_posix().removeprefix("agents/").removeprefix("training/")
    own = layer_of(inside.removesuffix(".py"))
    for module in imports(path):
        assert layer_of(module) <= own, f"{path.name} imports {module}"
        if own <= 1:
            assert module.split(".")[0] not in FOREIGN_TO_THE_PACKAGE


def test_the_engine_knows_nothing_of_learning():
    words = re.compile(r"\b(observation|reward|agent|policy|gymnasium|pettingzoo)s?\b")
    for path in (ROOT / "impulse_env/engine").rglob("*.py"):
        found = words.findall(path.read_text(encoding="utf-8").lower())
        assert not found, f"{path.name}: {found}"


def test_randomness_of_the_engine_comes_from_the_record():
    for path in (ROOT / "impulse_env/engine").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "np.random" not in text, path.name
        assert "random" not in set(imports(path)), path.name


def test_scores_are_written_in_one_place():
    for path in (ROOT / "impulse_env/engine").rglob("*.py"):
        if path.name != "scoring.py":
            assert '["score"][seat] +=' not in path.read_text(encoding="utf-8"), path.name


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_stay_small(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500
