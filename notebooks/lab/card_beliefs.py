"""What the rule-based agents believe a card is worth."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_agents.base import ObservationBatch
from impulse_agents.heuristics.agent import RuleAgent
from impulse_agents.heuristics.styles import STYLE_NAMES
from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.constants import FACES


def preferences(states: np.ndarray, seats: NDArray[np.int64], seed: int = 0) -> pd.DataFrame:
    """Return how early each style of play would add each card to the Impulse, if it had them all.

    It is asked again without the card that it took, until none is left. A style adds the card that
    brings most when it is used now, less what its icons are worth if it is kept.

    Args:
        states: Full records in which a card is to be added to the Impulse, shape ``(n,)``.
        seats: Who is to add it, shape ``(n,)``.
        seed: Of the lots between cards that are alike to it.

    Returns:
        A row for each card, by its lowest printed number, and a column for each style: 1 for a card
        that it would always take first, 0 for one that it would always take last.
    """
    rng = np.random.default_rng(seed)
    observations = np.empty((len(states), 0), np.uint8)
    who = seats.astype(np.int8)
    rows = np.arange(len(states))
    found = {}
    for style in STYLE_NAMES:
        agent = RuleAgent(style)
        streams = RngStreams.from_generator(rng, len(states))
        masks = np.zeros((len(states), N_ACTIONS), np.int8)
        masks[:, CARD_0 : CARD_0 + FACES] = 1
        early = np.zeros(FACES)
        for place in range(FACES):
            taken = agent.act(ObservationBatch(observations, masks, who, states), streams)
            masks[rows, taken] = 0
            np.add.at(early, taken - CARD_0, 1 - place / (FACES - 1))
        found[style] = early / len(states)
    return pd.DataFrame(found, index=pd.Index(NUMBER_BY_CARD, name="card"))
