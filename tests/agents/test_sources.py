"""A digest of sources changes with what the code does, and with nothing else."""

import shutil
import sys

import pytest

from impulse_agents import sources
from impulse_agents.sources import Source, modules_behind, source_of, sources_digest
from paths import ROOT

CODE = '''
"""A module."""
import helper  # beside it
from json import dumps
from package.inner import thing

TABLE = "table.csv"
"""A table."""


def double(number):
    """Twice as much."""
    return 2 * number
'''
FILES = {
    "main.py": CODE,
    "helper.py": "def more(number):\n    return number + 1\n",
    "other.py": "VALUE = 1\n",
    "package/__init__.py": "",
    "package/inner.py": "from . import deeper\nthing = deeper.VALUE\n",
    "package/deeper.py": "VALUE = 3\n",
    "package/unused.py": "VALUE = 4\n",
    "table.csv": "a,b\n",
    "notes.csv": "c,d\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    return tmp_path


def digest_in(folder):
    return sources_digest([Source("main", folder / "main.py")])


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("main.py", "2 * number", "3 * number"),
        ("main.py", "def double", "def twice"),
        ("helper.py", "number + 1", "number + 2"),
        ("package/inner.py", "deeper.VALUE", "-deeper.VALUE"),
        ("package/deeper.py", "3", "4"),
        ("table.csv", "a,b", "a,c"),
    ],
)
def test_what_the_code_does_counts(folder, file, old, new):
    before = digest_in(folder)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))
    assert digest_in(folder) != before
    (folder / file).write_text(text)
    assert digest_in(folder) == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("main.py", "Twice as much", "Two times"),
        ("main.py", "A module", "Nothing else"),
        ("main.py", "A table.", "Some table."),
        ("main.py", "# beside it", "# elsewhere"),
        ("main.py", "return 2 * number", "return (2\n            * number)"),
        ("other.py", "1", "2"),
        ("package/unused.py", "4", "5"),
        ("notes.csv", "c", "e"),
    ],
)
def test_words_layout_and_unrelated_files_do_not_count(folder, file, old, new):
    before = digest_in(folder)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))
    assert digest_in(folder) == before


def test_a_copy_elsewhere_is_the_same(folder, tmp_path_factory):
    copy = tmp_path_factory.mktemp("elsewhere")
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    assert digest_in(copy) == digest_in(folder)


def test_installed_libraries_do_not_count(folder):
    found = modules_behind([Source("main", folder / "main.py")])
    assert found == ["helper", "main", "package.deeper", "package.inner"]
    assert source_of("no_such_module_at_all") is None
    assert source_of("sys") is None


def test_the_rules_count_wherever_a_card_is_played_and_pictures_nowhere():
    for module in ("heuristics.random_agent", "heuristics.agent", "search.agent"):
        found = modules_behind([source_of(f"impulse_agents.{module}")])
        assert {"impulse_env.engine.decisions", "impulse_env.engine.cards"} <= set(found)
        assert not [name for name in found if name.startswith(sources.TELLING)]
        assert not [name for name in found if name.startswith("impulse_training")]
    assert not [name for name in found if name.startswith("impulse_agents.network.agent")]


def test_a_card_of_the_table_counts(tmp_path):
    engine = tmp_path / "engine"
    shutil.copytree(ROOT / "impulse_env/engine", engine)
    start = [Source("cards", engine / "cards.py")]
    before = sources_digest(start)
    table = engine / "cards.csv"
    table.write_bytes(table.read_bytes().replace(b"1", b"2", 1))
    assert sources_digest(start) != before
