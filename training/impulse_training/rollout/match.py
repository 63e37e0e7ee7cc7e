"""Agents against each other: many games at once, seats rotated, seeds fixed.

`impulse match policy:runs/demo greedy --games 2000` prints how often each wins, with 95 %
intervals.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impulse_agents import registry
from impulse_agents.base import Agent
from impulse_agents.rng import RngStreams
from impulse_env.batch import turns_played
from impulse_env.errors import ImpulseError
from impulse_env.options import Options, check_least
from impulse_training.rollout.intervals import wilson
from impulse_training.rollout.runner import GameRunner


class MatchError(ImpulseError, ValueError):
    """A match cannot be played as asked; the message says why."""


@dataclass(frozen=True)
class MatchResult:
    """How a match ended.

    Attributes:
        names: The agents, in the order given.
        wins: Games that each has won, shape ``(entrants,)``.
        games: Games played.
        truncated: Games that nobody won.
        turns: Mean number of player turns of a game, the last one included.
        decisions: Mean number of decisions of a game.
    """

    names: tuple[str, ...]
    wins: NDArray[np.int64]
    games: int
    truncated: int
    turns: float
    decisions: float

    def rate(self, entrant: int = 0) -> float:
        """Return an entrant's share of the games."""
        return float(self.wins[entrant]) / self.games

    def interval(self, entrant: int = 0) -> tuple[float, float]:
        """Return the 95 % interval of that share."""
        return wilson(int(self.wins[entrant]), self.games)


def play(
    entrants: Sequence[Agent], options: Options, games: int, seed: int = 0, batch: int = 1000
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

    Raises:
        MatchError: There are too few or too many entrants, or no games.
    """
    if games < 1:
        raise MatchError(f"games must be 1 or more, not {games}")
    sides = options.team_count
    sitting = _fill_sides(entrants, sides)
    deals = np.random.default_rng(seed).integers(2**63, size=-(-games // sides))
    seeds = np.repeat(deals, sides)
    turned = np.tile(np.arange(sides), len(deals))
    wins = np.zeros(len(entrants), np.int64)
    turns = decisions = truncated = 0
    for start in range(0, len(seeds), batch):
        part = slice(start, start + batch)
        # Entrant of each side, shape (games, sides): turned by one from game to game.
        agent_by_seat = sitting[(np.arange(sides) + turned[part, None]) % sides]
        rng = np.random.default_rng([seed, start])
        played, taken = _play_batch(entrants, agent_by_seat, options, seeds[part], rng)
        winners = played["winner"]
        won = np.flatnonzero(winners >= 0)
        wins += np.bincount(agent_by_seat[won, winners[won]], minlength=len(entrants))
        truncated += len(winners) - len(won)
        turns += int(turns_played(played).sum())
        decisions += taken
    return MatchResult(
        tuple(agent.name for agent in entrants),
        wins,
        len(seeds),
        truncated,
        turns / len(seeds),
        decisions / len(seeds),
    )


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
) -> tuple[np.ndarray, int]:
    """Play one game for each seed to its end; return the records and the decisions taken.

    `agent_by_seat` is the entrant of each side, shape ``(games, sides)``.
    """
    by_seat = agent_by_seat[:, np.arange(options.players) % options.team_count]
    streams = RngStreams.from_generator(rng, len(seeds) * options.players)
    tables = GameRunner(entrants, options, seeds, by_seat, streams)
    decisions = 0
    while taken := len(tables.step()):
        decisions += taken
    return tables.batch.states, decisions


@dataclass(frozen=True)
class Args:
    """Play agents against each other: every deal once from every seat."""

    agents: tuple[str, ...]
    """One for each side; or two, of which the second plays all other sides."""
    players: int = 2
    """Players of a game, 2 to 6."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    games: int = 1000
    """How many; rounded up to whole deals."""
    seed: int = 0
    """Of the deals and the agents."""


def main(args: Args) -> dict[str, Any]:
    """Play a match and print it."""
    check_least(args, 0, "seed")
    options = Options(players=args.players, team_size=args.team_size)
    entrants = [registry.make(name) for name in args.agents]
    result = play(entrants, options, args.games, args.seed)
    print(
        f"{result.games} games, {result.truncated} truncated; each {result.turns:.1f} turns and "
        f"{result.decisions:.0f} decisions"
    )
    shares = []
    for entrant, name in enumerate(result.names):
        low, high = result.interval(entrant)
        print(f"{name:<32} {result.rate(entrant):7.1%}  [{low:.1%}, {high:.1%}]")
        shares.append({"agent": name, "share": result.rate(entrant), "low": low, "high": high})
    return {
        "games": result.games,
        "truncated": result.truncated,
        "turns": result.turns,
        "decisions": result.decisions,
        "agents": shares,
    }
