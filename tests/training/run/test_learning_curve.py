"""What is written of a learning curve is read again, and a failure leaves what was there."""

from math import isnan

import pytest
from matplotlib.figure import Figure

from impulse_training.run import learning_curve

POINTS = [
    {"seconds": 60.0, "steps": 1000, "rating": -12.34567, "win/random": 0.5},
    {"seconds": 120.0, "steps": 2000, "rating": 20.0, "win/random": 0.75},
]


def test_points_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "curve.csv"
    learning_curve.write(path, POINTS)
    assert learning_curve.read(path) == [{**POINTS[0], "rating": -12.3457}, POINTS[1]]


def test_another_panel_has_columns_of_its_own_and_empty_ones_stay_empty(tmp_path):
    path = tmp_path / "curve.csv"
    later = {"seconds": 180.0, "steps": 3000, "rating": 5.0, "win/greedy": 0.25, "reward": 1.0}
    learning_curve.write(path, [*POINTS, later])
    lines = path.read_text().splitlines()
    assert lines[0] == "seconds,steps,rating,win/greedy,reward,win/random"
    assert lines[1:] == [
        "60.0,1000,-12.3457,,,0.5",
        "120.0,2000,20.0,,,0.75",
        "180.0,3000,5.0,0.25,1.0,",
    ]
    points = learning_curve.read(path)
    assert isnan(points[0]["win/greedy"])
    assert isnan(points[2]["win/random"])
    learning_curve.write(tmp_path / "again.csv", points)
    assert (tmp_path / "again.csv").read_text().replace("000.0", "000") == path.read_text()
    learning_curve.draw(tmp_path / "curve.png", points, "a training")
    assert (tmp_path / "curve.png").stat().st_size > 1000


def test_a_curve_that_cannot_be_written_leaves_the_old_one(tmp_path):
    # The file used to be emptied before its first line was written.
    path = tmp_path / "curve.csv"
    learning_curve.write(path, POINTS[:1])
    before = path.read_bytes()
    with pytest.raises(TypeError):
        learning_curve.write(path, [*POINTS, {"steps": "many"}])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_each_point_is_drawn_with_its_interval_if_it_tells_one():
    curve = [
        {**POINTS[0], "low/random": 0.4, "high/random": 0.6},
        {**POINTS[1], "low/random": 0.7, "high/random": 0.8},
    ]
    for points, ends in ((curve, {40.0, 60.0, 70.0, 80.0}), (POINTS, set())):
        axes = Figure().subplots()
        learning_curve.draw_on(axes, points, "a training")
        (band,) = axes.collections
        corners = [path.vertices[:, 1].round(6).tolist() for path in band.get_paths()]
        assert {y for corner in corners for y in corner} == ends
        assert axes.lines[0].get_ydata().tolist() == [50, 75]
