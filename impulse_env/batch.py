"""Many games at once in compiled code, through the only entry point to the engine.

There is one compiled entry point because each further one would compile the whole engine again.
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
from impulse_env.engine.rng import below, state_of_seed, xorshift
from impulse_env.engine.state import STATE
from impulse_env.errors import ArgumentError, IllegalActionError
from impulse_env.frame import IDENTITY, absolute_frame, own_frame
from impulse_env.observation import encode
from impulse_env.observation import size as observation_size
from impulse_env.options import Options
from impulse_env.outcomes import END_BY_STATUS, SOURCES

NOBODY: Final = -1
"""Used instead of a seat if the game is over or has not been stepped yet."""
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
    """Step every game once and then, with `randomness`, continue at random; see `step_games`.

    An empty `observations` array skips the observations. An empty `randomness` array steps every
    game once. Otherwise each game continues to the next decision of its seat in `own`, or to its
    end if `own` is empty. `decisions`, unless it is empty, counts the random decisions. Returns the
    first game whose action is illegal, before any change, or _ALL_LEGAL.
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
                sort_options(options, count, to_own[seat])
            if len(decisions) > 0:
                decisions[game] += 1
            action = np.int64(options[below(randomness, game, count)])
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
def sort_options(options: NDArray[np.int16], count: int, ranks: NDArray[np.int64]) -> None:
    """Sort the first `count` options by their ranks; `count` is small."""
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
    """Take one decision in every game and advance to the next decision.

    Args:
        states: Games, shape ``(n,)``, dtype `STATE`; changed in place.
        actions: Legal actions, integers, shape ``(n,)``. Ignored where `seats` is `NOBODY`: such a
            game only advances to its next decision, and is dealt first if it is undealt.
        masks: Shape ``(n, N_ACTIONS)``, int8: the legal actions now; overwritten with those of the
            next decision, all 0 where the game is over.
        seats: Shape ``(n,)``, int8: the seats that decide now; overwritten with those that decide
            next.
        observations: Shape ``(n, observation.size(players))``, uint8; overwritten with the
            observation of the seat that decides next, unchanged where the game is over. An array
            without rows skips the observations.
        frames: Tables from the frame of `actions` and `masks` to the absolute frame and back, see
            `frame.py`; the absolute frame by default.
        randomness: Generator states, shape ``(n,)``, never 0; changed. If given, the next decision
            is that of the seat in `own`: all other seats act at random, as in `random_actions`.
        own: A seat for each game, shape ``(n,)``, int8.

    Raises:
        IllegalActionError: An action is illegal, or `actions` does not hold one integer per game;
            nothing was changed.
    """
    is_usual = type(actions) is np.ndarray and actions.dtype is _COMPILED_FOR
    if not (is_usual and actions.flags.carray and actions.shape == seats.shape):
        # Numba would compile the engine again for any other type or layout.
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
    """Return a legal action for each row, drawn uniformly.

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
        Number of decisions in each game, shape ``(n,)``.
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
    """Return the number of player turns in each game, with a turn that a victory cut short.

    The record's own ``turn`` counts completed turns, so this is one more. A truncated game is the
    exception: it completed its last turn. A running game counts its current turn, and its setup as
    the first.

    Args:
        states: Games, shape ``(n,)``, dtype `STATE`.

    Returns:
        Shape ``(n,)``, int64.
    """
    return states["turn"].astype(np.int64) + (states["status"] != TRUNCATED)


def copy_games(states: np.ndarray) -> np.ndarray:
    """Return independent copies of contiguous records, by one memcpy instead of field by field."""
    return states.view(np.uint8).copy().view(STATE)


_BYTES: Final = np.dtype((np.void, STATE.itemsize))
"""A record as one value: numpy gathers these ten times as fast as records field by field."""


def take_games(states: np.ndarray, games: NDArray[np.intp]) -> np.ndarray:
    """Return copies of some games.

    Args:
        states: Contiguous records, shape ``(n,)``.
        games: Indices, shape ``(k,)``.
    """
    # Not `view`, which checks every field first.
    return np.ndarray(len(games), STATE, states.view(_BYTES)[games])


def put_games(states: np.ndarray, games: NDArray[np.intp], some: np.ndarray) -> None:
    """Write some games back, the inverse of `take_games`."""
    states.view(_BYTES)[games] = some.view(_BYTES)


@dataclass(frozen=True)
class Playouts:
    """Results of random games.

    Attributes:
        decisions: Number of decisions with more than one legal action, shape ``(n,)``.
        turns: Player turns, including the one in which the game ended, shape ``(n,)``.
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
        games: Number of games, 0 or more.
        players: Number of players, 2 to 6.
        seed: Seed of deals and players, 0 or more; the same arguments give the same games.
        options: Further options of the game, see `Options`.

    Raises:
        OptionError: An option has a value that is not allowed.
        ArgumentError: The number of games or the seed is negative or not an integer.
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
    """A batch of games, each observed by the seat that decides in it.

    The arrays stay the same objects; every step overwrites their contents.

    Attributes:
        options: The options that all games share.
        states: The records, shape ``(n,)``, dtype `STATE`.
        seats: The seats that decide, shape ``(n,)``, int8; `NOBODY` where the game is over.
        masks: Legal actions in that seat's own frame, shape ``(n, N_ACTIONS)``, int8; all 0 where
            the game is over.
        observations: Observations of that seat, shape ``(n, observation.size(players))``, uint8.
    """

    def __init__(self, options: Options, seeds: Sequence[int] | NDArray[np.int64]) -> None:
        """Deal one game for each seed and advance it to its first decision.

        Raises:
            ArgumentError: A seed is not an integer.
        """
        self._begin(options, options.new_states(seeds))

    @classmethod
    def of_states(cls, options: Options, states: np.ndarray) -> Self:
        """Return a batch of copies of games in progress, each at its next decision.

        Args:
            options: The options that all games share.
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
        # All batches share the tables of the frames. Copies would be writable, and numba would
        # compile the engine again for that type.
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
            actions: Legal actions in the own frame of `seats`, shape ``(n,)``, integers; ignored
                where the game is over.
            randomness: See `step_games`.
            own: See `step_games`.

        Raises:
            IllegalActionError: An action is illegal, or `actions` does not hold one integer per
                game; nothing was changed.
        """
        rows = self.states, actions, self.masks, self.seats, self.observations
        step_games(*rows, self._frames, randomness, own)

    def absolute_actions(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Convert one action per game from the own frame of `seats` to the absolute frame.

        Raises:
            IllegalActionError: `actions` does not hold one action per game.
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
            ArgumentError: An index is out of range, or `seeds` does not hold one integer per game;
                nothing was changed.
        """
        self._put(games, GameBatch(self.options, seeds))

    def replace(self, games: NDArray[np.int64], states: np.ndarray) -> None:
        """Replace some games by copies of others, each at its next decision.

        Args:
            games: Indices, shape ``(k,)``.
            states: Full records of games with the same options, shape ``(k,)``, dtype `STATE`.

        Raises:
            ArgumentError: An index is out of range, or `states` does not hold one record per game;
                nothing was changed.
        """
        self._put(games, GameBatch.of_states(self.options, states))

    def _put(self, games: NDArray[np.int64], fresh: "GameBatch") -> None:
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
        actions: A legal action for each, in the own frame of its deciding seat, shape ``(k,)``.
        randomness: As in `step_games`, for each of `games`, shape ``(k,)``; changed.
        own: As in `step_games`, for each of `games`, shape ``(k,)``.

    Raises:
        IllegalActionError: An action is not legal; nothing was changed. The number of the game in
            the message is its index in `games`.
    """
    if len(games) == len(batch.seats):
        batch.step(actions, randomness, own)
        return
    players = batch.options.players
    states = take_games(batch.states, games)
    masks, seats, observed = batch.masks[games], batch.seats[games], batch.observations[games]
    frames = (absolute_frame(players), own_frame(players))
    step_games(states, actions, masks, seats, observed, frames, randomness, own)
    put_games(batch.states, games, states)
    batch.masks[games], batch.seats[games], batch.observations[games] = masks, seats, observed
