"""Checks of the ratings and intervals of a tournament of two players.

Do ratings predict held-out games, how much does the deal decide, and how many games does an
interval of a given width need?
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from impulse_training.statistics.elo import fit, rate
from impulse_training.statistics.game_results import GameResult
from impulse_training.statistics.intervals import wilson


def forecasts(results: Sequence[GameResult]) -> pd.DataFrame:
    """Fit ratings to every second deal, and compare their forecasts with the other deals.

    Args:
        results: Games of two players, of two deals at least.

    Returns:
        A row for each pair of agents, the better rated first: ``agent``, ``opponent``,
        ``expected`` (its forecast share of the games), ``won`` (its share of the held-out games),
        ``low`` and ``high`` (Wilson's 95 % interval of ``won``) and ``games`` (their number).

    Raises:
        ValueError: There is only one deal.
    """
    decided = [result for result in results if len(result.winners) == 1]
    deals = list(dict.fromkeys(result.deal for result in decided))
    if len(deals) < 2:
        raise ValueError(f"forecasts need at least two deals, not {len(deals)}")
    known = set(deals[::2])
    ratings = fit([result for result in decided if result.deal in known])
    rows = []
    for agent, opponent in combinations(ratings, 2):
        met = [r for r in decided if r.deal not in known and {*r.agents} == {agent, opponent}]
        wins = sum(r.agents[r.winners[0]] == agent for r in met)
        expected = 1 / (1 + 10 ** ((ratings[opponent] - ratings[agent]) / 400))
        low, high = wilson(wins, len(met))
        won = wins / len(met) if met else np.nan
        rows.append((agent, opponent, expected, won, low, high, len(met)))
    columns = ["agent", "opponent", "expected", "won", "low", "high", "games"]
    return pd.DataFrame(rows, columns=columns)


def deals_from_both_seats(results: Sequence[GameResult]) -> pd.DataFrame:
    """Return the results of the two games of each pair of agents on each deal.

    Args:
        results: Games of two players in which every deal was played from either seat.

    Returns:
        A row for each pair and deal with a winner in both games: ``deal`` (index, from 0), ``pair``
        ("a v b", in alphabetical order) and ``same_seat`` (whether one seat won both games).
        ``by_chance`` is the probability of that if only the agents mattered: ``2 p (1 - p)``, where
        p is the share of the pair's games won by one of them, without small-sample bias.
        ``excess`` is ``same_seat`` minus ``by_chance``.
    """
    number: dict[int, int] = {}
    games: dict[tuple[str, int], list[GameResult]] = {}
    for result in results:
        deal = number.setdefault(result.deal, len(number))
        if len(result.winners) == 1:
            games.setdefault((" v ".join(sorted(result.agents)), deal), []).append(result)
    rows = [
        (deal, pair, first.winners == second.winners, _wins_of_first(pair, (first, second)))
        for (pair, deal), (first, second) in _of_two(games)
    ]
    table = pd.DataFrame(rows, columns=["deal", "pair", "same_seat", "wins"])
    wins = table.groupby("pair").wins
    share, played = wins.transform("mean") / 2, 2 * wins.transform("size")
    table["by_chance"] = 2 * share * (1 - share) * played / (played - 1)
    table["excess"] = table.same_seat - table.by_chance
    return table.drop(columns="wins")


def _of_two(
    games: dict[tuple[str, int], list[GameResult]],
) -> Iterable[tuple[tuple[str, int], list[GameResult]]]:
    return ((key, found) for key, found in games.items() if len(found) == 2)


def _wins_of_first(pair: str, games: Iterable[GameResult]) -> int:
    name = pair.partition(" v ")[0]
    return sum(game.agents[game.winners[0]] == name for game in games)


def widths(
    results: Sequence[GameResult], counts: Iterable[int], resamples: int = 300
) -> pd.DataFrame:
    """Return the widths of the ratings' intervals after different numbers of games.

    Args:
        results: Games, in the order of their numbers.
        counts: Numbers of games, from the first; whole deals.
        resamples: Number of resampled tournaments for an interval.

    Returns:
        The widths in Elo points, a row for each count and a column for each agent; NaN where an
        interval has no end.
    """
    widths_by_count = {}
    for count in counts:
        table = rate(results[:count], resamples=resamples)
        widths_by_count[count] = {rating.name: rating.high - rating.low for rating in table}
    widths = pd.DataFrame.from_dict(widths_by_count, orient="index").rename_axis("games")
    return widths.replace(np.inf, np.nan)
