"""The options of imitation; torch is not needed to read them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from impulse_agents import registry
from impulse_env.options import Options
from impulse_training.run.config import GameArgs, NetworkArgs


@dataclass(frozen=True)
class DemonstrationConfig:
    """Whose decisions are recorded, and at which tables.

    Attributes:
        teacher: The agent whose decisions are kept.
        others: Who may sit beside it; every seat is as likely the teacher's as one of theirs.
        player: Who plays in the teacher's place, if somebody does; then the teacher is only asked
            what it would have done there. A pupil learns what to do in its own positions so.
        players: Players of a game, 2 to 6.
        teams: Players per team, or None.
        seed: Of the deals, the seats and the agents.
    """

    teacher: str
    others: tuple[str, ...]
    players: int = 2
    teams: int | None = None
    seed: int = 0
    player: str | None = None

    @property
    def options(self) -> Options:
        """The options of all games."""
        return Options(players=self.players, teams=self.teams)


@dataclass(frozen=True)
class Args(NetworkArgs, GameArgs):
    """Record a teacher's decisions and fit a network to them."""

    teacher: Annotated[str, "the agent to learn from"] = "ismcts:100"
    player: Annotated[str | None, "who plays in its place, and is told what it would do"] = None
    others: Annotated[tuple[str, ...], "who sits beside it"] = registry.RULE_BASED
    decisions: Annotated[int, "of the teacher, to learn from"] = 500_000
    more: Annotated[tuple[str, ...], "folders of such decisions to learn from, too"] = ()
    start: Annotated[str | None, "begin with the weights of this checkpoint: path or name"] = None
    seed: Annotated[int, "of the games and the network"] = 1
    out: Annotated[Path, "folder for policy.pt and the decisions"] = Path("runs/imitated")
    workers: Annotated[int | None, "processes; as many as there are cores if not given"] = None

    epochs: Annotated[int, "passes over the decisions"] = 4
    batch: Annotated[int, "decisions in a minibatch"] = 1024
    learning_rate: Annotated[float, "of Adam; it falls to 0 along a cosine"] = 2e-3
    value: Annotated[float, "weight of the value's loss"] = 0.5
    device: Annotated[str, "where torch computes: cpu, cuda, …"] = "cpu"
    threads: Annotated[int, "torch's"] = 1

    @property
    def source(self) -> DemonstrationConfig:
        """Whose decisions are recorded."""
        return DemonstrationConfig(
            self.teacher, self.others, self.players, self.teams, self.seed, self.player
        )
