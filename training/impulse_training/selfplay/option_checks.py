"""Checks the options of `impulse train` before the run starts."""

from math import prod
from typing import Final, get_args

from impulse_env.actions import N_ACTIONS
from impulse_env.engine.state import STATE
from impulse_env.environments.rewards import REWARDS
from impulse_env.observation import size
from impulse_env.options import OptionError, check_least, check_once
from impulse_training.run.budget import Budget
from impulse_training.run.common_options import ConfigError, check_network
from impulse_training.run.machine.device import check_device, free_memory
from impulse_training.selfplay.environment.coalition import check_coalition_args
from impulse_training.selfplay.environment.games import GAMES_PER_ROW
from impulse_training.selfplay.rollout import column_types
from impulse_training.selfplay.train_options import Args, Critic, Games, Magnet, Tracker

_LEAST: Final = {
    2: ("minibatch_size",),  # advantages are normalized by their standard deviation
    1: (
        *("num_envs", "rollout_steps", "epochs", "threads", "eval_games", "snapshots_at_once"),
        *("snapshot_every", "resample_every", "eval_steps"),
    ),
    0: (
        *("seed", "snapshots", "keep_snapshots", "eval_every", "save_every", "learning_rate"),
        *("clip_range", "ent_coef", "vf_coef", "gamma", "gae_lambda", "final_learning_rate"),
        *("alike_fraction", "learn_share", "behavior_kl", "ent_power", "ent_floor", "average"),
        "played_starts",
    ),
}
"""Options by their smallest values."""
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
_SHARES: Final = ("gamma", "gae_lambda", "alike_fraction", "learn_share", "played_starts")
"""Options from 0 to 1."""
_CHOICES: Final = {
    "reward": REWARDS,
    "tracker": get_args(Tracker),
    "magnet": get_args(Magnet),
    "critic": get_args(Critic),
    "games": get_args(Games),
}
"""Options with a fixed set of values, in addition to None."""


def check_args(args: Args) -> None:
    """Raise `ConfigError` or `OptionError` if an option has an invalid value."""
    check_network(args)
    for least, names in _LEAST.items():
        check_least(args, least, *names)
    check_once(args, "eval_opponents")
    for name, most in _MOST.items():
        if getattr(args, name) > most:
            raise OptionError(f"{name} must be {most} or less, not {getattr(args, name)}")
    for name in _SHARES:
        if getattr(args, name) > 1:
            raise OptionError(f"{name} must be from 0 to 1, not {getattr(args, name)}")
    for name, known in _CHOICES.items():
        value = getattr(args, name)
        if value is not None and value not in known:
            raise ConfigError(f"{name} must be one of {', '.join(known)}, not {value!r}")
    if args.learn_share == 0:
        raise OptionError("learn_share must be more than 0: it is the share to learn from")
    if args.average >= 1:
        raise OptionError(
            f"average must be 0, or a decay below 1 such as 0.999, not {args.average}"
        )
    if args.magnet == "average" and not args.average:
        raise ConfigError("--magnet average needs --average, the decay of the weights' average")
    if args.value_only and args.critic != "own":
        raise ConfigError("--value-only trains the network's own value head: it needs --critic own")
    if args.games == "device" and args.played_starts:
        raise ConfigError("--played-starts needs --games host: games on a device begin as dealt")
    if args.coalition:
        check_coalition_args(args)
    if args.overwrite and args.out is None:
        raise ConfigError("--overwrite needs --out; without it, the run makes a new folder")
    if not args.eval_opponents:
        raise ConfigError("--eval-opponents needs at least one agent")
    Budget(args.minutes, args.timesteps)  # raises an error for bad values
    check_device(args.device)
    _check_memory(args)
    args.options  # noqa: B018 - raises an error for bad values


def _check_memory(args: Args) -> None:
    """Raise `ConfigError` if the rollout and the games cannot fit the device's free memory."""
    free = free_memory(args.device)
    row = sum(kind.itemsize * prod(shape) for kind, shape in column_types(args).values())
    game = STATE.itemsize + size(args.players) + N_ACTIONS
    rollouts = 2 if args.is_overlapping else 1
    # Decisions that wait for their outcome come in addition: at most one for each seat of a game.
    rows = rollouts * (args.rollout_steps + GAMES_PER_ROW * args.players)
    each = rows * row + GAMES_PER_ROW * game
    if free is not None and args.num_envs * each > free:
        raise ConfigError(
            f"--num-envs {args.num_envs:,} with --rollout-steps {args.rollout_steps:,} needs "
            f"{args.num_envs * each / 2**30:.1f} GiB, and {args.device} has {free / 2**30:.1f} GiB "
            f"free: at most --num-envs {free // each:,} fits, or fewer --rollout-steps"
        )
