"""PTX on disk: that of a wheel, of the cache, or compiled once; damage is noticed."""

import os
import stat
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import impulse_agents
from impulse_env.compiled.code_folder import PACKAGE
from impulse_env.compiled.compilation import IS_COMPILED, LINKS_LATE

pytest.importorskip("torch")

from impulse_env.gpu import stored
from impulse_env.gpu.kernels import KERNELS, UNPACK

pytestmark = pytest.mark.skipif(
    not (IS_COMPILED and LINKS_LATE), reason="kernels are compiled from numba's own IR"
)
ONCE = "impulse_env: compiling impulse_unpack for the GPU, once for this version\n"


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The folders of a wheel's code and of the cache; nothing is compiled but a line of text."""
    shipped, cache = tmp_path / "shipped", tmp_path / "cache"
    shipped.mkdir()
    cache.mkdir()
    compiled = []
    monkeypatch.setattr(stored, "shipped_folder", lambda package: shipped)
    monkeypatch.setattr(stored, "code_folder", lambda package: cache)
    monkeypatch.setattr(
        stored, "ptx", lambda kernel: compiled.append(kernel) or f"// {len(compiled)}\n"
    )
    return shipped, cache, compiled


def test_a_kernel_is_compiled_once_and_then_read(folders, capsys):
    shipped, cache, compiled = folders
    assert stored.stored_ptx(UNPACK) == stored.stored_ptx(UNPACK) == "// 1\n"
    assert compiled == [UNPACK]
    assert capsys.readouterr().err == ONCE
    assert [path.name for path in cache.iterdir()] == ["impulse_unpack.ptx"]
    assert not list(shipped.iterdir())


def test_what_is_stored_is_what_was_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "shipped_folder", lambda package: None)
    monkeypatch.setattr(stored, "code_folder", lambda package: tmp_path)
    first = stored.stored_ptx(UNPACK)
    assert ".entry impulse_unpack" in first
    assert stored.stored_ptx(UNPACK) == first
    assert (tmp_path / "impulse_unpack.ptx").read_text(encoding="ascii").endswith(first)


def test_the_wheels_comes_first(folders, capsys):
    shipped, cache, compiled = folders
    stored.stored_ptx(UNPACK)
    (cache / "impulse_unpack.ptx").rename(shipped / "impulse_unpack.ptx")
    (cache / "impulse_unpack.ptx").write_bytes(b"// SHA-256: 0\n// another\n")
    assert stored.stored_ptx(UNPACK) == "// 1\n"
    assert len(compiled) == 1
    assert capsys.readouterr().err == ONCE


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-3],
        lambda data: data[:40],
        lambda data: b"",
        lambda data: data.partition(b"\n")[2],
        lambda data: data.replace(b"// 1", b"// 7"),
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xff" * 200,
    ],
    ids=["cut", "in its first line", "empty", "no digest", "changed", "line ends", "not text"],
)
def test_a_damaged_file_is_compiled_again(folders, capsys, damage):
    _, cache, compiled = folders
    stored.stored_ptx(UNPACK)
    path = cache / "impulse_unpack.ptx"
    path.write_bytes(damage(path.read_bytes()))
    capsys.readouterr()
    assert stored.stored_ptx(UNPACK) == "// 2\n"
    warning = f"impulse_env: {path} cannot be used (it is damaged); compiling it again\n"
    assert capsys.readouterr().err == warning + ONCE
    assert stored.stored_ptx(UNPACK) == "// 2\n"
    assert len(compiled) == 2


def test_a_damaged_file_of_a_wheel_is_compiled_into_the_cache(folders, capsys):
    shipped, cache, _ = folders
    (shipped / "impulse_unpack.ptx").write_bytes(b"// old\n")
    assert stored.stored_ptx(UNPACK) == "// 1\n"
    assert (cache / "impulse_unpack.ptx").is_file()
    assert (shipped / "impulse_unpack.ptx").read_bytes() == b"// old\n"
    assert str(shipped) in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_reported(folders, capsys, monkeypatch):
    _, cache, compiled = folders

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert stored.stored_ptx(UNPACK) == "// 1\n"
    path = cache / "impulse_unpack.ptx"
    assert capsys.readouterr().err == ONCE + (
        f"impulse_env: {path} cannot be written (No space left on device); "
        "it is compiled at each start\n"
    )
    assert not list(cache.iterdir())
    assert stored.stored_ptx(UNPACK) == "// 2\n"
    assert len(compiled) == 2


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_folder_is_reported(folders, capsys):
    _, cache, _ = folders
    cache.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert stored.stored_ptx(UNPACK) == "// 1\n"
    assert "cannot be written (Permission denied)" in capsys.readouterr().err
    cache.chmod(stat.S_IRWXU)


def test_a_kernel_is_stored_with_the_code_of_its_own_package(tmp_path, monkeypatch):
    """The name of that folder is a digest of the sources that the kernel depends on."""
    asked = []
    monkeypatch.setattr(stored, "shipped_folder", asked.append)
    monkeypatch.setattr(stored, "code_folder", lambda package: asked.append(package) or tmp_path)
    monkeypatch.setattr(stored, "ptx", lambda kernel: "// PTX\n")
    stored.stored_ptx(UNPACK)
    assert set(asked) == {PACKAGE}
    asked.clear()
    foreign = SimpleNamespace(__module__="impulse_agents.gpu")
    stored.stored_ptx(replace(UNPACK, name="impulse_foreign", function=foreign))
    assert set(asked) == {Path(impulse_agents.__path__[0])}


def test_all_kernels_are_stored_for_a_wheel(folders):
    _, cache, compiled = folders
    stored.store_all(KERNELS)
    assert compiled == list(KERNELS)
    assert {p.name for p in cache.iterdir()} == {f"{kernel.name}.ptx" for kernel in KERNELS}
