"""The schedule: the deal and the seating of every game, as a pure function of the settings.

A *line-up* is a multiset of agents, one on each side. With at least as many agents as sides, the
line-ups are all sets of different agents. With fewer agents, they are all ways to fill the sides
with each agent at least once. For example, 2 agents at 4 players meet as 1 against 3, 2 against 2
and 3 against 1. With `versus`, the first agent is on one side and the second on all others. With
`first_only`, only the line-ups with the first agent are played.

Every line-up plays every deal once per side, and each time the agents move by one side. So every
agent plays every side equally often, with the same opponents and cards, and the luck of the deal
cancels. The order around the table changes from deal to deal: a line-up's *circles* (cyclic orders)
alternate. Circles with a smaller period than the table are left out, so that no game occurs twice.

Games are numbered deal by deal, so a longer tournament with the same seed begins with the same
games. Agents that are added at the end add line-ups at the end. The old line-ups then play the same
deals with the same random seeds, under other numbers. All seeds depend only on the tournament's
seed, the line-up, and the index of the game within the line-up.
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
"""Bits of a deal's seed, which every JSON reader preserves."""


@dataclass(frozen=True)
class ScheduledGame:
    """A scheduled game.

    Attributes:
        number: The game's index in the schedule, from 0.
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
        settings: The settings, with `games` rounded up to whole deals.
        lineups: The line-ups, each as a list of its circles.
        games_per_deal: Games of each deal.
        deals: Number of deals.
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
        """Return a game by number; raises `IndexError` if there is no such game."""
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
        """Return the indices of a game's deal and line-up, and the rotation in sides."""
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
        """Return the number of the game with a deal and a seating, or None.

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
    """Return the line-ups as ascending agents; line-ups with a later agent come later."""
    if settings.versus:
        return [(0,) + (1,) * (sides - 1)]
    if entrants >= sides:
        sets = sorted(combinations(range(entrants), sides), key=lambda lineup: lineup[::-1])
        return [lineup for lineup in sets if 0 in lineup or not settings.first_only]
    # Stars and bars: the sides where the next agent begins.
    cuts = combinations(range(1, sides), entrants - 1)
    return [tuple(sum(side >= cut for cut in cut_set) for side in range(sides)) for cut_set in cuts]


@cache
def circles(lineup: Sides) -> list[Sides]:
    """Return the cyclic orders of a line-up around the table.

    Orders with a smaller period than the table are left out; line-ups of at least two different
    agents have at least one other order.
    """
    orders = []
    for order in sorted({lineup[:1] + rest for rest in permutations(lineup[1:])}):
        turned = [order[by:] + order[:by] for by in range(1, len(order))]
        if all(order < other for other in turned):
            orders.append(order)
    return orders
