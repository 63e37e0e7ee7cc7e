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
    """Measure and print; each number of decisions as soon as it is there."""
    from rich.table import Table

    from impulse_training.bench.training import TARGET, measure, middle
    from impulse_training.run.terminal.screen import Screen
    from impulse_training.statistics.intervals import median_interval

    check_least(args, 1, "num_envs", "updates", "repeats", "epochs", "threads")
    check_least(args, 0, "seed")
    print("Compiling and playing to the middle of games first", flush=True)
    cores = "one core" if args.threads == 1 else f"{args.threads} threads"
    table = Table(title=f"Training with {args.players} players, {cores}, µs a decision")
    for heading in ("a step", "update", "policy", "opponents", "games", "decisions/s"):
        table.add_column(heading, justify="right")
    for heading in ("without games", "ratio", "target", "games alone"):
        table.add_column(heading, justify="right")
    found = []
    for num_envs in args.num_envs:
        rounds = measure(args, num_envs)
        ours, alone = (middle(column) for column in zip(*rounds, strict=True))
        ends = median_interval([mine.rate for mine, _ in rounds]) or (None, None)
        ratios = [mine.rate / free.rate for mine, free in rounds]
        ratio_ends = median_interval(ratios) or (None, None)
        games_alone = 1e6 / (ours.games + ours.opponents)
        found.append(
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
    # Without a terminal the columns would be cut to fit eighty characters.
    console = Screen(soft_wrap=False)
    console.width = max(console.width, 110)
    console.print(table)
    print(
        "The ratio is to the same loop on recorded steps that cost nothing. Games alone, with "
        "their opponents, is what these threads allow where the policy and the update cost "
        "nothing, as an accelerator would nearly have it."
    )
    return {"target": TARGET, "measured": found}
