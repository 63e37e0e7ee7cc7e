"""The training state as a file: written atomically, with the previous state as a backup.

All other files in the folder of a run derive from it, so they can be restored to the same moment.
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

FORMAT: Final = 8
MOST_BYTES: Final = 64 << 30
"""Maximum size of the file; a million simultaneous games take less."""
STATE: Final = "state.safetensors"
"""The file's name in the folder of a run."""
PREVIOUS: Final = "state.previous.safetensors"
"""The name of the previous state."""
NEXT: Final = "state.next.safetensors"
"""The name of a complete new state before its renaming."""


class DamagedStateError(ResumeError):
    """A state file is missing or damaged; the message says which."""


def save(folder: Path, state: dict[str, Any]) -> None:
    """Write a state; after any interruption, the new or the previous state exists."""
    write_tree(folder / NEXT, {"format": FORMAT, **state})
    with suppress(FileNotFoundError):
        (folder / STATE).replace(folder / PREVIOUS)
    (folder / NEXT).replace(folder / STATE)


def checked_folder(folder: Path) -> Path:
    """Return the folder of a run if it exists; raises `ResumeError`."""
    if not folder.is_dir():
        what = f"{folder} is a file" if folder.exists() else "there is no such folder"
        raise ResumeError(f"there is no run to resume in {folder}: {what}{told(folder)}")
    return folder


def has_state(folder: Path) -> bool:
    """Whether a folder has a saved training state."""
    return any((folder / name).is_file() for name in (STATE, PREVIOUS))


def how_to_continue(folder: Path) -> str:
    """Return how to continue a run that ended with an error, in words."""
    if has_state(folder):
        return f"the saved state is intact, and --resume {folder} continues from it"
    return "nothing was saved yet"


def load_latest(folder: Path) -> tuple[dict[str, Any], str]:
    """Return the latest undamaged state of a run, and a warning about a damaged one.

    Args:
        folder: The folder of the run.

    Returns:
        The state, and a sentence, which is empty if no state is damaged.

    Raises:
        ResumeError: There is no state, or it comes from another version.
    """
    if not has_state(checked_folder(folder)):
        raise ResumeError(
            f"there is no run to resume in {folder}: no {STATE} was saved there"
            f"{told(folder)}; restart a run that ended before its first save with "
            f"--out {folder} --overwrite"
        )
    try:
        return load(folder / STATE), ""
    except DamagedStateError as error:
        if not (folder / PREVIOUS).is_file():
            raise
        state = load(folder / PREVIOUS)
        steps = state["budget"]["steps"]
        return state, f"{error}; the run continues from the previous save at {steps:,} steps"


def recover(folder: Path) -> dict[str, Any]:
    """Return the state of `load_latest`, print its warning, and remove a damaged state.

    At the next save, a damaged state would otherwise replace the good previous one.
    """
    state, problem = load_latest(folder)
    if problem:
        print(problem, flush=True)
        (folder / PREVIOUS).replace(folder / STATE)
    return state


def load(path: Path) -> dict[str, Any]:
    """Return the state of a file; the file cannot contain code.

    Raises:
        DamagedStateError: The file is missing or damaged.
        ResumeError: The state comes from another version.
    """
    if not path.is_file():
        raise DamagedStateError(f"{path} is missing")
    try:
        state = read_tree(path, MOST_BYTES)
    except WeightsError as error:
        raise DamagedStateError(
            f"{path} is not a training state, or only part of one ({error})"
        ) from error
    if "format" not in state:
        raise DamagedStateError(f"{path} is not a training state: it has no format")
    version = state.pop("format")
    if version != FORMAT:
        raise ResumeError(
            f"{path} comes from another version (format {version}, not {FORMAT}): start a new run "
            f"with --warm-start {path.parent}"
        )
    try:
        check_state(state)
    except FieldError as error:
        raise DamagedStateError(f"{path} is not a training state: {error}") from error
    return state


@contextmanager
def reporting_misfits(folder: Path) -> Iterator[None]:
    """Raise `ResumeError` if a state does not fit the resumed run."""
    try:
        yield
    except (FieldError, KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, ImpulseError) and not isinstance(error, FieldError):
            raise
        what = "" if isinstance(error, FieldError) else f"{type(error).__name__}: "
        reason = " ".join(str(error).split())[:300]
        raise ResumeError(
            f"{folder / STATE} does not fit its own options ({what}{reason}): start a new run with "
            f"--warm-start {folder}"
        ) from error
