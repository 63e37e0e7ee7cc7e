"""How beatable is an agent? `impulse train best-response 2p warrior --timesteps 2000000`.

Against each target, which never changes, a policy is trained that meets nobody else: an
approximate best response. Its win rate over time is a lower bound of what a perfect one would
reach. Stopped or killed, the same command goes on.
"""

import json
from pathlib import Path
from typing import Final

from rich.console import Console

from impulse_agents import registry
from impulse_agents.checkpoints import SUFFIX, shipped
from impulse_env.files import write_atomically
from impulse_env.options import check_least, check_once
from impulse_training.evaluation.evaluation_options import BestResponseArgs
from impulse_training.report.table import Table, percent, with_ends
from impulse_training.rollout import match
from impulse_training.run.common_options import ConfigError
from impulse_training.run.storage.result import TrainingResult
from impulse_training.selfplay.train import train_to_end
from impulse_training.selfplay.train_options import Args as TrainArgs

_OWN: Final = ("targets", "games", "points", "out")
"""Options that are not those of the training."""


def agent_name(target: str) -> str:
    """Return the name of a target's agent; raises `AgentError` if there is no such agent."""
    name = f"policy:{target}" if target in shipped() or target.endswith(SUFFIX) else target
    return registry.make(name).name


def train_best_response(args: BestResponseArgs, name: str, folder: Path) -> TrainingResult:
    """Train, or go on training, against one agent."""
    fresh = TrainArgs(
        **{key: value for key, value in vars(args).items() if key not in _OWN},
        out=folder,
        reward="win",
        self_fraction=0.0,
        snapshot_fraction=0.0,
        fixed_fraction=1.0,
        alike_fraction=1.0,
        opponents=(name,),
        snapshots=0,
        eval_opponents=(name,),
        eval_steps=max(1, args.timesteps // args.points),
        save_every=60.0,
    )
    return train_to_end(fresh)


def table(args: BestResponseArgs, console: Console) -> Table:
    """Train against every target; return the win rates over time, a row for each target.

    Raises:
        AgentError: There is no such target.
        ConfigError: No target is named, or an option is out of range.
        KeyboardInterrupt: A training was interrupted; the message says how far it is.
    """
    check_least(args, 1, "timesteps", "games", "points")
    check_once(args, "targets")
    if not args.targets:
        raise ConfigError("name an agent to respond to, or several")
    names = [agent_name(target) for target in args.targets]
    rows, steps = [], [args.timesteps * (k + 1) // args.points for k in range(args.points)]
    for name in names:
        folder = args.out / "".join(c if c.isalnum() else "-" for c in name)
        console.print(f"a best response to {name}")
        trained = train_best_response(args, name, folder)
        final = match.play(
            [trained.agent, registry.make(name)],
            TrainArgs(players=args.players, team_size=args.team_size).options,
            args.games,
        )
        curve = {point["steps"]: point[f"win/{name}"] for point in trained.curve}
        shown = [percent(curve[min(curve, key=lambda s: abs(s - at))], 0) for at in steps]
        rows.append((name, *shown, with_ends(final.rate(), final.interval())))
        interval = list(final.interval())
        result = {"target": name, "wins": final.rate(), "interval": interval, "curve": curve}
        write_atomically(folder / "exploit.json", json.dumps(result, indent=1) + "\n")
    in_teams = "" if args.team_size is None else f" in teams of {args.team_size}"
    return Table(
        "Games won by the best response, %",
        ("Target", *(f"{at / 1e6:.2g}M" for at in steps), f"of {args.games:,}"),
        tuple(rows),
        f"{args.players} players{in_teams}, seed {args.seed}; after so many decisions learned "
        "from; the last column with 95 % intervals, the others over 200 games.",
    )
