"""No two trainings share a folder that they did not ask for."""

from concurrent.futures import ThreadPoolExecutor

from impulse_training.run.storage import result
from impulse_training.run.storage.result import new_run_folder


def test_trainings_of_the_same_second_have_folders_of_their_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(result, "strftime", lambda _: "20260101-120000")
    with ThreadPoolExecutor(8) as threads:
        folders = list(threads.map(lambda _: new_run_folder(None, "train", 1), range(8)))
    assert sorted(folder.name for folder in folders) == [
        "train__1__20260101-120000",
        *(f"train__1__20260101-120000-{number}" for number in range(2, 9)),
    ]


def test_a_folder_that_is_asked_for_may_be_there(tmp_path):
    assert new_run_folder(tmp_path, "train", 1) == tmp_path
    assert new_run_folder(tmp_path / "a" / "b", "train", 1).is_dir()
