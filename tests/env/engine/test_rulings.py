"""Every ruling and reading of docs/rules.md is named by a test, and the code cites no others."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from paths import ROOT

CITED = re.compile(r"(?<![A-Za-z0-9])([RP]\d{1,2})(?![0-9])")


def rulings_of_the_page():
    """The first column of the two tables: R1, R2, … and P1, P2, …"""
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    return re.findall(r"^\| ([RP]\d+) \|", page, flags=re.MULTILINE)


RULINGS = rulings_of_the_page()


@cache
def named_in_tests():
    """Which tests name a ruling: ``test_p4_…`` and ``…_r9_…`` by name, "P4" and "R9" in the text.

    A "p9" elsewhere in a name is page 9.
    """
    named = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for node in ast.walk(ast.parse(source)):
            is_test = isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
            if not is_test or path == Path(__file__):
                continue
            words = node.name.upper().split("_")
            rulings = {word for k, word in enumerate(words) if word[0:1] == "R" or k == 1}
            rulings |= set(CITED.findall("\n".join(lines[node.lineno - 1 : node.end_lineno])))
            for ruling in rulings:
                named.setdefault(ruling, []).append(f"{path.name}::{node.name}")
    return named


def test_the_page_lists_all_rulings_and_readings_in_order():
    expected = [f"R{n}" for n in range(1, 13)] + [f"P{n}" for n in range(1, 16)]
    assert expected == RULINGS


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_is_named_by_a_test(ruling):
    assert named_in_tests().get(ruling), f"no test names {ruling}"


@pytest.mark.parametrize(
    "path", sorted((ROOT / "impulse_env").rglob("*.py")), ids=lambda path: path.name
)
def test_the_code_cites_no_ruling_that_the_page_does_not_have(path):
    cited = set(CITED.findall(path.read_text(encoding="utf-8")))
    assert cited <= set(RULINGS), f"{path.name} cites {sorted(cited - set(RULINGS))}"
