"""The prose check finds what it should, names its line, and leaves code and plain English alone."""

import json
import sys

import pytest

import prose


def messages(text, *, suffix=".md", tmp_path):
    path = tmp_path / f"page{suffix}"
    path.write_text(text, encoding="utf-8")
    return [
        (problem.line, problem.message)
        for passage in prose.passages(path)
        for problem in prose.problems_of_style(passage)
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "A run of before is not resumed.",
        "This is no agent.",
        "The page tells of agents.",
        "It was told to play.",
        "The seed is kept there.",
        "That is wanted here.",
        "Files such as are missing fail.",
        "The cards are drawn anew.",
        "These are read no more.",
        "The training goes on.",
    ],
)
def test_a_banned_phrase_is_reported_with_its_line(sentence, tmp_path):
    found = messages(f"# A page\n\nFine.\n{sentence}\n", tmp_path=tmp_path)
    assert [line for line, _ in found] == [4]


@pytest.mark.parametrize(
    "text",
    [
        "The agent is no longer here, and it is no more than a name.\n",
        "Call `told` or read [the page](docs/told.md).\n",
        "```python\ntold = kept  # of before, told\n```\n",
        "```console\n$ impulse train  # goes on\n```\n",
        "<!-- told\nkept is kept -->\nFine.\n",
        "---\ntitle: what is kept\n---\nFine.\n",
    ],
)
def test_code_links_comments_and_plain_english_are_not(text, tmp_path):
    assert messages(text, tmp_path=tmp_path) == []


def test_a_sentence_has_at_most_thirty_words(tmp_path):
    fits = "Word" + " word" * 29 + "."
    assert messages(f"{fits} {fits}\n{fits}\n", tmp_path=tmp_path) == []
    ((line, message),) = messages(f"{fits}\n\nWord {fits}\n", tmp_path=tmp_path)
    assert line == 3
    assert message.startswith("31 words")


def test_items_of_lists_and_cells_of_tables_are_sentences_of_their_own(tmp_path):
    words = " ".join(["word"] * 20)
    text = f"- {words}\n- {words}\n\n| {words} | {words} |\n|---|---|\n"
    assert messages(text, tmp_path=tmp_path) == []


def test_docstrings_help_texts_and_messages_of_python_are_read(tmp_path):
    source = '''"""Of the agents.

Attributes:
    name: What it is told.
"""

class Args:
    """Options."""

    seed: int = 0
    """The seed is no number."""


def refuse():
    # A comment may say that it was told.
    raise ValueError("this file was told to leave")
'''
    lines = [line for line, _ in messages(source, suffix=".py", tmp_path=tmp_path)]
    assert sorted(lines) == [1, 4, 11, 16]


def test_markdown_cells_of_a_notebook_are_read(tmp_path):
    cells = [
        {"cell_type": "code", "source": ["told = 1"]},
        {"cell_type": "markdown", "source": ["# Fine\n", "\n", "It was told.\n"]},
    ]
    path = tmp_path / "one.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    (problem,) = [p for passage in prose.passages(path) for p in prose.problems_of_style(passage)]
    assert problem.place.endswith("one.ipynb: cell 2")
    assert problem.line == 3


def test_grammar_is_reported_with_its_line(tmp_path, capsys):
    path = tmp_path / "page.md"
    path.write_text("A page.\n\nThis is the\nthe second paragraph.\n", encoding="utf-8")
    assert prose.main([str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert all(":3: " in line or ":4: " in line for line in lines)


def test_a_page_without_problems_passes_in_silence(tmp_path, capsys):
    path = tmp_path / "page.md"
    path.write_text("The agent chooses a legal action.\n", encoding="utf-8")
    assert prose.main([str(path)]) == 0
    assert capsys.readouterr().out == ""


def test_without_harper_it_stops_with_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(SystemExit, match="make install"):
        prose.problems_of_grammar([prose.Passage("a.md", 1, "Fine.")])


def test_every_pattern_of_checked_files_matches_one():
    for pattern in prose.CHECKED:
        assert list(prose.ROOT.glob(pattern)), pattern
    assert prose.ROOT / "CODE_OF_CONDUCT.md" in prose.checked()
