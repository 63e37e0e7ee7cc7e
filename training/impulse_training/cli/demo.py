"""The whole project in a few minutes: `impulse demo`, which `make demo` runs.

Prints a game, trains an agent by self-play, plays it against the others, and leaves checkpoint,
log, learning curve, the tournament's page and the page of a game under runs/demo.
"""

from functools import partial
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any, Final

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
from impulse_training.cli.cli_options import DemoArgs
from impulse_training.report.page import report_on
from impulse_training.rollout.record_games import record_game
from impulse_training.run import learning_curve
from impulse_training.run.hardware import usable_cores
from impulse_training.run.screen import Screen
from impulse_training.selfplay.train import train
from impulse_training.selfplay.train_options import Args as TrainArgs
from impulse_training.tournament import local
from impulse_training.tournament.run import run
from impulse_training.tournament.settings import Settings

OPPONENTS: Final = ("greedy", "core_rush", "random")
"""Whom the trained agent meets in the tournament, and the shipped one if there is one."""
FOR_MINUTES: Final[dict[str, Any]] = {
    "num_envs": 64,
    "rollout_steps": 64,
    "minibatch_size": 1024,
    "learning_rate": 2e-3,
    "eval_opponents": ("random", *OPPONENTS[:2]),
    "eval_every": 20.0,
}
"""For a few minutes: many small updates, and a point of the curve every 20 seconds."""
CONSOLE = Screen()


def headline(text: str) -> None:
    """Print what comes next."""
    CONSOLE.print(f"\n[bold]{text}[/bold]")


# --- One game ------------------------------------------------------------------------------------


def print_game(agent: Agent, players: int, seed: int) -> None:
    """Play a game and print who decides what, in words."""
    game = Game(players, seed)
    rng = np.random.default_rng(seed)
    for line in play_lines(game, lambda game: ask_in_game(agent, game, rng)):
        if not line.startswith("      legal:"):
            print(line)


def record(names: list[str], seed: int) -> Record:
    """Play a game with an agent on each seat; return it, with what trained agents thought."""
    agents = [registry.make(name) for name in names]
    return annotated(record_game(agents, Options(len(names)), seed))


# --- Results -------------------------------------------------------------------------------------


def compete(checkpoint: Path, args: DemoArgs) -> Path:
    """Play a tournament of the trained agent and the others; return its folder."""
    folder = checkpoint.parent / "tournament"
    trained = f"policy:{checkpoint}"
    best = f"{args.players}p"
    opponents = (*OPPONENTS, *([f"policy:{best}"] if best in shipped() else ()))
    settings = Settings((trained, *opponents), args.players, games=args.games, seed=args.seed)
    players = partial(local.play_all, workers=usable_cores())
    report_on(folder, run(settings, folder, players, CONSOLE), CONSOLE)
    return folder


def main(args: DemoArgs) -> dict[str, Any]:
    """Run the demonstration; return how the training went and what was written."""
    check_output("--out", args.out, is_folder=True)
    headline("A game between rule-based agents")
    print_game(registry.make("greedy"), args.players, args.seed)

    headline(f"Training by self-play for {args.minutes:g} minutes (Ctrl-C ends it early)")
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
    CONSOLE.print(f"{trained.steps:,} decisions learned from in {trained.seconds:.0f} s")

    headline("The agents against each other")
    tournament = compete(trained.checkpoint, args)

    picture, game = args.out / "learning_curve.png", args.out / "game.jsonl"
    learning_curve.draw(picture, trained.curve, "Self-play")
    names = chain([f"policy:{trained.checkpoint}"], cycle(OPPONENTS))
    played = record(list(islice(names, args.players)), args.seed)
    played.save(game)
    page.write(played, game.with_suffix(".html"), [EVERYTHING])
    headline("Written")
    written = {
        "checkpoint": trained.checkpoint,
        "TensorBoard log": trained.folder / "tensorboard",
        "learning curve": picture,
        "the same as numbers": trained.folder / "curve.csv",
        "the tournament": tournament / "report.html",
        "a game of it": game.with_suffix(".html"),
        "the same as record": game,
    }
    for what, path in written.items():
        CONSOLE.print(f"  {what:<20} {path}")
    return {**trained.summary(), "written": [str(path) for path in written.values()]}
