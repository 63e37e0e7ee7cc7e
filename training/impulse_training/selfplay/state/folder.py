"""The folder of a training: what lies in it, who may write into it, and what is made of a state."""

from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from impulse_agents import checkpoints
from impulse_agents.base import AgentError
from impulse_agents.network.agent import PolicyAgent
from impulse_env.files import check_output
from impulse_training.run import learning_curve
from impulse_training.run.common_options import ConfigError
from impulse_training.run.learning_curve import Point
from impulse_training.run.storage.args_file import ARGS
from impulse_training.run.storage.snapshots import FOLDER as SNAPSHOTS
from impulse_training.run.storage.snapshots import snapshot_path, snapshots_of, thin_out
from impulse_training.selfplay.progress.tracker import RUNS
from impulse_training.selfplay.state import state_file

POLICY: Final = checkpoints.TRAINED
CURVE: Final = "curve.csv"
TENSORBOARD: Final = "tensorboard"


class TrainingFolder:
    """Where a training is kept.

    Attributes:
        path: The folder.
        keep_snapshots: How many snapshots are kept.
    """

    def __init__(self, path: Path, keep_snapshots: int) -> None:
        self.path, self.keep_snapshots = path, keep_snapshots

    def save(self, state: dict[str, Any], agent: PolicyAgent, curve: list[Point]) -> None:
        """Write a state, and then what is made of it.

        Args:
            state: All that a resumed training needs.
            agent: The policy of that state, with its description.
            curve: The evaluations until then.
        """
        state_file.save(self.path, state)
        self.write_results(agent, curve)
        self.write_snapshot(agent, state["budget"]["steps"])

    def write_results(self, agent: PolicyAgent, curve: list[Point]) -> None:
        """Write what people look at: the policy and the learning curve."""
        agent.save(self.path / POLICY)
        if curve:
            learning_curve.write(self.path / CURVE, curve)

    def restore_results(self, agent: PolicyAgent, curve: list[Point]) -> None:
        """Write the same, but leave a policy that has these weights: it may be calibrated."""
        if curve:
            learning_curve.write(self.path / CURVE, curve)
        try:
            kept = PolicyAgent.load(self.path / POLICY).network.state_dict()
        except AgentError:
            kept = {}
        wanted = agent.network.state_dict()
        if kept.keys() != wanted.keys() or not all(kept[k].equal(wanted[k]) for k in wanted):
            agent.save(self.path / POLICY)

    def write_snapshot(self, agent: PolicyAgent, steps: int) -> None:
        """Keep the policy after so many steps, and of the others no more than there may be."""
        if self.keep_snapshots:
            agent.save(snapshot_path(self.path, steps))
        thin_out(self.path, self.keep_snapshots)


def check_free(folder: Path, may_overwrite: bool) -> None:
    """Raise `ConfigError` or `OutputError` if no new training can go there; changes nothing."""
    check_output("--out", folder, is_folder=True)
    is_training = (folder / ARGS).is_file()
    if is_training and not may_overwrite:
        goes_on = f"--resume {folder} goes on with it, " if state_file.has_state(folder) else ""
        raise ConfigError(
            f"there is a training in {folder} already: {goes_on}"
            f"--overwrite puts the new one in its place"
        )
    for name in (POLICY, CURVE, state_file.STATE):
        if not is_training and (folder / name).exists():
            raise ConfigError(
                f"{folder / name} is there already and belongs to no training that was begun "
                "there: choose another folder with --out"
            )


def clear(folder: Path) -> None:
    """Remove what a training has written there, and nothing else.

    Its options go last: whatever interrupts this, what is left is known as a training's.
    """
    names = (state_file.PREVIOUS, state_file.STATE, POLICY, CURVE, RUNS)
    files = [folder / name for name in names]
    files += [*snapshots_of(folder), *(folder / TENSORBOARD).glob("events.out.tfevents.*")]
    remove_leftovers(folder)
    for path in files:
        path.unlink(missing_ok=True)
    for emptied in (folder / SNAPSHOTS, folder / TENSORBOARD):
        with suppress(OSError):  # it is not there, or holds something else
            emptied.rmdir()
    (folder / ARGS).unlink(missing_ok=True)


def remove_leftovers(folder: Path) -> None:
    """Remove files that a killed process was just writing."""
    names = (ARGS, state_file.NEXT, POLICY, CURVE)
    for path in [folder / state_file.NEXT, *(folder / f"{name}.part" for name in names)]:
        path.unlink(missing_ok=True)
    for path in (folder / SNAPSHOTS).glob("[0-9]*.safetensors.part"):
        path.unlink()
