"""The first choices of a game, as they are made, and with every alternative played on.

How often games were won in which something was chosen mixes what the choice does with the deals in
which it is chosen. So each legal choice is taken in turn in the same deal, with the same chance
afterwards: the mean over all of them is what a choice at random brings, and what one of them brings
above the others of its deal is its own doing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_agents.playing.continuations import (
    AT_ONCE,
    dealt,
    play_on,
    step_until,
    streams_of,
)
from impulse_agents.playing.game_runner import GameRunner, RecordingRunner
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch, take_games
from impulse_env.engine.action_space import CARD_0, PASS, TECH_0
from impulse_env.engine.cards import ACTION_BY_CARD
from impulse_env.engine.constants import Action, Op, Seat, State
from impulse_env.frame import absolute_frame
from impulse_env.options import RACE_NAMES, Options
from impulse_env.outcomes import END_BY_STATUS
from impulse_env.records.record import Header, SeatedAgent
from impulse_env.records.recorded_games import RecordedGame
from impulse_training.statistics.bootstrap import percentile_interval, resampled

FIRST: Final = {"home": Op.PLACE_HOME, "add": Op.ADD_IMPULSE, "tech": Op.USE_TECH}
"""The choices looked at, in the order in which a seat makes them."""


def mirror_games(
    agent: Agent, options: Options, deals: Sequence[int] | NDArray[np.int64], seed: int = 0
) -> list[RecordedGame]:
    """Return games of an agent with itself that seat 0 begins, a deal each.

    Args:
        agent: On all seats.
        options: Of the games.
        deals: Their seeds.
        seed: Of the agent's chance.

    Raises:
        AgentError: The agent does not play such games.
    """
    agent.check_players(options.players)
    options = replace(options, start_player=0)
    found: list[RecordedGame] = []
    numbers = np.asarray(deals, np.int64)
    seated = (SeatedAgent(agent.name),) * options.players
    for start in range(0, len(numbers), AT_ONCE):
        part = numbers[start : start + AT_ONCE]
        by_seat = np.zeros((len(part), options.players), np.int64)
        streams = streams_of(options.players, seed, part)
        tables = RecordingRunner([agent], options, part, by_seat, streams)
        tables.play_to_end()
        for deal, state, actions in zip(
            part.tolist(), tables.batch.states, tables.actions, strict=True
        ):
            header = Header(options, seated, seed=deal)
            found.append(_recorded(header, state, np.array(actions, np.int64)))
    return found


def _recorded(header: Header, state: State, actions: NDArray[np.int64]) -> RecordedGame:
    players, sides = header.options.players, header.options.team_count
    winner = int(state["winner"])
    return RecordedGame(
        f"deal {header.seed}",
        header,
        actions,
        END_BY_STATUS[int(state["status"])],
        tuple(seat for seat in range(players) if winner >= 0 and seat % sides == winner),
        tuple(state["score"][:players].tolist()),
        np.full((len(actions), 3), np.nan),
        (np.nan,) * players,
    )


def positions(
    agent: Agent,
    options: Options,
    deals: Sequence[int] | NDArray[np.int64],
    choice: str,
    seed: int = 0,
) -> tuple[np.ndarray, NDArray[np.int64]]:
    """Return where the seat that begins makes one of its first choices.

    Args:
        agent: Makes all choices until then.
        options: Of the games, in which races are not drafted.
        deals: Seeds of the deals.
        choice: Of `FIRST`.
        seed: Of the agent's chance.

    Returns:
        The full records, in which seat 0 decides between two actions or more, and the deal of each;
        shapes ``(n,)``. Deals in which there is no such choice are left out.

    Raises:
        AgentError: The agent does not play such games.
        ValueError: There is no such choice.
    """
    if choice not in FIRST:
        raise ValueError(f"first choices are {', '.join(FIRST)}; not {choice!r}")
    agent.check_players(options.players)
    numbers = np.asarray(deals, np.int64)
    by_seat = np.zeros((len(numbers), options.players), np.int64)
    begun = dealt(replace(options, start_player=0), numbers)
    streams = streams_of(options.players, seed, numbers)
    tables = GameRunner([agent], options, begun, by_seat, streams)
    is_there = np.zeros(len(numbers), np.bool_)

    def has_arrived(batch: GameBatch) -> NDArray[np.bool_]:
        states = batch.states
        is_at_phase = (states["phase"] == FIRST[choice]) & (states["stack_count"] == 0)
        has_choice = batch.masks.sum(axis=1, dtype=np.int64) > 1
        here = is_at_phase & (batch.seats == 0) & has_choice
        is_there[here] = True
        return np.asarray(here | (states["turn"] > 0), np.bool_)

    step_until(tables, has_arrived)
    return take_games(tables.batch.states, np.flatnonzero(is_there)), numbers[is_there]


def every_choice(
    agent: Agent,
    options: Options,
    states: np.ndarray,
    deals: NDArray[np.int64],
    others: Mapping[str, Agent],
    *,
    seed: int = 0,
) -> pd.DataFrame:
    """Take every legal choice of seat 0, and let an agent continue for all seats.

    Args:
        agent: Plays all seats, but for that one choice.
        options: Of the games.
        states: Full records at a decision of seat 0, shape ``(n,)``.
        deals: The deal of each, shape ``(n,)``.
        others: Agents that are asked what they would choose, by the word for them.
        seed: Of the agents' chance.

    Returns:
        A row for each position and choice: ``deal``, ``label`` (see `label_of`), ``options`` (how
        many choices there are), ``won`` (by seat 0), ``gain`` (``won`` less the mean of the other
        choices of that position), and truth values, ``by_agent`` and ``by_`` and the word for each
        of the others, which say who would choose it.

    Raises:
        AgentError: An agent does not play such games.
    """
    batch = GameBatch.of_states(options, states)
    games = np.arange(len(states))
    table, at, taken = _played_on(agent, options, batch, 0, deals, seed)
    absolute = absolute_frame(options.players)[0, taken]
    table["label"] = [
        label_of(batch.states[row], int(action)) for row, action in zip(at, absolute, strict=True)
    ]
    for word, one in {"agent": agent, **others}.items():
        one.check_players(options.players)
        streams = RngStreams.from_seeds((deals + seed).tolist())
        chosen = one.act_in_batch(batch, games, streams, games)
        table[f"by_{word}"] = taken == chosen[at]
    return table


def _played_on(
    agent: Agent,
    options: Options,
    batch: GameBatch,
    seat: Seat,
    deals: NDArray[np.int64],
    seed: int,
) -> tuple[pd.DataFrame, NDArray[np.intp], NDArray[np.intp]]:
    """Take every legal choice of a seat in each game, and play to the end.

    Returns:
        A row for each game and choice, ``deal``, ``won``, ``options`` and ``gain`` (see
        `every_choice`), and for each row the game and the choice, in the own frame.
    """
    at, taken = np.nonzero(batch.masks)
    forced = GameBatch.of_states(options, take_games(batch.states, at))
    forced.step(taken)
    ended = play_on(options, forced.states, [agent], seed=seed, numbers=deals[at])
    table = pd.DataFrame({"deal": deals[at], "won": ended.won[:, seat]})
    by_deal = table.groupby("deal").won
    table["options"] = by_deal.transform("size")
    others = (by_deal.transform("sum") - table.won) / (table.options - 1)
    return table.assign(gain=table.won - others), at, taken


def label_of(state: State, action: Action) -> str:
    """Return what a first choice is called: the action of a card, or the Tech that is used.

    Args:
        state: The game at the decision of seat 0.
        action: Absolute.
    """
    if action == PASS:
        return "no Tech"
    if action == TECH_0:
        return "common Tech"
    if action == TECH_0 + 1:
        return RACE_NAMES[int(state["race"][0])].capitalize()
    return ACTION_BY_CARD[action - CARD_0].capitalize()


def against_random(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Return what somebody's choice brings above one that is drawn from all legal ones.

    Args:
        table: What `every_choice` returned.
        by: Whose choice, "agent" or a word for another.

    Returns:
        A row for each deal: ``deal`` and ``gain``, in games won.
    """
    return _above_mean(table, table[f"by_{by}"])


