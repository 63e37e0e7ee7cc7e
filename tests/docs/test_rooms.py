"""Paths that the pages name exist, each wing has its room in CONTRIBUTING, the words are six."""

import re
import tomllib

import pytest

from pages import PAGES, ROOT, name_of, spans, text_of
from paths import SHIPPED

TOP = {
    *(".ci", ".github", "agents", "docs", "findings", "impulse_env"),
    *("notebooks", "tests", "training"),
    *("runs", "build", "dist", ".venv"),
}
GENERATED = ("runs", "build", "dist", ".venv")
"""Top-level folders that programs write, so that what is in them need not be there."""
FILE = re.compile(r"[\w.+/-]+\.(?:py|md|toml|yml|csv|js|ipynb|png|cff|txt|svg)")
"""What looks like the path of a file."""
OF_THE_READER = {"my_agent.py", "my_network.py", "path/to/file.py", "results.md", "curve.csv"}
"""Files that a page names and that are the reader's, or written by a command."""
WORDS = ["seat", "side", "entrant", "player", "agent", "learner"]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
READ = [
    page
    for page in PAGES
    if (name_of(page).startswith("docs/") and name_of(page) != "docs/comparison.md")
    or name_of(page) in ("CONTRIBUTING.md", "README.md", "agents/README.md", "training/README.md")
]
"""The comparison names files of other libraries."""


def path_in(span):
    """Return the path of the repository that a word in backticks looks like; None: like none."""
    word = span.split(":")[0] if ".py:" in span else span
    if word in OF_THE_READER or not re.fullmatch(r"[\w.+/-]+", word):
        return None
    first = word.split("/")[0]
    if ("/" in word and first in TOP) or FILE.fullmatch(word):
        return None if first in GENERATED else word
    return None


def exists(path):
    """Whether there is such a path: from the root, or at the end of some file's, as `cards.py`."""
    if (ROOT / path).exists():
        return True
    folders = [ROOT / name for name in sorted(TOP) if name not in GENERATED]
    return any(
        found.as_posix().endswith(f"/{path}")
        for folder in folders
        if folder.exists()
        for found in folder.rglob(path.rsplit("/", 1)[-1])
    )


@pytest.mark.parametrize("page", READ, ids=name_of)
def test_paths_in_backticks_exist(page):
    paths = {path_in(span) for span in spans(page)} - {None}
    assert [path for path in sorted(paths) if not exists(path)] == []


def test_paths_were_found():
    found = [path_in(span) for page in READ for span in spans(page)]
    assert sum(path is not None for path in found) > 60
    assert path_in("agents/impulse_agents/network/") == "agents/impulse_agents/network/"
    assert path_in("training/gone.py:main") == "training/gone.py"
    assert path_in("runs/demo/policy.safetensors") is None
    assert path_in("impulse train --out runs/mine") is None
    assert not exists("training/gone.py")


def table(head):
    """Return the rows of the table in CONTRIBUTING that begins with these cells."""
    lines = text_of(CONTRIBUTING).split(f"| {' | '.join(head)} |\n")[1].splitlines()[1:]
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.split("|")[1:-1]])
    return rows


def test_every_wing_has_its_room_and_every_room_of_a_package_is_a_wing():
    wings = {
        found.parent.relative_to(ROOT).as_posix()
        for package in SHIPPED
        for found in (ROOT / package).glob("*/__init__.py")
    }
    rooms = table(["The line …", "Its place", "What it may use", "What it must not do"])
    named = {path for row in rooms for path in re.findall(r"`([^`]+)`", row[1])}
    of_a_wing = {
        "/".join(path.split("/")[: package.count("/") + 2])
        for package in SHIPPED
        for path in named
        if path.startswith(f"{package}/") and not re.fullmatch(rf"{package}/[\w.]+\.\w+", path)
    }
    assert of_a_wing == wings


def test_the_words_are_six_and_each_has_one_sentence():
    rows = table(["Word", "Meaning"])
    assert [word for word, _ in rows] == WORDS
    for _, meaning in rows:
        assert meaning.endswith(".")
        assert meaning.count(".") == 1


def test_the_table_of_extras_is_that_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = text_of(ROOT / "docs/install.md").split("## Extras")[1].split("## ")[0]
    named = re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)
    assert sorted(named) == sorted(project["optional-dependencies"])
    for name in project["optional-dependencies"]:
        said = re.search(rf"^\| `{name}` \| .*; brings (.*) \|$", page, re.MULTILINE)
        brought = re.findall(r"`([\w-]+)`", said[1]) if said else []
        requirements = " ".join(project["optional-dependencies"][name])
        inside = ",".join(re.findall(r"impulse-env\[([\w,-]+)\]", requirements))
        assert name == "all" or sorted(brought) == sorted(filter(None, inside.split(","))), name


def test_the_first_page_is_short_and_ends_in_links():
    lines = text_of(ROOT / "README.md").splitlines()
    assert len(lines) <= 90
    assert "| I want to … | Read |" in lines
