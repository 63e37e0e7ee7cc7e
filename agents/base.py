"""What an agent is: a strategy that knows what its seat may know and answers with legal actions."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import N_ACTIONS
from impulse_env.frame import own_frame, to_absolute
from impulse_env.game import Game
from impulse_env.observation import observe


class AgentError(ValueError):
    """An agent cannot be made, or cannot play what it is given; the message says why."""


class Agent(ABC):
    """A strategy for any number of games at once.

    An agent gets what the seat that decides may know, in that seat's own frame, and nothing else.
    It keeps nothing between decisions, and all chance comes from the generator that it is given:
    the same observations, masks and generator state give the same actions.

    Attributes:
        name: The name that makes this agent, see `agents.make`.
        summary: How it plays, in a line.
    """

    name: str
    summary: ClassVar[str]

    @abstractmethod
    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Choose an action in every game.

        Args:
            observations: What the seat that decides sees, shape ``(n, observation.size(players))``.
            masks: Its legal actions, 1 for legal, shape ``(n, N_ACTIONS)``; at least one in each
                row.
            rng: Where chance comes from.

        Returns:
            A legal action for each game, in the seat's own frame, shape ``(n,)``.
        """

    def choose(
        self, observation: NDArray[np.uint8], mask: NDArray[np.int8], rng: np.random.Generator
    ) -> int:
        """Choose the action of one game: `act` with ``n = 1``."""
        return int(self.act(observation[None], mask[None], rng)[0])

    def choose_in(self, game: Game, rng: np.random.Generator) -> int:
        """Choose for the seat that decides in a running game; the action is absolute, as there.

        The agent is shown what that seat may know, however much the game knows.
        """
        seat, players = game.seat, game.players
        if seat is None:
            raise AgentError("the game is over: there is nothing to choose")
        mask = np.zeros(N_ACTIONS, np.int8)
        mask[own_frame(players)[seat]] = game.legal_mask()
        return to_absolute(self.choose(observe(game, seat), mask, rng), players, seat)


def best_of(
    scores: NDArray[np.floating], masks: NDArray[np.int8], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return the legal action with the highest score in each row, ties broken by chance.

    Args:
        scores: Finite, shape ``(n, N_ACTIONS)``.
        masks: 1 for legal, at least one in each row, the same shape.
        rng: Breaks ties.
    """
    legal = np.where(masks != 0, scores, -np.inf)
    is_best = legal == legal.max(axis=1, keepdims=True)
    draws = rng.random(is_best.shape, dtype=np.float32) + is_best  # the best draw from [1, 2)
    return draws.argmax(axis=1)
