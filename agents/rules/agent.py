"""The rule-based agents."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent, Seen
from agents.randomness import Streams
from agents.rules.options import score_options
from agents.rules.outlook import look_ahead
from agents.rules.standing import FEATURES
from agents.rules.styles import BALANCED, STYLE_NAMES, STYLES
from impulse_env.engine._jit import call, jit, jit_internal
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.state import STATE
from impulse_env.frame import absolute_frame
from impulse_env.information import determinize


@jit_internal
def next_bits(streams: NDArray[np.uint64], row: int) -> np.uint64:
    """Draw 64 bits, as `Streams.bits` does."""
    x = streams[row]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    streams[row] = x
    return x


@jit_internal
def pick_best(
    scores: NDArray[np.float32], count: int, streams: NDArray[np.uint64], row: int
) -> int:
    """Return the index of the highest score, ties broken by chance."""
    best = 0
    ties = 1
    for k in range(1, count):
        if scores[k] > scores[best]:
            best = k
            ties = 1
        elif scores[k] == scores[best]:
            ties += 1
            if np.int64(next_bits(streams, row) >> np.uint64(33)) % ties == 0:
                best = k
    return best


@jit
def _act_by_rules(
    views: np.ndarray,
    seats: NDArray[np.int8],
    masks: NDArray[np.int8],
    to_absolute: NDArray[np.int64],
    weights: NDArray[np.float32],
    streams: NDArray[np.uint64],
    actions: NDArray[np.int64],
) -> None:
    """Play the action with the highest score in every view."""
    own = np.empty(SIZE, np.int16)
    options = np.empty(SIZE, np.int16)
    scores = np.empty(SIZE, np.float32)
    for row in range(len(views)):
        seat = int(seats[row])
        count = 0
        for action in range(SIZE):
            if masks[row, action]:
                own[count] = action
                options[count] = to_absolute[seat, action]
                count += 1
        score_options(views[row], seat, options, count, weights, scores)
        actions[row] = own[pick_best(scores, count, streams, row)]


@jit
def _act_by_outlook(
    views: np.ndarray,
    seats: NDArray[np.int8],
    masks: NDArray[np.int8],
    to_absolute: NDArray[np.int64],
    weights: NDArray[np.float32],
    streams: NDArray[np.uint64],
    actions: NDArray[np.int64],
    games: np.ndarray,
) -> None:
    """Play the action that leads to the best position in every view."""
    own = np.empty(SIZE, np.int16)
    options = np.empty(SIZE, np.int16)
    next_options = np.empty(SIZE, np.int16)
    scores = np.empty(SIZE, np.float32)
    scratch = np.empty((3, SIZE), np.float32)
    for row in range(len(views)):
        seat = int(seats[row])
        count = 0
        for action in range(SIZE):
            if masks[row, action]:
                own[count] = action
                options[count] = to_absolute[seat, action]
                count += 1
        games[0] = views[row]
        determinize(games[0], seat, next_bits(streams, row))
        look_ahead(games, seat, options, count, weights, scratch, next_options, scores)
        actions[row] = own[pick_best(scores, count, streams, row)]


class RuleAgent(Agent):
    """Plays the legal action that its style scores highest; equals are drawn by lot."""

    summary: ClassVar[str] = "rules of thumb with a taste"
    needs_views: ClassVar[bool] = True

    def __init__(self, style: str) -> None:
        self.name = style
        self._weights = STYLES[STYLE_NAMES.index(style)]

    def act(self, seen: Seen, streams: Streams) -> NDArray[np.int64]:
        """Score the legal actions of each view by the rules of thumb."""
        assert seen.views is not None
        actions = np.empty(len(seen), np.int64)
        frame = absolute_frame(int(seen.views["players"][0]))
        arguments = (seen.views, seen.seats, seen.masks, frame, self._weights)
        call(_act_by_rules, *arguments, streams.states, actions)
        return actions


class GreedyAgent(Agent):
    """Looks one step ahead and plays what leads to the best position."""

    summary: ClassVar[str] = "weighs the outcome of every action, one step ahead"
    needs_views: ClassVar[bool] = True

    def __init__(self) -> None:
        self.name = "greedy"
        self._games = np.zeros(2, STATE)

    def act(self, seen: Seen, streams: Streams) -> NDArray[np.int64]:
        """Try the legal actions of each view in a game that looks the same."""
        assert seen.views is not None
        actions = np.empty(len(seen), np.int64)
        frame = absolute_frame(int(seen.views["players"][0]))
        arguments = (seen.views, seen.seats, seen.masks, frame, STYLES[BALANCED])
        call(_act_by_outlook, *arguments, streams.states, actions, self._games)
        return actions
