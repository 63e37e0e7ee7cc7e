"""How beatable is an agent? `impulse train best-response 2p warrior --timesteps 2000000`.

For each fixed target, trains a policy that meets no other opponent: an approximate best response.
Its win rate over time is a lower bound of the win rate of an exact best response. After a stop or
a kill, the same command continues.
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
"""Options that the training itself does not take."""


def agent_name(target: str) -> str:
    """Return the name of a target's agent; raises `AgentError` if there is no such agent."""
    name = f"policy:{target}" if target in shipped() or target.endswith(SUFFIX) else target
    return registry.make(name).name


def train_best_response(args: BestResponseArgs, name: str, folder: Path) -> TrainingResult:
    """Train, or resume training, against one agent."""
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
        AgentError: A target does not exist.
        ConfigError: `targets` is empty, or an option is out of range.
        KeyboardInterrupt: A training run was interrupted; the message says how far it came.
    """
    check_least(args, 1, "timesteps", "games", "points")
    check_once(args, "targets")
    if not args.targets:
        raise ConfigError("name at least one target agent")
    names = [agent_name(target) for target in args.targets]
    rows, steps = [], [args.timesteps * (k + 1) // args.points for k in range(args.points)]
    for name in names:
        folder = args.out / "".join(c if c.isalnum() else "-" for c in name)
        console.print(f"Training a best response to {name}")
        trained = train_best_response(args, name, folder)
        final = match.play(
            [trained.agent, registry.make(name)],
            TrainArgs(players=args.players, team_size=args.team_size).options,
            args.games,
        )
        curve = {point["steps"]: point[f"win/{name}"] for point in trained.curve}
        cells = [percent(curve[min(curve, key=lambda s: abs(s - at))], 0) for at in steps]
        rows.append((name, *cells, with_ends(final.rate(), final.interval())))
        interval = list(final.interval())
        result = {"target": name, "wins": final.rate(), "interval": interval, "curve": curve}
        write_atomically(folder / "exploit.json", json.dumps(result, indent=1) + "\n")
    in_teams = "" if args.team_size is None else f" in teams of {args.team_size}"
    return Table(
        "Games won by the best response, %",
        ("Target", *(f"{at / 1e6:.2g}M" for at in steps), f"of {args.games:,}"),
        tuple(rows),
        f"{args.players} players{in_teams}, seed {args.seed}. Columns are training decisions; each "
        "is measured over 200 games, the last column with a 95 % interval.",
    )
