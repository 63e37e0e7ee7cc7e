"""The state of a training as a file: one whole, written at once, with the one before beside it.

What else lies in the folder of a training is made of it, so nothing of that can be missing or
belong to another time.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from impulse_agents.network.config_check import FieldError
from impulse_agents.network.weights_file import WeightsError
from impulse_env.errors import ImpulseError
from impulse_env.records.mistaken import told
from impulse_training.run.storage.result import ResumeError
from impulse_training.run.storage.tree_file import read_tree, write_tree
from impulse_training.selfplay.state.state_check import check_state

FORMAT: Final = 5
MOST_BYTES: Final = 64 << 30
"""Of the file; a million games side by side take less."""
STATE: Final = "state.safetensors"
"""The file's name in the folder of a training."""
PREVIOUS: Final = "state.previous.safetensors"
"""The name of the one before."""
NEXT: Final = "state.next.safetensors"
"""The name of one that is whole, and about to take its place."""


class DamagedStateError(ResumeError):
    """A file is missing, holds no state, or only part of one; the message says so."""


def save(folder: Path, state: dict[str, Any]) -> None:
    """Write a state; whatever happens meanwhile, it or the one before is there afterwards."""
    write_tree(folder / NEXT, {"format": FORMAT, **state})
    with suppress(FileNotFoundError):
        (folder / STATE).replace(folder / PREVIOUS)
    (folder / NEXT).replace(folder / STATE)


def checked_folder(folder: Path) -> Path:
    """Return the folder of a training if there is one; raises `ResumeError`."""
    if not folder.is_dir():
        what = f"{folder} is a file" if folder.exists() else "there is no such folder"
        raise ResumeError(f"there is no training to resume in {folder}: {what}{told(folder)}")
    return folder


def has_state(folder: Path) -> bool:
    """Whether a training has been saved there."""
    return any((folder / name).is_file() for name in (STATE, PREVIOUS))


def load_latest(folder: Path) -> tuple[dict[str, Any], str]:
    """Return the latest state of a training that is whole, and what is wrong with a later one.

    Args:
        folder: The training's.

    Returns:
        The state, and a sentence; the latter is empty if nothing is wrong.

    Raises:
        ResumeError: There is none, or it is of another version.
    """
    if not has_state(checked_folder(folder)):
        raise ResumeError(
            f"there is no training to resume in {folder}: no {STATE} was saved there"
            f"{told(folder)}; one that ended before its first save begins anew with "
            f"--out {folder} --overwrite"
        )
    try:
        return load(folder / STATE), ""
    except DamagedStateError as error:
        if not (folder / PREVIOUS).is_file():
            raise
        state = load(folder / PREVIOUS)
        steps = state["budget"]["steps"]
        return state, f"{error}; the training goes on from the save before it, {steps:,} steps"


def recover(folder: Path) -> dict[str, Any]:
    """Return what `load_latest` does, say what is wrong, and put that out of the way.

    A damaged state would otherwise become the one before at the next save, in place of a good one.
    """
    state, problem = load_latest(folder)
    if problem:
        print(problem, flush=True)
        (folder / PREVIOUS).replace(folder / STATE)
    return state


def load(path: Path) -> dict[str, Any]:
    """Return a state; executes nothing from the file.

    Raises:
        DamagedStateError: There is none, or only part of one.
        ResumeError: It is of another version.
    """
    if not path.is_file():
        raise DamagedStateError(f"{path} is missing")
    try:
        state = read_tree(path, MOST_BYTES)
    except WeightsError as error:
        raise DamagedStateError(
            f"{path} is no state of a training, or only part of one ({error})"
        ) from error
    if "format" not in state:
        raise DamagedStateError(f"{path} is no state of a training: it has no format")
    found = state.pop("format")
    if found != FORMAT:
        raise ResumeError(
            f"{path} is the state of a training of another version (format {found}, not {FORMAT}): "
            f"begin a new one with --warm-start {path.parent}"
        )
    try:
        check_state(state)
    except FieldError as error:
        raise DamagedStateError(f"{path} is no state of a training: {error}") from error
    return state


@contextmanager
def misfits_told(folder: Path) -> Iterator[None]:
    """Raise `ResumeError` where a state does not fit the training that goes on with it."""
    try:
        yield
    except (FieldError, KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, ImpulseError) and not isinstance(error, FieldError):
            raise
        what = "" if isinstance(error, FieldError) else f"{type(error).__name__}: "
        said = " ".join(str(error).split())[:300]
        raise ResumeError(
            f"{folder / STATE} does not fit the options that it tells ({what}{said}): begin a new "
            f"training with --warm-start {folder}"
        ) from error
