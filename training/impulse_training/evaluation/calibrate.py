"""Calibrate a trained agent: `impulse calibrate 2p`, or a path in the name's place."""

from dataclasses import asdict
from typing import Any

from rich.console import Console

from impulse_agents.checkpoints import path_of
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import write_config
from impulse_env.options import check_least
from impulse_training.evaluation.calibration import calibrate
from impulse_training.evaluation.config import CalibrateArgs
from impulse_training.evaluation.reliability import forecast_table
from impulse_training.evaluation.results import name_of
from impulse_training.report.printing import print_table


def main(args: CalibrateArgs) -> dict[str, Any]:
    """Play, fit, write the calibration into the checkpoint, and say how good it is."""
    check_least(args, 2, "games")
    check_least(args, 0, "seed")
    path = path_of(args.checkpoint)
    agent = PolicyAgent.load(path)
    console = Console(highlight=False, soft_wrap=True)
    report = calibrate(
        agent,
        args.games,
        args.seed,
        args.opponents,
        lambda played: console.print(f"{played:,} of {args.games:,} games played"),
    )
    write_config(path, agent.config)
    print_table(console, forecast_table(report, name_of(args.checkpoint)))
    console.print(f"{path} says from now on how often its side wins")
    return {"checkpoint": str(path), **asdict(report)}
