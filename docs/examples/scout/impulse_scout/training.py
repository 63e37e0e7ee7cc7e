"""Trains the scout's network by self-play: `scout-train --minutes 10 --out runs/scout`."""

import argparse
from pathlib import Path

from impulse_training.run.storage.result import TrainingResult
from impulse_training.selfplay.train import train_or_resume
from impulse_training.selfplay.train_options import Args


def train_scout(minutes: float, out: Path, games: int = 512) -> TrainingResult:
    """Train, or go on with the training that is in the folder already.

    Args:
        minutes: Of training, those before a resumption included.
        out: The folder of the training; `policy.safetensors` in it is the result.
        games: Played side by side.
    """
    return train_or_resume(
        Args(
            network="scout",
            network_args='{"width": 128}',
            minutes=minutes,
            out=out,
            num_envs=games,
            minibatch_size=1024,
            opponents=("random", "scout", "greedy"),
            eval_opponents=("random", "scout"),
            eval_every=60.0,
        )
    )


def main() -> None:
    """Train and say where the result is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to train")
    parser.add_argument("--out", type=Path, default=Path("runs/scout"), help="folder to write to")
    args = parser.parse_args()
    trained = train_scout(args.minutes, args.out)
    print(f"{trained.steps:,} steps; the agent is scout:{trained.checkpoint}")
