"""The lines of a decision: each legal call from its first action to its last.

A call such as ``move_fleet(from=8, ships=2, to=9)`` takes several decisions of the engine. A line
has all of them, so that the whole call can be judged.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.advice.regret import chances_after
from impulse_agents.base import Agent
from impulse_agents.luck.values import Judge
from impulse_agents.playing.continuations import worlds_of
from impulse_env.engine.constants import Op
from impulse_env.frame import own_frame
from impulse_env.game import Game
from impulse_env.records.record import options_of
from impulse_env.text.describe import pending

CONTINUING: Final = frozenset(
    {
        Op.CHOOSE_SHIPS,
        Op.CHOOSE_MOVE,
        Op.CHOOSE_COPY,
        Op.RESEARCH_SLOT,
        Op.BUILD_SHIP,
        Op.SABOTAGE_OWNER,
    }
)
"""Decisions that answer a further argument of a call that has begun."""
_STARTS_BUILDING: Final = Op.BUILD_LOCATION

Line = tuple[int, ...]
"""Actions in the absolute frame, in order."""


def lines_of(game: Game, most: int) -> list[Line] | None:
    """Return the lines of a game's decision; None if there are more than `most`."""
    lines: list[Line] = []
    open_lines: list[tuple[Line, Game]] = [((), game)]
    while open_lines:
        line, at = open_lines.pop()
        for action in at.legal_actions():
            after = at.copy()
            after.step(action)
            longer = (*line, action)
            if is_continued(at, after):
                open_lines.append((longer, after))
            else:
                lines.append(longer)
            if len(lines) + len(open_lines) > most:
                return None
    return sorted(lines)


def is_continued(before: Game, after: Game) -> bool:
    """Whether the decision after an action belongs to the call that the action began."""
    if after.seat != before.seat:
        return False
    op, earlier = pending(after.state)[0], pending(before.state)[0]
    if op == Op.BUILD_SHIP:
        return earlier == _STARTS_BUILDING
    return op in CONTINUING


def judged(
    judge: Judge, game: Game, lines: Sequence[Line], worlds: int, seed: int, later_turns: int = 0
) -> NDArray[np.float64]:
    """Return the chance of the deciding side to win after each line in drawn worlds.

    All lines are judged in the same worlds, drawn from what the deciding seat knows.

    Args:
        judge: A calibrated trained agent, which continues for all seats.
        game: A running game.
        lines: Lines of its decision.
        worlds: Number of worlds.
        seed: Seed of the worlds.
        later_turns: See `chances_after`.

    Returns:
        Shape ``(lines, worlds)``.
    """
    assert game.seat is not None
    seat, options = game.seat, options_of(game)
    states = np.repeat(game.state.reshape(1), worlds)
    seats = np.full(worlds, seat)
    drawn = worlds_of(states, seats, np.random.default_rng(seed))
    before = np.concatenate([_before_last(drawn, line) for line in lines])
    last = np.repeat([line[-1] for line in lines], worlds)
    chances = chances_after(
        judge,
        options,
        before,
        np.full(len(before), seat),
        own_frame(game.players)[seat][last],
        later_turns=later_turns,
    )
    return chances.reshape(len(lines), worlds).astype(np.float64)


def _before_last(worlds: np.ndarray, line: Line) -> np.ndarray:
    """Return copies of the worlds at the last decision of a line."""
    if len(line) == 1:
        return worlds
    states = worlds.copy()
    for row, world in enumerate(worlds):
        at = Game.from_state(world)
        for action in line[:-1]:
            at.step(action)
        states[row] = at.state
    return states


def line_by(agent: Agent, game: Game, rng: np.random.Generator) -> Line:
    """Return the line that an agent chooses at a game's decision; the game is not changed."""
    at: Game = game
    line: Line = ()
    while True:
        action = agent.act_in_game(at, rng)
        after = at.copy()
        after.step(action)
        line = (*line, action)
        if not is_continued(at, after):
            return line
        at = after
