"""What a value means is fitted to some games and tried on others, each game as one."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from commands import impulse, refusal
from impulse_agents import checkpoints
from impulse_agents.base import AgentError
from impulse_agents.calibration import Calibration
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import read_checkpoint
from impulse_agents.network.weights_file import weights_digest
from impulse_env.files import sha256_of
from impulse_env.options import Options
from impulse_training.evaluation.calibration import fitting, positions
from impulse_training.evaluation.calibration.calibration_report import (
    ALL,
    CALIBRATED,
    NOTHING,
    STAGES,
    CalibrationReport,
    Estimate,
    ReliabilityBin,
)
from impulse_training.evaluation.calibration.fitting import (
    CalibrationError,
    calibrate,
    fit,
    forecasts_of,
)
from impulse_training.evaluation.calibration.positions import (
    PER_GAME,
    Positions,
    options_of,
    sample_positions,
)
from impulse_training.evaluation.calibration.reliability import (
    forecast_table,
    numbers_of,
    picture_of,
    write,
)
from networks import untrained

TRUE = Calibration(slope=1.5, cubic=0.4, progress=0.8, bias=-0.5)


def drawn(games, true=TRUE, seed=0, copies=1):
    """Positions of which that calibration is the truth, some of each game."""
    rng = np.random.default_rng(seed)
    outcomes = rng.normal(0, 0.8, games).astype(np.float32)
    progress = rng.random(games).astype(np.float32)
    has_won = rng.random(games) < true.win_probabilities(outcomes, progress)
    columns = (np.arange(games), outcomes, progress, rng.random(games), has_won)
    return Positions(*(np.repeat(column, copies) for column in columns))


# --- The fit and how good it is ------------------------------------------------------------------


def no_interval(*stages):
    """Bins whose games do not show how far off their share is."""
    return [ReliabilityBin(stage, 0.4, 0.5, 9, 0.45, Estimate(0.5, None, None)) for stage in stages]


def test_a_fit_finds_what_is_true():
    found = fit(drawn(100_000))
    for name in ("slope", "cubic", "progress", "bias"):
        assert getattr(found, name) == pytest.approx(getattr(TRUE, name), abs=0.06), name


def test_a_higher_value_never_means_a_lower_chance():
    backwards = replace(TRUE, slope=-1.5, cubic=-0.4)
    found = fit(drawn(5000, backwards))
    assert (found.slope, found.cubic) == (0, 0)


def test_every_game_counts_the_same_in_a_fit():
    once = drawn(3000)
    many = Positions.joined([once.take(once.games < 5)] * 400 + [once.take(once.games >= 5)])
    for name, value in vars(fit(once)).items():
        assert vars(fit(many))[name] == pytest.approx(value, abs=1e-3)


def test_an_interval_is_from_games_and_not_from_positions():
    def width(found):
        return found[0].log_loss.high - found[0].log_loss.low

    once, often = (forecasts_of(TRUE, 0.5, drawn(400, copies=k), 0) for k in (1, 20))
    few = forecasts_of(TRUE, 0.5, drawn(100), 0)
    assert width(often) == pytest.approx(width(once))
    assert width(few) == pytest.approx(2 * width(once), rel=0.4)


def test_forecasts_are_rated_by_what_happened():
    rows = Positions(
        np.arange(4),
        np.zeros(4, np.float32),
        np.zeros(4, np.float32),
        np.array([0.9, 0.9, 0.2, 0.0]),
        np.array([True, False, False, False]),
    )
    even = Calibration(0, 0, 0, 0)
    calibrated, nothing, rules = forecasts_of(even, 0.25, rows, 0)
    assert calibrated.log_loss.mean == pytest.approx(np.log(2))
    assert calibrated.brier.mean == pytest.approx(0.25)
    assert nothing.log_loss.mean == pytest.approx(-(np.log(0.25) + 3 * np.log(0.75)) / 4)
    assert nothing.behind.mean == pytest.approx(nothing.log_loss.mean - np.log(2))
    assert rules.log_loss.mean == pytest.approx(-np.log([0.9, 0.1, 0.8, 1]).mean(), abs=1e-5)
    assert rules.brier.mean == pytest.approx((0.01 + 0.81 + 0.04) / 4, abs=1e-5)
    assert calibrated.behind == (0, None, None)


def test_a_bin_that_was_always_won_has_the_interval_of_wilson():
    rows = drawn(200, copies=3)
    always = replace(rows, has_won=np.ones(len(rows), bool))
    for one in fitting.reliability(TRUE, always, 0):
        assert one.won.high == one.won.mean == 1
        assert one.won.low < 0.93


def test_one_game_shows_no_error(tmp_path):
    rows = drawn(2).take(np.array([True, False]))
    forecasts = forecasts_of(TRUE, 0.5, rows, 0)
    assert {one.brier[1:] for one in forecasts} == {(None, None)}
    bins = (*fitting.reliability(TRUE, rows, 0), *no_interval(STAGES[0], ALL))
    report = CalibrationReport(TRUE, 0, ("greedy",), 4, 1, 1, 1, 0.5, forecasts, bins)
    table = forecast_table(report, "x")
    assert not any("[" in cell for row in table.rows for cell in row)
    write(report, tmp_path / "x.safetensors")
    assert numbers_of(tmp_path / "x.safetensors").read_text().splitlines()[-1].endswith(",0.5000,,")
    assert picture_of(tmp_path / "x.safetensors").exists()


def test_the_truth_lies_on_the_diagonal_and_a_lie_does_not():
    rows = drawn(8000, copies=2)
    bins = fitting.reliability(TRUE, rows, 0)
    for one in bins:
        assert one.start <= one.expected <= one.end
        assert one.won.low <= one.won.mean <= one.won.high
    whole = [one for one in bins if one.stage == ALL]
    assert len(whole) == fitting.BINS
    assert sum(one.positions for one in whole) == len(rows)
    assert sum(one.positions for one in bins if one.stage in STAGES) == len(rows)
    assert max(abs(one.won.mean - one.expected) for one in whole) < 0.03
    lie = fitting.reliability(replace(TRUE, bias=0.5), rows, 0)
    assert max(abs(one.won.mean - one.expected) for one in lie if one.stage == ALL) > 0.1


def test_the_error_is_the_mean_distance_from_the_diagonal():
    rows = drawn(8000, copies=2)
    assert fitting.mean_distance(fitting.reliability(TRUE, rows, 0)) < 0.02
    even = fitting.reliability(Calibration(0, 0, 0, 0), rows, 0)
    assert fitting.mean_distance(even) == pytest.approx(abs(rows.has_won.mean() - 0.5))


def test_what_is_tried_was_not_fitted_to(monkeypatch):
    """In the second half the truth is another: the fit must not know, and its rating must."""
    first, second = drawn(4000), drawn(4000, replace(TRUE, bias=-3.0), seed=1)
    second = replace(second, games=second.games + 4000)
    both = Positions.joined([first, second])
    monkeypatch.setattr(fitting, "sample_positions", lambda *_: both)
    report = calibrate(untrained(), 8000)
    assert report.calibration.terms == fit(first).terms
    assert report.calibration.error == fitting.mean_distance(report.bins) > 0.2
    assert report.won == pytest.approx(first.has_won.mean())
    assert (report.played, report.fitted_games, report.games, report.positions) == (
        *(8000, 4000, 4000),
        len(second),
    )
    alone = forecasts_of(report.calibration, report.won, second, 0)
    assert report.forecasts == alone


# --- The games -----------------------------------------------------------------------------------


def test_positions_are_of_all_seats_and_the_same_for_the_same_seed():
    agent = untrained(3, seed=1, trained={"reward": "score"})
    found = sample_positions(agent, options_of(agent), ["miner", "warrior"], 24, seed=5)
    assert np.bincount(found.games, minlength=24).tolist() == [PER_GAME] * 24
    assert 0.2 < found.has_won.mean() < 0.5
    assert len(np.unique(found.expected)) > 100
    assert 0 <= found.progress.min() < 0.3 < found.progress.max() <= 1
    again = sample_positions(agent, options_of(agent), ["miner", "warrior"], 24, seed=5)
    for name, column in vars(found).items():
        assert (vars(again)[name] == column).all(), name
    other = sample_positions(agent, options_of(agent), ["miner", "warrior"], 24, seed=6)
    assert (other.expected != found.expected).any()


def test_every_other_game_is_against_itself():
    seated = positions._seating(24, 2, Options(3))
    assert (seated[::2] == 0).all()
    alone = seated[1::2]
    assert ((alone == 0).sum(axis=1) == 1).all()
    pairs = {(int(np.argmin(row)), int(row.max())) for row in alone}
    assert len(pairs) == 6, "each opponent meets it on each side"
    teams = positions._seating(24, 2, Options(6, 3))[1::2]
    assert {tuple(row > 0) for row in teams.tolist() for row in [np.array(row)]} == {
        (False, True) * 3,
        (True, False) * 3,
    }


# --- In the file and by the command --------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    untrained(trained={"reward": "score"}).save(tmp_path / "2p.safetensors")
    return tmp_path


def test_the_command_writes_what_it_found_into_the_file(folder, capsys):
    before = PolicyAgent.load(folder / "2p.safetensors")
    words = (
        "agents",
        "calibrate",
        "2p",
        "--games",
        30,
        "--opponents",
        "miner",
        "--seed",
        3,
        "--json",
    )
    assert impulse(*words) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    agent = PolicyAgent.load(folder / "2p.safetensors")
    assert vars(agent.calibration) == found["calibration"]
    report = CalibrationReport.of(agent)
    assert report == calibrate(before, 30, 3, ["miner"])
    assert [one.name for one in report.forecasts][:2] == [CALIBRATED, NOTHING]
    assert "30 of 30 games played" in printed.err
    assert "calibrated value" in printed.err
    assert agent.config == json.loads(json.dumps(before.config))
    assert agent.config["trained"] == {"reward": "score"}
    digest = weights_digest(agent.network.state_dict())
    assert agent.config["calibration"]["weights"] == digest
    assert digest == weights_digest(before.network.state_dict())


def test_the_same_command_writes_the_same_file(folder):
    words = ("agents", "calibrate", "2p", "--games", 20, "--opponents", "miner")
    digests = set()
    for _ in range(2):
        assert impulse(*words) == 0
        digests.add(sha256_of(folder / "2p.safetensors"))
    assert len(digests) == 1


def test_the_weights_in_the_file_stay_as_they_are(folder):
    PolicyAgent.load(folder / "2p.safetensors").save(folder / "2p.safetensors", is_half=True)
    _, before = read_checkpoint(folder / "2p.safetensors")
    assert impulse("agents", "calibrate", "2p", "--games", 20, "--opponents", "miner") == 0
    _, after = read_checkpoint(folder / "2p.safetensors")
    assert list(after) == list(before)
    for name, weight in after.items():
        assert weight.dtype == torch.float16
        assert torch.equal(weight, before[name])
    assert PolicyAgent.load(folder / "2p.safetensors").calibration is not None


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--games", "1"), "games must be 2 or more, not 1"),
        (("--seed", "-1"), "seed must be 0 or more, not -1"),
        (("--opponents",), "at least 2 games and 1 opponent, not 4000 and 0"),
        (("--opponents", "clever"), "unknown agent 'clever'"),
    ],
)
def test_what_cannot_be_calibrated_is_one_sentence_and_changes_nothing(
    folder, capsys, more, message
):
    before = sha256_of(folder / "2p.safetensors")
    assert impulse("agents", "calibrate", "2p", *more) == 2
    assert message in refusal(capsys)
    assert sha256_of(folder / "2p.safetensors") == before


def test_games_that_nobody_wins_are_reported(monkeypatch):
    monkeypatch.setattr(
        fitting, "sample_positions", lambda *_: drawn(4).take(np.zeros(4, np.bool_))
    )
    agent = untrained()
    with pytest.raises(CalibrationError, match="half of the 10 games have no winner"):
        calibrate(agent, 10)
    assert agent.calibration is None
    assert CalibrationReport.of(agent) is None


def test_an_opponent_of_another_table_is_refused(folder):
    with pytest.raises(AgentError, match="trained for 2 players"):
        calibrate(untrained(3), 10, opponents=["policy:2p"])
