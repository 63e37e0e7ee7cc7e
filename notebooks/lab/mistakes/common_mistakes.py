"""The repeated mistakes of an agent: its decisions in general words, with their cost.

The cost of decisions is that of `regret`, by game and by kind; what else decided a game was luck.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_agents.luck.corrections import luck_to_take_out
from impulse_agents.luck.values import Judge, NetworkValues
from impulse_env.game import Game
from impulse_training.statistics.bootstrap import percentile_interval, resampled
from lab.decision_kinds import habit_of
from lab.mistakes.commentary import rest_of_turn
from lab.mistakes.regret import Noted, absolute, drawn_worlds

_NO_SPREAD: Final = 1e-9
"""The variance of equal results, of which luck explains nothing."""


def commonest(table: pd.DataFrame, count: int) -> pd.DataFrame:
    """Return the habits that cost most in sum, the dearest first.

    Args:
        table: What `habits` returned; a decision that is equal with and without is not a habit.
        count: The most rows to return.

    Returns:
        A row for each: ``kind``, ``did``, ``instead`` (what would mostly be done) and ``price``.
    """
    rows = table[table.did != table.instead]
    grouped = rows.groupby(["kind", "did"])
    found = pd.DataFrame(
        {
            "price": grouped.price.sum(),
            "instead": grouped.instead.agg(lambda words: words.value_counts().index[0]),
        }
    )
    return found.nlargest(count, "price").reset_index()


def habits(noted: Noted, table: pd.DataFrame) -> pd.DataFrame:
    """Return what `priced` returned with columns ``did`` and ``instead``, see `habit_of`."""
    words: dict[str, list[str]] = {"did": [], "instead": []}
    for row in table.itertuples():
        decision = int(row.decision)
        state = noted.states[decision]
        for name, action in (("did", int(row.taken)), ("instead", int(row.better))):
            words[name].append(habit_of(state, absolute(noted, decision, action)))
    return table.assign(**words)


def by_game(table: pd.DataFrame, noted: Noted, value: str, by: str | None = None) -> pd.DataFrame:
    """Return the sum of a column in each game, 0 where a game has nothing of a group.

    Args:
        table: What `priced` returned.
        noted: The games.
        value: The column.
        by: The column whose values make groups; all together if not given.

    Returns:
        A row for each game and group: ``game``, ``deal``, the group (in the column `by`, or "all"
        in ``group``), and the sum under the name of the column.
    """
    name = by or "group"
    rows = table if by else table.assign(group="all")
    wide = rows.pivot_table(index="game", columns=name, values=value, aggfunc="sum", observed=True)
    wide = wide.reindex(np.arange(len(noted.won))).fillna(0.0)
    found = wide.stack().rename(value).reset_index()
    return found.assign(deal=noted.deals[found.game])


def with_luck(noted: Noted, judge: Judge, agents: Sequence[Agent]) -> pd.DataFrame:
    """Return each game's result, and the part of it that was luck.

    Args:
        noted: The games.
        judge: Whose chances tell the luck.
        agents: The agent and the strong one.

    Returns:
        A row for each game: ``game``, ``deal``, ``won`` (1 or 0), ``luck`` and ``play`` (``won``
        less a half and less ``luck``), all of the agent's side.

    Raises:
        AgentError: The judge is not calibrated.
    """
    taken_out = luck_to_take_out(noted.played, NetworkValues(judge), agents, noted.agent_by_seat)
    games = np.arange(len(noted.won))
    luck = taken_out[games, noted.agent_by_seat.argmin(axis=1)]
    won = noted.won.astype(np.float64)
    return pd.DataFrame(
        {"game": games, "deal": noted.deals, "won": won, "luck": luck, "play": won - 0.5 - luck}
    )


def explained_by_luck(table: pd.DataFrame, resamples: int, seed: int = 0) -> pd.Series:
    """Return which part of the spread of results luck explains, with a 95 % interval.

    Args:
        table: What `with_luck` returned, of some deals.
        resamples: How often the deals are drawn again.
        seed: Of the drawing.

    Returns:
        ``mean``, ``low``, ``high``: 1 less the variance of ``play`` divided by that of ``won``. The
        ends are NaN where every drawing gives the same, as of a single deal.
    """
    columns = {"n": 1.0, "won": table.won, "play": table.play}
    columns |= {"won_2": table.won**2, "play_2": table.play**2}
    sums = pd.DataFrame(columns).groupby(table.deal).sum().to_numpy()
    low, high = percentile_interval(_explained(resampled(sums, resamples, seed)))
    return pd.Series({"mean": _explained(sums.sum(axis=0)[None])[0], "low": low, "high": high})


def _explained(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    games, won, play, won_2, play_2 = sums.T
    spread, left = won_2 - won**2 / games, play_2 - play**2 / games
    is_spread = spread > _NO_SPREAD
    found: NDArray[np.float64] = np.where(is_spread, 1 - left / np.where(is_spread, spread, 1), 0)
    return found


def line_of(noted: Noted, decision: int, action: int, strong: Agent, length: int) -> list[str]:
    """Return what may follow a choice in one world, a sentence for each decision.

    Args:
        noted: The decisions.
        decision: Which of them.
        action: The choice, in the own frame.
        strong: Plays both seats from there.
        length: The most decisions; the line ends with the turn.
    """
    world = Game.from_state(drawn_worlds(noted, np.array([decision]), np.array([0]), 0)[0])
    chosen = absolute(noted, decision, action)
    return rest_of_turn(world, chosen, strong, np.random.default_rng(1))[:length]
