"""The page of a finished game, made in worker processes: analysis or notes in parts, then HTML."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from impulse_agents.advice.annotate import note_of
from impulse_agents.advice.game_analysis import analysed, with_causes
from impulse_env.files import write_atomically
from impulse_env.records import reader
from impulse_env.records.record import Annotation, Record
from impulse_env.replay.analysis import Analysis
from impulse_env.replay.page import page
from impulse_table.workers.agent_tasks import agent_of


def weigh(text: str, by: str, first: int, last: int) -> list[Annotation]:
    """Return an agent's notes on a range of decisions.

    Args:
        text: A record.
        by: An agent that gives probabilities.
        first: Number of the first decision, from 0.
        last: Number after the last decision.

    Raises:
        AgentError: The agent does not exist, or cannot evaluate such games.
    """
    agent, notes = agent_of(by), []
    for number, game in enumerate(reader.parse(text).games()):
        if number >= last or game.is_over:
            break
        if number >= first:
            notes.append(note_of(agent, game, np.random.default_rng(number), by))
    return notes


def judge(text: str, by: str, first: int, last: int) -> Analysis:
    """Return a trained agent's analysis of a range of decisions.

    Arguments as in `weigh`; raises `AgentError` as `analysed` does.
    """
    return analysed(reader.parse(text), agent_of(by), part=(first, last))


def explain(text: str, by: str, part: Analysis, first: int) -> Analysis:
    """Return a part of an analysis with the causes of costly decisions.

    Args:
        text: The record.
        by: The agent that made the analysis; raises `AgentError` as `analysed` does.
        part: The part.
        first: Number of its first decision, from 0.
    """
    return with_causes(part, reader.parse(text), agent_of(by), first=first)


def write_begun(text: str, path: Path, record: Path, follows: str) -> None:
    """Write the page of a record before its analysis, and the record; raises OSError.

    Args:
        text: The record.
        path: The file of the page.
        record: The file of the record.
        follows: The address at which the page follows its analysis.
    """
    html = page(reader.parse(text), branches=_branches(record), follows=follows)
    _write(text, html, path, record)


def write_analysis(text: str, parts: list[Analysis], path: Path) -> None:
    """Write the page of a record with its analysis, given in parts; raises OSError."""
    analysis = Analysis.of_parts(parts)
    html = page(reader.parse(text), analysis=analysis, branches=_branches(path))
    _write(text, html, path, path.with_suffix(".jsonl"))


def write_page(text: str, notes: list[Annotation], path: Path) -> None:
    """Write the page of a record with a note beside each decision; raises OSError."""
    record = reader.parse(text)
    moves = [replace(move, note=note) for move, note in zip(record.moves, notes, strict=True)]
    noted = Record(record.header, moves, record.result)
    _write(text, page(noted, branches=_branches(path)), path, path.with_suffix(".jsonl"))


def _branches(path: Path) -> str:
    """Return the address for questions about branches of a page's game."""
    return f"/api/branches/{path.stem}"


def _write(text: str, html: str, path: Path, record: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_atomically(record, text, mode=0o600)
    write_atomically(path, html, mode=0o600)
