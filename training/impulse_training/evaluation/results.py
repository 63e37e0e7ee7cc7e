"""What an evaluation found: a record, the file it is kept in, and a table."""

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
"""Of ``results.json``; another one is refused."""


class EvaluationError(ImpulseError, ValueError):
    """An evaluation cannot be read, or is of another agent; the message says why."""


@dataclass(frozen=True)
class Row:
    """How a match ended.

    Attributes:
        agent: Who played one side.
        opponent: Who played all others.
        won: The agent's share of the games.
        rounds: Mean length of a game in rounds, None if all failed.
        truncated: Games that nobody won.
        failed: Games that ended by an agent's error; who made it has lost them.
        target: The share of the games that was to be won, None without a target.
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
    """How a trained agent did against each of its opponents.

    Attributes:
        checkpoint: The agent's, as it was given.
        weights: SHA-256 of its weights, see `impulse_agents.network.weights_file`.
        players: Players of a game.
        team_size: Players per team, None without teams.
        seed: Of the deals and the agents.
        version: Of `impulse_env`.
        command: What was typed.
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
            kept = read_json(path.read_bytes(), dict[str, Any])
            if kept.pop("format", FORMAT) != FORMAT:
                raise EvaluationError(f"{path} has another format than {FORMAT}")
            return checked(kept, cls)
        except FileNotFoundError as error:
            raise EvaluationError(
                f"there is no {path}; `impulse evaluate CHECKPOINT --out {folder}` "
                "writes it when all games are played"
            ) from error
        except SchemaError as error:
            raise EvaluationError(f"{path} holds no evaluation: {error}") from error

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
        """Return what a card says of it, without its heading."""
        return f"{self.markdown()}\nPlayed with impulse_env {self.version}."

    def match(self, row: Row) -> str:
        """Return who played whom."""
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
            "Won by the first agent, in brackets Wilson's 95 % interval; par is its share if all "
            "are equal. Every deal is played once from every side of the table, the same deals in "
            "every match. Rounds are their mean in a game."
        ]
        if any(row.opponent == MIXED for row in self.rows):
            parts.append(
                "Different opponents are rule-based agents, every line-up of them on the same deal."
            )
        parts += [
            f"In {self.match(row)}, {row.failed:,} games ended by an error and count as lost by "
            "the agent that made it."
            for row in self.rows
            if row.failed
        ]
        return " ".join(parts)


def name_of(checkpoint: str) -> str:
    """Return a word for a checkpoint; raises `AgentError` if there is no such file."""
    path = path_of(checkpoint).resolve()
    # A training's folder says more than the name of the file in it.
    return path.parent.name if path.name == TRAINED else path.stem


def default_folder(checkpoint: str) -> Path:
    """Return where a checkpoint's evaluation goes if nothing else is said; raises `AgentError`."""
    return Path("runs") / f"evaluate-{name_of(checkpoint)}"


def _target(row: Row) -> str:
    if row.target is None:
        return EMPTY
    return f"{100 * row.target:.4g} {'met' if row.is_met else 'missed'}"
