"""How beatable is an agent? `impulse train best-response 2p warrior --timesteps 2000000`.

For each fixed target, trains a policy that meets no other opponent: an approximate best response.
Its win rate over time is a lower bound of the win rate of an exact best response. `--search` also
measures it with a search, which needs no training. With `--coalition` one policy plays all seats
but the target's, and the result is what the target still wins. After a stop or a kill, the same
command continues.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from impulse_agents import registry
from impulse_agents.base import Agent
from impulse_agents.checkpoints import SUFFIX, checkpoint_in, path_of, shipped, typed
from impulse_agents.protocol.command import is_command
from impulse_agents.search.agent import Budget
from impulse_env.options import check_least, check_once
from impulse_training.evaluation.evaluation_options import BestResponseArgs
from impulse_training.evaluation.exploit_result import (
    ExploitResult,
    SearchResult,
    results_table,
)
from impulse_training.evaluation.trainings import train_response
from impulse_training.report.table import Table
from impulse_training.rollout import match
from impulse_training.run.common_options import ConfigError
from impulse_training.run.terminal.interrupt import resumable
from impulse_training.selfplay.environment.coalition import check_coalition
from impulse_training.selfplay.train_options import Args as TrainArgs
from impulse_training.statistics.game_results import tally
from impulse_training.statistics.intervals import newcombe
from impulse_training.tournament.run import run
from impulse_training.tournament.settings import Settings
from impulse_training.tournament.workers import local

_OWN: Final = ("targets", "games", "points", "out", "search", "workers", "timesteps")
"""Options that are not among the other ones of `train_response`."""


def exploit(
    name: str,
    *,
    players: int = 2,
    team_size: int | None = None,
    timesteps: int = BestResponseArgs.timesteps,
    coalition: bool = False,
    search: Sequence[str] = (),
    warm_start: str | None = None,
    games: int = BestResponseArgs.games,
    seed: int = BestResponseArgs.seed,
    out: Path = BestResponseArgs.out,
    console: Console | None = None,
    **options: Any,
) -> ExploitResult:
    """Train a best response to an agent, and measure how much it wins.

    The same call continues after an interruption: training and games with search are not repeated.
    The arguments are the options of `impulse train best-response`.

    Args:
        name: The target: a name of an agent, or a checkpoint by name or path.
        players: Players of a game, 2 to 6.
        team_size: Players per team, None without teams.
        timesteps: Decisions to learn from. With 0, the network of `warm_start`, or else the
            target's own, plays as it is; this needs a search.
        coalition: Whether one policy plays all seats but the target's, and is paid whenever the
            target does not win. The seats share no observations.
        search: Budgets of searches that the best response also plays with, such as ``"100"``
            simulations or ``"0.05s"`` for each decision.
        warm_start: Checkpoint to start from.
        games: Games of each final measurement, rounded up to whole deals.
        seed: Random seed for the training.
        out: The folder to write to; each target has a folder in it.
        console: Where to print the steps; nowhere by default.
        **options: Other fields of `BestResponseArgs`, of the training and its measurements. With
            an agent of `registry.register`, the games with search need ``workers=1``.

    Raises:
        AgentError: An agent does not exist, cannot play these games, or fails.
        ConfigError, OptionError: An option is out of range, or the options exclude each other.
        TournamentError: The folder has games with search of other options.
        KeyboardInterrupt: The training or its games were interrupted; the message says what stays.
    """
    args = BestResponseArgs(
        (name,),
        players=players,
        team_size=team_size,
        timesteps=timesteps,
        coalition=coalition,
        search=tuple(search),
        warm_start=warm_start,
        games=games,
        seed=seed,
        out=out,
        **options,
    )
    (checked,) = _checked(args)
    return _exploit(args, checked, Console(quiet=True) if console is None else console)


def agent_name(target: str) -> str:
    """Return the name of a target's agent; raises `AgentError` if there is no such agent."""
    is_path = target.endswith(SUFFIX) and not is_command(target)
    name = f"policy:{target}" if target in shipped() or is_path else target
    return registry.make(name).name


def table(args: BestResponseArgs, console: Console) -> Table:
    """Exploit every target; return the win rates over time, a row for each target.

    Raises:
        AgentError: A target does not exist.
        ConfigError: `targets` is empty, or an option is out of range.
        KeyboardInterrupt: A training run was interrupted; the message says how far it came.
    """
    if not args.targets:
        raise ConfigError("name at least one target agent")
    names = _checked(args)  # all of them, before the first is trained for hours
    return results_table([_exploit(args, name, console) for name in names], args)


