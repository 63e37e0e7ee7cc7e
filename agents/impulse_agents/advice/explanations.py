"""Why a decision was costly: causes on the board, each tested by undoing that one thing.

A costly decision is played twice in the same worlds, drawn from what the deciding seat knew: with
the choice that was taken and with the better one. Both positions are compared part by part, once
the choice has had its effect and at the end of the turn. For a cause, one part of the first
position is replaced by that of the second, such as the Impulse or the seat's hand. Agents continue
all of these positions for a round. A cause explains the decision if it
alone restores at least half the loss. It is chosen in some worlds and tested in others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from impulse_agents.advice.regret import LONGEST, chances_later
from impulse_agents.base import Agent
from impulse_agents.luck.values import Judge
from impulse_agents.playing.continuations import seeds_by, step_until, worlds_of
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch, copy_games, take_games
from impulse_env.engine.constants import CORE, NO_SEAT, RUNNING, PointSource
from impulse_env.engine.sector_map import GATES_OF_CELL
from impulse_env.options import Options
from impulse_env.outcomes import SOURCES
from impulse_env.replay.explanation import EFFECT, MOMENTS, TURN, Explanation, Moment

WORLDS: Final = 12
"""Worlds in which causes are chosen."""
TEST_WORLDS: Final = 48
"""Other worlds in which the likeliest causes are tested."""
_TESTED: Final = 3
"""Causes that are tested, of each decision."""
HALF: Final = 0.5
"""Share of the loss that a cause must restore."""
ERRORS: Final = 1.0
"""Standard errors by which it must restore more than that."""
_BATTLE: Final = SOURCES.index(PointSource.BATTLE)
_SPREAD: Final = 1e-9
"""Added to standard errors, which are 0 where nothing is hidden."""

Undo = Callable[[np.ndarray, np.ndarray, NDArray[np.int64]], None]
"""Replaces a part of the first states by that of the second; takes the seats."""
Change = tuple[Moment, str]
"""When a cause is undone, and which."""


@dataclass(frozen=True)
class Costly:
    """A decision with a loss.

    Attributes:
        number: Its number in the game, a part of the seeds.
        state: The full state, shape ``(1,)``.
        seat: The deciding seat.
        taken: The action that was taken, in the seat's own frame.
        better: The better action, in the same frame.
    """

    number: int
    state: np.ndarray
    seat: int
    taken: int
    better: int


@dataclass(frozen=True)
class Tested:
    """The loss of a decision after a round of play, and its cause.

    Attributes:
        loss: The mean loss in the test worlds, as a chance to win.
        error: Its standard error.
        why: What restores at least half of it; None if nothing does for certain.
    """

    loss: float
    error: float
    why: Explanation | None


def explained(
    judge: Judge, options: Options, costly: Sequence[Costly], seed: int = 0
) -> list[Tested]:
    """Return what a round of play says of costly decisions of a game, in the same order.

    Args:
        judge: A calibrated trained agent, which continues for all seats.
        options: The options of the game.
        costly: The decisions.
        seed: Random seed of the worlds.
    """
    if not costly:
        return []
    test = Trial(judge, options, costly, (seed, 1), TEST_WORLDS)
    found = [Tested(float(loss.mean()), _error(loss), None) for loss in test.loss]
    left = [row for row, one in enumerate(found) if one.loss > one.error]
    if not left:
        return found
    first = Trial(judge, options, [costly[row] for row in left], (seed, 0), WORLDS)
    tried = [(moment, cause) for moment in MOMENTS for cause in CAUSES]
    restored = {one: first.restored([one] * len(left)) for one in tried}
    likeliest = {
        row: sorted(tried, key=lambda one: -_clearness(restored[one][place], first.loss[place]))
        for place, row in enumerate(left)
    }
    for rank in range(_TESTED):
        changes = {row: likeliest[row][rank] for row in left if found[row].why is None}
        gained = test.restored([changes.get(row) for row in range(len(costly))])
        for row, change in changes.items():
            if _clearness(gained[row], test.loss[row]) > ERRORS:
                why = test.explanation(row, change, gained[row])
                found[row] = replace(found[row], why=why)
    return found


def _clearness(restored: NDArray[np.float64], loss: NDArray[np.float64]) -> float:
    """Return by how many standard errors more than half the loss is restored."""
    more = restored - HALF * loss
    return float(more.mean() / (_error(more) + _SPREAD))


def _error(values: NDArray[np.float64]) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values)))


class Trial:
    """Costly decisions, played with either choice in the same worlds.

    Args:
        judge: A calibrated trained agent, which continues for all seats.
        options: The options of the game.
        costly: The decisions, at least one.
        seed: Random seed of the worlds: two numbers.
        worlds: Number of worlds of each decision, 2 or more.

    Attributes:
        loss: What the choice that was taken loses in each world, shape ``(decisions, worlds)``.
    """

    def __init__(
        self,
        judge: Judge,
        options: Options,
        costly: Sequence[Costly],
        seed: tuple[int, int],
        worlds: int,
    ) -> None:
        self._judge, self._options, self._worlds = judge, options, worlds
        # Rows are worlds, those of a decision one after the other.
        drawn = np.concatenate(
            [seeds_by(np.random.default_rng((*seed, one.number)), worlds) for one in costly]
        )
        self._numbers = (drawn >> np.uint64(1)).astype(np.int64)
        self._seats = np.repeat([one.seat for one in costly], worlds).astype(np.int64)
        states = np.concatenate([np.repeat(one.state, worlds) for one in costly])
        states = worlds_of(states, self._seats, drawn)
        self._ends = states["turn"].astype(np.int64) + options.players
        self._taken = self._moments(states, np.repeat([one.taken for one in costly], worlds))
        self._better = self._moments(states, np.repeat([one.better for one in costly], worlds))
        rows = np.arange(len(states))
        self._chances = self._played(self._taken[TURN], rows)
        self.loss = self._by_decision(self._played(self._better[TURN], rows) - self._chances)

    def restored(self, changes: Sequence[Change | None]) -> NDArray[np.float64]:
        """Return what undoing a cause of each decision gains, shape ``(decisions, worlds)``.

        It is 0 for decisions without a change.
        """
        gained = np.zeros(len(self._seats))
        for moment, cause in {change for change in changes if change is not None}:
            taken = self._taken[moment]
            has_cause = np.repeat([other == (moment, cause) for other in changes], self._worlds)
            better = self._better[moment]
            rows = np.flatnonzero(_fit(taken, better) & has_cause)
            undone = take_games(taken, rows)
            CAUSES[cause](undone, take_games(better, rows), self._seats[rows])
            # Where nothing was changed, nothing is gained.
            changed = np.flatnonzero(undone != taken[rows])
            rows = rows[changed]
            if len(rows):
                chances = self._played(take_games(undone, changed), rows)
                gained[rows] = chances - self._chances[rows]
            # A win at once is due to the points.
            if cause in _WINNING:
                sides = self._seats % np.maximum(taken["teams"], 1)
                wins = (better["winner"] == sides) & (taken["status"] == RUNNING)
                rows = np.flatnonzero(wins & has_cause)
                gained[rows] = 1 - self._chances[rows]
        return self._by_decision(gained)

    def explanation(self, row: int, change: Change, restored: NDArray[np.float64]) -> Explanation:
        """Return the explanation of a decision by a change, with the share that it restores."""
        moment, name = change
        loss = self.loss[row]
        share = float(restored.mean() / loss.mean())
        error = _error(restored - share * loss) / float(loss.mean())
        of = slice(row * self._worlds, (row + 1) * self._worlds)
        pair = self._taken[moment][of], self._better[moment][of]
        return Explanation(_in_particular(name, *pair, self._seats[of]), moment, share, error)

    def _by_decision(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return values.reshape(-1, self._worlds)

    def _moments(self, states: np.ndarray, actions: NDArray[np.int64]) -> dict[Moment, np.ndarray]:
        """Return the positions after an action at each moment."""
        runner = self._runner(states, np.arange(len(states)))
        runner.batch.step(actions)
        turns, found = states["turn"], {}
        for moment in MOMENTS:

            def has_arrived(batch: GameBatch, moment: Moment = moment) -> NDArray[np.bool_]:
                now = batch.states
                arrived: NDArray[np.bool_] = now["turn"] > turns
                if moment == EFFECT:
                    is_quiet = (now["stack_count"] == 0) & (now["battle_gate"] < 0)
                    arrived = arrived | (is_quiet & (batch.seats == self._seats))
                return arrived

            step_until(runner, has_arrived, LONGEST)
            found[moment] = copy_games(runner.batch.states)
            runner = self._runner(found[moment], np.arange(len(states)))
        return found

    def _played(self, states: np.ndarray, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the chances of positions of some rows, a round later."""
        runner = self._runner(states, rows)
        chances = chances_later(self._judge, runner, self._seats[rows], self._ends[rows])
        return chances.astype(np.float64)

    def _runner(self, states: np.ndarray, rows: NDArray[np.intp]) -> GameRunner:
        by_seat = np.zeros((len(states), self._options.players), np.int64)
        streams = RngStreams.from_seeds(self._numbers[rows].tolist())
        return GameRunner([cast(Agent, self._judge)], self._options, states, by_seat, streams)


