"""Which agents sit where on which deal: a pure function of the settings.

A *line-up* is a set of agents that meet, one on each side:

- With as many agents as sides or more: every set of different agents.
- With fewer: every way to fill the sides in which each agent is there at least once, so 2 agents at
  4 players meet as 1 against 3, 2 against 2 and 3 against 1.
- With `versus`: one side for the first agent, all others for the second.
- With `first_only`: of all these, those in which the first agent is.

Every deal is played by every line-up as often as there are sides, each time with the agents one
side further. So every agent sits on every side equally often, with the same opponents and with the
same cards, and the luck of the deal cancels. Who sits behind whom changes from deal to deal:
a line-up's *circles* (the orders around the table, turned ones counted once) take turns. Circles
that look the same before they are turned all the way round are left out, so that no game is played
twice.

Games are numbered deal by deal, so a longer tournament with the same seed begins with the same
games. Agents behind those that are there add line-ups behind those that are there, so the same
agents meet on the same deals with the same chances, under other numbers: all that is drawn follows
from the seed, the line-up, and which of the line-up's games it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, permutations

import numpy as np

from impulse_training.tournament.settings import Settings

Sides = tuple[int, ...]
"""The agent on each side, as an index into the settings' agents."""

_JSON_BITS = 53
"""Bits of a deal's seed: what every reader of JSON keeps."""


@dataclass(frozen=True)
class ScheduledGame:
    """A game to be played.

    Attributes:
        number: Its place in the schedule, from 0.
        deal: The seed of the deal.
        seating: The agent on each seat, as an index into the settings' agents.
        chances: The seed of each seat's generator.
    """

    number: int
    deal: int
    seating: tuple[int, ...]
    chances: tuple[int, ...]


class Schedule:
    """All games of a tournament by number.

    Attributes:
        settings: As given, but with the games rounded up to whole deals.
        lineups: The line-ups, each as its circles.
        games_per_deal: What the games are rounded up to a multiple of.
        deals: How many deals are played.
    """

    def __init__(self, settings: Settings) -> None:
        self.sides = settings.options.team_count
        self.lineups = [
            circles(lineup) for lineup in _lineups(len(settings.agents), self.sides, settings)
        ]
        self.games_per_deal = len(self.lineups) * self.sides
        self.deals = -(-settings.games // self.games_per_deal)
        self.settings = replace(settings, games=self.deals * self.games_per_deal)

    def __len__(self) -> int:
        return self.settings.games

    def __getitem__(self, number: int) -> ScheduledGame:
        """Return a game; raises `IndexError` past the last."""
        if not 0 <= number < len(self):
            raise IndexError(f"there is no game {number}; the last is {len(self) - 1}")
        deal, lineup, turned = self._place(number)
        players, seed = self.settings.players, self.settings.seed
        # A spawn key: SeedSequence([a, b]) and ([a, b, 0]) are the same.
        of_lineup = [seed, deal * self.sides + turned, lineup]
        chances = np.random.SeedSequence(of_lineup, spawn_key=(1,))
        return ScheduledGame(
            number,
            self.seed_of_deal(deal),
            self._seating(number),
            tuple(chances.generate_state(players, np.uint64).tolist()),
        )

    def _place(self, number: int) -> tuple[int, int, int]:
        """Return the deal of a game, its line-up, and how far that is turned."""
        deal, rest = divmod(number, self.games_per_deal)
        return (deal, *divmod(rest, self.sides))

    def _seating(self, number: int) -> tuple[int, ...]:
        """Return the agent on each seat of a game."""
        deal, lineup, turned = self._place(number)
        circle = self.lineups[lineup][deal % len(self.lineups[lineup])]
        seats = range(self.settings.players)
        return tuple(circle[(seat + turned) % self.sides] for seat in seats)

    def seed_of_deal(self, deal: int) -> int:
        """Return the seed of a deal, counted from 0."""
        words = np.random.SeedSequence([self.settings.seed, deal]).generate_state(1, np.uint64)
        return int(words[0]) >> (64 - _JSON_BITS)

    def number_of(self, deal: int, agents: Sequence[str]) -> int | None:
        """Return the number of the game of a deal in which these agents sit; None without one.

        Args:
            deal: The seed of the deal.
            agents: The name of the agent on each seat.
        """
        place = self._deal_by_seed.get(deal)
        known = self.settings.agents
        if place is None or not set(agents) <= set(known):
            return None
        seating = tuple(known.index(name) for name in agents)
        lineup = self._lineup_by_agents.get(tuple(sorted(seating[: self.sides])))
        if lineup is None:
            return None
        start = place * self.games_per_deal + lineup * self.sides
        numbers = range(start, start + self.sides)
        return next((n for n in numbers if self._seating(n) == seating), None)

    @cached_property
    def _deal_by_seed(self) -> dict[int, int]:
        return {self.seed_of_deal(deal): deal for deal in range(self.deals)}

    @cached_property
    def _lineup_by_agents(self) -> dict[Sides, int]:
        return {tuple(sorted(orders[0])): place for place, orders in enumerate(self.lineups)}

    def names(self, game: ScheduledGame) -> list[str]:
        """Return the name of the agent on each seat."""
        return [self.settings.agents[agent] for agent in game.seating]


def _lineups(entrants: int, sides: int, settings: Settings) -> list[Sides]:
    """Return the agents that meet, ascending, for each line-up; those with a later agent later."""
    if settings.versus:
        return [(0,) + (1,) * (sides - 1)]
    if entrants >= sides:
        sets = sorted(combinations(range(entrants), sides), key=lambda lineup: lineup[::-1])
        return [lineup for lineup in sets if 0 in lineup or not settings.first_only]
    # Stars and bars: where the sides in a row go over to the next agent.
    cuts = combinations(range(1, sides), entrants - 1)
    return [tuple(sum(side >= cut for cut in cut_set) for side in range(sides)) for cut_set in cuts]


@cache
def circles(lineup: Sides) -> list[Sides]:
    """Return the different orders of a line-up around the table; turned ones count as one.

    Orders that repeat themselves when turned by less than the whole way round are left out; two
    different agents have at least one that does not.
    """
    found = []
    for order in sorted({lineup[:1] + rest for rest in permutations(lineup[1:])}):
        turned = [order[by:] + order[:by] for by in range(1, len(order))]
        if all(order < other for other in turned):
            found.append(order)
    return found
