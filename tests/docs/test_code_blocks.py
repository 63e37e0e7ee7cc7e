"""Every block of Python, and every shell block that is quick, is run: in order, page by page.

Python blocks of a page share their names; ``>>>`` is compared with what it prints. A ``bash`` block
is run where the page's Python runs, so that each can read what the other wrote. What would take
minutes stands in a ``console`` block, whose commands `test_commands` checks.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sybil.document import Document
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

from impulse_env.compiled.compilation import IS_COMPILED
from pages import PAGES, blocks, name_of, text_of
from paths import PACKAGES, ROOT

RUN = {"python", "bash"}
KNOWN = RUN | {"c", "console", "text"}
MARKS = {
    "docs/gpu.md": pytest.mark.slow,
    "docs/guides/c_library.md": pytest.mark.slow,
    "docs/guides/cluster.md": pytest.mark.slow,
    "docs/guides/curriculum.md": pytest.mark.slow,
    "docs/guides/exploitability.md": pytest.mark.slow,
    "docs/guides/opponent.md": pytest.mark.slow,
    "docs/guides/tracking.md": pytest.mark.slow,
    # PettingZoo imports its own example in a way that it calls deprecated.
    "docs/libraries/pettingzoo.md": pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    "docs/libraries/sb3.md": pytest.mark.slow,
    "docs/tutorials/rllib.md": pytest.mark.ray,
    "docs/tutorials/analysis.md": pytest.mark.slow,
    "docs/tutorials/pytorch.md": pytest.mark.slow,
    "docs/tutorials/record.md": pytest.mark.slow,
    "docs/tutorials/sb3.md": pytest.mark.slow,
    "docs/tutorials/tournament.md": pytest.mark.slow,
}
"""Pages that need more than the quick tests give."""


def has_a_test(page):
    """Whether a test with the versions of another library runs the page."""
    test = ROOT / f"tests/interop/test_{page.stem}.py"
    return page.parent == ROOT / "docs/libraries" and test.exists()


RUNNABLE = [
    pytest.param(page, id=name_of(page), marks=MARKS.get(name_of(page), ()))
    for page in PAGES
    if RUN & {language for language, _ in blocks(page)} and not has_a_test(page)
]


def shell(example):
    """Run a block; what it prints is in the message if it fails."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", example.parsed],
        env={**os.environ, "PATH": programs, "PYTHONPATH": PACKAGES},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        return f"{example.parsed}\nended with {run.returncode}\n{run.stdout}\n{run.stderr}"
    return None


@pytest.mark.skipif(not IS_COMPILED, reason="plays too long for uncompiled code")
@pytest.mark.parametrize("page", RUNNABLE)
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = Document.parse(str(page), PythonCodeBlockParser(), CodeBlockParser("bash", shell))
    examples = list(document.examples())
    assert len(examples) >= sum(language in RUN for language, _ in blocks(page))
    for example in examples:
        example.evaluate()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_block_says_what_language_it_is_in(page):
    assert {language for language, _ in blocks(page)} <= KNOWN


def test_examples_mask_logits_of_any_type():
    """A number such as -1e9 is an error where logits are float16."""
    examples = [*PAGES, *(ROOT / "docs").rglob("*.py")]
    assert [page for page in examples if re.search(r"masked_fill\(.*-\d", text_of(page))] == []
