"""Calibrate an agent: `impulse agents calibrate 2p`, or a path or a search in the name's place."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from impulse_agents import registry
from impulse_agents.checkpoints import path_of
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import write_config
from impulse_agents.search import calibrations
from impulse_agents.search.agent import SearchAgent
from impulse_agents.search.network_agent import PolicySearchAgent
from impulse_env.files import check_output
from impulse_env.options import OptionError, Options, check_least
from impulse_training.evaluation.calibration.calibration_report import CalibrationReport
from impulse_training.evaluation.calibration.fitting import calibrate, measure
from impulse_training.evaluation.calibration.positions import options_of
from impulse_training.evaluation.calibration.reliability import forecast_table
from impulse_training.evaluation.evaluation_options import CalibrateArgs
from impulse_training.evaluation.results import name_of
from impulse_training.report.printing import print_table
from impulse_training.run.screen import Screen


def main(args: CalibrateArgs) -> dict[str, Any]:
    """Play, fit, write the calibration down, and say how good it is."""
    check_least(args, 2, "games")
    check_least(args, 0, "seed")
    console = Screen()

    def tell(played: int) -> None:
        console.print(f"{played:,} of {args.games:,} games played")

    is_search = args.agent.partition(":")[0] in ("ismcts", "policy+search")
    path, report, name = (_search if is_search else _network)(args, tell)
    print_table(console, forecast_table(report, name))
    assert report.calibration.error is not None
    console.print(f"off by {report.calibration.error:.1%} on average")
    console.print(f"{path} says from now on how often its side wins")
    return {"path": str(path), **asdict(report)}


def _network(
    args: CalibrateArgs, tell: Callable[[int], None]
) -> tuple[Path, CalibrationReport, str]:
    """Calibrate a network's value; return where that stands."""
    path = path_of(args.agent)
    agent = PolicyAgent.load(path)
    check_output("AGENT", path)
    _check_table(args, agent)
    report = calibrate(agent, args.games, args.seed, args.opponents, tell)
    write_config(path, agent.config)
    return path, report, name_of(args.agent)


def _search(
    args: CalibrateArgs, tell: Callable[[int], None]
) -> tuple[Path, CalibrationReport, str]:
    """Calibrate what a search finds; return where that stands."""
    agent = registry.make(args.agent)
    assert isinstance(agent, (SearchAgent, PolicySearchAgent))
    given = args.games, args.seed, args.opponents, tell
    if isinstance(agent, PolicySearchAgent):
        path = path_of(args.agent.split(":", 1)[1].rpartition(":")[0])
        check_output("AGENT", path)
        _check_table(args, agent.policy)
        report = measure(agent, options_of(agent.policy), *given)
        record = {"search": agent.name, **report.record}
        weights = agent.policy.weights_digest()
        agent.policy.config["search_calibration"] = {"weights": weights, **record}
        write_config(path, agent.policy.config)
        return path, report, args.agent
    options = Options(2 if args.players is None else args.players, args.team_size)
    check_output("AGENT", calibrations.FILE)
    report = measure(agent, options, *given)
    record = {"search": agent.name, **report.record}
    calibrations.keep(agent.playout, options.players, options.team_count, record)
    return calibrations.FILE, report, f"{args.agent}, {options.players} players"


def _check_table(args: CalibrateArgs, agent: PolicyAgent) -> None:
    """Raise `OptionError` if games are wanted that the network was not trained for."""
    trained = options_of(agent)
    wanted = Options(args.players or trained.players, args.team_size or trained.team_size)
    if wanted != trained:
        raise OptionError(
            f"{agent.name} is calibrated in the games that it was trained for: leave out --players "
            "and --team-size"
        )
