"""The whole project in a few minutes: `python -m training.demo`, which `make demo` runs.

Prints a game, trains an agent by self-play, plays it against the others, and leaves checkpoint,
log, learning curve and a replay under runs/demo.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from rich.console import Console
from rich.table import Table

import agents
from agents import Agent
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.playthrough import play_lines
from training import match
from training.arguments import parse
from training.progress import Point
from training.train import Args as TrainArgs
from training.train import train

CONSOLE = Console(highlight=False, soft_wrap=True)


@dataclass(frozen=True)
class Args:
    """Print a game, train an agent, play it against the others."""

    minutes: Annotated[float, "how long to train"] = 3.0
    players: Annotated[int, "players of a game, 2 to 6"] = 2
    games: Annotated[int, "games of each match in the final table"] = 1000
    seed: Annotated[int, "of everything"] = 1
    out: Annotated[Path, "folder to write to"] = Path("runs/demo")


def headline(text: str) -> None:
    """Print what comes next."""
    CONSOLE.print(f"\n[bold]{text}[/bold]")


# --- One game ------------------------------------------------------------------------------------


def print_game(agent: Agent, players: int, seed: int) -> None:
    """Play a game and print who decides what, in words."""
    game = Game(players, seed)
    rng = np.random.default_rng(seed)
    for line in play_lines(game, lambda game: agent.choose_in(game, rng)):
        if not line.startswith("      legal:"):
            print(line)


def record(sitting: list[Agent], seed: int) -> dict[str, Any]:
    """Play a game with an agent on each seat; return it as a replay.

    `replayed` makes the game again from `options`, `seed` and `actions`; the rest tells about it.
    """
    options = {"players": len(sitting)}
    game = Game(seed=seed, **options)
    rng = np.random.default_rng(seed)
    actions = []
    while game.seat is not None:
        action = sitting[game.seat].choose_in(game, rng)
        actions.append(game.name(action))
        game.step(action)
    return {
        "options": options,
        "seed": seed,
        "actions": actions,
        "agents": [agent.name for agent in sitting],
        "winners": list(game.winners),
        "scores": list(game.scores),
    }


def replayed(replay: dict[str, Any]) -> Game:
    """Return the game at its end."""
    game = Game(seed=replay["seed"], **replay["options"])
    for action in replay["actions"]:
        game.step(action)
    return game


# --- Results -------------------------------------------------------------------------------------


def compare(entrants: dict[str, Agent], options: Options, games: int) -> Table:
    """Play everyone against everyone; return the table of win rates."""
    table = Table(
        title=f"Win rate of the row against the column, {games} games each, 95 % interval"
    )
    table.add_column("")
    for name in entrants:
        table.add_column(name, justify="right")
    results: dict[tuple[str, str], match.MatchResult] = {}
    for name, agent in entrants.items():
        cells = []
        for other, opponent in entrants.items():
            if name == other:
                cells.append("")
                continue
            if (other, name) in results and options.team_count == 2:
                found, entrant = results[other, name], 1
            else:
                found, entrant = match.play([agent, opponent], options, games), 0
                results[name, other] = found
            low, high = found.interval(entrant)
            cells.append(f"{found.rate(entrant):.1%} [{low:.1%}, {high:.1%}]")
        table.add_row(name, *cells)
    return table


def plot(curve: list[Point], path: Path) -> None:
    """Draw the learning curve."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    steps = [point.steps / 1000 for point in curve]
    for name in ("random", "greedy"):
        rates = [100 * getattr(point, name) for point in curve]
        axes.plot(steps, rates, marker="o", markersize=3, label=f"against {name}")
    axes.set(
        xlabel="thousand decisions of the learner",
        ylabel="games won, %",
        ylim=(0, 100),
        title=f"{curve[-1].seconds / 60:.1f} minutes of self-play",
    )
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main() -> None:
    """Run the demonstration."""
    args = parse(Args, "python -m training.demo")
    options = Options(players=args.players)
    random, greedy = agents.make("random"), agents.make("greedy")

    headline("A game between rule-based agents")
    print_game(greedy, args.players, args.seed)

    headline(f"Training by self-play for {args.minutes:g} minutes (Ctrl-C ends it early)")
    trained = train(
        TrainArgs(players=args.players, minutes=args.minutes, seed=args.seed, out=args.out)
    )
    CONSOLE.print(f"{trained.steps:,} decisions learned from in {trained.seconds:.0f} s")

    headline("The agents against each other")
    entrants = {"trained": trained.agent, "greedy": greedy, "random": random}
    CONSOLE.print(compare(entrants, options, args.games))
    if options.team_count > 2:
        CONSOLE.print(
            f"One of the row on one seat, the column on all others: par is {1 / args.players:.0%}."
        )

    curve, replay = args.out / "learning_curve.png", args.out / "replay.json"
    plot(trained.curve, curve)
    sitting = [trained.agent, greedy, random, greedy, random, greedy][: args.players]
    replay.write_text(json.dumps(record(sitting, args.seed), indent=1) + "\n", encoding="utf-8")
    headline("Written")
    for what, path in (
        ("checkpoint", trained.checkpoint),
        ("TensorBoard log", trained.folder / "tensorboard"),
        ("learning curve", curve),
        ("the same as numbers", trained.folder / "curve.csv"),
        ("a replay", replay),
    ):
        CONSOLE.print(f"  {what:<20} {path}")


if __name__ == "__main__":
    main()
