"""Many games at once in compiled code: the one door to the engine.

There is a single compiled entry point, because each compiles the whole engine once more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from impulse_env.arguments import checked_integer, checked_integers, shown
from impulse_env.compiled.compilation import call, jit, jit_internal, plain
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import RUNNING, TRUNCATED
from impulse_env.engine.decisions import advance, deciding_seat
from impulse_env.engine.rng import state_of_seed, xorshift
from impulse_env.engine.state import STATE
from impulse_env.errors import ArgumentError, IllegalActionError
from impulse_env.frame import IDENTITY, absolute_frame, own_frame
from impulse_env.observation import encode
from impulse_env.observation import size as observation_size
from impulse_env.options import Options
from impulse_env.outcomes import END_BY_STATUS, SOURCES

NOBODY: Final = -1
"""Instead of a seat: the game is over, or has not been looked at yet."""
_GO_ON: Final = -1
_ALL_LEGAL: Final = -1


@jit
def _run(
    states: np.ndarray,
    actions: NDArray[np.int64],
    to_absolute: NDArray[np.int64],
    to_own: NDArray[np.int64],
    masks: NDArray[np.int8],
    seats: NDArray[np.int8],
    observations: NDArray[np.uint8],
    randomness: NDArray[np.uint64],
    own: NDArray[np.int8],
    decisions: NDArray[np.int64],
) -> int:
    """Step every game once or, with `randomness`, play on at random; see `step_games`.

    With no rows in `observations` none are made; with none in `randomness` every game is stepped
    once, otherwise on to the next decision of its seat in `own`, or with no rows there to its end.
    `decisions`, if there are rows, counts the random ones. Returns the first game whose action is
    illegal, before anything changed, or _ALL_LEGAL.
    """
    for game in range(len(states)):
        action = actions[game]
        if seats[game] != NOBODY and (action < 0 or action >= SIZE or masks[game, action] == 0):
            return game
    options = np.empty(SIZE, np.int16)
    for game in range(len(states)):
        state = states[game]
        action = np.int64(_GO_ON)
        if seats[game] != NOBODY:
            action = to_absolute[seats[game], actions[game]]
        while True:
            count = advance(state, action, options)
            if len(randomness) == 0 or count == 0:
                break
            if len(own) > 0:
                seat = deciding_seat(state)
                if seat == own[game]:
                    break
                _sort(options, count, to_own[seat])
            if len(decisions) > 0:
                decisions[game] += 1
            x = xorshift(randomness[game])
            randomness[game] = x
            action = np.int64(options[(np.int64(x >> np.uint64(33)) * count) >> 31])
        masks[game] = 0
        seats[game] = NOBODY
        if state["status"] == RUNNING:
            seat = deciding_seat(state)
            seats[game] = seat
            for option in range(count):
                masks[game, to_own[seat, options[option]]] = 1
            if len(observations) > 0:
                encode(state, seat, observations[game])
    return _ALL_LEGAL


@jit_internal
def _sort(options: NDArray[np.int16], count: int, ranks: NDArray[np.int64]) -> None:
    """Put the first `count` options into the order of their ranks; there are few of them."""
    for i in range(1, count):
        option = options[i]
        place = i
        while place > 0 and ranks[options[place - 1]] > ranks[option]:
            options[place] = options[place - 1]
            place -= 1
        options[place] = option


_NO_OBSERVATIONS: Final = np.empty((0, 0), np.uint8)
_STEP_ONCE: Final = np.empty(0, np.uint64)
_NOBODY_STOPS: Final = np.empty(0, np.int8)
_UNCOUNTED: Final = np.empty(0, np.int64)
_COMPILED_FOR: Final = np.dtype(np.int64)


def step_games(
    states: np.ndarray,
    actions: NDArray[np.integer[Any]],
    masks: NDArray[np.int8],
    seats: NDArray[np.int8],
    observations: NDArray[np.uint8] = _NO_OBSERVATIONS,
    frames: tuple[NDArray[np.int64], NDArray[np.int64]] = (IDENTITY, IDENTITY),
    randomness: NDArray[np.uint64] = _STEP_ONCE,
    own: NDArray[np.int8] = _NOBODY_STOPS,
) -> None:
    """Take one decision in every game and go on to the next.

    Args:
        states: Games, shape ``(n,)``, dtype `STATE`; changed in place.
        actions: Legal actions, integers, shape ``(n,)``; not looked at where `seats` says
            `NOBODY`: such a game only goes on to its next decision, being dealt if it has not been.
        masks: Shape ``(n, N_ACTIONS)``, int8: the legal actions now, filled with those of the next
            decision, all 0 where the game is over.
        seats: Shape ``(n,)``, int8: who decides now, filled with who decides next.
        observations: Shape ``(n, observation.size(players))``, filled with what the seat that
            decides sees, unchanged where the game is over; no rows: none are made.
        frames: From the frame of `actions` and `masks` to the absolute one and back, see
            `frame.py`; absolute if not given.
        randomness: Generator states, shape ``(n,)``, never 0; changed. Given, the next decision is
            that of the seat in `own`: all others decide at random, as `random_actions` does.
        own: A seat for each game, shape ``(n,)``, int8.

    Raises:
        IllegalActionError: One of the actions is not legal, or they are no integers, or not one
            for each game; nothing was changed.
    """
    is_usual = type(actions) is np.ndarray and actions.dtype is _COMPILED_FOR
    if not (is_usual and actions.flags.carray and actions.shape == seats.shape):
        # Any other type or layout would be compiled for.
        integers = checked_integers("actions", actions, seats.shape, IllegalActionError)
        actions = np.require(integers, requirements=("C", "A", "W"))
    game = call(
        _run,
        states,
        actions,
        *frames,
        masks,
        seats,
        observations,
        randomness,
        own,
        _UNCOUNTED,
    )
    if game != _ALL_LEGAL:
        raise IllegalActionError(
            f"illegal action {int(actions[game])} in game {game}, turn {states[game]['turn']}, "
            f"seat {seats[game]}; legal are {np.flatnonzero(masks[game]).tolist()}"
        )


def random_actions(masks: NDArray[np.int8], randomness: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return a legal action for each row, all alike.

    Args:
        masks: 1 for legal, at least one in each row, shape ``(k, N_ACTIONS)``, contiguous.
        randomness: Generator states, shape ``(k,)``, never 0; changed.
    """
    legal = np.flatnonzero(masks.view(np.bool_))
    ends = np.searchsorted(legal, SIZE * np.arange(1, len(masks) + 1))
    starts = np.concatenate(([0], ends[:-1]))
    drawn = (plain(xorshift)(randomness) >> np.uint64(33)).astype(np.int64)
    return legal[starts + (drawn * (ends - starts) >> 31)] % SIZE


