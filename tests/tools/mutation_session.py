"""The session of a mutation test: the scratch copy, the mutants, and what came of each.

The session is one file of Cosmic Ray's, so its own commands can read it too.
"""

import contextlib
import difflib
import hashlib
import shutil
import subprocess
import tomllib
from functools import cache
from pathlib import Path

from cosmic_ray import plugins
from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_code
from cosmic_ray.work_db import WorkDB, use_db

from paths import ROOT

FOLDER = ROOT / "runs" / "mutation"
TREE, SESSION = FOLDER / "tree", FOLDER / "session.sqlite"
ENGINE = Path("impulse_env/engine")
EQUIVALENT = ROOT / "tests/env/engine/equivalent_mutants.toml"
SEED = 1
COPIED = ("impulse_env", "agents", "training", "tests", "docs", "pyproject.toml", "README.md")

EXCLUDED_MODULES = (
    "__init__.py",  # nothing but words
    "constants.py",  # numbers of the rulebook; the tests read them from there
    "ops.py",  # words, and what the check of records reads
)
EXCLUDED_FOLDERS = ("validity",)  # knows no rule of play; its own tests edit whole records
KINDS = (
    {"Add", "Sub"},
    {"Mul", "Div", "FloorDiv", "Mod", "Pow"},
    {"BitAnd", "BitOr", "BitXor"},
    {"LShift", "RShift"},
)
"""An operator is replaced by one of its kind: most other replacements fail at once."""


def is_examined(mutation):
    """Whether a change can mean something, and more than an operator that does not fit."""
    if not _is_mutated(mutation.module_path):
        return False
    name = mutation.operator_name.removeprefix("core/")
    # Uncompiled, `jit` returns the function that it decorates.
    if name == "RemoveDecorator":
        return False
    # Which equal numbers are one object is up to the interpreter.
    if name.endswith(("_Is", "_IsNot")):
        return False
    if name.startswith("ReplaceBinaryOperator_"):
        pair = set(name.split("_")[1:])
        return any(pair <= kind for kind in KINDS)
    return True


def refresh():
    """Bring the scratch copy up to date, and list the mutants of changed modules again.

    Results for the mutants of other modules stay.
    """
    paths = tracked()
    changed = [path for path in paths if _is_mutated(path) and not _is_same(path)]
    if changed:
        _list_anew(changed)
    for path in {*TREE.rglob("*.py")} - {TREE / path for path in paths}:
        path.unlink()
    for path in paths:
        if not _is_same(path):
            (TREE / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, TREE / path)


def tracked():
    """Return what the scratch copy consists of."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *COPIED],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [Path(name) for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


def _is_mutated(path):
    return (
        ENGINE in path.parents
        and path.suffix == ".py"
        and path.name not in EXCLUDED_MODULES
        and path.parent.name not in EXCLUDED_FOLDERS
    )


def _is_same(path):
    copied = TREE / path
    return copied.exists() and copied.read_bytes() == (ROOT / path).read_bytes()


def _list_anew(changed):
    # A file of its own takes the old one's place, so that an interruption loses nothing.
    path = SESSION.with_suffix(".new")
    path.unlink(missing_ok=True)
    with use_db(path, WorkDB.Mode.create) as new:
        with contextlib.chdir(ROOT):
            init(changed, new, {})
        with use_db(SESSION, WorkDB.Mode.create) as old:
            _keep(old, new, changed)
    path.replace(SESSION)


def _keep(old, new, changed):
    items = [item for item in mutants(old) if item.mutations[0].module_path not in changed]
    results = dict(old.results)
    new.add_work_items(items)
    for item in items:
        if item.job_id in results:
            new.set_result(item.job_id, results[item.job_id])


def mutants(database):
    """Return the mutants that are examined, in the order of the seed."""
    items = [item for item in database.work_items if is_examined(item.mutations[0])]
    return sorted(items, key=_place)


def _place(item):
    # By digests, so that the others stay in their order when one module's mutants change.
    mutation = item.mutations[0]
    place = f"{SEED} {mutation.module_path} {mutation.operator_name} {mutation.occurrence}"
    return hashlib.sha256(place.encode()).digest()


def mutated(mutation):
    """Return the source of the module before and after the change."""
    source = (TREE / mutation.module_path).read_text(encoding="utf-8")
    operator = plugins.get_operator(mutation.operator_name)(**mutation.operator_args)
    return source, mutate_code(source, operator, mutation.occurrence)


def change_of(mutation):
    """Return the module, what was there and what is, without the lines that stayed."""
    before, after = (text.splitlines() for text in mutated(mutation))
    lines = list(difflib.unified_diff(before, after, lineterm="", n=0))[3:]
    was = " ".join(line[1:].strip() for line in lines if line.startswith("-"))
    now = " ".join(line[1:].strip() for line in lines if line.startswith("+"))
    module = str(mutation.module_path.relative_to(ENGINE))
    return module, " ".join(was.split()), " ".join(now.split())


def equivalents():
    """Return the listed mutants that change nothing, as `change_of` tells them."""
    groups = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["group"]
    return {tuple(mutant) for group in groups for mutant in group["mutants"]}


def without(items, listed):
    """Return the mutants that are not among the listed changes."""
    lines = {(module, was) for module, was, _ in listed}
    # To make a change takes a while; most are in lines of which nothing is listed.
    return [i for i in items if _line(i) not in lines or change_of(i.mutations[0]) not in listed]


def _line(item):
    mutation = item.mutations[0]
    source = _lines(TREE / mutation.module_path)
    module = str(mutation.module_path.relative_to(ENGINE))
    return module, " ".join(source[mutation.start_pos[0] - 1].split())


@cache
def _lines(path):
    return path.read_text(encoding="utf-8").splitlines()
