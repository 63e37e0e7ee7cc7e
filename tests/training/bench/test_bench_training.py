"""What times a training counts every part of it, and nothing twice."""

import pytest

from impulse_training.bench import training
from impulse_training.bench.bench_options import TrainingArgs
from impulse_training.bench.training import Parts
from impulse_training.cli.bench.training import main


def test_the_rate_is_that_of_all_parts():
    assert Parts(update=50, games=20, opponents=10, policy=20).rate == pytest.approx(10_000)


def test_every_part_is_timed_and_the_free_games_cost_nothing(monkeypatch, capsys):
    monkeypatch.setattr(training, "WARMING", 5)
    found = main(TrainingArgs(num_envs=(64,), updates=1, repeats=1, epochs=1))
    (row,) = found["measured"]
    parts = [row[name] for name in ("update", "policy", "opponents", "games")]
    assert min(parts) > 0
    assert row["steps_per_second"] == pytest.approx(1e6 / sum(parts))
    assert row["games_alone"] == pytest.approx(1e6 / (row["games"] + row["opponents"]))
    ((ours, free),) = training.measure(TrainingArgs(updates=1, repeats=1, epochs=1), 64)
    assert ours.games > 0
    assert free.games == free.opponents == 0
    assert "µs per decision" in capsys.readouterr().out
