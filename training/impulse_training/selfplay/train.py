"""A training run by self-play, from its options to its result.

PPO learns from all seats of the policy in many simultaneous games. A pool of opponents plays the
other seats: past snapshots and fixed agents. Ctrl-C ends the run after the current
rollout; `--resume FOLDER` continues it as if it had never stopped.
"""

from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from impulse_agents.asking.faults import AgentFaultError
from impulse_agents.base import AgentError
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_network
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_training.rollout.evaluator import Evaluator
from impulse_training.run.budget import Budget
from impulse_training.run.machine.allocator import keep_freed_memory
from impulse_training.run.machine.device import reporting_too_large
from impulse_training.run.machine.group import joined
from impulse_training.run.storage.args_file import options_of, write_args
from impulse_training.run.storage.disk import reporting_storage_errors
from impulse_training.run.storage.result import TrainingResult, check_run_folder
from impulse_training.run.terminal.interrupt import interruptible
from impulse_training.run.warm_start import inherit_network, load_warm_start
from impulse_training.selfplay.environment.games import TrainingGames
from impulse_training.selfplay.environment.make import make_env
from impulse_training.selfplay.loop import Training
from impulse_training.selfplay.option_checks import check_args
from impulse_training.selfplay.progress import tracker as trackers
from impulse_training.selfplay.rounds import Rounds
from impulse_training.selfplay.state import folder as folders
from impulse_training.selfplay.state import state_file
from impulse_training.selfplay.state.resume import recovered
from impulse_training.selfplay.train_options import Args


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
    smaller = "reduce --num-envs, --rollout-steps or --snapshots, or choose a smaller network"
    with ExitStack() as held, reporting_too_large(smaller):
        group = held.enter_context(joined(args.device))
        args, state = folders.placed(args, group), None
        if args.resume is None:
            args = inherit_network(args.warm_start, args)
        else:
            args, state = recovered(args, group, held)
        check_args(args)
        if args.tracker is not None:
            trackers.check_installed(args.tracker)
        if args.out is not None:
            folders.check_free(args.out, args.overwrite)
        elif args.resume is None:
            check_run_folder(None)
        torch.set_num_threads(args.threads)
        torch.set_float32_matmul_precision("medium" if args.bfloat16 else "highest")
        keep_freed_memory()
        torch.manual_seed(args.seed)
        agent = make_agent(args)
        env = make_env(replace(args, seed=group.seed(args.seed)))
        evaluator = Evaluator(
            args.eval_opponents, args.options, args.eval_games, is_coalition=args.coalition
        )
        budget = Budget(args.minutes, args.timesteps)
        settled = replace(args, out=None, resume=None, overwrite=False)
        rounds = Rounds(settled, agent, env, budget, group)
        folder = args.resume or folders.claimed(args, held)
        return _learn(rounds, agent, evaluator, folder, state)


def _learn(
    rounds: Rounds[TrainingGames],
    agent: PolicyAgent,
    evaluator: Evaluator,
    path: Path,
    state: dict[str, Any] | None,
) -> TrainingResult:
    """Train in a folder, from a state if there is one."""
    args, budget = rounds.args, rounds.budget
    remedy = partial(state_file.how_to_continue, path)
    with reporting_storage_errors(path, remedy), ExitStack() as opened:
        folder = folders.TrainingFolder(path, args.keep_snapshots)
        folders.remove_leftovers(path)
        write_args(path, args)
        tracker = None if args.tracker is None else trackers.make_tracker(args.tracker, path, args)
        logger = opened.enter_context(trackers.logging(path / folders.TENSORBOARD, tracker))
        metadata = agent.config["training"] if state is None else state["training"]
        training = Training(rounds, agent, evaluator, folder, logger, metadata)
        if state is not None:
            with state_file.reporting_misfits(path):
                training.restore(state)
        hparams = trackers.hparams(args, evaluator.names)
        logger.record("hparams", hparams, exclude=("stdout", "log"))
        opened.callback(training.finish)
        with interruptible(training.stop, budget.skip) as interrupt:
            try:
                training.run()
            except AgentFaultError as error:
                raise AgentError(f"{error}; {remedy()}") from error
        if tracker is not None:
            tracker.keep(path / folders.POLICY)
    return TrainingResult(
        agent, path, training.curve, budget.steps, budget.seconds, interrupt.is_requested
    )


def train_or_resume(args: Args) -> TrainingResult:
    """Train in `args.out`, or resume the run in that folder; see `train`.

    A run that ended before its first save starts again.
    """
    if args.out is None or not state_file.has_state(args.out):
        return train(replace(args, overwrite=args.out is not None))
    args = inherit_network(args.warm_start, args)
    return train(replace(args, resume=args.out, out=None))


def make_agent(args: Args) -> PolicyAgent:
    """Return the agent to train, with random weights or those of the warm start."""
    trained = options_of(replace(args, out=None, resume=None, overwrite=False))
    config = checkpoint_config(args.players, args.network_config, trained=trained, training={})
    if args.warm_start is None or args.resume is not None:
        return PolicyAgent(build_network(args.players, args.network_config), config, "policy")
    first = load_warm_start(args.warm_start, args.players, args.network_config)
    config["training"] = {"started_from": first.config.get("training", {})}
    return PolicyAgent(first.network, config, "policy")
