"""What times a training counts every part of it, and nothing twice."""

from dataclasses import fields

import pytest

from impulse_training.bench import training
from impulse_training.bench.bench_options import TrainingArgs
from impulse_training.bench.training import Parts
from impulse_training.cli.bench.training import main


def test_the_rate_is_that_of_all_parts():
    parts = Parts(
        update=50, advantages=1, policy=20, observations=3, opponents=10, games=15, rest=1
    )
    assert parts.rate == pytest.approx(10_000)


def test_every_part_is_timed_and_the_free_games_cost_nothing(monkeypatch, capsys):
    monkeypatch.setattr(training, "WARMING", 5)
    found = main(TrainingArgs(num_envs=(64,), updates=1, repeats=1, epochs=1))
    (row,) = found["measured"]
    parts = [row[field.name] for field in fields(Parts)]
    *timed, rest = parts
    assert min(timed) > 0 > rest  # a rollout and an update overlap
    assert row["steps_per_second"] == pytest.approx(1e6 / sum(parts))
    assert row["games_alone"] == pytest.approx(1e6 / (row["games"] + row["opponents"]))
    ((ours, free),) = training.measure(TrainingArgs(updates=1, repeats=1, epochs=1), 64)
    assert ours.games > 0
    assert free.opponents == 0 <= free.games < ours.games
    assert "µs per decision" in capsys.readouterr().out


def test_games_on_a_device_have_the_same_parts():
    args = {"num_envs": (16,), "updates": 1, "repeats": 1, "epochs": 1, "opponents": ("warrior",)}
    (row,) = main(TrainingArgs(games="device", **args))["measured"]
    assert min(row[field.name] for field in fields(Parts)) > 0
    assert "ratio" not in row
