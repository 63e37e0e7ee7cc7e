"""The whole project in a few minutes: `python -m training.demo`, which `make demo` runs.

Prints a game, trains an agent by self-play, plays it against the others, and leaves checkpoint,
log, learning curve and a replay under runs/demo.
"""

import json
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
from rich.console import Console

import agents
from agents import Agent
from agents.checkpoints import shipped
from impulse_env.game import Game
from impulse_env.playthrough import play_lines
from training import curve
from training.arguments import parse
from training.tournament import local
from training.tournament.run import report_on, run
from training.tournament.settings import Settings
from training.train import Args as TrainArgs
from training.train import train

OPPONENTS: Final = ("greedy", "core_rush", "random")
"""Whom the trained agent meets in the tournament, and the shipped one if there is one."""
CONSOLE = Console(highlight=False, soft_wrap=True)


@dataclass(frozen=True)
class Args:
    """Print a game, train an agent, play it against the others."""

    minutes: Annotated[float, "how long to train"] = 3.0
    players: Annotated[int, "players of a game, 2 to 6"] = 2
    games: Annotated[int, "games of the tournament at the end"] = 3000
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


def compete(checkpoint: Path, args: Args) -> Path:
    """Play a tournament of the trained agent and the others; return its folder."""
    folder = checkpoint.parent / "tournament"
    trained = f"policy:{checkpoint}"
    best = f"{args.players}p"
    opponents = (*OPPONENTS, *([f"policy:{best}"] if best in shipped() else ()))
    settings = Settings((trained, *opponents), args.players, games=args.games, seed=args.seed)
    players = partial(local.play_all, workers=os.cpu_count() or 1)
    report_on(settings, folder, run(settings, folder, players, CONSOLE), CONSOLE)
    return folder


def main() -> None:
    """Run the demonstration."""
    args = parse(Args, "python -m training.demo")
    random, greedy = agents.make("random"), agents.make("greedy")

    headline("A game between rule-based agents")
    print_game(greedy, args.players, args.seed)

    headline(f"Training by self-play for {args.minutes:g} minutes (Ctrl-C ends it early)")
    trained = train(
        TrainArgs(players=args.players, minutes=args.minutes, seed=args.seed, out=args.out)
    )
    CONSOLE.print(f"{trained.steps:,} decisions learned from in {trained.seconds:.0f} s")

    headline("The agents against each other")
    tournament = compete(trained.checkpoint, args)

    picture, replay = args.out / "learning_curve.png", args.out / "replay.json"
    curve.draw(picture, trained.curve, "Self-play")
    sitting = [trained.agent, greedy, random, greedy, random, greedy][: args.players]
    replay.write_text(json.dumps(record(sitting, args.seed), indent=1) + "\n", encoding="utf-8")
    headline("Written")
    for what, path in (
        ("checkpoint", trained.checkpoint),
        ("TensorBoard log", trained.folder / "tensorboard"),
        ("learning curve", picture),
        ("the same as numbers", trained.folder / "curve.csv"),
        ("a replay", replay),
        ("the tournament", tournament / "report.html"),
    ):
        CONSOLE.print(f"  {what:<20} {path}")


if __name__ == "__main__":
    main()
