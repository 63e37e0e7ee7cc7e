"""An agent calibrated by games: which chance to win its value stands for."""

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
    """Play, fit, and write the calibration down where the agent finds it.

    Args:
        args: Which agent, by which games.
        tell: Takes the number of games that have been played, every now and then.

    Returns:
        The file that the calibration stands in, how good it is, and the agent's name.

    Raises:
        AgentError: There is no such agent.
        OptionError: Games are asked for that the network was not trained for.
        OutputError: The file cannot be written.
    """
    is_search = args.agent.partition(":")[0] in ("ismcts", "policy+search")
    return (_search if is_search else _network)(args, tell)


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
