"""Plays agents against each other: many simultaneous games, rotated seats, fixed seeds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from impulse_agents.asking.faults import AgentFault
from impulse_agents.base import Agent
from impulse_agents.luck.chance import results
from impulse_agents.luck.corrections import luck_to_take_out
from impulse_agents.luck.game_log import Played
from impulse_agents.luck.values import Values
from impulse_agents.playing.game_runner import LenientRunner, RecordingRunner
from impulse_agents.rng import RngStreams
from impulse_env.batch import turns_played
from impulse_env.errors import ImpulseError
from impulse_env.options import Options
from impulse_training.statistics.intervals import wilson
from impulse_training.statistics.luck_adjusted import Adjusted


class MatchError(ImpulseError, ValueError):
    """A match cannot be played; the message says why."""


@dataclass(frozen=True)
class MatchResult:
    """The result of a match of G games, ordered by deal.

    Attributes:
        names: The agents, in the order of the arguments.
        won: Share of each game that each entrant won, shape ``(G, entrants)``: 1 for the winner, 0
            in truncated games. If an agent failed, all other sides won equal shares.
        luck: The luck of each entrant in each game, shape ``(G, entrants)``; None without a judge.
        sides: Games of each deal.
        turns: Mean number of player turns per game, including the last one, without games in which
            an agent failed; 0 if there are no others.
        decisions: Mean number of decisions per game, without games in which an agent failed.
        faults: The failures of agents, at most one per game.
    """

    names: tuple[str, ...]
    won: NDArray[np.float64]
    luck: NDArray[np.float64] | None
    sides: int
    turns: float
    decisions: float
    faults: tuple[AgentFault, ...] = ()

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.won)

    @property
    def truncated(self) -> int:
        """Number of games without a winner."""
        return self.games - round(self.won.sum())

    @property
    def wins(self) -> NDArray[np.float64]:
        """Games won by each entrant, shape ``(entrants,)``."""
        return self.won.sum(axis=0)

    def rate(self, entrant: int = 0) -> float:
        """Return an entrant's win rate."""
        return float(self.wins[entrant]) / self.games

    def interval(self, entrant: int = 0) -> tuple[float, float]:
        """Return the 95 % interval of an entrant's win rate."""
        return wilson(float(self.wins[entrant]), self.games)

    @cached_property
    def adjusted(self) -> tuple[Adjusted, ...]:
        """Each entrant's luck-adjusted win rate; empty without a judge."""
        if self.luck is None:
            return ()
        deal = np.arange(self.games) // self.sides
        columns = zip(self.won.T, self.luck.T, strict=True)
        return tuple(Adjusted.of(won, luck, deal) for won, luck in columns)

    def scores(self, entrant: int = 0) -> NDArray[np.float64]:
        """Return an entrant's mean per deal, luck-adjusted with a judge, shape ``(deals,)``.

        The games of a deal depend on each other; these means are independent.
        """
        won = self.won[:, entrant]
        if self.luck is not None:
            won = won - self.luck[:, entrant]
        return won.reshape(-1, self.sides).mean(axis=1)


