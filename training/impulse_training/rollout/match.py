"""Agents against each other: many games at once, seats rotated, seeds fixed.

`impulse match policy:runs/demo greedy --games 2000` prints how often each wins, with 95 %
intervals; `--adjust rules` takes the luck out of them.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impulse_agents import registry
from impulse_agents.base import Agent
from impulse_agents.luck.chance import results
from impulse_agents.luck.corrections import luck_to_take_out
from impulse_agents.luck.played import Played
from impulse_agents.luck.values import Values, values_of
from impulse_agents.rng import RngStreams
from impulse_env.batch import turns_played
from impulse_env.errors import ImpulseError
from impulse_env.options import Options, check_least
from impulse_training.rollout.adjusted import Adjusted
from impulse_training.rollout.intervals import wilson
from impulse_training.rollout.runner import RecordingRunner


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
        adjusted: Each entrant's share with the luck taken out; empty if that was not asked for.
    """

    names: tuple[str, ...]
    wins: NDArray[np.int64]
    games: int
    truncated: int
    turns: float
    decisions: float
    adjusted: tuple[Adjusted, ...] = ()

    def rate(self, entrant: int = 0) -> float:
        """Return an entrant's share of the games."""
        return float(self.wins[entrant]) / self.games

    def interval(self, entrant: int = 0) -> tuple[float, float]:
        """Return the 95 % interval of that share."""
        return wilson(int(self.wins[entrant]), self.games)


def play(
    entrants: Sequence[Agent],
    options: Options,
    games: int,
    seed: int = 0,
    batch: int = 1000,
    values: Values | None = None,
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

    Raises:
        AgentError: The values do not know such games.
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
    wins = np.zeros(len(entrants), np.int64)
    shares: list[NDArray[np.float64]] = []
    lucky: list[NDArray[np.float64]] = []
    turns = decisions = truncated = 0
    for start in range(0, len(seeds), batch):
        part = slice(start, start + batch)
        # Entrant of each side, shape (games, sides): turned by one from game to game.
        agent_by_seat = sitting[(np.arange(sides) + turned[part, None]) % sides]
        rng = np.random.default_rng([seed, start])
        tables, taken = _play_batch(entrants, agent_by_seat, options, seeds[part], rng)
        played = tables.batch.states
        winners = played["winner"]
        won = np.flatnonzero(winners >= 0)
        wins += np.bincount(agent_by_seat[won, winners[won]], minlength=len(entrants))
        truncated += len(winners) - len(won)
        turns += int(turns_played(played).sum())
        decisions += taken
        if values is not None:
            replayed = Played.of_deals(options, seeds[part], tables.actions)
            seated = entrants, tables.agent_by_seat
            given = luck_to_take_out(replayed, values, *seated)
            lucky.append(_by_entrant(given, agent_by_seat, len(entrants)))
            shares.append(_by_entrant(results(played, sides), agent_by_seat, len(entrants)))
    adjusted: tuple[Adjusted, ...] = ()
    if values is not None:
        deal = np.repeat(np.arange(len(deals)), sides)
        columns = np.concatenate(shares).T, np.concatenate(lucky).T
        adjusted = tuple(Adjusted.of(won, luck, deal) for won, luck in zip(*columns, strict=True))
    return MatchResult(
        tuple(agent.name for agent in entrants),
        wins,
        len(seeds),
        truncated,
        turns / len(seeds),
        decisions / len(seeds),
        adjusted,
    )


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
) -> tuple[RecordingRunner, int]:
    """Play one game for each seed to its end; return the tables and the decisions taken.

    `agent_by_seat` is the entrant of each side, shape ``(games, sides)``.
    """
    by_seat = agent_by_seat[:, np.arange(options.players) % options.team_count]
    streams = RngStreams.from_generator(rng, len(seeds) * options.players)
    tables = RecordingRunner(entrants, options, seeds, by_seat, streams)
    return tables, tables.play_to_end()


def _sentence(name: str, found: Adjusted, judge: str) -> str:
    """Return a line on a share with the luck taken out."""
    interval = "" if found.interval is None else "  [{:.1%}, {:.1%}]".format(*found.interval)
    worth = "" if found.factor is None else f"  as good as {found.factor:.2f} times as many games"
    return f"{name:<32} {found.share:7.1%}{interval} without the luck that {judge} sees{worth}"


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
    adjust: str | None = None
    """Also take the luck out of the results, which need fewer games then, as judged by this: rules,
    or a trained agent such as policy:2p."""


def main(args: Args) -> dict[str, Any]:
    """Play a match and print it."""
    check_least(args, 0, "seed")
    options = Options(players=args.players, team_size=args.team_size)
    entrants = [registry.make(name) for name in args.agents]
    values = None if args.adjust is None else values_of(args.adjust)
    result = play(entrants, options, args.games, args.seed, values=values)
    print(
        f"{result.games} games, {result.truncated} truncated; each {result.turns:.1f} turns and "
        f"{result.decisions:.0f} decisions"
    )
    shares: list[dict[str, Any]] = []
    for entrant, name in enumerate(result.names):
        low, high = result.interval(entrant)
        print(f"{name:<32} {result.rate(entrant):7.1%}  [{low:.1%}, {high:.1%}]")
        shares.append({"agent": name, "share": result.rate(entrant), "low": low, "high": high})
    for name, found, share in zip(result.names, result.adjusted, shares, strict=False):
        print(_sentence(name, found, str(args.adjust)))
        share["adjusted"] = asdict(found)
    return {
        "games": result.games,
        "truncated": result.truncated,
        "turns": result.turns,
        "decisions": result.decisions,
        "agents": shares,
    }
