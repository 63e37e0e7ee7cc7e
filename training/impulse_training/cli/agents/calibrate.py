"""The command `impulse agents calibrate`."""

from dataclasses import asdict
from typing import Any

from impulse_env.options import check_least
from impulse_training.cli.framework.command import Command
from impulse_training.evaluation.evaluation_options import CalibrateArgs as Args

COMMAND = Command(
    examples=("impulse agents calibrate 2p", "impulse agents calibrate runs/demo --games 1000"),
    has_json=True,
    extra="train",
)


def main(args: Args) -> dict[str, Any]:
    """Play games, fit and save the calibration, and print its error."""
    from impulse_training.evaluation.calibration.calibrate import calibrate_agent
    from impulse_training.evaluation.calibration.reliability import forecast_table
    from impulse_training.report.printing import print_table
    from impulse_training.run.terminal.screen import Screen

    check_least(args, 2, "games")
    check_least(args, 0, "seed")
    console = Screen()

    def report_progress(played: int) -> None:
        console.print(f"{played:,} of {args.games:,} games played")

    path, report, name = calibrate_agent(args, report_progress)
    print_table(console, forecast_table(report, name))
    assert report.calibration.error is not None
    console.print(f"mean calibration error: {report.calibration.error:.1%}")
    console.print(f"saved the calibration in {path}")
    return {"path": str(path), **asdict(report)}