def _fit(states: np.ndarray, by: np.ndarray) -> NDArray[np.bool_]:
    """Return where a part of one position fits the other, shape ``(n,)``.

    Both games run, with no effect under way, and at the same place of the same turn.
    """
    fit = np.ones(len(states), np.bool_)
    for name in ("turn", "phase", "cursor"):
        fit &= states[name] == by[name]
    for game in (states, by):
        fit &= (game["status"] == RUNNING) & (game["stack_count"] == 0) & (game["battle_gate"] < 0)
    return fit


def _in_particular(
    cause: str, taken: np.ndarray, better: np.ndarray, seats: NDArray[np.int64]
) -> str:
    """Return a more precise name of a cause, if it fits in most worlds."""
    if cause == "impulse" and (taken["teams"] < taken["players"]).all():
        return "team's impulse"
    if cause == "fleets":
        lost = _core_gates(better, seats) > _core_gates(taken, seats)
        return "core" if lost.mean() > HALF else cause
    if cause == "move":
        battles = [states["points"][:, :, _BATTLE].sum(axis=1) for states in (taken, better)]
        return "battle" if (battles[0] > battles[1]).mean() > HALF else cause
    return cause


def _core_gates(states: np.ndarray, seats: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many gates of the Sector Core the deciding seats hold, shape ``(n,)``."""
    owners = states["gate_owner"][:, GATES_OF_CELL[CORE]]
    held: NDArray[np.int64] = (owners == seats[:, None]).sum(axis=1)
    return held


# --- What is undone: a part of the first position becomes that of the second ------------------


def _own(*fields: str) -> Undo:
    """Return what replaces fields of the deciding seat."""

    def undo(states: np.ndarray, by: np.ndarray, seats: NDArray[np.int64]) -> None:
        rows = np.arange(len(states))
        for field in fields:
            states[field][rows, seats] = by[field][rows, seats]

    return undo


def _shared(*fields: str) -> Undo:
    """Return what replaces fields that belong to nobody."""

    def undo(states: np.ndarray, by: np.ndarray, seats: NDArray[np.int64]) -> None:
        for field in fields:
            states[field] = by[field]

    return undo


def _all_of(*parts: Undo) -> Undo:
    def undo(states: np.ndarray, by: np.ndarray, seats: NDArray[np.int64]) -> None:
        for part in parts:
            part(states, by, seats)

    return undo


def _others_points(states: np.ndarray, by: np.ndarray, seats: NDArray[np.int64]) -> None:
    is_other = _are_enemies(states, np.arange(states["score"].shape[1])[None], seats)
    for field in ("score", "points"):
        states[field][is_other] = by[field][is_other]


def _are_enemies(
    states: np.ndarray, others: NDArray[np.integer], seats: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return which seats, shape ``(1 or n, k)``, are on another team, shape ``(n, k)``."""
    teams = np.maximum(states["teams"].astype(np.int64), 1)[:, None]
    enemies: NDArray[np.bool_] = (others.astype(np.int64) - seats[:, None]) % teams != 0
    return enemies


def _impulse(states: np.ndarray, by: np.ndarray, seats: NDArray[np.int64]) -> None:
    """Replace the Impulse of the deciding seat; each team has one of its own."""
    rows = np.arange(len(states))
    teams = states["teams"].astype(np.int64)
    own = np.where(teams < states["players"], seats % np.maximum(teams, 1), 0)
    for field in ("impulse", "impulse_count"):
        states[field][rows, own] = by[field][rows, own]


def _fleets(are_own: bool) -> Undo:
    """Return what replaces the deciding seat's ships on the map, or those of other teams.

    A Cruiser that would meet another player's on a gate is left out.
    """

    def are_moved(
        states: np.ndarray, owners: NDArray[np.integer], seats: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        return owners == seats[:, None] if are_own else _are_enemies(states, owners, seats)

    def undo(states: np.ndarray, by: np.ndarray, seats: NDArray[np.int64]) -> None:
        every = np.arange(states["score"].shape[1])
        is_moved = are_moved(states, every[None], seats)
        states["transports"][is_moved] = by["transports"][is_moved]
        owners, ships, new = states["gate_owner"], states["gate_ships"], by["gate_owner"]
        leaves = (owners != NO_SEAT) & are_moved(states, owners, seats)
        owners[leaves], ships[leaves] = NO_SEAT, 0
        comes = (new != NO_SEAT) & are_moved(states, new, seats) & (owners == NO_SEAT)
        owners[comes], ships[comes] = new[comes], by["gate_ships"][comes]
        for seat in every:
            cruisers = np.where(owners == seat, ships, 0).sum(axis=1)
            states["ships_on_map"][:, seat] = states["transports"][:, seat].sum(axis=1) + cruisers

    return undo


_HAND = _own("hand", "hand_count", "known", "known_count")
_PLAN = _own("plan", "plan_count", "next_plan_count")
_MINERALS = _own("minerals", "gems")
_TECHS = _own("techs")
_POINTS = _own("score", "points")
_SHIPS = _shared("transports", "gate_owner", "gate_ships", "ships_on_map")
CAUSES: Final[dict[str, Undo]] = {
    "impulse": _impulse,
    "hand": _HAND,
    "plan": _PLAN,
    "minerals": _MINERALS,
    "techs": _TECHS,
    "points": _POINTS,
    "others' points": _others_points,
    "fleets": _fleets(are_own=True),
    "others' fleets": _fleets(are_own=False),
    "map": _shared("cell_card", "cell_face_up"),
    "cards": _all_of(_HAND, _PLAN, _MINERALS, _TECHS),
    "move": _all_of(_SHIPS, _POINTS, _others_points),
}
"""The part of the position that each cause replaces."""
_WINNING: Final = ("points", "move")
"""Causes that include the points of the deciding seat."""
