"""The agents that play only by rules of thumb, without looking ahead."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.heuristics.action_scores import score_options
from impulse_agents.heuristics.styles import STYLE_NAMES, STYLES
from impulse_agents.rng import RngStreams
from impulse_agents.selection import list_legal, pick_best
from impulse_env.compiled.compilation import call, jit
from impulse_env.engine.action_space import SIZE
from impulse_env.frame import absolute_frame


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
    """Write the action with the highest score in every view, in the seat's own frame."""
    own = np.empty(SIZE, np.int16)
    options = np.empty(SIZE, np.int16)
    scores = np.empty(SIZE, np.float32)
    for row in range(len(views)):
        seat = int(seats[row])
        count = list_legal(masks[row], to_absolute[seat], own, options)
        score_options(views[row], seat, options, count, style, scores)
        actions[row] = own[pick_best(scores, count, streams, row)]


class RuleAgent(Agent):
    """Plays the legal action with its style's highest score; breaks ties at random.

    Args:
        style: One of `STYLE_NAMES`.
    """

    needs_views: ClassVar[bool] = True
    rows_per_thread: ClassVar[int | None] = 512

    def __init__(self, style: str) -> None:
        self.name = style
        self._style = STYLES[STYLE_NAMES.index(style)]

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Score the legal actions of each view."""
        assert seen.views is not None
        actions = np.empty(len(seen), np.int64)
        frame = absolute_frame(int(seen.views["players"][0]))
        call(
            _act_by_rules,
            *(seen.views, seen.seats, seen.masks, frame, self._style, streams.states, actions),
        )
        return actions
