"""The command `impulse bench training`."""

from dataclasses import asdict
from statistics import median
from typing import Any

from impulse_env.options import check_least
from impulse_training.bench.bench_options import TrainingArgs as Args
from impulse_training.cli.framework.command import Command

COMMAND = Command(
    examples=("impulse bench training --num-envs 2048 8192",), has_json=True, extra="train"
)


def main(args: Args) -> dict[str, Any]:
    """Measure the parts of a training step for each `num_envs`, and print a table."""
    from rich.table import Table

    from impulse_training.bench.training import TARGET, measure, middle
    from impulse_training.run.terminal.screen import Screen
    from impulse_training.statistics.intervals import median_interval

    check_least(args, 1, "num_envs", "updates", "repeats", "epochs", "threads")
    check_least(args, 0, "seed")
    print("Compiling and playing to the middle of games first", flush=True)
    cores = "one core" if args.threads == 1 else f"{args.threads} threads"
    table = Table(title=f"Training with {args.players} players, {cores}, µs per decision")
    for heading in ("a step", "update", "policy", "opponents", "games", "decisions/s"):
        table.add_column(heading, justify="right")
    for heading in ("without games", "ratio", "target", "games alone"):
        table.add_column(heading, justify="right")
    measured = []
    for num_envs in args.num_envs:
        rounds = measure(args, num_envs)
        ours, alone = (middle(column) for column in zip(*rounds, strict=True))
        ends = median_interval([mine.rate for mine, _ in rounds]) or (None, None)
        ratios = [mine.rate / free.rate for mine, free in rounds]
        ratio_ends = median_interval(ratios) or (None, None)
        games_alone = 1e6 / (ours.games + ours.opponents)
        measured.append(
            {
                "num_envs": num_envs,
                **asdict(ours),
                "steps_per_second": ours.rate,
                "interval": ends,
                "ratio": median(ratios),
                "ratio_interval": ratio_ends,
                "without_games": alone.rate,
                "games_alone": games_alone,
            }
        )
        parts = (ours.update, ours.policy, ours.opponents, ours.games)
        table.add_row(
            f"{num_envs:,}",
            *(f"{part:.0f}" for part in parts),
            f"{ours.rate:,.0f}",
            f"{alone.rate:,.0f}",
            f"{median(ratios):.2f}",
            f"≥ {TARGET}",
            f"{games_alone:,.0f}",
        )
    # Without a terminal, rich cuts the columns to fit 80 characters.
    console = Screen(soft_wrap=False)
    console.width = max(console.width, 110)
    console.print(table)
    print(
        "Without games: the same loop on recorded steps. Ratio: speed relative to that. "
        "Games alone: the limit of these threads, opponents included, if the policy and the "
        "update took no time, as on a fast accelerator."
    )
    return {"target": TARGET, "measured": measured}
