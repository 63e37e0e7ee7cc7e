"""Train an agent by self-play: `impulse train --minutes 10`.

MaskablePPO learns on one seat of many games at once. On the other seats sits a pool of opponents:
itself, its past, and the agents that need no training. Ctrl-C ends the training after the rollout
under way; `--resume FOLDER` goes on with it as if it had never stopped.
"""

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final

import torch
from stable_baselines3.common.logger import configure

from impulse_agents import registry
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_network
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_env.options import check_least
from impulse_training.evaluation.evaluator import Evaluator
from impulse_training.run.allocator import keep_freed_memory
from impulse_training.run.args_file import read_args, write_args
from impulse_training.run.budget import Budget
from impulse_training.run.config import ConfigError, check_network
from impulse_training.run.device import check_device
from impulse_training.run.interrupt import interruptible
from impulse_training.run.result import TrainingResult, new_run_folder
from impulse_training.run.warm_start import inherit_network, load_warm_start
from impulse_training.selfplay.callback import CallbackIntervals, TrainingCallback
from impulse_training.selfplay.checkpoint import STATE
from impulse_training.selfplay.config import Args
from impulse_training.selfplay.opponent_pool import OpponentPool
from impulse_training.selfplay.ppo import make_ppo
from impulse_training.selfplay.seat_vec_env import SeatVecEnv

_MAY_CHANGE: Final = ("minutes", "timesteps", "device", "threads", "eval_every", "save_every")
"""What `--resume` takes from the command line, if it is there; all else is as it was."""


def train(args: Args) -> TrainingResult:
    """Train until the budget is spent or Ctrl-C is pressed.

    Raises:
        AgentError: An opponent or the checkpoint to start from cannot be made.
        ResumeError: There is no training in the folder to resume, or it does not fit.
        ConfigError, OptionError: An argument has a value that does not work.
    """
    if args.resume is not None:
        args = _restored_args(args)
    else:
        args = inherit_network(args.warm_start, args)
    _check(args)
    torch.set_num_threads(args.threads)
    torch.set_float32_matmul_precision("medium" if args.bfloat16 else "highest")
    keep_freed_memory()
    torch.manual_seed(args.seed)
    learner = make_learner(args)
    env = SeatVecEnv(args.options, args.num_envs, make_opponent_pool(args), args.reward, args.seed)
    budget = Budget(args.minutes, args.timesteps)
    evaluator = Evaluator(args.eval_opponents, args.options, args.eval_games)
    folder = _folder(args)
    model = make_ppo(args, env, learner, budget)
    model.set_logger(configure(str(folder / "tensorboard"), ["tensorboard"]))
    every = CallbackIntervals(
        args.eval_every,
        args.eval_steps,
        args.save_every,
        args.snapshot_every,
        args.resample_every,
    )
    callback = TrainingCallback(learner, env, budget, folder, evaluator, every)
    callback.model = model
    if args.resume is not None:
        callback.restore()
    with interruptible(callback.stop) as interrupt:
        model.learn(2**62, callback, reset_num_timesteps=args.resume is None)
    callback.finish()
    model.logger.close()
    return TrainingResult(
        learner, folder, callback.curve, budget.steps, budget.seconds, interrupt.is_wanted
    )


def _check(args: Args) -> None:
    """Raise `ConfigError` or `OptionError` if an argument has a value that does not work."""
    check_network(args)
    check_least(args, 1, "num_envs", "rollout_steps", "epochs", "threads", "eval_games")
    check_least(args, 1, "snapshots_at_once", "snapshot_every", "resample_every", "eval_steps")
    check_least(args, 2, "minibatch_size")  # advantages are measured by their deviation
    check_least(args, 0, "seed", "snapshots", "eval_every", "save_every", "learning_rate")
    check_device(args.device)
    if not args.eval_opponents:
        raise ConfigError("a training is measured by one agent or more: --eval-opponents")
    args.options  # noqa: B018 - raises what is wrong with it


def train_or_resume(args: Args) -> TrainingResult:
    """Train into `args.out`, or go on with the training that is there already; see `train`."""
    if args.out is not None and (args.out / STATE).is_file():
        return train(Args(resume=args.out, timesteps=args.timesteps, minutes=args.minutes))
    return train(args)


def _folder(args: Args) -> Path:
    """Return the folder to write to, with what is known beforehand."""
    if args.resume is not None:
        return args.resume
    folder = new_run_folder(args.out, "train", args.seed)
    write_args(folder, args)
    return folder


def _restored_args(args: Args) -> Args:
    """Return the arguments of the training to resume, with the new limits; raises `ResumeError`."""
    assert args.resume is not None
    kept = read_args(args.resume, Args)
    given = {
        field.name: getattr(args, field.name)
        for field in fields(Args)
        if field.name in _MAY_CHANGE and getattr(args, field.name) != field.default
    }
    return Args(**{**kept, **given, "out": None, "resume": args.resume})


def make_learner(args: Args) -> PolicyAgent:
    """Return the agent that is trained: fresh, or with the weights to start from."""
    kept = {"out": None, "resume": None}
    config = checkpoint_config(args.players, args.network_config, trained=asdict(args) | kept)
    if args.warm_start is None or args.resume is not None:
        return PolicyAgent(build_network(args.players, args.network_config), config, "policy")
    first = load_warm_start(args.warm_start, args.players, args.network_config)
    config["training"] = {"started_from": first.config.get("training", {})}
    return PolicyAgent(first.network, config, "policy")


def make_opponent_pool(args: Args) -> OpponentPool:
    """Return the opponents: itself first, then its past, then those that do not learn."""
    config = checkpoint_config(args.players, args.network_config)

    def sampling(name: str) -> PolicyAgent:
        return PolicyAgent(
            build_network(args.players, args.network_config), config, name, is_stochastic=True
        )

    past = [sampling("past") for _ in range(args.snapshots_at_once if args.snapshots else 0)]
    fixed = [registry.make(name) for name in args.opponents]
    shares = (args.self_fraction, args.snapshot_fraction, args.fixed_fraction)
    return OpponentPool(sampling("self"), past, fixed, shares, args.snapshots, args.seed)


def main(args: Args) -> dict[str, Any]:
    """Train and say where the result is."""
    # A resumed training has the budget that it had.
    trained = train(args if args.resume is not None else args.with_default_budget())
    print(
        f"{trained.steps:,} steps in {trained.seconds:.0f} s; "
        f"the agent is policy:{trained.checkpoint}"
    )
    return trained.summary()
