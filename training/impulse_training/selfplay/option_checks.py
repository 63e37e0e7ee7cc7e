"""Checks the options of `impulse train` before the run starts."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Final, get_args

from impulse_env.actions import N_ACTIONS
from impulse_env.engine.state import STATE
from impulse_env.environments.rewards import REWARDS
from impulse_env.observation import size
from impulse_env.options import OptionError, check_least, check_once
from impulse_training.run.budget import Budget
from impulse_training.run.common_options import ConfigError, check_network
from impulse_training.run.machine.device import check_device, free_memory
from impulse_training.selfplay.critic import hands_length
from impulse_training.selfplay.environment.coalition import check_coalition
from impulse_training.selfplay.environment.games import GAMES_PER_ROW
from impulse_training.selfplay.train_options import Args, Critic, Games, Magnet, Tracker

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
_NUMBERS: Final = 4 * 4 + 2 * 8
"""Bytes of the numbers of a decision in a rollout."""
_KINDS: Final = {"tracker": Tracker, "magnet": Magnet, "critic": Critic, "games": Games}
"""Options with a fixed set of values, and their types."""
_FINITE: Final = (
    *("learning_rate", "final_learning_rate", "clip_range", "ent_coef", "vf_coef"),
    *("behavior_kl", "ent_power", "ent_floor", "average"),
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
    check_least(args, 0, "learn_share", "behavior_kl", "ent_power", "ent_floor", "average")
    check_least(args, 0, "played_starts")
    _check_most(args)
    for name in _FINITE:
        value = getattr(args, name)
        if value is not None and not isfinite(value):
            raise OptionError(f"{name} must be a finite number, not {value}")
    for name in ("gamma", "gae_lambda", "alike_fraction", "learn_share", "played_starts"):
        if getattr(args, name) > 1:
            raise OptionError(f"{name} must be from 0 to 1, not {getattr(args, name)}")
    if args.learn_share == 0:
        raise OptionError("learn_share must be more than 0: it is the share to learn from")
    if args.average >= 1:
        raise OptionError(
            f"average must be 0, or a decay below 1 such as 0.999, not {args.average}"
        )
    _check_one_of(args, "reward", REWARDS)
    for name, kind in _KINDS.items():
        _check_one_of(args, name, get_args(kind))
    if args.magnet == "average" and not args.average:
        raise ConfigError("--magnet average needs --average, the decay of the weights' average")
    if args.value_only and args.critic != "own":
        raise ConfigError("--value-only trains the network's own value head: it needs --critic own")
    if args.games == "device" and args.played_starts:
        raise ConfigError("--played-starts needs --games host: games on a device begin as dealt")
    if args.coalition:
        _check_coalition(args)
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
    features = size(args.players)
    row = features + hands_length(args) + 3 * N_ACTIONS + _NUMBERS
    game = STATE.itemsize + features + N_ACTIONS
    # Decisions that wait for their outcome come in addition: at most one for each seat of a game.
    rows = args.rollout_steps + GAMES_PER_ROW * args.players
    each = rows * row + GAMES_PER_ROW * game
    if free is not None and args.num_envs * each > free:
        raise ConfigError(
            f"--num-envs {args.num_envs:,} with --rollout-steps {args.rollout_steps:,} needs "
            f"{args.num_envs * each / 2**30:.1f} GiB, and {args.device} has {free / 2**30:.1f} GiB "
            f"free: at most --num-envs {free // each:,} fits, or fewer --rollout-steps"
        )


def _check_coalition(args: Args) -> None:
    """Raise `ConfigError` unless a coalition can play these games."""
    check_coalition(args.options)
    if args.games == "device":
        raise ConfigError("--coalition needs --games host: games on a device have single seats")
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


def _check_one_of(args: Args, name: str, known: Sequence[str]) -> None:
    """Raise `ConfigError` unless an option has one of the known values, or none."""
    value = getattr(args, name)
    if value is not None and value not in known:
        raise ConfigError(f"{name} must be one of {', '.join(known)}, not {value!r}")


def _check_most(args: Args) -> None:
    for name, most in _MOST.items():
        value = getattr(args, name)
        for number in value if isinstance(value, tuple) else (value,):
            if number > most:
                raise OptionError(f"{name} must be {most} or less, not {number}")
