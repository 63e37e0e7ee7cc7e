"""The options of a resumed run: its saved options, changed by new ones."""

from contextlib import ExitStack
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

from impulse_env.files import check_output
from impulse_training.run.common_options import ConfigError
from impulse_training.run.machine.group import Group
from impulse_training.run.storage.args_file import args_of
from impulse_training.run.storage.folder_lock import locked
from impulse_training.run.storage.result import ResumeError
from impulse_training.selfplay.state import state_file
from impulse_training.selfplay.train_options import Args

_TABLE: Final = "its running games have that table size"
_NETWORK: Final = "its weights belong to that network"
_FOLDER: Final = "a resumed run stays in its folder"
REFUSED: Final = {
    "players": _TABLE,
    "team_size": _TABLE,
    "coalition": "its running games have those seats",
    "reward": "its value head has learned to predict it",
    "network": _NETWORK,
    "network_args": _NETWORK,
    "width": _NETWORK,
    "policy_layers": _NETWORK,
    "value_layers": _NETWORK,
    "card_dim": _NETWORK,
    "seed": "its random generators continue from their saved states",
    "warm_start": "it continues with its own weights",
    "num_envs": "its running games have that number",
    "games": "its running games are played there",
    "critic": "its optimizer has the moments of that critic",
    "average": "its average has that decay",
    "out": _FOLDER,
    "overwrite": _FOLDER,
}
"""Options that a resumed run cannot change, with the reasons."""


def resumed_args(folder: Path, **changes: Any) -> Args:
    """Return the saved options of a run with some changes.

    The saved limits are dropped, so that new limits replace them.

    Args:
        folder: The folder of the run.
        changes: New options by name.

    Raises:
        ResumeError: The folder has no run.
    """
    state, _ = state_file.load_latest(folder)
    here: dict[str, Any] = {"resume": folder, "out": None, "minutes": None, "timesteps": None}
    return replace(saved_args(state, folder), **(here | changes))


def saved_args(state: dict[str, Any], folder: Path) -> Args:
    """Return the options of a saved state; raises `ResumeError`."""
    return args_of(state["args"], Args, folder / state_file.STATE)


def recovered(args: Args, group: Group, held: ExitStack) -> tuple[Args, dict[str, Any]]:
    """Return the options of a resumed run, and its latest state that all processes have.

    Its folder stays locked while `held` is open.

    Raises:
        ResumeError: The folder has no run, or the processes have no state in common.
        ConfigError: An option differs that a resumed run cannot change.
    """
    assert args.resume is not None
    folder = state_file.checked_folder(args.resume)
    check_output("--resume", folder, is_folder=True)
    held.enter_context(locked(folder))
    state = state_file.recover(folder)
    # A kill may have come between the saves of the processes.
    least = min(group.all(state["loop"]["updates"]))
    if state["loop"]["updates"] > least:
        state = state_file.load(folder / state_file.PREVIOUS)
    if {least} != set(group.all(state["loop"]["updates"])):
        raise ResumeError(
            f"the processes of {folder} saved at different updates: start a new run with "
            f"--warm-start {folder}"
        )
    return merged_args(args, saved_args(state, folder)), state


def merged_args(args: Args, saved: Args) -> Args:
    """Return the options of a resumed run.

    Args:
        args: The new options, see `resumed_args`.
        saved: The saved options.

    Raises:
        ConfigError: An option differs that a resumed run cannot change.
    """
    for field in fields(Args):
        before = None if field.name == "out" else getattr(saved, field.name)
        value = getattr(args, field.name)
        if field.name in REFUSED and value != before:
            flag = f"--{field.name.replace('_', '-')}"
            is_of_folder = REFUSED[field.name] == _FOLDER
            hint = "" if is_of_folder else "; --warm-start starts a new run from its weights"
            raise ConfigError(
                f"{flag} cannot be {_as_text(value)} when a run with {_as_text(before)} is "
                f"resumed: {REFUSED[field.name]}{hint}"
            )
    if args.minutes is None and args.timesteps is None:
        return replace(args, minutes=saved.minutes, timesteps=saved.timesteps)
    return args


def _as_text(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "none"
    return "none" if value in (None, "") else str(value)
