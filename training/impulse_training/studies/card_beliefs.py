"""What the rule-based agents believe a card is worth."""

from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_agents.heuristics.card_value import card_worth
from impulse_agents.heuristics.styles import STYLE_NAMES, STYLES
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.compilation import call, jit
from impulse_env.engine.constants import FACES

_CARDS: Final = pd.Index(NUMBER_BY_CARD, name="card")


def worth_by_style(states: np.ndarray, seats: NDArray[np.int64]) -> pd.DataFrame:
    """Return what using each card would bring now by the rules of thumb, mean over positions.

    A card that would bring nothing, or less, is not used, and counts as 0.

    Args:
        states: Full records, shape ``(n,)``.
        seats: Who would use it, shape ``(n,)``.

    Returns:
        A row for each card, by its lowest printed number, and a column for each style of play.
    """
    found = np.zeros((len(STYLES), FACES))
    call(_add_worths, np.ascontiguousarray(states), seats, STYLES, found)
    columns = {name: row / len(states) for name, row in zip(STYLE_NAMES, found, strict=True)}
    return pd.DataFrame(columns, index=_CARDS)


@jit
def _add_worths(
    states: np.ndarray,
    seats: NDArray[np.int64],
    styles: NDArray[np.float32],
    found: NDArray[np.float64],
) -> None:
    """Add the worth of every face in every position, by style, to `found`."""
    for game in range(len(states)):
        for style in range(len(styles)):
            for face in range(FACES):
                seat = seats[game]
                worth = card_worth(states[game], seat, face, styles[style], True)
                found[style, face] += max(np.float64(worth), 0.0)
