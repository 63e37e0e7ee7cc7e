"""Makes tasks from games of the released agents, with some moves at random."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from impulse_agents import registry
from impulse_agents.base import Agent
from impulse_agents.checkpoints import checkpoint_for, trained_for
from impulse_agents.luck.values import Judge
from impulse_agents.tasks.lines import Line, judged, lines_of
from impulse_agents.tasks.task import RACE_POINTS, Length, Task, packed
from impulse_env.actions import name_of
from impulse_env.game import Game
from impulse_env.options import Options

TABLES: Final[tuple[tuple[int, int | None, float], ...]] = (
    (2, None, 0.4),
    (3, None, 0.12),
    (4, None, 0.12),
    (4, 2, 0.12),
    (5, None, 0.12),
    (6, None, 0.12),
)
"""Players, players per team, and share of the tasks."""
COUNTS: Final[dict[Length, int]] = {"decision": 600, "turn": 250, "race": 110, "game": 40}
"""Tasks of each length."""
LEVELS: Final[dict[Length, int]] = {"decision": 1, "turn": 2, "race": 3, "game": 3}
OPPONENTS: Final = "greedy"
WORLDS: Final = 32
"""Worlds in which each line of a decision is judged."""
_SCREENING: Final = 8
_AT_RANDOM: Final = 0.15
"""Share of the moves of the games that are chosen at random."""
_LEAST_AT_STAKE: Final = 0.04
"""Least difference between the best and the worst line of a decision, as a chance to win."""
_MOST_LINES: Final = 24
_LATEST_TURN: Final = 30


@dataclass(frozen=True)
class _Maker:
    """Makes the tasks of one kind of table."""

    players: int
    team_size: int | None
    agent: Agent
    seed: int

    @property
    def table(self) -> str:
        return checkpoint_for(self.players, self.team_size)

    def make(self, length: Length, number: int) -> Task:
        """Return the task of a length with a number, from 1; it depends on no other task."""
        name, attempt = name_of_task(self.table, length, number), 0
        while True:
            attempt += 1
            rng = np.random.default_rng((self.seed, self.players, number, len(length), attempt))
            task = self._task(length, name, rng)
            if task is not None:
                return task

    def _task(self, length: Length, name: str, rng: np.random.Generator) -> Task | None:
        options = Options(self.players, self.team_size)
        game = Game.from_state(options.new_states([int(rng.integers(1 << 40))])[0])
        if length == "game":
            return self._of(game, length, name, rng)
        until = int(rng.integers(self.players, _LATEST_TURN))
        while game.seat is not None and game.turn < until:
            self._move(game, rng)
        if length == "decision":
            for _ in range(int(rng.integers(12))):
                if game.seat is not None:
                    self._move(game, rng)
        while game.seat is not None and not self._fits(game, length):
            self._move(game, rng)
        if game.seat is None:
            return None
        if length == "race":
            state = game.state.copy()
            state["score"] = 0
            state["points"] = 0
            state["target_score"] = RACE_POINTS
            game = Game.from_state(state)
        return self._of(game, length, name, rng)

    def _move(self, game: Game, rng: np.random.Generator) -> None:
        if rng.random() < _AT_RANDOM:
            game.step(int(rng.choice(game.legal_actions())))
        else:
            game.step(self.agent.act_in_game(game, rng))

    @staticmethod
    def _fits(game: Game, length: Length) -> bool:
        if length != "decision":
            return game.decision.kind == "add_impulse"
        return game.decision.kind not in ("choose_ships", "choose_move", "build_ship", "place_home")

    def _of(self, game: Game, length: Length, name: str, rng: np.random.Generator) -> Task | None:
        """Return the task at a position; None if too little is at stake in its decision."""
        assert game.seat is not None
        seed = int(rng.integers(1 << 40))
        text, digest = packed(game)
        judge = f"policy:{self.table}" if length in ("decision", "turn") else ""
        chances: dict[str, float] = {}
        errors: tuple[float, ...] = ()
        if length == "decision":
            found = self._chances(game, seed)
            if found is None:
                return None
            chances, errors = found
        return Task(
            name,
            LEVELS[length],
            length,
            game.seat,
            seed,
            OPPONENTS,
            text,
            digest,
            judge,
            chances,
            errors,
        )

    def _chances(self, game: Game, seed: int) -> tuple[dict[str, float], tuple[float, ...]] | None:
        lines = lines_of(game, _MOST_LINES)
        judge = cast(Judge, self.agent)
        if lines is None or np.ptp(judged(judge, game, lines, _SCREENING, seed).mean(1)) < (
            _LEAST_AT_STAKE
        ):
            return None
        chances = judged(judge, game, lines, WORLDS, seed, later_turns=1)
        means = chances.mean(axis=1)
        if np.ptp(means) < _LEAST_AT_STAKE:
            return None
        errors = chances.std(axis=1, ddof=1) / np.sqrt(WORLDS)
        names = [_names(line) for line in lines]
        rounded = [round(float(mean), 4) for mean in means]
        return (
            dict(zip(names, rounded, strict=True)),
            tuple(round(float(error), 4) for error in errors),
        )


def _names(line: Line) -> str:
    return "; ".join(name_of(action) for action in line)


def name_of_task(table: str, length: Length, number: int) -> str:
    """Return e.g. ``4p-teams-turn-7``."""
    return f"{table}-{length}-{number}"


def planned(scale: float) -> list[tuple[int, int | None, Length, int]]:
    """Return players, players per team, length and number of every task."""
    return [
        (players, team_size, length, number)
        for length, count in COUNTS.items()
        for players, team_size, share in TABLES
        for number in range(1, max(round(count * share * scale), 1) + 1)
    ]


def make_tasks(
    scale: float = 1.0, seed: int = 0, made: Collection[str] = frozenset()
) -> Iterator[Task]:
    """Yield the tasks of the benchmark that are missing.

    Args:
        scale: Factor on the numbers of tasks.
        seed: Random seed of the games.
        made: Names of tasks to leave out.

    Raises:
        AgentError: A released agent is missing or not calibrated.
    """
    makers: dict[str, _Maker] = {}
    for players, team_size, length, number in planned(scale):
        table = checkpoint_for(players, team_size)
        if name_of_task(table, length, number) in made:
            continue
        if table not in makers:
            agent = registry.make(f"policy:{trained_for(players, team_size)}")
            makers[table] = _Maker(players, team_size, agent, seed)
        yield makers[table].make(length, number)


def mixed(tasks: Iterable[Task], seed: int) -> list[Task]:
    """Return tasks in an order in which every part has tasks of all kinds."""
    ordered = sorted(tasks, key=lambda task: task.id)
    return [ordered[index] for index in np.random.default_rng(seed).permutation(len(ordered))]
