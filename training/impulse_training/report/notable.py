"""The most interesting games of a tournament, chosen from their results alone."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from impulse_training.statistics.game_results import GameResult
from impulse_training.statistics.summary import Statistics

MOST: Final = 12


class NotableGame(NamedTuple):
    """A game, and the reason to look at it."""

    result: GameResult
    why: str


def notable(results: Sequence[GameResult], statistics: Statistics) -> list[NotableGame]:
    """Return at most `MOST` games worth a look, each once; deterministic for the same games.

    These are the greatest upset, the closest, the most one-sided, the longest and the shortest
    game. For each agent, the best first, they add a game that it lost to its weakest winner.

    Args:
        results: All games, in any order.
        statistics: The statistics of these games.
    """
    ratings = {row.name: row.rating.rating for row in statistics.agents}
    won = sorted((r for r in results if r.ended == "score"), key=lambda r: r.game)
    chosen: dict[int, NotableGame] = {}
    for game in _candidates(won, ratings):
        chosen.setdefault(game.result.game, game)
    return list(chosen.values())[:MOST]


def _candidates(won: Sequence[GameResult], ratings: Mapping[str, float]) -> Iterator[NotableGame]:
    if not won:
        return
    upset = max(won, key=lambda r: _upset(r, ratings))
    if _upset(upset, ratings) > 0:
        yield NotableGame(upset, f"the greatest upset: {_names(upset)} won")
    closest = min(won, key=_margin)
    yield NotableGame(closest, f"the closest: by {_points(_margin(closest))}")
    clearest = max(won, key=_margin)
    yield NotableGame(clearest, f"the most one-sided: by {_points(_margin(clearest))}")
    longest, shortest = (choose(won, key=lambda r: r.turns) for choose in (max, min))
    yield NotableGame(longest, f"the longest: {longest.turns} turns")
    yield NotableGame(shortest, f"the shortest: {shortest.turns} turns")
    for name in ratings:
        lost = [r for r in won if name in r.agents and name not in _winners(r)]
        if lost:
            worst = min(lost, key=lambda r: max(ratings[winner] for winner in _winners(r)))
            yield NotableGame(worst, f"{name} lost to {_names(worst)}")


def _winners(result: GameResult) -> list[str]:
    return [result.agents[seat] for seat in result.winners]


def _names(result: GameResult) -> str:
    return " and ".join(dict.fromkeys(_winners(result)))


def _upset(result: GameResult, ratings: Mapping[str, float]) -> float:
    """Return the best loser's rating minus the best winner's rating, in Elo points."""
    lost = [ratings[name] for seat, name in enumerate(result.agents) if seat not in result.winners]
    return max(lost) - max(ratings[name] for name in _winners(result))


def _margin(result: GameResult) -> int:
    """Return the lead of the best winner over all others, in game points."""
    others = [points for seat, points in enumerate(result.scores) if seat not in result.winners]
    return max(result.scores[seat] for seat in result.winners) - max(others)


def _points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"
