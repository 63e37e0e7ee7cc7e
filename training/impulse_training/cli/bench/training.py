"""The command `impulse bench training`."""

from dataclasses import asdict, astuple, fields
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

    from impulse_training.bench.training import TARGET, Parts, measure, middle
    from impulse_training.run.terminal.screen import Screen
    from impulse_training.statistics.intervals import median_interval

    check_least(args, 1, "num_envs", "updates", "repeats", "epochs", "threads")
    check_least(args, 0, "seed")
    print("Compiling and playing to the middle of games first", flush=True)
    cores = "one core" if args.threads == 1 else f"{args.threads} threads"
    beside = ", and one more that plays" if args.overlap and args.games == "host" else ""
    where = (cores if args.device == "cpu" else args.device) + beside
    names = [field.name for field in fields(Parts)]
    table = Table(title=f"Training with {args.players} players, {where}, µs per decision")
    for heading in ("a step", *names, "decisions/s"):
        table.add_column(heading, justify="right")
    on_host = args.games == "host"
    for heading in ("without games", "ratio", "target", "games alone") if on_host else ():
        table.add_column(heading, justify="right")
    measured = []
    for num_envs in args.num_envs:
        rounds = measure(args, num_envs)
        ours = middle(mine for mine, _ in rounds)
        row = {
            "num_envs": num_envs,
            **asdict(ours),
            "steps_per_second": ours.rate,
            "interval": median_interval([mine.rate for mine, _ in rounds]) or (None, None),
        }
        cells = [f"{num_envs:,}", *(f"{part:.3g}" for part in astuple(ours)), f"{ours.rate:,.0f}"]
        pairs = [(mine, free) for mine, free in rounds if free is not None]
        if pairs:
            ratios = [mine.rate / free.rate for mine, free in pairs]
            games_alone = 1e6 / (ours.games + ours.opponents)
            without_games = middle(free for _, free in pairs).rate
            row |= {
                "ratio": median(ratios),
                "ratio_interval": median_interval(ratios) or (None, None),
                "without_games": without_games,
                "games_alone": games_alone,
            }
            cells += [f"{without_games:,.0f}", f"{median(ratios):.2f}", f"≥ {TARGET}"]
            cells.append(f"{games_alone:,.0f}")
        measured.append(row)
        table.add_row(*cells)
    # Without a terminal, rich cuts the columns to fit 80 characters.
    console = Screen(soft_wrap=False)
    console.width = max(console.width, 130)
    console.print(table)
    if on_host:
        print(
            "Without games: the same loop on recorded steps. Ratio: speed relative to that. "
            "Games alone: the limit of these threads, opponents included, if the policy and the "
            "update took no time, as on a fast accelerator."
        )
    return {"target": TARGET, "measured": measured}
