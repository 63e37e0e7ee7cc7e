"""Checks the options of `impulse train` before the run starts."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from typing import Final, get_args

from impulse_env.environments.rewards import REWARDS
from impulse_env.options import OptionError, check_least, check_once
from impulse_training.run.budget import Budget
from impulse_training.run.common_options import ConfigError, check_network
from impulse_training.run.machine.device import check_device
from impulse_training.selfplay.environment.coalition import check_coalition
from impulse_training.selfplay.train_options import Args, Tracker

_MOST: Final = {
    "seed": 2**32 - 1,  # limit of the generator that shuffles decisions
    "num_envs": 1 << 20,
    "rollout_steps": 1 << 20,
    "minibatch_size": 1 << 30,
    "epochs": 1 << 20,
    "threads": 1 << 10,
    "eval_games": 1 << 24,
    "snapshots": 1 << 16,
    "snapshots_at_once": 1 << 8,
}
"""Largest values by option: more is a typing mistake, and would not fit into memory."""


_FINITE: Final = (
    *("learning_rate", "final_learning_rate", "clip_range", "ent_coef", "vf_coef"),
    *("behavior_kl", "ent_power", "ent_floor"),
)


def check_args(args: Args) -> None:
    """Raise `ConfigError` or `OptionError` if an option has an invalid value."""
    check_network(args)
    check_least(args, 1, "num_envs", "rollout_steps", "epochs", "threads", "eval_games")
    check_least(args, 1, "snapshots_at_once", "snapshot_every", "resample_every", "eval_steps")
    check_once(args, "eval_opponents")
    check_least(args, 2, "minibatch_size")  # advantages are normalized by their standard deviation
    check_least(args, 0, "seed", "snapshots", "keep_snapshots", "eval_every", "save_every")
    check_least(args, 0, "learning_rate", "clip_range", "ent_coef", "vf_coef", "gamma")
    check_least(args, 0, "gae_lambda", "final_learning_rate", "alike_fraction")
    check_least(args, 0, "learn_share", "behavior_kl", "ent_power", "ent_floor")
    _check_most(args)
    for name in _FINITE:
        value = getattr(args, name)
        if value is not None and not isfinite(value):
            raise OptionError(f"{name} must be a finite number, not {value}")
    for name in ("gamma", "gae_lambda", "alike_fraction", "learn_share"):
        if getattr(args, name) > 1:
            raise OptionError(f"{name} must be from 0 to 1, not {getattr(args, name)}")
    if args.learn_share == 0:
        raise OptionError("learn_share must be more than 0: it is the share to learn from")
    if args.reward not in REWARDS:
        raise ConfigError(f"reward must be one of {', '.join(REWARDS)}, not {args.reward!r}")
    if args.coalition:
        _check_coalition(args)
    if args.tracker is not None and args.tracker not in get_args(Tracker):
        known = ", ".join(get_args(Tracker))
        raise ConfigError(f"tracker must be one of {known}, not {args.tracker!r}")
    if args.overwrite and args.out is None:
        raise ConfigError("--overwrite needs --out; without it, the run makes a new folder")
    if not args.eval_opponents:
        raise ConfigError("--eval-opponents needs at least one agent")
    Budget(args.minutes, args.timesteps)  # raises an error for bad values
    check_device(args.device)
    args.options  # noqa: B018 - raises an error for bad values


def _check_coalition(args: Args) -> None:
    """Raise `ConfigError` unless a coalition can play these games."""
    check_coalition(args.options)
    if args.reward != "win":
        raise ConfigError(
            f'a coalition needs the reward "win", which all its seats share, not {args.reward!r}'
        )
    if args.self_fraction or args.snapshot_fraction or not args.opponents:
        raise ConfigError(
            "a coalition needs --self-fraction 0, --snapshot-fraction 0 and at least one agent of "
            "--opponents: its target is a fixed agent"
        )


@contextmanager
def reporting_too_large() -> Iterator[None]:
    """Raise `ConfigError` if the block runs out of memory."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryError) and "allocate" not in str(error):
            raise
        reason = str(error).strip().partition("\n")[0]
        raise ConfigError(
            "not enough memory: reduce --num-envs, --rollout-steps or --snapshots, or choose a "
            f"smaller network ({reason})"
        ) from error


def _check_most(args: Args) -> None:
    for name, most in _MOST.items():
        value = getattr(args, name)
        for number in value if isinstance(value, tuple) else (value,):
            if number > most:
                raise OptionError(f"{name} must be {most} or less, not {number}")
