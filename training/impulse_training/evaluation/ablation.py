"""Which network learns faster: `impulse train ablation --timesteps 1000000`.

Trains every kind of network from random weights, with the same steps, opponents and seeds, and
measures the results. After a stop or a kill, the same command continues.
"""

from collections.abc import Sequence

import numpy as np
from rich.console import Console

from impulse_env.options import check_least, check_once
from impulse_training.evaluation.evaluation_options import AblationArgs
from impulse_training.report.table import Table
from impulse_training.run.common_options import ConfigError
from impulse_training.run.learning_curve import Point
from impulse_training.selfplay.train import train_to_end
from impulse_training.selfplay.train_options import Args as TrainArgs


def curve_of(args: AblationArgs, kind: str, seed: int) -> list[Point]:
    """Train one network, or resume its training; return its evaluations, first to last."""
    folder = args.out / f"{kind.rpartition(':')[2]}-{seed}"
    fresh = TrainArgs(
        players=args.players,
        timesteps=args.timesteps,
        seed=seed,
        out=folder,
        network=kind,
        eval_steps=max(1, args.timesteps // 4),
        eval_games=args.games,
        save_every=60.0,
    )
    return train_to_end(fresh).curve


def table(args: AblationArgs, console: Console) -> Table:
    """Train every network; return a table with a row for each kind of network.

    Raises:
        ConfigError: `networks` or `seeds` is empty, or an option is out of range.
        KeyboardInterrupt: A training run was interrupted; the message says how far it came.
    """
    check_least(args, 1, "timesteps", "games")
    check_least(args, 0, "seeds")
    check_once(args, "networks", "seeds")
    if not (args.networks and args.seeds):
        raise ConfigError("an ablation needs at least one network and one seed")
    curves: dict[str, list[list[Point]]] = {kind: [] for kind in args.networks}
    # Seed by seed, so that an early stop leaves something to compare.
    for seed in args.seeds:
        for kind in args.networks:
            console.print(f"{kind}, seed {seed}")
            curves[kind].append(curve_of(args, kind, seed))
    rows = []
    for kind, of_seeds in curves.items():
        ratings = [_spread([one["rating"] for one in at]) for at in zip(*of_seeds, strict=True)]
        rates = _spread([points[-1]["steps_per_second"] for points in of_seeds])
        rows.append((kind, *ratings, rates))
    steps = [point["steps"] for point in curves[args.networks[0]][0]]
    return Table(
        f"Networks after {args.timesteps:,} decisions",
        (
            "Network",
            *(f"after {count / 1e6:.2g}M" for count in steps),
            "steps/s",
        ),
        tuple(rows),
        f"{args.players} players; Elo points from {args.games:,} games against each agent of a "
        "panel whose mean rating is 0: means ± standard deviations over seeds "
        f"{', '.join(map(str, args.seeds))}.",
    )


def _spread(values: Sequence[float]) -> str:
    """Return mean and standard deviation as text."""
    deviation = f" ± {np.std(values, ddof=1):.0f}" if len(values) > 1 else ""
    return f"{np.mean(values):z.0f}{deviation}"
