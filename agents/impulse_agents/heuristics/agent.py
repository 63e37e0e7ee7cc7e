"""The agents that play only by rules of thumb, without looking ahead."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.heuristics.action_scores import score_options
from impulse_agents.heuristics.styles import STYLE_NAMES, STYLES
from impulse_agents.rng import RngStreams
from impulse_agents.selection import list_legal, pick_best
from impulse_env.compiled.compilation import call, jit, jit_internal
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import Seat, State
from impulse_env.frame import absolute_frame


@jit_internal
def act_by_rules(
    view: State,
    seat: Seat,
    mask: NDArray[np.int8],
    to_absolute: NDArray[np.int64],
    style: NDArray[np.float32],
    streams: NDArray[np.uint64],
    row: int,
    own: NDArray[np.int16],
    options: NDArray[np.int16],
    scores: NDArray[np.float32],
) -> int:
    """Return the legal action with the highest score, in the own frame; break ties at random.

    Args:
        view: The view of the seat.
        seat: The deciding seat.
        mask: Its legal actions in its own frame, shape ``(SIZE,)``.
        to_absolute: Table from the own frame of each seat to the absolute frame.
        style: A row of `STYLES`.
        streams: Generators.
        row: The row of the generator to use.
        own: Room for actions, shape ``(SIZE,)``.
        options: Room for actions, shape ``(SIZE,)``.
        scores: Room for their scores, shape ``(SIZE,)``.
    """
    count = list_legal(mask, to_absolute[seat], own, options)
    score_options(view, seat, options, count, style, scores)
    return int(own[pick_best(scores, count, streams, row)])


@jit
def _act_by_rules(
    views: np.ndarray,
    seats: NDArray[np.int8],
    masks: NDArray[np.int8],
    to_absolute: NDArray[np.int64],
    style: NDArray[np.float32],
    streams: NDArray[np.uint64],
    actions: NDArray[np.int64],
) -> None:
    """Write the action of every view; see `act_by_rules`."""
    own = np.empty(SIZE, np.int16)
    options = np.empty(SIZE, np.int16)
    scores = np.empty(SIZE, np.float32)
    for row in range(len(views)):
        actions[row] = act_by_rules(
            views[row],
            int(seats[row]),
            masks[row],
            to_absolute,
            style,
            streams,
            row,
            own,
            options,
            scores,
        )


class RuleAgent(Agent):
    """Plays the legal action with its style's highest score; breaks ties at random.

    Args:
        style: One of `STYLE_NAMES`.

    Attributes:
        style: Its row of `STYLES`.
    """

    needs_views: ClassVar[bool] = True
    rows_per_thread: ClassVar[int | None] = 512

    def __init__(self, style: str) -> None:
        self.name = style
        self.style = STYLES[STYLE_NAMES.index(style)]

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Score the legal actions of each view."""
        assert seen.views is not None
        actions = np.empty(len(seen), np.int64)
        frame = absolute_frame(int(seen.views["players"][0]))
        call(
            _act_by_rules,
            *(seen.views, seen.seats, seen.masks, frame, self.style, streams.states, actions),
        )
        return actions
