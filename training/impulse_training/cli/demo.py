"""The command `impulse demo`: the whole project in a few minutes, as `make demo` runs it.

It prints a game, trains an agent by self-play, and plays it against the others. It leaves the
checkpoint, log, learning curve, the tournament's page and the page of a game under runs/demo.
"""

from dataclasses import dataclass
from functools import partial
from itertools import chain, cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from impulse_agents import registry
from impulse_agents.advice.annotate import annotated
from impulse_agents.asking.ask import ask_in_game
from impulse_agents.base import Agent
from impulse_agents.checkpoints import shipped
from impulse_env.files import check_output
from impulse_env.game import Game
from impulse_env.information import EVERYTHING
from impulse_env.options import Options
from impulse_env.records.record import Record
from impulse_env.replay import page
from impulse_env.replay.transcript import play_lines
from impulse_training.cli.framework.command import Command
from impulse_training.rollout.record_games import record_game
from impulse_training.run import learning_curve
from impulse_training.run.machine.hardware import usable_cores
from impulse_training.selfplay.train_options import Args as TrainArgs
from impulse_training.tournament.settings import Settings
from impulse_training.tournament.workers import local

if TYPE_CHECKING:
    from rich.console import Console

COMMAND = Command(examples=("impulse demo --minutes 3",), has_json=True, extra="train")
OPPONENTS: Final = ("greedy", "core_rush", "random")
"""Opponents of the trained agent in the tournament, where the shipped agent joins if it exists."""
FOR_MINUTES: Final[dict[str, Any]] = {
    "minibatch_size": 256,
    "eval_opponents": ("random", *OPPONENTS[:2]),
    "eval_every": 20.0,
}
"""Options for a run of a few minutes: many small steps, an evaluation every 20 seconds."""


@dataclass(frozen=True)
class Args:
    """Print a game, train an agent, and play it against other agents."""

    minutes: float = 3.0
    """Minutes of training."""
    players: int = 2
    """Players of a game, 2 to 6."""
    games: int = 3000
    """Games of the tournament at the end."""
    seed: int = 1
    """Random seed for the games and the training."""
    out: Path = Path("runs/demo")
    """Folder to write to."""


def headline(console: "Console", text: str) -> None:
    """Print a heading in bold."""
    console.print(f"\n[bold]{text}[/bold]")


# --- One game ------------------------------------------------------------------------------------


def print_game(agent: Agent, players: int, seed: int) -> None:
    """Play a game and print every decision in words."""
    game = Game(players, seed)
    rng = np.random.default_rng(seed)
    for line in play_lines(game, lambda game: ask_in_game(agent, game, rng)):
        if not line.startswith("      legal:"):
            print(line)


def record(names: list[str], seed: int) -> Record:
    """Play a game with an agent on each seat; return its record, annotated by trained agents."""
    agents = [registry.make(name) for name in names]
    return annotated(record_game(agents, Options(len(names)), seed))


# --- Results -------------------------------------------------------------------------------------


def compete(checkpoint: Path, args: Args, console: "Console") -> Path:
    """Play a tournament of the trained agent and other agents; return its folder."""
    from impulse_training.report.page import report_on
    from impulse_training.tournament.run import run

    folder = checkpoint.parent / "tournament"
    trained = f"policy:{checkpoint}"
    best = f"{args.players}p"
    opponents = (*OPPONENTS, *([f"policy:{best}"] if best in shipped() else ()))
    settings = Settings((trained, *opponents), args.players, games=args.games, seed=args.seed)
    players = partial(local.play_all, workers=usable_cores())
    report_on(folder, run(settings, folder, players, console), console)
    return folder


def main(args: Args) -> dict[str, Any]:
    """Run the demonstration; return a summary of the training and the written files."""
    from impulse_training.run.terminal.screen import Screen
    from impulse_training.selfplay.train import train

    console = Screen()
    check_output("--out", args.out, is_folder=True)
    headline(console, "A game between rule-based agents")
    print_game(registry.make("greedy"), args.players, args.seed)

    headline(console, f"Training by self-play for {args.minutes:g} minutes (Ctrl-C ends it early)")
    trained = train(
        TrainArgs(
            players=args.players,
            minutes=args.minutes,
            seed=args.seed,
            out=args.out,
            overwrite=True,
            **FOR_MINUTES,
        )
    )
    console.print(f"trained on {trained.steps:,} decisions in {trained.seconds:.0f} s")

    headline(console, "The agents against each other")
    tournament = compete(trained.checkpoint, args, console)

    picture, game = args.out / "learning_curve.png", args.out / "game.jsonl"
    learning_curve.draw(picture, trained.curve, "Self-play")
    names = chain([f"policy:{trained.checkpoint}"], cycle(OPPONENTS))
    played = record(list(islice(names, args.players)), args.seed)
    played.save(game)
    page.write(played, game.with_suffix(".html"), [EVERYTHING])
    headline(console, "Written")
    written = {
        "checkpoint": trained.checkpoint,
        "TensorBoard log": trained.folder / "tensorboard",
        "learning curve": picture,
        "its numbers": trained.folder / "curve.csv",
        "tournament": tournament / "report.html",
        "example game": game.with_suffix(".html"),
        "its record": game,
    }
    for what, path in written.items():
        console.print(f"  {what:<20} {path}")
    return {**trained.summary(), "written": [str(path) for path in written.values()]}
