"""Calibrates an agent by games: maps its value to a chance to win."""

from collections.abc import Callable
from pathlib import Path

from impulse_agents import registry
from impulse_agents.checkpoints import path_of
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import write_config
from impulse_agents.search import calibrations
from impulse_agents.search.agent import SearchAgent
from impulse_agents.search.network_agent import PolicySearchAgent
from impulse_env.files import check_output
from impulse_env.options import OptionError, Options
from impulse_training.evaluation.calibration.calibration_report import CalibrationReport
from impulse_training.evaluation.calibration.fitting import calibrate, measure
from impulse_training.evaluation.calibration.positions import options_of
from impulse_training.evaluation.evaluation_options import CalibrateArgs
from impulse_training.evaluation.results import name_of


def calibrate_agent(
    args: CalibrateArgs, tell: Callable[[int], None]
) -> tuple[Path, CalibrationReport, str]:
    """Play games, fit the calibration, and write it where the agent reads it.

    Args:
        args: The agent and the games.
        tell: Called from time to time with the number of games played.

    Returns:
        The file that holds the calibration, its report, and the agent's name.

    Raises:
        AgentError: The agent does not exist.
        OptionError: The options name a table that the network was not trained for.
        OutputError: The file cannot be written.
    """
    is_search = args.agent.partition(":")[0] in ("ismcts", "policy+search")
    return (_search if is_search else _network)(args, tell)


def _network(
    args: CalibrateArgs, tell: Callable[[int], None]
) -> tuple[Path, CalibrationReport, str]:
    """Calibrate a network's value; return the file, the report and the name."""
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
    """Calibrate the value of a search; return the file, the report and the name."""
    agent = registry.make(args.agent)
    assert isinstance(agent, (SearchAgent, PolicySearchAgent))
    sampling = args.games, args.seed, args.opponents, tell
    if isinstance(agent, PolicySearchAgent):
        path = path_of(args.agent.split(":", 1)[1].rpartition(":")[0])
        check_output("AGENT", path)
        _check_table(args, agent.policy)
        report = measure(agent, options_of(agent.policy), *sampling)
        record = {"search": agent.name, **report.record}
        weights = agent.policy.weights_digest()
        agent.policy.config["search_calibration"] = {"weights": weights, **record}
        write_config(path, agent.policy.config)
        return path, report, args.agent
    options = Options(2 if args.players is None else args.players, args.team_size)
    check_output("AGENT", calibrations.FILE)
    report = measure(agent, options, *sampling)
    record = {"search": agent.name, **report.record}
    calibrations.keep(agent.playout, options.players, options.team_count, record)
    return calibrations.FILE, report, f"{args.agent}, {options.players} players"


def _check_table(args: CalibrateArgs, agent: PolicyAgent) -> None:
    """Raise `OptionError` if the options name a table that the network was not trained for."""
    trained = options_of(agent)
    asked = Options(args.players or trained.players, args.team_size or trained.team_size)
    if asked != trained:
        raise OptionError(
            f"{agent.name} can only be calibrated at the table that it was trained for: omit "
            "--players and --team-size"
        )
