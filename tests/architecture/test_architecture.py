"""Who may talk to whom: imports point one way, modules stay small, each wing has its map."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from paths import ROOT, SHIPPED

LAB = ROOT / "notebooks/lab"
PACKAGES = [*(ROOT / package for package in SHIPPED), LAB]
SOURCES = sorted(path for package in PACKAGES for path in package.rglob("*.py"))
WINGS = [*sorted({path.parent for path in SOURCES} - set(PACKAGES)), LAB]
PRIVATE = re.compile(r"(.+?)\._(?!_)")
MAP_LINE = re.compile(r"^(\w+/?)  +\S", re.MULTILINE)
ENGINE = ROOT / "impulse_env/engine"


def in_checkout(path):
    return path.relative_to(ROOT).as_posix()


def dotted(path):
    """The name under which a file or a folder of ours is imported."""
    package = next(package for package in PACKAGES if path.is_relative_to(package))
    return ".".join(path.relative_to(package.parent).with_suffix("").parts)


def imports(path):
    """Dotted names of the modules that a file imports, at whatever depth."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def imported(path):
    """Dotted names of the modules of a file's imports, and of what it takes from them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def owner(around):
    """The innermost package of a dotted name."""
    packages = map(dotted, [*PACKAGES, *WINGS])
    return max((name for name in packages if f"{around}.".startswith(f"{name}.")), key=len)


def test_imports_keep_the_contracts():
    """They stand in pyproject.toml."""
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    found_there = os.environ | {"PYTHONPATH": str(LAB.parent)}
    done = subprocess.run(command, cwd=ROOT, env=found_there, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", SOURCES, ids=in_checkout)
def test_what_begins_with_an_underscore_stays_in_its_wing(path):
    for name in imported(path):
        if name.startswith(("impulse_", "lab.")) and (private := PRIVATE.match(name)):
            assert dotted(path).startswith(f"{owner(private[1])}."), f"{name} is not for this file"


@pytest.mark.parametrize("wing", WINGS, ids=in_checkout)
def test_a_wing_lists_its_modules(wing):
    modules = {path.stem for path in wing.glob("*.py")} - {"__init__"}
    text = ast.get_docstring(ast.parse((wing / "__init__.py").read_text(encoding="utf-8")))
    listed = MAP_LINE.findall(text)
    assert len(listed) == len(set(listed))
    folders = {name for name in listed if name.endswith("/")}
    assert all((wing / name).is_dir() for name in folders)
    if len(modules) > 1 or listed:
        assert set(listed) - folders == modules


def test_the_engine_knows_nothing_of_learning():
    words = re.compile(r"\b(observation|reward|agent|policy|gymnasium|pettingzoo)s?\b")
    for path in ENGINE.rglob("*.py"):
        found = words.findall(path.read_text(encoding="utf-8").lower())
        assert not found, f"{path.name}: {found}"


def test_randomness_of_the_engine_comes_from_the_record():
    for path in ENGINE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "np.random" not in text, path.name
        assert "random" not in set(imports(path)), path.name


def test_scores_are_written_in_one_place():
    for path in ENGINE.rglob("*.py"):
        if path.name != "scoring.py":
            assert '["score"][seat] +=' not in path.read_text(encoding="utf-8"), path.name


def test_text_is_read_and_written_in_an_encoding_that_is_named():
    """What the machine's locale says differs from machine to machine."""
    no_text = ("os.open", "webbrowser.open", "archive.open")
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or ast.unparse(node.func) in no_text:
                continue
            given = {word.arg for word in node.keywords}
            is_binary = any(re.match(r"'[rwxa+]*b", ast.unparse(mode)) for mode in node.args)
            opens = re.search(r"(^|\.)(open|read_text|write_text)$", ast.unparse(node.func))
            is_text = (opens and not is_binary) or ("text" in given and "check" in given)
            assert not is_text or "encoding" in given, f"{in_checkout(path)}: {ast.unparse(node)}"


@pytest.mark.parametrize("path", SOURCES, ids=in_checkout)
def test_modules_stay_small(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500
