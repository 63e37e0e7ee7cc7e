"""Which network learns faster: `python -m training.ablate --timesteps 1000000`.

Trains every kind of network from nothing, with the same steps, opponents and seeds, and measures
the results. Stopped or killed, the same command goes on.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from rich.console import Console

from agents.network import KINDS
from training.arguments import parse
from training.curve import Point
from training.tournament.printing import print_and_keep
from training.tournament.tables import Table
from training.train import Args as TrainArgs
from training.train import train_or_go_on


@dataclass(frozen=True)
class Args:
    """Train every kind of network with the same steps, and compare what they reach."""

    kinds: Annotated[tuple[str, ...], f"networks: {', '.join(KINDS)}"] = KINDS
    seeds: Annotated[tuple[int, ...], "of the trainings"] = (1, 2, 3)
    players: Annotated[int, "players of a game, 2 to 6"] = 2
    timesteps: Annotated[int, "decisions to learn from, each"] = 1_000_000
    games: Annotated[int, "games of an evaluation against each of the panel"] = 400
    out: Annotated[Path, "folder to write to"] = Path("runs/ablation")


def reached(args: Args, kind: str, seed: int) -> Point:
    """Train one network, or go on training it; return the last point of its curve."""
    folder = args.out / f"{kind}-{seed}"
    fresh = TrainArgs(
        players=args.players,
        timesteps=args.timesteps,
        seed=seed,
        out=folder,
        kind=kind,
        evaluate_steps=max(1, args.timesteps // 4),
        evaluation_games=args.games,
        save_every=60.0,
    )
    return train_or_go_on(fresh).curve[-1]


def table(args: Args, console: Console) -> Table:
    """Train everything; return what each kind of network reaches, a row for each."""
    found: dict[str, list[Point]] = {kind: [] for kind in args.kinds}
    # Seed by seed: stopped early, there is something to compare.
    for seed in args.seeds:
        for kind in args.kinds:
            console.print(f"{kind}, seed {seed}")
            found[kind].append(reached(args, kind, seed))
    columns = [name for name in found[args.kinds[0]][0] if name.startswith("win/")]
    columns = ["rating", *(name for name in columns if name != "win/past"), "steps_per_second"]
    rows = []
    for kind, points in found.items():
        cells = []
        for name in columns:
            values = np.array([point[name] for point in points])
            values = 100 * values if name.startswith("win/") else values
            spread = f" ± {values.std(ddof=1):.0f}" if len(values) > 1 else ""
            cells.append(f"{values.mean():.0f}{spread}")
        rows.append((kind, *cells))
    headings = [name.removeprefix("win/").replace("_", " ") for name in columns]
    return Table(
        f"Networks after {args.timesteps:,} decisions",
        ("Network", *headings),
        tuple(rows),
        f"{args.players} players; means ± standard deviations over seeds "
        f"{', '.join(map(str, args.seeds))}. Rating in Elo points, those of the panel have mean 0; "
        f"games won in % of {args.games:,} against each.",
    )


def main() -> None:
    """Train, print, and write the table beside the trainings."""
    args = parse(Args, "python -m training.ablate")
    console = Console(highlight=False, soft_wrap=True)
    found = table(args, console)
    print_and_keep(console, found, args.out / "ablation.md")


if __name__ == "__main__":
    main()
