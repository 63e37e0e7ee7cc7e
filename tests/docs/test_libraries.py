"""The table of other libraries: each page has a full row, and what its row says is so."""

import re

import pytest
from test_code_blocks import MARKS, has_a_test

import interop
from locked import versions
from pages import blocks, text_of
from paths import ROOT

LIBRARIES = ROOT / "docs/libraries"
PAGES = sorted(set(LIBRARIES.glob("*.md")) - {LIBRARIES / "index.md"})
TABLE = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in text_of(LIBRARIES / "index.md").splitlines()
    if line.startswith("| [")
]
ROWS = {re.search(r"\((.+?)\.md\)", row[0])[1]: row for row in TABLE}
EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def command_of(page):
    """What runs the code of a page."""
    if has_a_test(page):
        if page.stem in interop.names():
            return f"make test-interop ONLY={page.stem}"
        return f"python -m pytest -m interop tests/interop/test_{page.stem}.py"
    is_slow = MARKS.get(f"docs/libraries/{page.name}") == pytest.mark.slow
    return "make test-slow" if is_slow else "make test"


def test_no_cell_is_empty():
    for row in TABLE:
        assert len(row) == 5, row
        assert all(cell.strip("- ") for cell in row), row


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
