"""The weaknesses of an agent: a file, a table, a section of its model card with pictures."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

from impulse_env.errors import ImpulseError
from impulse_env.files import write_atomically
from impulse_env.schema import SchemaError, read_json
from impulse_training.evaluation.results import name_of
from impulse_training.report.printing import markdown
from impulse_training.report.table import Table

EXAMPLES: Final = 3
"""The most lost games shown as examples."""
_FILE: Final = "weaknesses.json"
_ROWS: Final = 8
"""The most kinds of decision in the table."""


class WeaknessesError(ImpulseError, ValueError):
    """A file of weaknesses cannot be read; the message says why."""


@dataclass(frozen=True)
class KindLoss:
    """The chances to win lost at one kind of decision.

    Attributes:
        kind: The kind.
        decisions: Number of decisions with a choice.
        mistakes: Number of them whose loss is larger than noise explains.
        lost: Chances to win, 0 to 1 each, summed over the mistakes.
    """

    kind: str
    decisions: int
    mistakes: int
    lost: float


@dataclass(frozen=True)
class Example:
    """A costly decision of a lost game.

    Attributes:
        game: The number of the game.
        turn: The player turn of the game, from 0.
        seat: The seat that decided.
        kind: The kind of decision.
        played: The chosen action, in words.
        chance_played: The chance to win after it, 0 to 1.
        better: The better action, in words.
        chance_better: The chance to win after that, 0 to 1.
        line: A likely continuation after the better action.
        picture: The file of its picture.
    """

    game: int
    turn: int
    seat: int
    kind: str
    played: str
    chance_played: float
    better: str
    chance_better: float
    line: list[str]
    picture: str

    def sentence(self) -> str:
        """Return the example in words."""
        return (
            f"Game {self.game}, turn {self.turn + 1}, seat {self.seat}: it played “{self.played}” "
            f"({100 * self.chance_played:.0f} % to win); “{self.better}” was better "
            f"({100 * self.chance_better:.0f} %)."
        )


@dataclass(frozen=True)
class Weaknesses:
    """The decisions at which an agent loses its chances to win.

    Attributes:
        agent: The agent.
        weights: SHA-256 of its weights.
        opponent: The agent on all other sides.
        games: Number of games.
        lost: Number of games that the agent did not win.
        kinds: Losses by kind of decision, the largest first.
        examples: Lost games, each by its most costly decision.
        command: The command line.
    """

    agent: str
    weights: str
    opponent: str
    games: int
    lost: int
    kinds: tuple[KindLoss, ...]
    examples: tuple[Example, ...]
    command: str

    def write(self, folder: Path) -> None:
        """Write the file that `read` reads."""
        write_atomically(folder / _FILE, json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Return the weaknesses stored in a folder; raises `WeaknessesError`."""
        path = folder / _FILE
        try:
            return read_json(path.read_bytes(), cls)
        except (OSError, SchemaError) as error:
            raise WeaknessesError(
                f"{path} cannot be read: {error}; `impulse agents weaknesses` writes it"
            ) from error

    def table(self) -> Table:
        """Return the losses as a table."""
        total = sum(row.lost for row in self.kinds) or 1.0
        rows = tuple(
            (
                row.kind,
                f"{row.decisions:,}",
                f"{row.mistakes:,}",
                f"{100 * row.lost / self.games:.1f}",
                f"{100 * row.lost / total:.0f}",
            )
            for row in self.kinds[:_ROWS]
            if row.lost > 0
        )
        columns = ("Decision", "with a choice", "mistakes", "points a game", "% of all")
        note = (
            f"Losses in {self.games:,} games against {self.opponent}, of which the agent lost "
            f"{self.lost:,}: percentage points of its chance to win, as its own network judges "
            "every legal action in ten sampled worlds. A mistake is a loss larger than noise "
            "explains."
        )
        return Table(f"Where {self.agent} gives its chances away", columns, rows, note)

    def section(self, pictures: list[str]) -> str:
        """Return the section of a model card.

        Args:
            pictures: The files of the examples' pictures, relative to the card.
        """
        table = self.table()
        parts = [f"{markdown(table)}\n{table.note}\n"]
        if self.examples:
            parts.append(
                "Lost games, each by its most costly decision at which a search of 1,000 "
                "simulations chose otherwise:\n"
            )
        for number, (example, picture) in enumerate(zip(self.examples, pictures, strict=True), 1):
            line = "".join(f" {move.removesuffix('.')}." for move in example.line[1:3])
            follows = f" Then, for instance:{line}" if line else ""
            parts.append(
                f"{number}. {example.sentence()}{follows}\n\n   ![The position]({picture})\n"
            )
        parts.append(f"```console\n$ {self.command}\n```\n")
        return "\n".join(parts)


def default_folder(checkpoint: str) -> Path:
    """Return the default folder for a checkpoint's weaknesses; raises `AgentError`."""
    return Path("runs") / f"weaknesses-{name_of(checkpoint)}"
