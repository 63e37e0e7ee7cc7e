"""The options of a resumed training: those that it had, and what is asked for now."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

from impulse_training.run.common_options import ConfigError
from impulse_training.run.storage.args_file import args_of
from impulse_training.selfplay.state.state_file import STATE, load_latest
from impulse_training.selfplay.train_options import Args

_TABLE: Final = "the games under way are at such tables"
_NETWORK: Final = "its weights are those of that network"
_FOLDER: Final = "a resumed training stays in its folder"
REFUSED: Final = {
    "players": _TABLE,
    "team_size": _TABLE,
    "reward": "the value has learned to foresee it",
    "network": _NETWORK,
    "network_args": _NETWORK,
    "width": _NETWORK,
    "policy_layers": _NETWORK,
    "value_layers": _NETWORK,
    "card_dim": _NETWORK,
    "seed": "the generators of chance go on from where they were",
    "warm_start": "it goes on with its own weights",
    "num_envs": "so many games are under way",
    "out": _FOLDER,
    "overwrite": _FOLDER,
}
"""Options that a resumed training cannot change, and why; it obeys all others."""


def resumed_args(folder: Path, **changes: Any) -> Args:
    """Return the options of a training to resume: as they were, but for these.

    A limit that is given takes the place of those that there were.

    Args:
        folder: The training's.
        changes: Options by name.

    Raises:
        ResumeError: There is no training in the folder.
    """
    return replace(_without_limits(folder), **changes)


def kept_args(state: dict[str, Any], folder: Path) -> Args:
    """Return the options with which a state was made; raises `ResumeError`."""
    return args_of(state["args"], Args, folder / STATE)


def merged_args(args: Args, kept: Args) -> Args:
    """Return the options with which a training goes on.

    Args:
        args: What is asked for, see `resumed_args`.
        kept: With which it was begun, or went on before.

    Raises:
        ConfigError: A resumed training cannot obey one of them; the message says why.
    """
    for field in fields(Args):
        before = None if field.name == "out" else getattr(kept, field.name)
        wanted = getattr(args, field.name)
        if field.name in REFUSED and wanted != before:
            flag = f"--{field.name.replace('_', '-')}"
            is_of_folder = REFUSED[field.name] == _FOLDER
            hint = "" if is_of_folder else "; --warm-start begins a new one with its weights"
            raise ConfigError(
                f"{flag} cannot be {_shown(wanted)} when a training with {_shown(before)} is "
                f"resumed: {REFUSED[field.name]}{hint}"
            )
    if args.minutes is None and args.timesteps is None:
        return replace(args, minutes=kept.minutes, timesteps=kept.timesteps)
    return args


def _without_limits(folder: Path) -> Args:
    state, _ = load_latest(folder)
    kept = kept_args(state, folder)
    return replace(kept, resume=folder, out=None, minutes=None, timesteps=None)


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "none"
    return "none" if value in (None, "") else str(value)
