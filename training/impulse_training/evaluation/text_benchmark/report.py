"""The results of the benchmark by level."""

from collections.abc import Sequence
from typing import Any

import numpy as np

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


def table(player: str, outcomes: Sequence[Outcome]) -> Table:
    """Return the table of a player's results."""
    rows = []
    for level, figures in by_level(outcomes).items():
        half = figures["half_interval"]
        reward = f"{100 * figures['reward']:.2f}"
        rows.append(
            (
                LEVELS.get(level, str(level)),
                f"{figures['tasks']:,}",
                f"{reward} ± {100 * half:.2f}" if half is not None else reward,
                f"{figures['refused']:,}",
                f"{figures['forfeits']:,}",
                f"{figures['prompt_tokens']:,}" if figures["requests"] else EMPTY,
                f"{figures['completion_tokens']:,}" if figures["requests"] else EMPTY,
            )
        )
    columns = ("level", "tasks", "reward", "bad replies", "forfeits", "tokens read", "written")
    note = (
        "reward: levels 1 and 2: chance to win given away, % of a win, 0 is best; level 3: result "
        "without luck, % of a win. With 95 % intervals."
    )
    return Table(f"Impulse text: {player}", columns, tuple(rows), note)