def _above_mean(table: pd.DataFrame, is_chosen: pd.Series) -> pd.DataFrame:
    """Return what some choices of each deal win above all of them: ``deal`` and ``gain``."""
    chosen = table[is_chosen].groupby("deal").won.mean()
    return (chosen - table.groupby("deal").won.mean()).rename("gain").reset_index()


def observed_and_effect(
    table: pd.DataFrame, label: str, resamples: int, seed: int = 0
) -> pd.DataFrame:
    """Return the observed difference and the effect of a choice, with intervals.

    Args:
        table: What `every_choice` returned.
        label: The choice.
        resamples: Number of resamples of the deals, the same for both measures.
        seed: Random seed of the resamples.

    Returns:
        Rows ``told`` (win rate where the agent chose it, less the overall win rate), ``done`` (its
        result less that of the other choices of its deal, wherever it is legal) and ``misled`` (the
        first less the second); columns ``mean``, ``low``, ``high``, ``rows``.
    """
    own = table[table.by_agent].set_index("deal")
    deals = own.index
    is_it = (own.label == label).to_numpy(np.float64)
    won = own.won.to_numpy(np.float64)
    gains = table[table.label == label].groupby("deal").gain.agg(["sum", "size"]).reindex(deals)
    gains = gains.fillna(0).to_numpy(np.float64)
    columns = np.column_stack([is_it * won, is_it, won, np.ones(len(won)), gains])
    drawn = _measures(columns.sum(axis=0)[None])
    low, high = percentile_interval(_measures(resampled(columns, resamples, seed)))
    found = pd.DataFrame(
        {"mean": drawn[0], "low": low, "high": high}, index=["told", "done", "misled"]
    )
    rows = [int(is_it.sum()), int(gains[:, 1].sum()), int(is_it.sum())]
    return found.assign(rows=rows)


