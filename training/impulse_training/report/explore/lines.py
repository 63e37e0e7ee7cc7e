"""Replays many games at once and collects the choices of each seat from the deal."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.luck.values import Values
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.constants import Op
from impulse_env.options import RACE_NAMES
from impulse_env.records.recorded_games import RecordedGame
from impulse_env.records.side_by_side import SideBySide, beginnings
from impulse_training.report.explore.chances import Chances, JudgedChances, NotedChances
from impulse_training.report.explore.choices import STEPS, choice_of
from impulse_training.report.explore.explore_options import Cards
from impulse_training.report.explore.line_filter import LineFilter
from impulse_training.report.explore.tree import ROOT, Line, Tree

_AT_ONCE: Final = 500
"""Games replayed at the same time."""
_IN_SETUP: Final = (Op.DRAFT_RACE, Op.PLACE_HOME)
NO_RACE: Final = "none"
"""The race of a seat whose game stopped before it chose one."""
_NO_NOTES: Final = np.empty((0, 3))


class Openings:
    """The openings of some games.

    Args:
        line_filter: The filter of lines.
        depth: The most choices of a line.
        cards: Whether cards are named by face or by action.
        values: The judge of chances to win; None takes the chances in the records.

    Attributes:
        tree: The tree of choices.
        games: The games without agents' notes; after `finish` only those with a line.
        lines: The lines that pass the filter, in the order of games and seats.
        count: Number of games that begin with a deal.
        left_out: Number of games that begin in the middle.
    """

    def __init__(
        self,
        line_filter: LineFilter,
        depth: int,
        cards: Cards = "face",
        values: Values | None = None,
    ) -> None:
        self.tree = Tree()
        self.games: list[RecordedGame] = []
        self.lines: list[Line] = []
        self.count = self.left_out = 0
        self._filter, self._depth, self._cards, self._values = line_filter, depth, cards, values

    def read(self, plays: Iterable[RecordedGame]) -> Iterator[int]:
        """Read games; yield the number read so far, repeatedly.

        Raises:
            RecordError: A game does not replay or end as recorded.
            AgentError: The judge does not support games of that many players.
        """
        rest = iter(plays)
        count = 0
        while some := list(islice(rest, _AT_ONCE)):
            dealt = [play for play in some if play.header.start is None]
            self.left_out += len(some) - len(dealt)
            self._take(dealt)
            count += len(some)
            yield count

    def finish(self, least: int) -> None:
        """Prune choices made fewer than `least` times; raises `ExploreError` without lines."""
        self.count = len(self.games)
        if not self.lines:
            raise self._filter.none_found(self.count)
        self.tree = self.tree.pruned(self.lines, least)
        rows = {game: row for row, game in enumerate(sorted({one.game for one in self.lines}))}
        self.games = [self.games[game] for game in rows]
        for line in self.lines:
            line.game = rows[line.game]

    @property
    def has_chances(self) -> bool:
        """Whether any line has a chance to win."""
        return any(chance == chance for line in self.lines for chance in line.before)

    def _take(self, plays: list[RecordedGame]) -> None:
        first = len(self.games)
        lines = [
            Line(first + row, seat)
            for row, play in enumerate(plays)
            for seat in self._filter.seats_of(play)
        ]
        again = SideBySide(plays, beginnings(plays), np.zeros(len(plays), np.bool_))
        chances: Chances = (
            NotedChances(first) if self._values is None else JudgedChances(first, self._values)
        )
        for line in lines:
            line.won, line.par = _result(plays[line.game - first], line.seat)
        self._follow(again, {(line.game - first, line.seat): line for line in lines}, chances)
        for line in lines:
            race = int(again.states["race"][line.game - first, line.seat])
            line.race = (*RACE_NAMES, NO_RACE)[race]
        self.lines += [line for line in lines if self._filter.has(line.race, line.home)]
        self.games += [_slim(play) for play in plays]

    def _follow(
        self, again: SideBySide, lines: dict[tuple[int, int], Line], chances: Chances
    ) -> None:
        """Replay the games and follow the lines, by game and seat, down the tree."""
        for games in again:
            deciding = [
                (game, line)
                for game in games[_has_opening_choice(again, games)].tolist()
                if (line := lines.get((game, int(again.seats[game])))) is not None
                and len(line.nodes) < self._depth
            ]
            chances.see(again, games, [line for _, line in deciding])
            for game, line in deciding:
                state, action = again.states[game], int(again.actions[game])
                choice = choice_of(state, action, line.seat, self._cards)
                parent = line.nodes[-1] if line.nodes else ROOT
                line.nodes.append(self.tree.child(parent, choice))
                line.steps.append(int(again.taken[game]) + 1)
                if choice.step == STEPS[Op.PLACE_HOME]:
                    line.home = int(NUMBER_BY_CARD[action - CARD_0])
        chances.end(again)


def _has_opening_choice(again: SideBySide, games: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return where a seat has a choice in its own turn or in setup, with the shape of `games`."""
    states = again.states
    is_own = again.seats[games] == states["active"][games]
    is_setup = np.isin(states["phase"][games], _IN_SETUP)
    has_choice: NDArray[np.bool_] = again.masks[games].sum(axis=1, dtype=np.int64) > 1
    return has_choice & (is_own | is_setup)


def _result(play: RecordedGame, seat: int) -> tuple[float, float]:
    """Return the share of the game that a seat's side won, and its par."""
    sides = play.header.options.team_count
    winning = {winner % sides for winner in play.winners}
    return (1 / len(winning) if seat % sides in winning else 0.0), 1 / sides


def _slim(play: RecordedGame) -> RecordedGame:
    """Return a game that takes less memory: a tenth for a game of a hundred decisions."""
    return replace(play, actions=play.actions.astype(np.int16), notes=_NO_NOTES)
