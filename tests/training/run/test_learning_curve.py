"""What is written of a learning curve is read again, and a failure leaves what was there."""

import pytest

from impulse_training.run import learning_curve

POINTS = [
    {"seconds": 60.0, "steps": 1000, "rating": -12.34567, "win/random": 0.5},
    {"seconds": 120.0, "steps": 2000, "rating": 20.0, "win/random": 0.75},
]


def test_points_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "curve.csv"
    learning_curve.write(path, POINTS)
    assert learning_curve.read(path) == [{**POINTS[0], "rating": -12.3457}, POINTS[1]]


def test_a_curve_that_cannot_be_written_leaves_the_old_one(tmp_path):
    # The file used to be emptied before its first line was written.
    path = tmp_path / "curve.csv"
    learning_curve.write(path, POINTS[:1])
    before = path.read_bytes()
    with pytest.raises(ValueError, match="unheard-of"):
        learning_curve.write(path, [*POINTS, {"unheard-of": 1.0}])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