# --- Checks --------------------------------------------------------------------------------------


def _checked(args: BestResponseArgs) -> list[str]:
    """Return the names of the targets' agents; raises an error unless all can be exploited."""
    check_least(args, 1, "games", "points")
    check_least(args, 0, "timesteps")
    check_once(args, "targets", "search")
    local.processes(args.workers)  # raises an error for bad values
    options = TrainArgs(players=args.players, team_size=args.team_size).options
    if args.coalition:
        check_coalition(options)
    budgets = [str(Budget.read(budget)) for budget in args.search]
    names = [agent_name(target) for target in args.targets]
    if args.timesteps > 0:
        return names
    if not args.search:
        raise ConfigError(
            "timesteps 0 trains nothing, so only a search can exploit the target: name one with "
            "--search, such as --search 100"
        )
    for name in names:
        network = _first_network(args, name)
        for budget in budgets:
            searching = registry.make(f"policy+search:{network}:{budget}")
            searching.check_players(options.players)
            if searching.name == name:
                raise ConfigError(
                    f"{name} cannot exploit itself without training: name another --search budget "
                    "or a --warm-start"
                )
    return names


def _first_network(args: BestResponseArgs, name: str) -> str:
    """Return the checkpoint that a best response begins as; raises `ConfigError` if none."""
    network = checkpoint_in(name) if args.warm_start is None else args.warm_start
    if network is None:
        raise ConfigError(
            f"{name} has no network that could search: name one with --warm-start, or train with "
            "--timesteps 1 or more"
        )
    return network.removeprefix("policy:")


# --- Games ---------------------------------------------------------------------------------------


def _exploit(args: BestResponseArgs, name: str, console: Console) -> ExploitResult:
    """Exploit a target, and write the result to its folder."""
    what = "coalition against" if args.coalition else "best response to"
    folder = args.out / (_slug(name) + ("-coalition" if args.coalition else ""))
    curve: dict[int, float] = {}
    agent: Agent
    if args.timesteps > 0:
        console.print(f"Training a {what} {name}")
        options = {key: value for key, value in vars(args).items() if key not in _OWN}
        trained = train_response(name, folder, args.timesteps, args.points, **options)
        network, agent = typed(trained.checkpoint), trained.agent
        key = f"win/{name}"
        curve = {
            int(point["steps"]): 1 - point[key] if args.coalition else point[key]
            for point in trained.curve
        }
    else:
        network = _first_network(args, name)
        agent = registry.make(f"policy:{network}")
    result = _measured(args, name, agent, network, folder, curve)
    for budget in map(str, map(Budget.read, args.search)):
        console.print(f"Measuring a {what} {name} with a search of {budget}")
        found = _search(args, result, network, budget, console)
        result = replace(result, searches=(*result.searches, found))
    folder.mkdir(parents=True, exist_ok=True)
    result.write()
    return result


def _measured(
    args: BestResponseArgs,
    name: str,
    agent: Agent,
    network: str,
    folder: Path,
    curve: dict[int, float],
) -> ExploitResult:
    """Return the result of the games without search."""
    options = TrainArgs(players=args.players, team_size=args.team_size).options
    target = registry.make(name)
    entrants = [target, agent] if args.coalition else [agent, target]
    final = match.play(entrants, options, args.games)
    return ExploitResult(
        name,
        path_of(network),
        folder,
        args.coalition,
        args.players,
        args.team_size,
        args.seed,
        max(curve, default=0),
        final.games,
        final.rate(),
        final.interval(),
        1 / options.team_count,
        curve,
        (),
    )


def _search(
    args: BestResponseArgs, bare: ExploitResult, network: str, budget: str, console: Console
) -> SearchResult:
    """Play the games with a search that the folder does not have yet, and return their result."""
    searching = f"policy+search:{network}:{budget}"
    agents = (bare.target, searching) if args.coalition else (searching, bare.target)
    settings = Settings(agents, args.players, args.team_size, args.games, versus=True)
    slug = f"search-{budget}" if args.timesteps else f"{_slug(network)}-search-{budget}"
    workers = local.processes(args.workers)
    players = partial(local.play_all, workers=workers)
    with resumable(bare.folder / slug):
        results = run(settings, bare.folder / slug, players, console)
    won = tally(results).share(agents[0])
    assert won.share is not None, "there is at least one game"
    ends = won.low, won.high
    apart = won.share - bare.wins
    low, high = newcombe(won.share, ends, bare.wins, bare.interval)
    if args.coalition:
        apart, low, high = -apart, -high, -low
    return SearchResult(budget, won.share, ends, apart, (low, high))


def _slug(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name)