def play_at_random(states: np.ndarray, randomness: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Play every game to its end with uniform legal actions.

    Args:
        states: Games at a decision or undealt, shape ``(n,)``; changed in place.
        randomness: Generator state of each game's players, shape ``(n,)``, never 0; changed.

    Returns:
        Decisions taken in each game, shape ``(n,)``.
    """
    count = len(states)
    masks = np.empty((count, SIZE), np.int8)
    seats = np.full(count, NOBODY, np.int8)
    decisions = np.zeros(count, np.int64)
    no_actions = np.zeros(count, np.int64)
    call(
        _run,
        states,
        no_actions,
        *(IDENTITY, IDENTITY),
        masks,
        seats,
        _NO_OBSERVATIONS,
        randomness,
        _NOBODY_STOPS,
        decisions,
    )
    return decisions


def turns_played(states: np.ndarray) -> NDArray[np.int64]:
    """Return how many player turns games have taken, the one that a victory cut short included.

    The record's own ``turn`` counts those that were completed. So this is one more, but for a
    truncated game, whose last turn was; a running game counts the turn under way, and its setup as
    the first.

    Args:
        states: Games, shape ``(n,)``, dtype `STATE`.

    Returns:
        Shape ``(n,)``, int64.
    """
    return states["turn"].astype(np.int64) + (states["status"] != TRUNCATED)


def copy_games(states: np.ndarray) -> np.ndarray:
    """Return independent copies of contiguous records: one memcpy, faster than field by field."""
    return states.view(np.uint8).copy().view(STATE)


_BYTES: Final = np.dtype((np.void, STATE.itemsize))
"""A record as one value: numpy gathers these ten times as fast as records field by field."""


def take_games(states: np.ndarray, games: NDArray[np.intp]) -> np.ndarray:
    """Return copies of some games.

    Args:
        states: Contiguous records, shape ``(n,)``.
        games: Indices, shape ``(k,)``.
    """
    # Not `view`, which looks through all fields first.
    return np.ndarray(len(games), STATE, states.view(_BYTES)[games])


def put_games(states: np.ndarray, games: NDArray[np.intp], some: np.ndarray) -> None:
    """Write some games back, the inverse of `take_games`."""
    states.view(_BYTES)[games] = some.view(_BYTES)


@dataclass(frozen=True)
class Playouts:
    """What happened in a number of games.

    Attributes:
        decisions: Choices with more than one legal answer, shape ``(n,)``.
        turns: Player turns, the one in which the game ended included, shape ``(n,)``.
        rounds: Turns divided by players, rounded up, shape ``(n,)``.
        winners: Whether each seat won, shape ``(n, players)``, bool.
        points: Points by seat and source, in the order of `outcomes.SOURCES`, shape
            ``(n, players, 6)``.
        ended: "score", "elimination" or "truncation", shape ``(n,)``.
        states: The final records, shape ``(n,)``.
    """

    decisions: NDArray[np.int64]
    turns: NDArray[np.int64]
    rounds: NDArray[np.int64]
    winners: NDArray[np.bool_]
    points: NDArray[np.int64]
    ended: NDArray[np.str_]
    states: np.ndarray


def random_playouts(games: int, players: int = 2, seed: int = 0, **options: Any) -> Playouts:
    """Play whole random games in compiled code.

    Args:
        games: How many, 0 or more.
        players: 2 to 6.
        seed: The deals' and the players' seed, 0 or more: the same arguments give the same games.
        options: As in `Options`.

    Raises:
        OptionError: An option has a value that the game does not know.
        ArgumentError: The number of games or the seed is no integer, or negative.
    """
    games, seed = checked_integer("games", games, 0), checked_integer("seed", seed, 0)
    chosen = Options(players, **options)
    players = chosen.players
    seeds = np.random.SeedSequence(seed).generate_state(2 * games, np.uint64)
    states = chosen.new_states(seeds[:games])
    randomness = np.array([state_of_seed(int(s)) for s in seeds[games:]], np.uint64)
    decisions = play_at_random(states, randomness)
    turns = turns_played(states)
    return Playouts(
        decisions=decisions,
        turns=turns,
        rounds=-(-turns // players),
        winners=np.arange(players) % chosen.team_count == states["winner"][:, None],
        points=states["points"][:, :players, : len(SOURCES)].astype(np.int64),
        ended=np.array([END_BY_STATUS[status] for status in states["status"].tolist()], str),
        states=states,
    )


class GameBatch:
    """Many games side by side, each seen by whoever decides in it.

    The arrays stay the same objects and are filled anew by every step.

    Attributes:
        options: The options that all games share.
        states: The records, shape ``(n,)``, dtype `STATE`.
        seats: Who decides, shape ``(n,)``, int8; `NOBODY` where the game is over.
        masks: Legal actions in that seat's own frame, shape ``(n, N_ACTIONS)``, int8; all 0 where
            the game is over.
        observations: What that seat sees, shape ``(n, observation.size(players))``, uint8.
    """

    def __init__(self, options: Options, seeds: Sequence[int] | NDArray[np.int64]) -> None:
        """Deal one game for each seed and go to its first decision.

        Raises:
            ArgumentError: A seed is no integer.
        """
        self._begin(options, options.new_states(seeds))

    @classmethod
    def of_states(cls, options: Options, states: np.ndarray) -> Self:
        """Return copies of games that are under way, each at its next decision.

        Args:
            options: The options of all of them.
            states: Full records, shape ``(n,)``, dtype `STATE`.
        """
        batch = cls.__new__(cls)
        batch._begin(options, copy_games(np.ascontiguousarray(states)))
        return batch

    def _begin(self, options: Options, states: np.ndarray) -> None:
        self.options = options
        self.states = states
        count = len(states)
        self.seats = np.full(count, NOBODY, np.int8)
        self.masks = np.zeros((count, SIZE), np.int8)
        self.observations = np.zeros((count, observation_size(options.players)), np.uint8)
        self._frames = (absolute_frame(options.players), own_frame(options.players))
        self.step(np.zeros(count, np.int64))

    def __getstate__(self) -> dict[str, Any]:
        # The tables of the frames are shared by all; copies of them would be writable, which is
        # another type to the compiler.
        return {name: value for name, value in self.__dict__.items() if name != "_frames"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        players = self.options.players
        self._frames = (absolute_frame(players), own_frame(players))

    def step(
        self,
        actions: NDArray[np.integer[Any]],
        randomness: NDArray[np.uint64] = _STEP_ONCE,
        own: NDArray[np.int8] = _NOBODY_STOPS,
    ) -> None:
        """Take one decision in every game.

        Args:
            actions: Legal actions in the own frame of `seats`, shape ``(n,)``, integers; where the
                game is over they are not looked at.
            randomness: As of `step_games`.
            own: As of `step_games`.

        Raises:
            IllegalActionError: One of them is not legal, or they are no integers, or not one for
                each game; nothing was changed.
        """
        rows = self.states, actions, self.masks, self.seats, self.observations
        step_games(*rows, self._frames, randomness, own)

    def absolute_actions(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what actions in the own frame of `seats` are called in the absolute frame.

        Raises:
            IllegalActionError: They are no actions, or not one for each game.
        """
        numbers = checked_integers("actions", actions, self.seats.shape, IllegalActionError)
        if ((numbers < 0) | (numbers >= SIZE)).any():
            raise IllegalActionError(f"actions must be from 0 to {SIZE - 1}, not {shown(numbers)}")
        return self._frames[0][self.seats, numbers]

    def restart(self, games: NDArray[np.int64], seeds: Sequence[int] | NDArray[np.int64]) -> None:
        """Replace some games by new ones.

        Args:
            games: Indices, shape ``(k,)``.
            seeds: A seed for each, shape ``(k,)``.

        Raises:
            ArgumentError: There is no such game, or not a seed for each; nothing was changed.
        """
        fresh = GameBatch(self.options, seeds)
        games = checked_integers("games", games, fresh.seats.shape)
        if ((games < 0) | (games >= len(self.seats))).any():
            raise ArgumentError(
                f"games must be from 0 to {len(self.seats) - 1}, not {shown(games)}"
            )
        self.states[games] = fresh.states
        self.masks[games] = fresh.masks
        self.seats[games] = fresh.seats
        self.observations[games] = fresh.observations


def step_some(
    batch: GameBatch,
    games: NDArray[np.intp],
    actions: NDArray[Any],
    randomness: NDArray[np.uint64] = _STEP_ONCE,
    own: NDArray[np.int8] = _NOBODY_STOPS,
) -> None:
    """Take one decision in some games of a batch; all others stay as they are.

    Args:
        batch: Changed in place.
        games: Indices, ascending, each once, shape ``(k,)``.
        actions: A legal action for each, in the own frame of who decides there, shape ``(k,)``.
        randomness: As of `step_games`, for each of them, shape ``(k,)``; changed.
        own: As of `step_games`, for each of them, shape ``(k,)``.

    Raises:
        IllegalActionError: One of them is not legal; nothing was changed. The game in the message
            is counted among `games`.
    """
    if len(games) == len(batch.seats):
        batch.step(actions, randomness, own)
        return
    players = batch.options.players
    states = take_games(batch.states, games)
    masks, seats, seen = batch.masks[games], batch.seats[games], batch.observations[games]
    frames = (absolute_frame(players), own_frame(players))
    step_games(states, actions, masks, seats, seen, frames, randomness, own)
    put_games(batch.states, games, states)
    batch.masks[games], batch.seats[games], batch.observations[games] = masks, seats, seen