def _measures(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the three measures of sums over deals, shape ``(k, 3)``."""
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]
        effect = sums[:, 4] / sums[:, 5]
    return np.column_stack([observed, effect, observed - effect])


def every_home_card(
    agent: Agent,
    options: Options,
    deals: Sequence[int] | NDArray[np.int64],
    place: int = 1,
    *,
    seed: int = 0,
) -> pd.DataFrame:
    """Lay every card that a seat may lay on its home, and let an agent continue for all seats.

    At set-up each player, in turn order, takes the card of its home cell into its hand and lays one
    of its six cards there (R1). Here every legal card is laid in turn, with all else as it was and
    the same chance afterwards: so what a card does at home is not mixed up with who would choose
    it.

    Args:
        agent: Plays all seats, but for that one choice.
        options: Of the games, in which races are not drafted. Seat 0 begins.
        deals: Seeds of the deals.
        place: In turn order, of the seat whose card is laid; 1 is the first player. Those before it
            have chosen, those after it will.
        seed: Of the agent's chance.

    Returns:
        A row for each deal and card: ``deal``, ``place``, ``card`` (an index of
        `impulse_env.analysis.cards()`), ``is_chosen`` (whether the agent would lay it), ``options``
        (how many different cards there were), ``won``, and ``gain`` (``won`` less the mean of
        ``won`` with the other cards of that hand).

    Raises:
        AgentError: The agent does not play such games.
        ValueError: There is no such place.
    """
    if not 1 <= place <= options.players:
        raise ValueError(f"places are 1 to {options.players}, not {place}")
    options, numbers = replace(options, start_player=0), np.asarray(deals, np.int64)
    batch, streams = _with_homes(agent, options, numbers, place - 1, seed)
    games = np.arange(len(numbers))
    chosen = agent.act_in_batch(batch, games, streams, games)
    table, at, laid = _played_on(agent, options, batch, place - 1, numbers, seed)
    card = absolute_frame(options.players)[place - 1, laid] - CARD_0
    return table.assign(place=place, card=card, is_chosen=laid == chosen[at])


def set_up(
    agent: Agent, options: Options, deals: Sequence[int] | NDArray[np.int64], *, seed: int = 0
) -> np.ndarray:
    """Return deals after set-up, when the first turn begins, shape ``(n,)``.

    Args:
        agent: Lays the cards on all homes.
        options: Of the games, in which races are not drafted.
        deals: Seeds of the deals.
        seed: Of the agent's chance.
    """
    numbers = np.asarray(deals, np.int64)
    return _with_homes(agent, options, numbers, options.players, seed)[0].states


def _with_homes(
    agent: Agent, options: Options, deals: NDArray[np.int64], homes: int, seed: int
) -> tuple[GameBatch, RngStreams]:
    """Return deals in which so many homes are laid, and the generator of each."""
    batch, games = GameBatch(options, deals), np.arange(len(deals))
    streams = RngStreams.from_seeds(deals + seed)
    for _ in range(homes):
        batch.step(agent.act_in_batch(batch, games, streams, games))
    return batch, streams


def gain_of_rule(table: pd.DataFrame, values: pd.Series, by: str) -> pd.DataFrame:
    """Return what a rule for the home card brings against a card of the hand drawn at random.

    Args:
        table: What `every_home_card` returned, with a column `by`. Measure the rule on other deals
            than those that `values` were found on.
        values: What the rule prefers, by the values of that column; what is missing it likes least.
        by: The column.

    Returns:
        A row for each deal: ``deal`` and ``gain``, in games won. Of cards that the rule likes the
        same the mean counts.
    """
    liked = table[by].map(values).fillna(-np.inf)
    return _above_mean(table, liked == liked.groupby(table.deal).transform("max"))
