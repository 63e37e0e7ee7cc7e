"""Numbers in the notebooks' prose are those of the cells beside it, and their answers one table."""

import json
import re

import nbformat
import numpy as np
import pandas as pd
import pytest

from impulse_training.statistics.estimates import difference
from lab.answers import (
    BEGIN,
    END,
    LONGEST,
    MIME,
    Claims,
    Figure,
    answer,
    answers_in,
    table_of,
    with_table,
)
from paths import ROOT

FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MEASURED = re.compile(r"\d[\d,]*\.\d+|\d[\d,]*(?= ?(?:%|percent))")
"""What only a measurement says: decimals and percentages."""
NOT_MEASURED = re.compile(r"`[^`]*`|\]\([^)]*\)|\"[^\"]*\"|\b9[59] ?%(?=[\s;,.])")
"""Code, links, quotations, and the levels of intervals."""

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def outputs_of(cell):
    """All text that a code cell shows."""
    found = []
    for output in cell.get("outputs", ()):
        found.append(output.get("text", ""))
        data = output.get("data", {})
        found += [str(said) for kind, said in data.items() if not kind.startswith("image")]
    return "\n".join(found)


@each
def test_measured_numbers_of_the_prose_are_in_the_outputs_beside_it(path):
    cells = nbformat.read(path, as_version=4).cells
    for place, cell in enumerate(cells):
        if cell.cell_type != "markdown":
            continue
        beside = [near for near in cells[max(0, place - 2) : place + 3] if near.cell_type == "code"]
        shown = "\n".join(map(outputs_of, beside)) + "\n".join(near.source for near in beside)
        for number in MEASURED.findall(NOT_MEASURED.sub(" ", cell.source)):
            assert number in shown, f"{number} in cell {place}: {cell.source}"


@each
def test_numbers_of_an_answer_are_figures(path):
    """A template's own text holds no decimals or percentages: each is formatted from a figure."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code" and any(MIME in out.get("data", {}) for out in cell.outputs):
            assert not re.search(r"\d ?%(?!\w)", re.sub(r"[\"']\s?%[\"']", "", cell.source))


def test_the_page_holds_the_answers_of_all_notebooks():
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert with_table(page, FOLDER) == page, "run `make answers`"
    for path in NOTEBOOKS:
        assert f"({path.name})" in page
    assert BEGIN in page
    assert END in page


def test_every_answer_of_the_table_has_an_interval():
    rows = [stored for path in NOTEBOOKS for stored in answers_in(path)]
    assert table_of(FOLDER).count("\n") == len(rows) + 1
    assert all(stored["interval"] in stored["intervals"].values() for stored in rows)


@each
def test_summaries_are_short_and_their_figure_is_one_of_the_answer(path):
    for stored in answers_in(path):
        assert len(stored["summary"].split()) <= LONGEST
        numbers = re.findall(r"(?<![\w#])-?\d[\d.]*\d(?![\w-])", stored["summary"])
        assert any(number in stored["answer"] for number in numbers), stored["summary"]


def test_the_table_has_the_summary_with_its_interval(tmp_path):
    told = {
        "question": "Who?",
        "answer": "B 2 then A 1",
        "intervals": {"a": "[1]", "b": "[2]"},
        "summary": "B has 2.",
        "interval": "[2]",
    }
    output = {"output_type": "display_data", "data": {MIME: told}}
    cell = {"cell_type": "code", "source": "", "outputs": [output]}
    (tmp_path / "07_this.ipynb").write_text(json.dumps({"cells": [cell]}))
    assert table_of(tmp_path).splitlines()[2] == (
        "| [Who?](07_this.ipynb) | B has 2. | [2] | `make notebooks ONLY=07` |"
    )


def test_words_follow_the_interval():
    figure = Figure(52.04, 51.0, 53.0)
    assert str(figure) == "52.0 %"
    assert figure.interval == "[51.0, 53.0]"
    assert figure.against(50, "more", "less") == "more"
    assert figure.against(54, "more", "less") == "less"
    assert figure.against(52, "more", "less") == "no clear difference"


def test_an_answer_shows_its_figures_with_their_intervals(capsys):
    figure = Figure(55.0, 54.0, 56.0)
    answer("Who?", "The first wins {share} of its games.", summary="It is {share}.", share=figure)
    assert "The first wins **55.0 %** [54.0, 56.0] of its games." in capsys.readouterr().out


def test_a_figure_that_is_missing_is_an_error():
    with pytest.raises(KeyError):
        answer("Who?", "The first wins {share}.", summary="It wins {share}.")


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        ("Nothing.", "one figure, not 0"),
        ("{a} and {b}.", "one figure, not 2"),
        ("word " * 25 + "{a}", "at most 25 words"),
    ],
)
def test_a_summary_that_is_long_or_has_other_than_one_figure_is_refused(summary, words):
    figures = {"a": Figure(1.0, 0.0, 2.0, ""), "b": Figure(2.0, 1.0, 3.0, "")}
    with pytest.raises(ValueError, match=words):
        answer("Who?", "{a} and {b}", summary=summary, **figures)


def test_a_page_without_the_marks_is_refused():
    with pytest.raises(ValueError, match="needs a line"):
        with_table("nothing", FOLDER)


def test_a_claim_holds_is_refuted_or_stays_open():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"game": np.arange(300), "group": ["x", "y", "z"] * 100})
    table["value"] = rng.normal(size=300) + (table.group == "x")
    claims = Claims()
    for first, second in (("x", "y"), ("y", "x"), ("y", "z"), ("x", "nobody")):
        row = claims.add(
            f"{first} above {second}", difference(table, "value", "group", first, second)
        )
        assert len(row) == 1
    assert claims.table().verdict.tolist() == ["holds", "refuted", "open", "open"]
    assert claims.table().loc["x above y", "rows"] == "100 / 100"
