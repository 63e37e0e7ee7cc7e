"""The results of the benchmark by level, and by the kind of table."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from impulse_agents.checkpoints import checkpoint_for
from impulse_agents.tasks.task import Task
from impulse_env.records.record import options_of
from impulse_training.evaluation.text_benchmark.run import Outcome
from impulse_training.report.table import EMPTY, Table
from impulse_training.statistics.intervals import Z_95

LEVELS = {1: "1: decisions", 2: "2: turns", 3: "3: races and games"}


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the figures of some results; intervals are normal, None for fewer than two."""
    rewards = np.array([outcome.reward for outcome in outcomes])
    half = None
    if len(rewards) > 1:
        half = float(Z_95 * rewards.std(ddof=1) / np.sqrt(len(rewards)))
    return {
        "tasks": len(outcomes),
        "reward": float(rewards.mean()) if len(rewards) else None,
        "half_interval": half,
        "refused": sum(outcome.refused for outcome in outcomes),
        "forfeits": sum(outcome.forfeited for outcome in outcomes),
        "requests": sum(outcome.requests for outcome in outcomes),
        "prompt_tokens": sum(outcome.prompt_tokens for outcome in outcomes),
        "completion_tokens": sum(outcome.completion_tokens for outcome in outcomes),
    }


def by_level(outcomes: Sequence[Outcome]) -> dict[int, dict[str, Any]]:
    """Return the figures of each level that has results."""
    levels = sorted({outcome.level for outcome in outcomes})
    return {
        level: summary([outcome for outcome in outcomes if outcome.level == level])
        for level in levels
    }


def by_table(
    tasks: Sequence[Task], outcomes: Sequence[Outcome]
) -> dict[str, dict[int, dict[str, Any]]]:
    """Return the figures of each kind of table by level; its name is that of its checkpoint."""
    kinds = {task.id: options_of(task.start()) for task in tasks}
    tables: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        options = kinds[outcome.id]
        name = checkpoint_for(options.players, options.team_size)
        tables.setdefault(name, []).append(outcome)
    return {name: by_level(tables[name]) for name in sorted(tables)}


def level_table(player: str, levels: dict[int, dict[str, Any]]) -> Table:
    """Return the table of the figures of `by_level`."""
    rows = [
        (
            LEVELS.get(level, str(level)),
            f"{figures['tasks']:,}",
            _reward(figures),
            f"{figures['refused']:,}",
            f"{figures['forfeits']:,}",
            f"{figures['prompt_tokens']:,}" if figures["requests"] else EMPTY,
            f"{figures['completion_tokens']:,}" if figures["requests"] else EMPTY,
        )
        for level, figures in levels.items()
    ]
    columns = ("level", "tasks", "reward", "bad replies", "forfeits", "tokens read", "written")
    note = (
        "reward: levels 1 and 2: chance to win given away, % of a win, 0 is best; level 3: result "
        "without luck, % of a win. With 95 % intervals."
    )
    return Table(f"Impulse text: {player}", columns, tuple(rows), note)


def table_table(player: str, tables: dict[str, dict[int, dict[str, Any]]]) -> Table:
    """Return the table of the figures of `by_table`."""
    levels = sorted({level for figures in tables.values() for level in figures})
    rows = [
        (name, *(_reward(figures[level]) if level in figures else EMPTY for level in levels))
        for name, figures in tables.items()
    ]
    columns = ("table", *(LEVELS.get(level, str(level)) for level in levels))
    note = "The rewards by number of players, with teams or without."
    return Table(f"Impulse text by table: {player}", columns, tuple(rows), note)


def _reward(figures: dict[str, Any]) -> str:
    """Return a reward in % of a win, with its interval if it has one."""
    half, reward = figures["half_interval"], f"{100 * figures['reward']:.2f}"
    return reward if half is None else f"{reward} ± {100 * half:.2f}"
