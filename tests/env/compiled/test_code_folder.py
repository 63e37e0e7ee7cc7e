"""The folder of the machine code: found by contents, and nobody else's to write."""

import ast
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import impulse_agents
from impulse_env.compiled import code_folder
from impulse_env.compiled.code_folder import PACKAGE, compiled_sources

posix = pytest.mark.skipif(os.name != "posix", reason="about owners and permissions")
AGENTS = Path(impulse_agents.__file__).parent


@pytest.fixture
def base(tmp_path, monkeypatch):
    """An empty folder as `IMPULSE_CACHE_DIR`, and nothing remembered of any other."""
    monkeypatch.setenv("IMPULSE_CACHE_DIR", str(tmp_path / "base"))
    code_folder.code_folder.cache_clear()
    code_folder._fresh_folder.cache_clear()
    yield tmp_path / "base"
    code_folder.code_folder.cache_clear()
    code_folder._fresh_folder.cache_clear()


def found():
    code_folder.code_folder.cache_clear()
    return code_folder.code_folder(PACKAGE)


def refused(base, capsys, reason):
    """Assert that a fresh folder is used, and that one line says why."""
    folder = found()
    assert base not in folder.parents
    assert folder.stat().st_mode & 0o777 == 0o700
    (line,) = capsys.readouterr().err.splitlines()
    assert reason in line
    assert "IMPULSE_CACHE_DIR" in line
    shutil.rmtree(folder.parent)


@posix
def test_a_new_folder_is_private(base):
    folder = found()
    assert folder.parent == base
    assert folder.stat().st_mode & 0o777 == 0o700


@posix
def test_a_folder_that_others_can_write_is_not_used(base, capsys):
    found().chmod(0o770)
    refused(base, capsys, "can be written by other users")


@posix
def test_a_folder_of_another_user_is_not_used(base, capsys, monkeypatch):
    found()
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    refused(base, capsys, "belongs to another user")


@posix
def test_a_link_is_not_used(base, capsys, tmp_path):
    folder = found()
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    refused(base, capsys, "is not a folder")


def test_a_file_in_its_place_is_not_used(base, capsys):
    folder = found()
    folder.rmdir()
    folder.write_bytes(b"")
    refused(base, capsys, str(folder))


@posix
def test_the_folder_around_is_closed_to_other_writers_but_for_a_sticky_one(base):
    base.mkdir()
    base.chmod(0o777)
    found()
    assert base.stat().st_mode & 0o777 == 0o755
    base.chmod(0o1777)
    assert found().parent == base
    assert base.stat().st_mode & 0o7777 == 0o1777


def test_the_fresh_folder_goes_with_the_process_and_its_children_share_it(tmp_path):
    (tmp_path / "base").write_bytes(b"no folder")
    code = (
        "import subprocess, sys\n"
        "from impulse_env.compiled.code_folder import PACKAGE, code_folder\n"
        "print(code_folder(PACKAGE), flush=True)\n"
        "if len(sys.argv) == 1:\n"
        "    subprocess.run([sys.executable, '-c', open(0).read(), 'child'], check=True)\n"
    )
    code = code.replace("open(0).read()", repr(code.partition("if len")[0]))
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "IMPULSE_CACHE_DIR": str(tmp_path / "base")},
        capture_output=True,
        text=True,
        check=True,
    )
    own, child = done.stdout.split()
    assert own == child
    assert not Path(own).parent.exists()
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows says where the folder is")
@pytest.mark.parametrize("value", ["caches", "", None])
def test_a_relative_cache_folder_of_the_user_is_ignored(monkeypatch, tmp_path, value):
    monkeypatch.delenv("IMPULSE_CACHE_DIR", raising=False)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    if value is None:
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", value)
    usual = "Library/Caches" if sys.platform == "darwin" else ".cache"
    assert code_folder._base_folder() == tmp_path / usual / "impulse_env"


