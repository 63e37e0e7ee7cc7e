"""The results of an evaluation: a record, its file, and a table."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import quote

import numpy as np

from impulse_agents.checkpoints import TRAINED, path_of
from impulse_env.errors import ImpulseError
from impulse_env.files import write_atomically
from impulse_env.schema import SchemaError, checked, read_json
from impulse_training.evaluation.suite import MIXED, SuiteMatch, short
from impulse_training.report.printing import markdown
from impulse_training.report.table import EMPTY, PER_CENT, Table, percent, with_interval
from impulse_training.statistics.game_results import GameResult, tally
from impulse_training.statistics.intervals import Share

FORMAT: Final = 2
"""Format of ``results.json``; other formats are rejected."""


class EvaluationError(ImpulseError, ValueError):
    """An evaluation cannot be read, or belongs to another agent; the message says why."""


@dataclass(frozen=True)
class Row:
    """The result of a match.

    Attributes:
        agent: The agent on one side.
        opponent: The agent on all other sides.
        won: The agent's share of the games.
        rounds: Mean length of a game in rounds, None if all failed.
        truncated: Games that ended without a winner.
        failed: Games that ended by an agent's error; they count as lost by that agent.
        target: The target share of games won; None without a target.
    """

    agent: str
    opponent: str
    won: Share
    rounds: float | None
    truncated: int
    failed: int
    target: float | None

    @classmethod
    def of(cls, meeting: SuiteMatch, results: Sequence[GameResult]) -> Self:
        """Return the row of a match from its games."""
        rounds = [result.rounds for result in results if result.ended != "failed"]
        return cls(
            meeting.agent,
            meeting.opponent,
            tally(results).share(meeting.agent),
            float(np.mean(rounds)) if rounds else None,
            sum(result.ended == "truncation" for result in results),
            sum(result.ended == "failed" for result in results),
            meeting.target,
        )

    @property
    def is_met(self) -> bool | None:
        """Whether the share reaches the target, None without one."""
        if self.target is None or self.won.share is None:
            return None
        return self.won.share >= self.target


@dataclass(frozen=True)
class Evaluation:
    """The results of a trained agent against each of its opponents.

    Attributes:
        checkpoint: The agent's checkpoint: a name or path, as typed.
        weights: SHA-256 of its weights, see `impulse_agents.network.weights_file`.
        players: Players of a game.
        team_size: Players per team, None without teams.
        seed: Random seed for the deals and the agents.
        version: Version of `impulse_env`.
        command: The command line.
        rows: The matches.
    """

    checkpoint: str
    weights: str
    players: int
    team_size: int | None
    seed: int
    version: str
    command: str
    rows: tuple[Row, ...]

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Return the evaluation in a folder; raises `EvaluationError`."""
        path = folder / "results.json"
        try:
            stored = read_json(path.read_bytes(), dict[str, Any])
            if stored.pop("format", FORMAT) != FORMAT:
                raise EvaluationError(f"{path} does not have format {FORMAT}")
            return checked(stored, cls)
        except FileNotFoundError as error:
            raise EvaluationError(
                f"{path} does not exist; `impulse evaluate CHECKPOINT --out {folder}` "
                "writes it after the last game"
            ) from error
        except SchemaError as error:
            raise EvaluationError(f"{path} is not an evaluation: {error}") from error

    def write(self, folder: Path) -> None:
        """Write ``results.json`` and ``results.md``; the same games give the same files."""
        found: dict[str, Any] = {"format": FORMAT, **asdict(self)}
        text = json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False)
        write_atomically(folder / "results.json", text + "\n")
        page = f"# {self.table().title}\n\n{self.markdown()}"
        reports = sorted(path.parent.name for path in folder.glob("*/report.html"))
        if reports:
            links = "".join(f"- [{name}]({quote(name)}/report.html)\n" for name in reports)
            page += f"\n## Games of each match\n\n{links}"
        write_atomically(folder / "results.md", page)

    def table(self, with_targets: bool = True) -> Table:
        """Return the rows as a table, with what was to be reached if anything was."""
        has_targets = with_targets and any(row.target is not None for row in self.rows)
        columns = ("Match", f"Won{PER_CENT}", f"Par{PER_CENT}", "Games", "Rounds")
        teams = "" if self.team_size is None else f" in teams of {self.team_size}"
        return Table(
            f"policy:{self.checkpoint}, {self.players} players{teams}, seed {self.seed}",
            columns + ((f"Target{PER_CENT}",) if has_targets else ()),
            tuple(self._cells(row) + ((_target(row),) if has_targets else ()) for row in self.rows),
            self._note(),
        )

    def markdown(self) -> str:
        """Return the table, how to read it, and the command, as Markdown."""
        table = self.table(with_targets=False)
        return f"{markdown(table)}\n{table.note}\n\n```console\n$ {self.command}\n```\n"

    def section(self) -> str:
        """Return the section of a model card, without its heading."""
        return f"{self.markdown()}\nPlayed with impulse_env {self.version}."

    def match(self, row: Row) -> str:
        """Return the two sides of a match as text."""
        others = self.players // (self.team_size or 1) - 1
        agent, opponent = (short(name, self.checkpoint) for name in (row.agent, row.opponent))
        if row.opponent == MIXED:
            return f"{agent} v {others} different"
        return f"{agent} v {opponent if others == 1 else f'{others} x {opponent}'}"

    def _cells(self, row: Row) -> tuple[str, ...]:
        rounds = EMPTY if row.rounds is None else f"{row.rounds:.1f}"
        won, par = with_interval(row.won), percent(row.won.par)
        return self.match(row), won, par, f"{row.won.games:,}", rounds

    def _note(self) -> str:
        parts = [
            "Won: games won by the first agent, with Wilson's 95 % interval in brackets. Par: its "
            "share if all agents are equally strong. Each deal is played once from every side of "
            "the table, with the same deals in every match. Rounds: mean per game."
        ]
        if any(row.opponent == MIXED for row in self.rows):
            parts.append(
                "Different opponents: every line-up of the rule-based agents, on the same deal."
            )
        parts += [
            f"In {self.match(row)}, {row.failed:,} games ended by an error and count as lost by "
            "the agent that made it."
            for row in self.rows
            if row.failed
        ]
        return " ".join(parts)


def name_of(checkpoint: str) -> str:
    """Return a short name for a checkpoint; raises `AgentError` if the file does not exist."""
    path = path_of(checkpoint).resolve()
    # The folder of a run identifies it better than the file name in it.
    return path.parent.name if path.name == TRAINED else path.stem


def default_folder(checkpoint: str) -> Path:
    """Return the default folder for a checkpoint's evaluation; raises `AgentError`."""
    return Path("runs") / f"evaluate-{name_of(checkpoint)}"


def _target(row: Row) -> str:
    if row.target is None:
        return EMPTY
    return f"{100 * row.target:.4g} {'met' if row.is_met else 'missed'}"
