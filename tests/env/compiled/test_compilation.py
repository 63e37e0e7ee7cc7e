"""What a person is told while functions are compiled."""

import re

import pytest

from impulse_env.compiled import compilation

pytestmark = pytest.mark.skipif(not compilation.IS_COMPILED, reason="nothing is compiled")


def cold_call(monkeypatch, patience):
    """Call a function that was never compiled, and is not kept."""

    def thrice(number):
        return 3 * number

    function = compilation.numba.njit(thrice)
    monkeypatch.setattr(compilation, "_is_kept", lambda function: False)
    monkeypatch.setattr(compilation._Progress, "PATIENCE", patience)
    assert compilation.call(function, 14) == 42


def test_a_wait_is_explained_and_counted(monkeypatch, capsys):
    cold_call(monkeypatch, 0)
    said = capsys.readouterr()
    first, last = said.err.splitlines()
    assert "compiling for this machine, once for this version (half a minute); stored in " in first
    assert re.search(r": compiled 1 functions in \d+ s$", last)
    assert said.out == ""


def test_a_quick_compilation_prints_nothing(monkeypatch, capsys):
    cold_call(monkeypatch, 3600)
    assert capsys.readouterr() == ("", "")
