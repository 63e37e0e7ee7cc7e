"""What the tests with other libraries share."""

import runpy

import pytest

from pages import blocks
from paths import ROOT


@pytest.fixture
def shown(request, tmp_path, monkeypatch):
    """The names that the page of the library leaves behind.

    The Python blocks of `docs/libraries/NAME.md` are run as one program, in an empty folder, by
    the test module `test_NAME`.
    """
    name = request.module.__name__.rpartition(".")[2].removeprefix("test_")
    page = ROOT / f"docs/libraries/{name}.md"
    program = tmp_path / f"{name}_page.py"
    code = [body for language, body in blocks(page) if language == "python"]
    program.write_text("\n".join(code), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return runpy.run_path(str(program), run_name="__main__")
