"""The files of the library: made once, found in a wheel, and what is said where they cannot be."""

import os
import shlex
import shutil
import subprocess
import sys

import pytest

from impulse_env.c_library import files
from impulse_env.c_library.files import ARCHIVE, FOLDER, INCLUDE, SHARED, CLibraryError

FROM_THE_SYSTEM = {"memcpy", "memmove", "memset"}


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The folders of a wheel's code and of the cache; what is compiled is one small function."""
    shipped, cache, compiled = tmp_path / "shipped", tmp_path / "cache", []

    def object_code():
        compiled.append(1)
        source = tmp_path / "one.c"
        source.write_text("int impulse_one(void) { return 1; }\n", encoding="ascii")
        subprocess.run(["cc", "-c", "-fPIC", "-o", tmp_path / "one.o", source], check=True)
        return (tmp_path / "one.o").read_bytes()

    monkeypatch.setattr(files, "shipped_folder", lambda package: shipped)
    monkeypatch.setattr(files, "code_folder", lambda package: cache)
    monkeypatch.setattr(files, "object_code", object_code)
    return shipped, cache, compiled


def test_it_is_made_once(compiler, folders, capsys):
    shipped, cache, compiled = folders
    include, archive = shlex.split(files.c_flags())
    assert include == f"-I{INCLUDE}"
    assert archive == str(cache / FOLDER / ARCHIVE)
    assert files.shared_library() == cache / FOLDER / SHARED
    assert len(compiled) == 1
    assert sorted(os.listdir(cache / FOLDER)) == sorted([ARCHIVE, SHARED])
    assert not shipped.exists()
    told = "impulse_env: compiling the C library, once for this version\n"
    assert capsys.readouterr().err == told


def test_that_of_a_wheel_comes_first(folders):
    shipped, cache, compiled = folders
    (shipped / FOLDER).mkdir(parents=True)
    for name in (ARCHIVE, SHARED):
        (shipped / FOLDER / name).write_bytes(b"of the wheel")
    assert files.c_flags().endswith(f" {shipped / FOLDER / ARCHIVE}")
    assert files.shared_library() == shipped / FOLDER / SHARED
    assert not compiled
    assert not cache.exists()


def test_without_a_compiler_one_sentence_says_so(folders, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CLibraryError, match="there is no `cc` here: install one"):
        files.c_flags()
    assert not folders[2]


def test_a_compiler_that_fails_is_quoted(folders, monkeypatch, tmp_path):
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\necho first >&2\necho no licence >&2\nexit 3\n")
    compiler.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(CLibraryError, match="`cc --version` failed: no licence"):
        files.shared_library()


def test_where_nothing_is_compiled_one_sentence_says_so(compiler, folders, monkeypatch):
    def refused():
        raise RuntimeError("the functions of the C library cannot be compiled here")

    monkeypatch.setattr(files, "object_code", refused)
    with pytest.raises(CLibraryError, match="cannot be compiled here"):
        files.c_flags()


def test_other_systems_are_refused(folders, monkeypatch):
    monkeypatch.setattr(files, "os", type("os", (), {"name": "nt"}))
    with pytest.raises(CLibraryError, match="made on Linux and macOS, not on"):
        files.c_flags()


@pytest.mark.skipif(sys.platform != "linux", reason="names of symbols differ elsewhere")
@pytest.mark.skipif(not shutil.which("nm"), reason="nm lists the symbols")
def test_the_library_needs_nothing_but_functions_of_memory(library):
    from impulse_env.c_library.entries import ENTRIES
    from impulse_env.c_library.files import c_flags

    archive = shlex.split(c_flags())[-1]
    listed = subprocess.run(["nm", archive], capture_output=True, text=True, check=True).stdout
    symbols = [line.split()[-2:] for line in listed.splitlines() if len(line.split()) >= 2]
    assert {name for kind, name in symbols if kind == "U"} <= FROM_THE_SYSTEM
    defined = {name for kind, name in symbols if kind.isupper() and kind != "U"}
    assert defined == {entry.name for entry in ENTRIES}


def test_the_command_prints_options_and_path(library, capsys):
    from impulse_training.cli.framework.main import main

    assert main(["info", "--c-flags"]) == 0
    assert capsys.readouterr().out == f"{files.c_flags()}\n"
    assert main(["info", "--c-library"]) == 0
    assert capsys.readouterr().out == f"{files.shared_library()}\n"
    assert main(["info", "--c-flags", "--c-library"]) == 2
    assert capsys.readouterr().err == "error: give either --c-flags or --c-library\n"
