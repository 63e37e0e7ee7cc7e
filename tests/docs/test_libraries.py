"""The table of other libraries: each page has a full row, and what its row says is so.

What a page says of a library stands in the docstring of the test that proves it.
"""

import ast
import re
from functools import cache

import pytest
from test_code_blocks import MARKS, has_a_test

import interop
from locked import versions
from pages import blocks, prose, text_of
from paths import ROOT

LIBRARIES = ROOT / "docs/libraries"
PAGES = sorted(set(LIBRARIES.glob("*.md")) - {LIBRARIES / "index.md"})
TABLE = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in text_of(LIBRARIES / "index.md").splitlines()
    if line.startswith("| [")
]
ROWS = {re.search(r"\((.+?)\.md\)", row[0])[1]: row for row in TABLE}
CLAIM = re.compile(r"\b(works?|accepts?|refuses?|cannot|fails?|warns?|knows? no|supports?)\b")
"""Words of a claim that a test has to prove."""
LINK = re.compile(r"\s*\(\[[^]]+\]\([^)]+\)\)|\[([^]]+)\]\([^)]+\)")
PROVING = [*interop.TESTS.glob("*.py"), *(ROOT / "tests/env/environments").glob("*.py")]
EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def command_of(page):
    """What runs the code of a page."""
    if has_a_test(page):
        if page.stem in interop.names():
            return f"make test-interop ONLY={page.stem}"
        return f"python -m pytest -m interop tests/interop/test_{page.stem}.py"
    is_slow = MARKS.get(f"docs/libraries/{page.name}") == pytest.mark.slow
    return "make test-slow" if is_slow else "make docs"


def test_no_cell_is_empty():
    for row in TABLE:
        assert len(row) == 5, row
        assert all(cell.strip("- ") for cell in row), row


def claims(page):
    """Yield the sentences of a page that say what a library does, without their links."""
    for paragraph in re.split(r"\n\s*\n|^- ", prose(page), flags=re.MULTILINE):
        for sentence in re.split(r"(?<=[.:;])\s+", LINK.sub(r"\1", paragraph)):
            if CLAIM.search(sentence):
                yield " ".join(sentence.split()).rstrip(".:;")


@cache
def proved():
    """Return what the docstrings of tests say, as one line."""
    trees = (ast.parse(text_of(module)) for module in PROVING)
    tests = (
        node
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )
    return " ".join(" ".join((ast.get_docstring(test) or "").split()) for test in tests)


@EVERY_PAGE
def test_what_a_page_says_a_library_does_is_quoted_by_a_test(page):
    quoted = proved()
    assert [sentence for sentence in claims(page) if sentence not in quoted] == []


@EVERY_PAGE
def test_the_command_of_its_row_runs_the_page(page):
    assert ROWS[page.stem][3] == f"`{command_of(page)}`"


@EVERY_PAGE
def test_the_versions_of_its_row_are_those_it_is_run_with(page):
    file = interop.TESTS / f"{page.stem}.txt"
    known = file.read_text(encoding="utf-8") if file.exists() else versions() + text_of(page)
    for library in ROWS[page.stem][1].split(", "):
        assert re.search(rf"(?<![\w-]){re.escape(library.replace(' ', '=='))}\s", known), library


@EVERY_PAGE
def test_the_code_of_a_page_is_run_by_a_test(page):
    """`test_code_blocks` runs those that have no test of their own."""
    assert "python" in {language for language, _ in blocks(page)}
    if has_a_test(page):
        assert "shown" in text_of(interop.TESTS / f"test_{page.stem}.py")


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0].partition("]")[0].strip("["))
def test_the_command_of_a_row_exists(row):
    (command,) = re.findall(r"`([^`]+)`", row[3])
    target = re.match(r"make ([\w-]+)", command)
    if target:
        assert re.search(rf"^{target[1]}:", text_of(ROOT / "Makefile"), re.MULTILINE)
    else:
        assert (ROOT / command.rpartition(" ")[2]).exists()
