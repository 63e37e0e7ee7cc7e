"""The folder of a run: its files, and the checks before a run writes to it."""

from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from impulse_agents import checkpoints
from impulse_agents.base import AgentError
from impulse_agents.network.agent import PolicyAgent
from impulse_env.files import check_output
from impulse_training.run import learning_curve
from impulse_training.run.common_options import ConfigError
from impulse_training.run.learning_curve import Point
from impulse_training.run.machine.group import Group
from impulse_training.run.storage.args_file import ARGS
from impulse_training.run.storage.folder_lock import locked
from impulse_training.run.storage.result import check_run_folder, new_run_folder
from impulse_training.run.storage.snapshots import FOLDER as SNAPSHOTS
from impulse_training.run.storage.snapshots import snapshot_path, snapshots_of, thin_out
from impulse_training.selfplay.progress.tracker import RUNS
from impulse_training.selfplay.state import state_file
from impulse_training.selfplay.train_options import Args

POLICY: Final = checkpoints.TRAINED
AVERAGE: Final = "average.safetensors"
"""The policy with average weights."""
CURVE: Final = "curve.csv"
TENSORBOARD: Final = "tensorboard"


class TrainingFolder:
    """The folder of a run.

    Attributes:
        path: The folder.
        keep_snapshots: Maximum number of snapshots on disk.
    """

    def __init__(self, path: Path, keep_snapshots: int) -> None:
        self.path, self.keep_snapshots = path, keep_snapshots

    def save(
        self,
        state: dict[str, Any],
        agent: PolicyAgent,
        curve: list[Point],
        average: PolicyAgent | None = None,
    ) -> None:
        """Write a state, and then the files that derive from it.

        Args:
            state: The complete training state.
            agent: The policy of that state, with its metadata.
            curve: The evaluations so far.
            average: The policy with average weights, if there is one.
        """
        state_file.save(self.path, state)
        self.write_results(agent, curve, average)
        self.write_snapshot(agent, state["budget"]["steps"])

    def write_results(
        self, agent: PolicyAgent, curve: list[Point], average: PolicyAgent | None = None
    ) -> None:
        """Write the policies and the learning curve."""
        agent.save(self.path / POLICY)
        if average is not None:
            average.save(self.path / AVERAGE)
        if curve:
            learning_curve.write(self.path / CURVE, curve)

    def restore_results(self, agent: PolicyAgent, curve: list[Point]) -> None:
        """Write both again, unless the policy file has equal weights: it may be calibrated."""
        if curve:
            learning_curve.write(self.path / CURVE, curve)
        try:
            on_disk = PolicyAgent.load(self.path / POLICY).network.state_dict()
        except AgentError:
            on_disk = {}
        new = agent.network.state_dict()
        if on_disk.keys() != new.keys() or not all(on_disk[k].equal(new[k]) for k in new):
            agent.save(self.path / POLICY)

    def write_snapshot(self, agent: PolicyAgent, steps: int) -> None:
        """Save a snapshot of the policy, and remove the superfluous ones."""
        if self.keep_snapshots:
            agent.save(snapshot_path(self.path, steps))
        thin_out(self.path, self.keep_snapshots)


def placed(args: Args, group: Group) -> Args:
    """Return the options of this process: others than the first write to a folder in its."""
    if group.size == 1:
        return args
    args = replace(args, device=group.device(args.device))
    if args.out is None and args.resume is None:
        check_run_folder(None)
        new = new_run_folder(None, "train", args.seed) if group.is_first else None
        args = replace(args, out=new)
    folders = group.first((args.out, args.resume))
    if group.is_first:
        return args
    out, resume = (None if each is None else each / f"rank-{group.rank}" for each in folders)
    return replace(args, out=out, resume=resume, tracker=None, keep_snapshots=0)


def claimed(args: Args, held: ExitStack) -> Path:
    """Return the cleared folder of a new run, which stays locked while `held` is open."""
    folder = new_run_folder(args.out, "train", args.seed)
    held.enter_context(locked(folder))
    check_free(folder, args.overwrite)  # again: another process may have started
    clear(folder)
    return folder


def check_free(folder: Path, may_overwrite: bool) -> None:
    """Raise `ConfigError` or `OutputError` if a new run cannot use a folder; changes nothing."""
    check_output("--out", folder, is_folder=True)
    is_training = (folder / ARGS).is_file()
    if is_training and not may_overwrite:
        resume = f"--resume {folder} continues it, " if state_file.has_state(folder) else ""
        raise ConfigError(f"{folder} already has a run: {resume}--overwrite replaces it")
    for name in (POLICY, CURVE, state_file.STATE):
        if not is_training and (folder / name).exists():
            raise ConfigError(
                f"{folder / name} already exists, but {folder} has no run: choose another folder "
                "with --out"
            )


def clear(folder: Path) -> None:
    """Remove the files of a run, and nothing else.

    The options go last, so that an interrupted removal still leaves a recognizable run.
    """
    names = (state_file.PREVIOUS, state_file.STATE, POLICY, AVERAGE, CURVE, RUNS)
    files = [folder / name for name in names]
    files += [*snapshots_of(folder), *(folder / TENSORBOARD).glob("events.out.tfevents.*")]
    remove_leftovers(folder)
    for path in files:
        path.unlink(missing_ok=True)
    for emptied in (folder / SNAPSHOTS, folder / TENSORBOARD):
        with suppress(OSError):  # it does not exist, or has other files
            emptied.rmdir()
    (folder / ARGS).unlink(missing_ok=True)


def remove_leftovers(folder: Path) -> None:
    """Remove the unfinished files of a killed process."""
    names = (ARGS, state_file.NEXT, POLICY, AVERAGE, CURVE)
    for path in [folder / state_file.NEXT, *(folder / f"{name}.part" for name in names)]:
        path.unlink(missing_ok=True)
    for path in (folder / SNAPSHOTS).glob("[0-9]*.safetensors.part"):
        path.unlink()
