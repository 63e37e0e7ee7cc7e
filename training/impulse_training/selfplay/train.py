"""A training run by self-play, from its options to its result.

PPO learns from all seats of the policy in many simultaneous games. A pool of opponents plays the
other seats: past snapshots and fixed agents. Ctrl-C ends the run after the current
rollout; `--resume FOLDER` continues it as if it had never stopped.
"""

from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from stable_baselines3.common.logger import KVWriter, Logger, make_output_format

from impulse_agents import registry
from impulse_agents.asking.faults import AgentFaultError
from impulse_agents.base import Agent, AgentError
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_network
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_env.files import check_output
from impulse_training.rollout.evaluator import Evaluator
from impulse_training.run.budget import Budget
from impulse_training.run.machine.allocator import keep_freed_memory
from impulse_training.run.storage.args_file import options_of, write_args
from impulse_training.run.storage.disk import reporting_storage_errors
from impulse_training.run.storage.folder_lock import locked
from impulse_training.run.storage.result import (
    ResumeError,
    TrainingResult,
    check_run_folder,
    new_run_folder,
)
from impulse_training.run.terminal.interrupt import interruptible
from impulse_training.run.warm_start import inherit_network, load_warm_start
from impulse_training.selfplay.environment.coalition import CoalitionGames
from impulse_training.selfplay.environment.device_games import DeviceGames
from impulse_training.selfplay.environment.games import TrainingGames
from impulse_training.selfplay.environment.opponent_pool import OpponentPool
from impulse_training.selfplay.environment.seat_games import SeatGames
from impulse_training.selfplay.group import Group, joined
from impulse_training.selfplay.loop import Training
from impulse_training.selfplay.option_checks import check_args, reporting_too_large
from impulse_training.selfplay.progress.tracker import (
    TrackerWriter,
    check_installed,
    hparams,
    make_tracker,
)
from impulse_training.selfplay.state import folder as folders
from impulse_training.selfplay.state import state_file
from impulse_training.selfplay.state.resume import merged_args, saved_args
from impulse_training.selfplay.train_options import Args
from impulse_training.selfplay.value_only import value_weights


def train(args: Args) -> TrainingResult:
    """Train until the budget is spent, or Ctrl-C or SIGTERM ends the run.

    Args:
        args: The options; for a resumed run, those of
            `impulse_training.selfplay.state.resume.resumed_args`.

    Raises:
        AgentError: An opponent or the checkpoint for a warm start cannot be made, or an opponent
            fails; saved files stay.
        ResumeError: The folder has no run to resume, or its state does not fit.
        ConfigError, OptionError: An option is invalid, or cannot change for a resumed run; or the
            folder of a new run already has a run.
        FolderInUseError: Another process writes to the folder.
        MissingExtraError, TrackerError: The tracker cannot be used.
        OutputError: The folder cannot be written.
        StorageError: The disk is full, or the folder cannot be written; saved files stay.
    """
    with ExitStack() as held, reporting_too_large():
        group = held.enter_context(joined(args.device))
        if args.out is None and args.resume is None and group.size > 1:
            check_run_folder(None)
            args = replace(args, out=group.first(_new_folder(args, group)))
        args = group.placed(args)
        state = None
        if args.resume is not None:
            folder = state_file.checked_folder(args.resume)
            check_output("--resume", folder, is_folder=True)
            held.enter_context(locked(folder))
            state = _agreed(state_file.recover(args.resume), args.resume, group)
            args = merged_args(args, saved_args(state, args.resume))
        else:
            args = inherit_network(args.warm_start, args)
        check_args(args)
        if args.tracker is not None:
            check_installed(args.tracker)
        if args.out is not None:
            folders.check_free(args.out, args.overwrite)
        elif args.resume is None:
            check_run_folder(None)
        torch.set_num_threads(args.threads)
        torch.set_float32_matmul_precision("medium" if args.bfloat16 else "highest")
        keep_freed_memory()
        torch.manual_seed(args.seed)
        agent = make_agent(args)
        if args.value_only:
            value_weights(agent.network, args.players)  # raises an error if there are none
        env = make_env(replace(args, seed=group.seed(args.seed)))
        evaluator = Evaluator(
            args.eval_opponents, args.options, args.eval_games, is_coalition=args.coalition
        )
        folder = args.resume or _claimed_folder(args, held)
        return _learn(args, agent, env, evaluator, folder, state, group)


def _agreed(state: dict[str, Any], folder: Path, group: Group) -> dict[str, Any]:
    """Return the latest state that all processes have; raises `ResumeError` if there is none.

    A kill may have come between their saves.
    """
    least = min(group.all(state["loop"]["updates"]))
    if state["loop"]["updates"] > least:
        state = state_file.load(folder / state_file.PREVIOUS)
    if {least} != set(group.all(state["loop"]["updates"])):
        raise ResumeError(
            f"the processes of {folder} saved at different updates: start a new run with "
            f"--warm-start {folder}"
        )
    return state


def _new_folder(args: Args, group: Group) -> Path | None:
    """Return a new folder for all processes, which the first one creates."""
    return new_run_folder(None, "train", args.seed) if group.is_first else None


def _claimed_folder(args: Args, held: ExitStack) -> Path:
    """Return the locked, cleared folder of a new run."""
    folder = new_run_folder(args.out, "train", args.seed)
    held.enter_context(locked(folder))
    folders.check_free(folder, args.overwrite)  # again: another process may have started
    folders.clear(folder)
    return folder


