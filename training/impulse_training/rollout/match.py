"""Agents against each other: many games at once, seats rotated, seeds fixed."""

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
    """A match cannot be played as asked; the message says why."""


@dataclass(frozen=True)
class MatchResult:
    """How a match ended; G games, those of a deal one after the other.

    Attributes:
        names: The agents, in the order given.
        won: 1 for who won a game, shape ``(G, entrants)``; a truncated one nobody has won, and one
            in which an agent failed all other sides have won in equal parts.
        luck: What chance gave each there, shape ``(G, entrants)``; None if that was not asked for.
        sides: Games of each deal.
        turns: Mean number of player turns of a game, the last one included; games in which an agent
            failed are left out, 0 if there are no others.
        decisions: Mean number of decisions likewise.
        faults: What agents did wrong, one for each game in which one did.
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
        """How many games were played."""
        return len(self.won)

    @property
    def truncated(self) -> int:
        """How many of them nobody won."""
        return self.games - round(self.won.sum())

    @property
    def wins(self) -> NDArray[np.float64]:
        """How many each has won, shape ``(entrants,)``."""
        return self.won.sum(axis=0)

    def rate(self, entrant: int = 0) -> float:
        """Return an entrant's share of the games."""
        return float(self.wins[entrant]) / self.games

    def interval(self, entrant: int = 0) -> tuple[float, float]:
        """Return the 95 % interval of that share."""
        return wilson(float(self.wins[entrant]), self.games)

    @cached_property
    def adjusted(self) -> tuple[Adjusted, ...]:
        """Each entrant's share with the luck taken out; empty if that was not asked for."""
        if self.luck is None:
            return ()
        deal = np.arange(self.games) // self.sides
        columns = zip(self.won.T, self.luck.T, strict=True)
        return tuple(Adjusted.of(won, luck, deal) for won, luck in columns)

    def scores(self, entrant: int = 0) -> NDArray[np.float64]:
        """Return an entrant's mean of each deal, without luck if that is known, shape ``(deals,)``.

        Games of a deal are not independent of one another, these means are.
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

    The entrants are sides: players, or teams whose members they all play. Every deal is played as
    often as there are sides, each time with all entrants one side further, so `games` is rounded up
    to a whole number of rounds.

    Args:
        entrants: One for each side; or two, of which the second fills all remaining sides. The
            first entrant's share of the wins is then to be compared with one in `sides`.
        options: The options of all games.
        games: How many.
        seed: The deals and the agents' chance follow from it.
        batch: How many games are played side by side.
        values: What judges the luck, which is taken out of the results, too.
        is_settled: Asked after each batch, rounded down to whole deals; the match ends early where
            it says so.
        is_lenient: An agent that fails loses its game, and the match goes on.

    Raises:
        AgentError: The values do not know such games, an agent does not play them, or one fails.
        MatchError: There are too few or too many entrants, or no games.
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
            given = np.zeros(by_side.shape)  # that an agent fails is no luck
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
    """Add up what the sides of each entrant have, shape ``(games, entrants)``."""
    sums = np.zeros((len(by_side), entrants))
    np.add.at(sums, (np.arange(len(by_side))[:, None], entrant_of_side), by_side)
    return sums


def _fill_sides(entrants: Sequence[Agent], sides: int) -> NDArray[np.int64]:
    """Return which entrant sits on each side."""
    if len(entrants) == sides:
        return np.arange(sides)
    if len(entrants) == 2:
        return np.array([0] + [1] * (sides - 1))
    wanted = f"{sides} agents, or 2" if sides > 2 else "2 agents"
    raise MatchError(f"a game of {sides} sides takes {wanted}; not {len(entrants)}")


def _play_batch(
    entrants: Sequence[Agent],
    agent_by_seat: NDArray[np.int64],
    options: Options,
    seeds: NDArray[np.int64],
    rng: np.random.Generator,
    is_lenient: bool,
) -> RecordingRunner:
    """Play one game for each seed to its end; return the tables.

    `agent_by_seat` is the entrant of each side, shape ``(games, sides)``.
    """
    by_seat = agent_by_seat[:, np.arange(options.players) % options.team_count]
    streams = RngStreams.from_generator(rng, len(seeds) * options.players)
    kind = LenientRunner if is_lenient else RecordingRunner
    tables = kind(entrants, options, seeds, by_seat, streams)
    tables.play_to_end()
    return tables
