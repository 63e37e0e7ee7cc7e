"""Summary of a finished game: the winners, points by source, and the turning point.

Everybody at the table may see it: points are never hidden.
"""

from typing import Any

from impulse_env.outcomes import turn_number
from impulse_env.records.record import Result
from impulse_table.tables.daily_deal import result_line
from impulse_table.tables.table import SavedTable

Standing = tuple[int, int, tuple[int, ...]]
"""Number of a decision, from 0, its turn, from 1, and the points by seat after it."""


def ending(saved: SavedTable) -> dict[str, Any]:
    """Return the summary of a saved game, JSON-able; replays the game, which takes milliseconds.

    Raises:
        ValueError: The game is not over, or its data are not a game.
    """
    game = saved.new_game()
    standings: list[Standing] = [(0, 1, tuple(game.scores))]
    for step, action in enumerate(saved.actions):
        turn = turn_number(game.state)
        game.step(action)
        if tuple(game.scores) != standings[-1][-1]:
            standings.append((step, turn, tuple(game.scores)))
    if not game.is_over and saved.stopped is None:
        raise ValueError("the game is not over")
    result = Result.of(game)
    winners = game.winners or saved.winners_by_resignation
    return {
        "players": [holder.player for holder in saved.seats],
        "winners": winners,
        "end": result.end,
        "agreed": saved.is_agreed,
        "resigned": [seat for seat, holder in enumerate(saved.seats) if holder.has_resigned],
        "turns": turn_number(game.state),
        "scores": list(result.scores),
        "points": list(result.points),
        "turned": turned(standings, winners, int(game.state["teams"])),
        "line": result_line(saved, game),
    }


def turned(standings: list[Standing], winners: list[int], sides: int) -> dict[str, Any] | None:
    """Return the decision that gave the winners a lead for good, with the points before and after.

    Args:
        standings: The points after each change, from the start.
        winners: The winning seats.
        sides: Number of sides; seats that are `sides` apart are on the same side.

    Returns:
        A dict with ``step``, ``turn``, ``before`` and ``scores``; None if nobody won, or the
        winners did not lead at the end.
    """
    if not winners:
        return None
    side, moment = winners[0] % sides, None
    for index in reversed(range(len(standings))):
        best = [max(standings[index][-1][other::sides]) for other in range(sides)]
        if any(points >= best[side] for other, points in enumerate(best) if other != side):
            break
        moment = index
    if moment is None:
        return None
    step, turn, scores = standings[moment]
    before = standings[max(moment - 1, 0)][-1]
    return {"step": step, "turn": turn, "before": list(before), "scores": list(scores)}
