"""The accuracy of an agent's chances to win, as a table, card section, file and picture."""

import csv
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from impulse_agents.registry import RULE_BASED
from impulse_env.files import write_atomically
from impulse_training.evaluation.calibration.calibration_report import (
    ALL,
    CALIBRATED,
    STAGES,
    CalibrationReport,
    Estimate,
)
from impulse_training.report.printing import markdown
from impulse_training.report.table import EMPTY, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS: Final = ("#56B4E9", "#E69F00", "#CC79A7")
"""Colours of the stages, from Okabe and Ito's palette for the colour-blind."""
_FEW: Final = 20
"""The least positions of a drawn bin of a stage."""


def forecast_table(report: CalibrationReport, name: str) -> Table:
    """Return the accuracy of the chances and of other forecasts, with 95 % intervals."""
    rows = tuple(
        (
            forecast.name,
            _figure(forecast.log_loss),
            _figure(forecast.brier),
            EMPTY if forecast.name == CALIBRATED else _figure(forecast.behind),
        )
        for forecast in report.forecasts
    )
    columns = ("Chances by", "Log-loss", "Brier score", "Behind")
    return Table(f"{name}, {report.games:,} held-out games", columns, rows, _note(report))


def section(
    report: CalibrationReport, path: Path, given: str, has_score_reward: bool = False
) -> str:
    """Return the calibration section of a model card.

    Args:
        report: The calibration's report.
        path: The checkpoint.
        given: Its name or path, for the command.
        has_score_reward: Whether the reward includes the lead in points.
    """
    found, table = report.calibration, forecast_table(report, path.stem)
    lead = " plus the agent's lead in points divided by the target" if has_score_reward else ""
    return (
        "The network's value predicts a return. A maximum-likelihood fit to "
        f"{report.fitted_games:,} games maps it to a chance to win. A side wins with chance "
        "`1 / (1 + exp(-z))`, where\n\n"
        "```text\n"
        f"z = {found.slope:.4g} x {_signed(found.cubic)} x^3 {_signed(found.progress)} p "
        f"{_signed(found.bias)}\n"
        "```\n\n"
        f"Here `x` is the value{lead}, and `p` is the square root of the best score's share of the "
        "target.\n\n"
        f"{markdown(table)}\n{table.note}\n\n"
        f"![Reliability]({picture_of(path).name})\n\n"
        f"Data: `{numbers_of(path).name}`.\n\n"
        f"```console\n$ {_command(report, given)}\n```\n"
    )


def numbers_of(path: Path) -> Path:
    """Return the file of the bins of a checkpoint's diagram."""
    return path.with_suffix(".calibration.csv")


def picture_of(path: Path) -> Path:
    """Return the file of a checkpoint's diagram."""
    return path.with_suffix(".calibration.png")


def write(report: CalibrationReport, path: Path) -> None:
    """Write the bins and the picture of the checkpoint at `path` beside it."""
    lines = StringIO(newline="")
    writer = csv.writer(lines)
    writer.writerow(["stage", "start", "end", "positions", "expected", "won", "low", "high"])
    for one in report.bins:
        figures = ["" if f is None else f"{f:.4f}" for f in (one.expected, *one.won)]
        writer.writerow([one.stage, one.start, one.end, one.positions, *figures])
    write_atomically(numbers_of(path), lines.getvalue())
    _draw(report, path)


def _draw(report: CalibrationReport, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(5.5, 5), layout="constrained")
    draw_on(axes, report, path.stem)
    figure.savefig(picture_of(path), dpi=130)
    plt.close(figure)


def draw_on(axes: "Axes", report: CalibrationReport, title: str) -> None:
    """Draw the share won by expected chance on the given axes."""
    axes.plot([0, 100], [0, 100], color="0.7", linewidth=1)
    for stage, color, marker in zip(STAGES, COLORS, "sD^", strict=True):
        bins = [one for one in report.bins if one.stage == stage and one.positions >= _FEW]
        axes.plot(
            [100 * one.expected for one in bins],
            [100 * one.won.mean for one in bins],
            marker=marker,
            markersize=4,
            linewidth=1,
            color=color,
            label=f"{stage} game",
        )
    bins = [one for one in report.bins if one.stage == ALL]
    # Without an end: NaN, which is not drawn.
    won, low, high = 100 * np.array([one.won for one in bins], float).T
    axes.errorbar(
        [100 * one.expected for one in bins],
        won,
        yerr=np.maximum(0, [won - low, high - won]),
        fmt="ok",
        markersize=5,
        capsize=2,
        label="all, 95 % interval",
    )
    axes.set(
        xlabel="chance to win by the calibrated value, %",
        ylabel="games won, %",
        xlim=(0, 100),
        ylim=(0, 100),
        title=f"{title}, {report.games:,} held-out games",
        aspect="equal",
    )
    axes.grid(alpha=0.3)
    axes.legend()


def _command(report: CalibrationReport, given: str) -> str:
    """Return the command that makes the report again."""
    chosen = f" --opponents {' '.join(report.opponents)}" if report.opponents != RULE_BASED else ""
    return f"impulse agents calibrate {given} --games {report.played} --seed {report.seed}{chosen}"


def _signed(term: float) -> str:
    return f"{'-' if term < 0 else '+'} {abs(term):.4g}"


def _figure(found: Estimate) -> str:
    ends = "" if found.low is None else f" [{found.low:z.3f}, {found.high:z.3f}]"
    return f"{found.mean:z.3f}{ends}"


def _note(report: CalibrationReport) -> str:
    return (
        f"{report.positions:,} positions of {report.games:,} held-out games, each seen by the "
        "seat that decides. Half of the games are self-play; in the others "
        f"{', '.join(report.opponents)} take turns on all other sides. Lower is better. Behind: "
        "log-loss minus that of the calibrated value. Brackets: 95 % intervals from resampled "
        f"games. Knowing nothing always forecasts {100 * report.won:.1f} %, the share won in the "
        "games of the fit. The rule-based evaluation also sees the hidden cards."
    )