def _learn(
    args: Args,
    agent: PolicyAgent,
    env: TrainingGames,
    evaluator: Evaluator,
    path: Path,
    state: dict[str, Any] | None,
    group: Group,
) -> TrainingResult:
    """Train in a folder, from a state if there is one."""
    budget = Budget(args.minutes, args.timesteps)
    with reporting_storage_errors(path, lambda: _how_to_continue(path)), ExitStack() as opened:
        folder = folders.TrainingFolder(path, args.keep_snapshots)
        folders.remove_leftovers(path)
        settled = replace(args, out=None, resume=None, overwrite=False)
        write_args(path, settled)
        tracker = None if args.tracker is None else make_tracker(args.tracker, path, args)
        logger = _logger(path, tracker)
        opened.callback(_close, logger)
        metadata = agent.config["training"] if state is None else state["training"]
        training = Training(settled, agent, env, evaluator, folder, budget, logger, metadata, group)
        if state is not None:
            with state_file.reporting_misfits(path):
                training.restore(state)
        logger.record("hparams", hparams(args, evaluator.names), exclude=("stdout", "log"))
        opened.callback(training.finish)
        with interruptible(training.stop, budget.skip) as interrupt:
            try:
                training.run()
            except AgentFaultError as error:
                raise AgentError(f"{error}; {_how_to_continue(path)}") from error
        if tracker is not None:
            tracker.keep(path / folders.POLICY)
    return TrainingResult(
        agent, path, training.curve, budget.steps, budget.seconds, interrupt.is_requested
    )


def _how_to_continue(folder: Path) -> str:
    """Return how to continue a run that ended with an error, in words."""
    if state_file.has_state(folder):
        return f"the saved state is intact, and --resume {folder} continues from it"
    return "nothing was saved yet"


def _logger(folder: Path, tracker: TrackerWriter | None) -> Logger:
    """Return the logger for TensorBoard's files and the tracker, if there is one."""
    tensorboard = str(folder / folders.TENSORBOARD)
    outputs: list[KVWriter] = [make_output_format("tensorboard", tensorboard)]
    return Logger(tensorboard, outputs if tracker is None else [*outputs, tracker])


def _close(logger: Logger) -> None:
    for output in logger.output_formats:
        with suppress(OSError):  # a full disk was reported already
            output.close()


def train_or_resume(args: Args) -> TrainingResult:
    """Train in `args.out`, or resume the run in that folder; see `train`.

    A run that ended before its first save starts again.
    """
    if args.out is None or not state_file.has_state(args.out):
        return train(replace(args, overwrite=args.out is not None))
    args = inherit_network(args.warm_start, args)
    return train(replace(args, resume=args.out, out=None))


def train_to_end(args: Args) -> TrainingResult:
    """Train or resume as `train_or_resume`; raises `KeyboardInterrupt` if the run is interrupted.

    Comparisons of runs of equal length need this: an interrupted run is not a result, and the next
    run must not start.
    """
    trained = train_or_resume(args)
    if trained.was_interrupted:
        raise KeyboardInterrupt(
            f"interrupted after {trained.steps:,} of {args.timesteps:,} decisions; "
            "the same command continues"
        )
    return trained


def make_agent(args: Args) -> PolicyAgent:
    """Return the agent to train, with random weights or those of the warm start."""
    trained = options_of(replace(args, out=None, resume=None, overwrite=False))
    config = checkpoint_config(args.players, args.network_config, trained=trained, training={})
    if args.warm_start is None or args.resume is not None:
        return PolicyAgent(build_network(args.players, args.network_config), config, "policy")
    first = load_warm_start(args.warm_start, args.players, args.network_config)
    config["training"] = {"started_from": first.config.get("training", {})}
    return PolicyAgent(first.network, config, "policy")


def make_env(args: Args) -> TrainingGames:
    """Return the games with their opponents."""
    pool = make_opponent_pool(args)
    if args.games == "device":
        table = (args.options, args.num_envs, pool, args.reward, args.seed, args.device)
        return DeviceGames(*table, args.alike_fraction)
    kind = CoalitionGames if args.coalition else SeatGames
    return kind(
        args.options,
        args.num_envs,
        pool,
        args.reward,
        args.seed,
        args.threads,
        args.alike_fraction,
        args.played_starts,
    )


def make_opponent_pool(args: Args) -> OpponentPool:
    """Return the opponent pool: the current policy, players of past policies, fixed agents."""
    config = checkpoint_config(args.players, args.network_config)

    def sampling(name: str, device: str = "cpu") -> PolicyAgent:
        network = build_network(args.players, args.network_config).to(device)
        return PolicyAgent(network, config, name, is_stochastic=True)

    past = [
        sampling("past", args.device)
        for _ in range(args.snapshots_at_once if args.snapshots else 0)
    ]
    fixed = [_on(args.device, registry.make(name)) for name in args.opponents]
    shares = (args.self_fraction, args.snapshot_fraction, args.fixed_fraction)
    return OpponentPool(sampling("self"), past, fixed, shares, args.snapshots, args.seed)


def _on(device: str, agent: Agent) -> Agent:
    """Move a trained agent to the device; return any other unchanged."""
    if device == "cpu" or not isinstance(agent, PolicyAgent):
        return agent
    return PolicyAgent(agent.network.to(device), agent.config, agent.name, agent.is_stochastic)
