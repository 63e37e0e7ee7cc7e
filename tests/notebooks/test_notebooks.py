"""The notebooks run from a fresh kernel, and what they keep of their full run is whole."""

import ast
import itertools
import re

import nbformat
import pytest
from nbclient import NotebookClient

from impulse_env.compiled.compilation import IS_COMPILED
from paths import PACKAGES, ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NAMES = [
    "00_strong_play",
    "01_the_game",
    "02_the_environment",
    "03_training",
    "04_tournament",
    "05_learned_strategies",
    "06_who_begins",
    "07_card_values",
    "08_points",
    "09_the_network",
    "10_openings",
    "11_mistakes",
    "12_reading_hands",
]
MINUTES = 25
"""That a cell may take where the rules have to be compiled first."""

LONG = {"06_who_begins", "08_points", "09_the_network", "10_openings"}
"""Those that take a minute or more even so."""

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_cells(path):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def test_all_are_there():
    assert [path.stem for path in NOTEBOOKS] == NAMES


@pytest.mark.notebooks
@pytest.mark.skipif(not IS_COMPILED, reason="plays too long for uncompiled code")
@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=[pytest.mark.slow] * (p.stem in LONG), id=p.stem) for p in NOTEBOOKS],
)
def test_runs_with_small_settings(path, tmp_path, monkeypatch):
    monkeypatch.setenv("IMPULSE_NOTEBOOKS", "small")
    monkeypatch.setenv("PYTHONPATH", PACKAGES)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lab").symlink_to(ROOT / "notebooks" / "lab")  # it lies beside them
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    NotebookClient(notebook, timeout=60 * MINUTES, resources={"metadata": {"path": "."}}).execute()
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")


@each
def test_keeps_the_outputs_of_one_run_from_top_to_bottom(path):
    counts = [cell.execution_count for cell in code_cells(path)]
    assert counts == list(range(1, len(counts) + 1))


@each
def test_keeps_no_errors_warnings_or_paths_of_a_machine(path):
    for cell in code_cells(path):
        for output in cell.outputs:
            assert output.output_type != "error"
            assert output.get("name") != "stderr", output.text
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"/(home|root|work|tmp)/", text)
    assert len(text) < 3_000_000


@each
def test_shows_pictures(path):
    shown = [
        kind
        for cell in code_cells(path)
        for output in cell.outputs
        for kind in output.get("data", ())
    ]
    assert sum(kind in ("image/png", "image/svg+xml") for kind in shown) >= 2


@each
def test_text_stands_before_every_cell(path):
    cells = nbformat.read(path, as_version=4).cells
    assert cells[0].cell_type == "markdown"
    for before, cell in itertools.pairwise(cells):
        if cell.cell_type == "code":
            assert before.cell_type == "markdown", cell.source


@each
def test_defines_nothing_that_belongs_in_a_module(path):
    for cell in code_cells(path):
        for node in ast.walk(ast.parse(cell.source)):
            assert not isinstance(node, ast.ClassDef)
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno - node.lineno < 15, node.name
