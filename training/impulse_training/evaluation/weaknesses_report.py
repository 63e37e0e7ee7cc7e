"""What was found of an agent's weaknesses: a file, a table, a section of its card with pictures."""

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
"""Lost games that are told, at most."""
_FILE: Final = "weaknesses.json"
_ROWS: Final = 8
"""Kinds of decision that the table has."""


class WeaknessesError(ImpulseError, ValueError):
    """A file of weaknesses cannot be read; the message says why."""


@dataclass(frozen=True)
class KindLoss:
    """What was given away at one kind of decision.

    Attributes:
        kind: The kind.
        decisions: How many there were with a choice.
        mistakes: At how many of them something was given away that chance does not explain.
        lost: Chances to win, summed over those.
    """

    kind: str
    decisions: int
    mistakes: int
    lost: float


@dataclass(frozen=True)
class Example:
    """A decision that cost much in a game that was lost.

    Attributes:
        game: The number of the game.
        turn: Of the game, from 0.
        seat: Whose decision.
        kind: What kind.
        played: What was done, in words.
        chance_played: The chance to win after it.
        better: What was better, in words.
        chance_better: The chance after that.
        line: What may follow it.
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
    """Where an agent gives its chances away.

    Attributes:
        agent: The agent.
        weights: SHA-256 of its weights.
        opponent: Who was on all other sides.
        games: How many were played.
        lost: How many of them it did not win.
        kinds: What it gave away by kind of decision, the most first.
        examples: Lost games by the decision that cost most.
        command: What was typed.
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
        """Write what `read` reads."""
        write_atomically(folder / _FILE, json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Return what a folder holds; raises `WeaknessesError`."""
        path = folder / _FILE
        try:
            return read_json(path.read_bytes(), cls)
        except (OSError, SchemaError) as error:
            raise WeaknessesError(
                f"{path} cannot be read: {error}; `impulse agents weaknesses` writes it"
            ) from error

    def table(self) -> Table:
        """Return where the chances went."""
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
            f"Given away in {self.games:,} games against {self.opponent}, of which it lost "
            f"{self.lost:,}: points of a hundred in its chance to win, by its own network's "
            "judgement of every legal action in ten worlds; a mistake is what gave away more than "
            "chance explains."
        )
        return Table(f"Where {self.agent} gives its chances away", columns, rows, note)

    def section(self, pictures: list[str]) -> str:
        """Return what a card says of it.

        Args:
            pictures: The files of the examples' pictures, seen from the card.
        """
        table = self.table()
        parts = [f"{markdown(table)}\n{table.note}\n"]
        if self.examples:
            parts.append(
                "Games that it lost, each by the decision that cost most of those that a search of "
                "1,000 simulations did not choose:\n"
            )
        for number, (example, picture) in enumerate(zip(self.examples, pictures, strict=True), 1):
            line = "".join(f" {said.removesuffix('.')}." for said in example.line[1:3])
            follows = f" Then, for instance:{line}" if line else ""
            parts.append(
                f"{number}. {example.sentence()}{follows}\n\n   ![The position]({picture})\n"
            )
        parts.append(f"```console\n$ {self.command}\n```\n")
        return "\n".join(parts)


def default_folder(checkpoint: str) -> Path:
    """Return where a checkpoint's weaknesses go if nothing else is said; raises `AgentError`."""
    return Path("runs") / f"weaknesses-{name_of(checkpoint)}"
