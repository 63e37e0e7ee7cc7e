"""Snapshots stay spread over a training, however long it goes on."""

from itertools import pairwise

import pytest

from impulse_training.run.storage.snapshots import snapshot_path, snapshots_of, thin_out


def saved(run, steps):
    path = snapshot_path(run, steps)
    path.parent.mkdir(exist_ok=True)
    path.write_text("weights")


@pytest.mark.parametrize("most", [2, 3, 8, 20])
def test_old_and_new_ones_stay_spread(tmp_path, most):
    for steps in range(0, 30_000, 100):
        saved(tmp_path, steps)
        thin_out(tmp_path, most)
    left = [int(path.stem) for path in snapshots_of(tmp_path)]
    assert len(left) == most
    assert (left[0], left[-1]) == (0, 29_900)
    gaps = [after - before for before, after in pairwise(left)]
    assert max(gaps) <= 3 * 29_900 / (most - 1)


@pytest.mark.parametrize(
    ("most", "expected"), [(0, []), (1, [300]), (2, [0, 300]), (9, [0, 100, 200, 300])]
)
def test_the_limit_holds_however_small(tmp_path, most, expected):
    for steps in (0, 100, 200, 300):
        saved(tmp_path, steps)
    thin_out(tmp_path, most)
    assert [int(path.stem) for path in snapshots_of(tmp_path)] == expected


def test_other_files_stay(tmp_path):
    saved(tmp_path, 100)
    other = tmp_path / "snapshots" / "best.safetensors"
    other.write_text("mine")
    thin_out(tmp_path, 0)
    assert [path.name for path in (tmp_path / "snapshots").iterdir()] == ["best.safetensors"]


def test_without_a_folder_there_are_none(tmp_path):
    thin_out(tmp_path, 3)
    assert snapshots_of(tmp_path) == []
