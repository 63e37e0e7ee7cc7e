"""A file is there as it was or as it is to be, and never in between."""

import errno
import hashlib
import os
import stat

import numpy as np
import pytest

from impulse_env.files import OutputError, check_output, replacing, sha256_of, write_atomically


@pytest.mark.parametrize("content", ["", "Gegnerzüge\r\n…\n", b"\x00\r\n\xff"])
def test_what_is_written_is_there_byte_by_byte(tmp_path, content):
    path = tmp_path / "new" / "folders" / "file.json"
    write_atomically(path, "before")
    write_atomically(str(path), content)
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert [one.name for one in path.parent.iterdir()] == ["file.json"]


def test_bytes_that_are_not_text_become_a_question_mark(tmp_path):
    write_atomically(tmp_path / "a.txt", "é\udcff\n")
    assert (tmp_path / "a.txt").read_bytes() == "é?\n".encode()


def test_until_the_end_the_old_file_is_there(tmp_path):
    path = tmp_path / "file"
    write_atomically(path, "old")
    with replacing(path) as file:
        file.write(b"ne")
        file.flush()
        assert path.read_text() == "old"
        file.write(b"w")
    assert path.read_text() == "new"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_where_writing_fails_the_old_file_stays(tmp_path, error):
    path = tmp_path / "file"
    write_atomically(path, "old")

    def fail():
        with replacing(path) as file:
            file.write(b"half of the n")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_what_is_written_is_on_the_disk_before_it_takes_its_place(tmp_path, monkeypatch):
    done = []

    def noted(name):
        call = getattr(os, name)
        return lambda *given, **more: (done.append(name), call(*given, **more))[1]

    for name in ("fsync", "replace"):
        monkeypatch.setattr(os, name, noted(name))
    write_atomically(tmp_path / "file", "new")
    # The file, its new name, and then the folder that holds the name.
    assert done == ["fsync", "replace", "fsync"][: 3 if os.name == "posix" else 2]


def test_a_full_disk_is_reported_with_the_name_of_the_file(tmp_path):
    path = tmp_path / "file"
    write_atomically(path, "old")
    with pytest.raises(OSError, match="No space left") as caught, replacing(path):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_library_that_hides_a_full_disk_is_seen_through(tmp_path):
    path = tmp_path / "file"

    def write():
        with replacing(path):
            try:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            finally:
                raise RuntimeError("unexpected pos")  # as torch does

    with pytest.raises(OSError, match="No space left") as caught:
        write()
    assert caught.value.filename == str(path)


def test_what_a_crash_left_behind_is_in_nobodys_way(tmp_path):
    path, left_over = tmp_path / "file", tmp_path / "file.part"
    left_over.write_text("much longer than what comes")
    left_over.chmod(0o644)
    write_atomically(path, "new", mode=0o600)
    assert path.read_text() == "new"
    assert not left_over.exists()
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_permissions_are_those_asked_for_less_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "ordinary", "")
        write_atomically(tmp_path / "secret", "", mode=0o600)
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("ordinary", "secret")]
    assert modes == [0o640, 0o600]


def test_libraries_may_write_into_it(tmp_path):
    path = tmp_path / "arrays.npz"
    with replacing(path) as file:
        np.savez(file, numbers=np.arange(3))
    with np.load(path) as found:
        assert found["numbers"].tolist() == [0, 1, 2]


def test_the_digest_is_that_of_the_whole_file(tmp_path):
    path = tmp_path / "large"
    path.write_bytes(b"impulse" * 100_000)
    assert sha256_of(path) == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("place", "is_folder", "why"),
    [
        ("new/folders/file", False, None),
        ("new/folders", True, None),
        ("file", False, None),
        (".", True, None),
        (".", False, "it is a folder"),
        ("file", True, "it is not a folder"),
        ("file/new/a", True, "file is not a folder"),
        ("file/a", False, "file is not a folder"),
        ("dangling/a", True, "dangling is not a folder"),
        ("pipe", False, "it is not a regular file"),
        ("/dev/stdout", False, "it is not a regular file"),
        ("a" * 300, True, os.strerror(errno.ENAMETOOLONG)),
    ],
)
def test_whether_something_can_be_written_is_known_before(
    place, is_folder, why, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "dangling").symlink_to("nowhere")
    os.mkfifo("pipe")
    before = sorted(tmp_path.rglob("*"))
    if why is None:
        check_output("--out", place, is_folder=is_folder)
    else:
        with pytest.raises(OutputError, match=f"^--out .* cannot be written: {why}$"):
            check_output("--out", place, is_folder=is_folder)
    assert sorted(tmp_path.rglob("*")) == before
