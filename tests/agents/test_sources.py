"""A digest of sources changes with what the code does, and with nothing else."""

import shutil
import sys

import pytest

from impulse_agents.identity import files_behind, files_in, package_of, sources_digest
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
    "package/unused.py": "VALUE = 4\nimport far.away, numpy, sys\n",
    "far/away.py": "VALUE = 5\n",
    "far/__init__.py": "",
    "table.csv": "a,b\n",
    "notes.csv": "c,d\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return tmp_path


def digest_in(folder):
    return sources_digest(files_behind({"main": folder / "main.py"}))


@pytest.mark.parametrize(
    ("file", "old", "new", "counts"),
    [
        ("main.py", "2 * number", "3 * number", True),
        ("main.py", "def double", "def twice", True),
        ("helper.py", "number + 1", "number + 2", True),
        ("package/inner.py", "deeper.VALUE", "-deeper.VALUE", True),
        ("package/deeper.py", "3", "4", True),
        ("package/unused.py", "4", "5", True),  # a package counts whole
        ("far/away.py", "5", "6", True),
        ("table.csv", "a,b", "a,c", True),
        ("main.py", "Twice as much", "Two times", False),
        ("main.py", "A module", "Nothing else", False),
        ("main.py", "A table.", "Some table.", False),
        ("main.py", "# beside it", "# elsewhere", False),
        ("main.py", "return 2 * number", "return (2\n            * number)", False),
        ("other.py", "1", "2", False),
        ("notes.csv", "c", "e", False),
    ],
)
def test_what_the_code_does_counts_but_no_words_layout_or_unrelated_file(
    folder, file, old, new, counts
):
    before = digest_in(folder)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))
    assert (digest_in(folder) != before) == counts
    (folder / file).write_text(text)
    assert digest_in(folder) == before


def test_a_copy_elsewhere_is_the_same(folder, tmp_path_factory):
    copy = tmp_path_factory.mktemp("elsewhere")
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    assert digest_in(copy) == digest_in(folder)


def test_installed_libraries_do_not_count(folder):
    found = files_behind({"main": folder / "main.py"})
    inner = ("__init__", "deeper", "inner", "unused")
    wanted = ["far/__init__.py", "far/away.py", "helper", "main"]
    assert sorted(found) == [*wanted, *(f"package/{name}.py" for name in inner)]


def test_a_library_beside_an_installed_package_does_not_count(tmp_path):
    libraries = tmp_path / "site-packages"
    for name, text in FILES.items():
        (libraries / name).parent.mkdir(parents=True, exist_ok=True)
        (libraries / name).write_text(text)
    assert set(files_behind({"package": libraries / "package"})) == {
        f"package/{name}.py" for name in ("__init__", "inner", "deeper", "unused")
    }


def test_a_module_is_part_of_its_package_or_of_none(folder):
    assert package_of(folder / "package/inner.py") == folder / "package"
    assert package_of(folder / "main.py") == folder / "main.py"


def test_a_card_of_the_table_counts(tmp_path):
    engine = tmp_path / "engine"
    shutil.copytree(ROOT / "impulse_env/engine", engine)
    files = files_in(engine, "engine")
    before = sources_digest(files)
    table = engine / "cards.csv"
    table.write_bytes(table.read_bytes().replace(b"1", b"2", 1))
    assert sources_digest(files) != before