def test_the_folder_can_be_chosen(monkeypatch, tmp_path):
    monkeypatch.delenv("IMPULSE_CACHE_DIR", raising=False)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    if sys.platform != "win32":
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
        assert code_folder._base_folder() == tmp_path / "xdg/impulse_env"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    assert code_folder._base_folder() == tmp_path / "numba/impulse_env"
    monkeypatch.setenv("IMPULSE_CACHE_DIR", str(tmp_path / "own"))
    assert code_folder._base_folder() == tmp_path / "own"


def test_folders_of_old_versions_go_when_a_new_one_comes(base):
    base.mkdir(mode=0o700)
    now, day = time.time(), 86_400
    for days in (0.5, 2, 29, 31, 400):
        old = base / f"{int(days):016x}-checked"
        old.mkdir()
        (old / "x.code").write_bytes(b"code")
        os.utime(old, (now, now - days * day))
    (base / "notes").mkdir()
    os.utime(base / "notes", (now, now - 400 * day))
    new = found()
    kept = {f"{days:016x}-checked" for days in (0, 2, 29)}
    assert {folder.name for folder in base.iterdir()} == {new.name, "notes"} | kept


def test_the_newest_folders_are_kept_and_all_of_the_last_day(base):
    base.mkdir(mode=0o700)
    now = time.time()
    for rank in range(30):
        old = base / f"{rank:020x}"
        old.mkdir()
        os.utime(old, (now, now - rank * 7_200))
    found()
    ranks = {int(folder.name, 16) for folder in base.iterdir() if "-" not in folder.name}
    # The new one is the newest of sixteen; of the others the last day's would stay.
    assert ranks == set(range(15))


# --- What it is named by --------------------------------------------------------------------------


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """The package's compiled sources in another place, as if it were installed there."""
    for path in compiled_sources(PACKAGE):
        place = tmp_path / "impulse_env" / path.relative_to(PACKAGE)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
    monkeypatch.setattr(code_folder, "PACKAGE", tmp_path / "impulse_env")
    return tmp_path / "impulse_env"


def test_clones_and_touched_files_share_it(copied):
    digest = code_folder._source_digest(copied)
    os.utime(copied / "batch.py", (0, 0))
    assert code_folder._source_digest(copied) == digest
    (copied / "engine/turn.py").write_bytes(
        (copied / "engine/turn.py").read_bytes().replace(b"\n", b"\r\n")
    )
    assert code_folder._source_digest(copied) == digest


@pytest.mark.parametrize(
    "name", ["engine/cards.csv", "engine/ops.csv", "compiled/linking.py", "batch.py"]
)
def test_a_changed_source_has_another(copied, name):
    digest = code_folder._source_digest(copied)
    (copied / name).write_bytes((copied / name).read_bytes() + b"\n")
    assert code_folder._source_digest(copied) != digest


@pytest.mark.parametrize("package", [PACKAGE, AGENTS])
def test_what_compiled_functions_import_counts_as_a_source(package):
    """A constant of another module is baked into the machine code."""
    counted = set(compiled_sources(package))
    sources = [path for path in counted if path.suffix == ".py"]
    imported = {module for path in sources for module in imported_in_compiled_code(path)}
    assert imported
    assert imported <= counted, "say in these that @jit functions have their constants"


def imported_in_compiled_code(path):
    """The files of our packages from which compiled functions of that file take names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    used = {
        name.id
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and any(map(is_jit, function.decorator_list))
        for statement in function.body
        for name in ast.walk(statement)
        if isinstance(name, ast.Name)
    }
    for statement in ast.walk(tree):
        if isinstance(statement, ast.ImportFrom) and statement.module:
            top, *rest = statement.module.split(".")
            folder = {"impulse_env": PACKAGE, "impulse_agents": AGENTS}.get(top)
            if folder and any((alias.asname or alias.name) in used for alias in statement.names):
                place = folder.joinpath(*rest)
                yield place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def is_jit(decorator):
    return isinstance(decorator, ast.Name) and decorator.id.startswith("jit")
