"""The cost of an agent's decisions, compared with the choices of a strong agent.

The price of a decision is how much more often its seat would win with the other choice, both
players being the strong agent from there on. It is found in worlds drawn from what the seat knew,
the same ones for both choices. First the strong agent continues a few of them to the seat's next
turn and estimates its chance to win there, which is fast enough for all decisions of many games.
Expensive decisions are then played to the end in many new worlds. The largest of many guesses is
too large on average, so only new worlds give an unbiased cost.

If the strong agent's chances are right, the prices of a game sum to the difference of the two
agents' win rates: an agent that plays like it loses nothing. So the sum can be checked. What the
strong agent itself does is held against its own second thought instead. That one is picked in some
worlds and priced in others, so that the picking does not raise the mean price. These prices do not
add up: a chance that is missed at two decisions of a turn counts twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_agents.advice.regret import chances_after
from impulse_agents.base import Agent
from impulse_agents.luck.game_log import Played
from impulse_agents.playing.continuations import play_on, streams_of, worlds_of
from impulse_agents.playing.game_runner import RecordingRunner
from impulse_agents.selection import softmax
from impulse_env.batch import GameBatch, take_games
from impulse_env.frame import absolute_frame
from impulse_env.observation import observe_all
from impulse_env.options import Options
from impulse_env.text.describe import kind_of, topic_of

_AT_ONCE: Final = 4000
"""Worlds played on side by side."""
_LEAST_SHARE: Final = 0.02
"""Probability that the strong agent gives a second thought at least."""


@dataclass(frozen=True)
class Noted:
    """Games of an agent against a strong one, and the agent's decisions in them, n in all.

    Attributes:
        options: Of the games.
        played: The games.
        agent_by_seat: 0 for the agent and 1 for the strong one, shape ``(games, players)``.
        won: Whether the agent won each game, shape ``(games,)``.
        games: The game of each decision, shape ``(n,)``; all have two legal actions or more.
        states: The full records there, shape ``(n,)``.
        masks: The legal actions in the own frame, shape ``(n, N_ACTIONS)``, int8.
        seats: Who decides, shape ``(n,)``, int64.
        taken: What was chosen, in the own frame, shape ``(n,)``.
    """

    options: Options
    played: Played
    agent_by_seat: NDArray[np.int64]
    won: NDArray[np.bool_]
    games: NDArray[np.int64]
    states: np.ndarray
    masks: NDArray[np.int8]
    seats: NDArray[np.int64]
    taken: NDArray[np.int64]

    @property
    def deals(self) -> NDArray[np.int64]:
        """The deal of each game, shape ``(games,)``."""
        return np.array(self.played.deals, np.int64)


class _Noting(RecordingRunner):
    """Games that record the decisions of the first entrant."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.recorded: list[tuple[Any, ...]] = []

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Keep decisions and write all actions down."""
        super().before_step(tables, actions)
        batch = self.batch
        is_own = self.agent_by_seat[tables, batch.seats[tables]] == 0
        is_recorded = is_own & (batch.masks[tables].sum(axis=1, dtype=np.int64) > 1)
        rows = tables[is_recorded]
        states = take_games(batch.states, rows)
        rest = batch.masks[rows], batch.seats[rows].astype(np.int64), actions[is_recorded]
        self.recorded.append((rows, states, *rest))


def noted_games(
    agent: Agent,
    strong: Agent,
    options: Options,
    deals: Sequence[int] | NDArray[np.int64],
    seed: int = 0,
) -> Noted:
    """Play an agent against a strong one, every deal from both sides, and note its decisions.

    Args:
        agent: The agent whose decisions are recorded.
        strong: The agent on the other seat.
        options: Options of games for two players.
        deals: Seeds of the deals.
        seed: Of the agents' chance.

    Raises:
        AgentError: An agent does not play such games.
        ValueError: The games are of more than two.
    """
    if options.players != 2:
        raise ValueError(f"games are of 2 players here, not {options.players}")
    for one in (agent, strong):
        one.check_players(options.players)
    twice = np.repeat(np.asarray(deals, np.int64), 2)
    by_seat = np.tile(np.array([[0, 1], [1, 0]]), (len(twice) // 2, 1))
    streams = streams_of(options.players, seed, twice)
    tables = _Noting([agent, strong], options, twice, by_seat, streams)
    tables.play_to_end()
    games, states, masks, seats, taken = (
        np.concatenate(column) for column in zip(*tables.recorded, strict=True)
    )
    won = by_seat[np.arange(len(twice)), tables.batch.states["winner"]] == 0
    won &= tables.batch.states["winner"] >= 0
    played = Played.of_deals(options, twice, tables.actions)
    return Noted(options, played, by_seat, won, games, states, masks, seats, taken)


def candidates(noted: Noted, strong: Any, thoughts: int = 1) -> pd.DataFrame:
    """Return what is tried: what was done, and what else the strong agent would do.

    Args:
        noted: The decisions.
        strong: A trained agent.
        thoughts: How many of its likeliest choices are tried; all but the first only if it gives
            them a probability worth the name.

    Returns:
        A row for each ``decision`` and ``action`` (own frame), with ``is_taken`` and ``is_strong``
        (the strong agent's choice); only decisions of which two choices are tried, or more.
    """
    found = []
    for start in range(0, len(noted.games), _AT_ONCE):
        rows = np.arange(start, min(start + _AT_ONCE, len(noted.games)))
        seen = observe_all(take_games(noted.states, rows), noted.seats[rows].astype(np.int8))
        shares = softmax(strong.evaluate(seen)[0], noted.masks[rows])
        order = np.argsort(-shares, axis=1, kind="stable")[:, :thoughts]
        for rank, actions in enumerate(order.T):
            is_recorded = (shares[np.arange(len(rows)), actions] >= _LEAST_SHARE) | (rank == 0)
            is_recorded &= noted.masks[rows, actions] != 0
            found.append(
                (rows[is_recorded], actions[is_recorded], np.full(is_recorded.sum(), rank == 0))
            )
    every = np.arange(len(noted.games))
    found.append((every, noted.taken, np.zeros(len(every), np.bool_)))
    decision, action, is_strong = (np.concatenate(part) for part in zip(*found, strict=True))
    table = pd.DataFrame({"decision": decision, "action": action, "is_strong": is_strong})
    table = table.groupby(["decision", "action"], as_index=False).is_strong.max()
    table["is_taken"] = table.action == noted.taken[table.decision]
    count = table.groupby("decision").action.transform("size")
    return table[count > 1].reset_index(drop=True)


def chances(
    noted: Noted, tried: pd.DataFrame, judge: Any, worlds: int, seed: int = 0
) -> NDArray[np.float64]:
    """Return the chance to win after each choice in each world, shape ``(len(tried), worlds)``.

    The judge plays both seats until the seat decides in a later turn, outside a battle.

    Args:
        noted: The decisions.
        tried: Rows of ``decision`` and ``action``.
        judge: A calibrated trained agent.
        worlds: How many are drawn for each decision, the same ones for all its choices.
        seed: Of the worlds.
    """
    found = np.zeros((len(tried), worlds))
    flat = found.reshape(-1)
    decision = np.repeat(tried.decision.to_numpy(np.int64), worlds)
    action = np.repeat(tried.action.to_numpy(np.int64), worlds)
    world = np.tile(np.arange(worlds), len(tried))
    for start in range(0, len(decision), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        states = drawn_worlds(noted, decision[part], world[part], seed)
        tried_there = states, noted.seats[decision[part]], action[part]
        flat[part] = chances_after(judge, noted.options, *tried_there, later_turns=1)
    return found


def drawn_worlds(
    noted: Noted, decision: NDArray[np.int64], world: NDArray[np.int64], seed: int
) -> np.ndarray:
    """Return full records drawn from what the seat of each decision knows, shape ``(m,)``.

    Args:
        noted: The decisions.
        decision: Which of them, shape ``(m,)``.
        world: The number of the world, shape ``(m,)``: the same decision and number are the same.
        seed: Of all.
    """
    words = [
        np.random.SeedSequence([seed, one, number]).generate_state(1, np.uint64)[0]
        for one, number in zip(decision.tolist(), world.tolist(), strict=True)
    ]
    seeds = np.maximum(np.array(words, np.uint64), np.uint64(1))
    return worlds_of(take_games(noted.states, decision), noted.seats[decision], seeds)


def priced(
    noted: Noted, tried: pd.DataFrame, found: NDArray[np.float64], picking: int = 0
) -> pd.DataFrame:
    """Return the prices of decisions.

    Args:
        noted: The decisions.
        tried: What was tried, from `candidates`.
        found: From `chances`.
        picking: In how many of the worlds the better choice is picked; the others price it. 0: it
            is the strong agent's, and all worlds price it.

    Returns:
        A row for each decision that was tried: ``decision``, ``game``, ``deal``, ``kind``,
        ``group`` (see `topic_of`), ``taken`` and ``better`` (own frame, alike where
        nothing looked better), ``price`` (how much more likely to win the better one is) and
        ``guess`` (the same in the worlds that picked it; of no use where none did).
    """
    fair = found[:, picking:].mean(axis=1)
    guess = found[:, :picking].mean(axis=1) if picking else tried.is_strong.to_numpy(np.float64)
    table = tried.assign(guess=guess, fair=fair)
    best = table.loc[table.groupby("decision").guess.idxmax()].set_index("decision")
    taken = table[table.is_taken].set_index("decision")
    decision = taken.index.to_numpy()
    kinds = [kind_of(state) for state in take_games(noted.states, decision)]
    games = noted.games[decision]
    return pd.DataFrame(
        {
            "decision": decision,
            "game": games,
            "deal": noted.deals[games],
            "kind": kinds,
            "group": [topic_of(kind) for kind in kinds],
            "taken": taken.action.to_numpy(),
            "better": best.action.to_numpy(),
            "price": (best.fair - taken.fair).to_numpy(),
            "guess": (best.guess - taken.guess).to_numpy(),
        }
    )


def played_to_the_end(
    noted: Noted, rows: pd.DataFrame, strong: Agent, worlds: int, seed: int
) -> pd.DataFrame:
    """Play both choices of some decisions to the end in fresh worlds, everybody being strong.

    Args:
        noted: The decisions.
        rows: Of `priced`.
        strong: Plays both seats.
        worlds: How many for each decision; both choices meet the same ones and the same chance.
        seed: Of the worlds and of the agents' chance; another than that of `chances`.

    Returns:
        A row for each decision and world: ``decision``, ``world``, ``taken`` and ``better``
        (whether the seat won with it) and ``price`` (the second less the first).
    """
    decision = np.repeat(rows.decision.to_numpy(np.int64), worlds)
    world = np.tile(np.arange(worlds), len(rows))
    found = {"decision": decision, "world": world}
    seats = noted.seats[decision]
    for name in ("taken", "better"):
        states = drawn_worlds(noted, decision, world, seed)
        batch = GameBatch.of_states(noted.options, states)
        batch.step(np.repeat(rows[name].to_numpy(np.int64), worlds))
        ended = play_on(noted.options, batch.states, [strong], seed=seed, numbers=world)
        found[name] = ended.won[np.arange(len(seats)), seats].astype(np.float64)
    table = pd.DataFrame(found)
    return table.assign(price=table.better - table.taken)


def absolute(noted: Noted, decision: int, action: int) -> int:
    """Return what an action in the own frame of a decision's seat is in the absolute one."""
    return int(absolute_frame(noted.options.players)[noted.seats[decision], action])