def play(
    entrants: Sequence[Agent],
    options: Options,
    games: int,
    seed: int = 0,
    batch: int = 1000,
    values: Values | None = None,
    is_settled: Callable[[MatchResult], bool] = lambda so_far: False,
    is_lenient: bool = False,
) -> MatchResult:
    """Play a match; the same arguments give the same result.

    The entrants are sides: a player, or a team whose members are all the same agent. Every deal is
    played once per side, and each time all entrants move by one side, so `games` is rounded up to
    whole deals.

    Args:
        entrants: One for each side; or two, where the second plays all remaining sides. Compare the
            first entrant's win rate with par, ``1 / sides``.
        options: The options of all games.
        games: Number of games.
        seed: Random seed for deals and agents.
        batch: Number of simultaneous games, rounded down to whole deals.
        values: The judge of the luck, for luck-adjusted results; None without one.
        is_settled: Called after each batch; the match ends early if it returns True.
        is_lenient: Whether an agent that fails loses its game and the match continues.

    Raises:
        AgentError: The judge or an agent does not support these games, or an agent fails.
        MatchError: The entrants do not fill the sides, or `games` is below 1.
    """
    if games < 1:
        raise MatchError(f"games must be 1 or more, not {games}")
    if values is not None:
        values.check_players(options.players)
    sides = options.team_count
    sitting = _fill_sides(entrants, sides)
    deals = np.random.default_rng(seed).integers(2**63, size=-(-games // sides))
    seeds = np.repeat(deals, sides)
    turned = np.tile(np.arange(sides), len(deals))
    step = max(sides, batch // sides * sides)
    won: list[NDArray[np.float64]] = []
    luck: list[NDArray[np.float64]] = []
    faults: list[AgentFault] = []
    turns = decisions = finished = 0
    for start in range(0, len(seeds), step):
        part = slice(start, start + step)
        # Entrant of each side, shape (games, sides): turned by one from game to game.
        agent_by_seat = sitting[(np.arange(sides) + turned[part, None]) % sides]
        rng = np.random.default_rng([seed, start])
        tables = _play_batch(entrants, agent_by_seat, options, seeds[part], rng, is_lenient)
        faults += tables.faults.values()
        ended = np.flatnonzero([table not in tables.faults for table in range(len(tables.actions))])
        by_side = results(tables.batch.states, sides)
        for table, fault in tables.faults.items():
            is_lost = np.arange(sides) == (fault.seat or 0) % sides
            by_side[table] = ~is_lost / (sides - 1)
        won.append(_by_entrant(by_side, agent_by_seat, len(entrants)))
        turns += int(turns_played(tables.batch.states[ended]).sum())
        decisions += sum(len(tables.actions[table]) for table in ended)
        finished += len(ended)
        if values is not None:
            given = np.zeros(by_side.shape)  # a failure is not luck
            if len(ended):
                actions = [tables.actions[table] for table in ended]
                replayed = Played.of_deals(options, seeds[part][ended], actions)
                seating = tables.agent_by_seat[ended]
                given[ended] = luck_to_take_out(replayed, values, entrants, seating)
            luck.append(_by_entrant(given, agent_by_seat, len(entrants)))
        all_won = np.concatenate(won)
        so_far = MatchResult(
            tuple(agent.name for agent in entrants),
            all_won,
            np.concatenate(luck) if luck else None,
            sides,
            turns / max(finished, 1),
            decisions / max(finished, 1),
            tuple(faults),
        )
        if is_settled(so_far):
            break
    return so_far


def _by_entrant(
    by_side: NDArray[np.float64], entrant_of_side: NDArray[np.int64], entrants: int
) -> NDArray[np.float64]:
    """Return the sums over the sides of each entrant, shape ``(games, entrants)``."""
    sums = np.zeros((len(by_side), entrants))
    np.add.at(sums, (np.arange(len(by_side))[:, None], entrant_of_side), by_side)
    return sums


def _fill_sides(entrants: Sequence[Agent], sides: int) -> NDArray[np.int64]:
    """Return the index of the entrant on each side, shape ``(sides,)``."""
    if len(entrants) == sides:
        return np.arange(sides)
    if len(entrants) == 2:
        return np.array([0] + [1] * (sides - 1))
    allowed = f"{sides} agents, or 2" if sides > 2 else "2 agents"
    raise MatchError(f"a game of {sides} sides takes {allowed}; not {len(entrants)}")


def _play_batch(
    entrants: Sequence[Agent],
    agent_by_seat: NDArray[np.int64],
    options: Options,
    seeds: NDArray[np.int64],
    rng: np.random.Generator,
    is_lenient: bool,
) -> RecordingRunner:
    """Play one game per seed to its end; return the tables.

    `agent_by_seat` is the entrant of each side, shape ``(games, sides)``.
    """
    by_seat = agent_by_seat[:, np.arange(options.players) % options.team_count]
    streams = RngStreams.from_generator(rng, len(seeds) * options.players)
    kind = LenientRunner if is_lenient else RecordingRunner
    tables = kind(entrants, options, seeds, by_seat, streams)
    tables.play_to_end()
    return tables
