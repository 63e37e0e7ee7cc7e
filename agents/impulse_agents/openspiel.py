"""Agents as OpenSpiel's bots for ``python_impulse``, and playouts for its searches."""

import numpy as np
import pyspiel
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_agents.registry import make
from impulse_env.arguments import checked_integer, checked_seed
from impulse_env.batch import play_at_random
from impulse_env.engine.state import STATE
from impulse_env.environments.openspiel import ImpulseState, dealt
from impulse_env.environments.rewards import win_rewards
from impulse_env.frame import to_own


class AgentBot(pyspiel.Bot):
    """An agent that plays ``python_impulse``; it sees only what the deciding seat may know.

    Attributes:
        agent: The agent.
    """

    def __init__(self, agent: str | Agent, seed: int | None = None) -> None:
        """Create the bot.

        Args:
            agent: An agent or its name, see `impulse_agents.make`.
            seed: Seed of its generator, 0 or more; None: a random one.

        Raises:
            AgentError: No agent has that name, or it cannot be created.
            ArgumentError: The seed is not an integer of 0 or more.
        """
        super().__init__()
        self.agent = make(agent) if isinstance(agent, str) else agent
        self._seed = checked_seed(seed)
        self._rng = np.random.default_rng(self._seed)

    def step(self, state: ImpulseState) -> int:
        """Return the agent's action for the deciding seat, in its own frame."""
        seat, game = state.current_player(), dealt(state)
        return to_own(self.agent.act_in_game(game.view(seat), self._rng), game.players, seat)

    def restart_at(self, state: ImpulseState) -> None:
        """Begin a game, and reset the generator."""
        self._rng = np.random.default_rng(self._seed)


class RandomPlayouts:
    """An evaluator for the searches of `open_spiel.python`: random games in compiled code.

    The games continue from the full state with its hidden information, as OpenSpiel's own rollouts
    do.
    """

    def __init__(self, playouts: int = 1, seed: int | None = None) -> None:
        """Prepare the generator.

        Args:
            playouts: Games for each state, 1 or more.
            seed: Seed of the generator, 0 or more; None: a random one.

        Raises:
            ArgumentError: One of them is not such an integer.
        """
        self._playouts = checked_integer("playouts", playouts, 1)
        self._rng = np.random.default_rng(checked_seed(seed))

    def evaluate(self, state: ImpulseState) -> NDArray[np.float64]:
        """Return the mean of the returns, shape ``(players,)``."""
        game = dealt(state)
        states = np.zeros(self._playouts, STATE)
        states[:] = game.state
        play_at_random(states, self._rng.integers(1, 1 << 64, self._playouts, np.uint64))
        seats = np.arange(game.players)
        return np.array([win_rewards(states, np.array([seat])).mean() for seat in seats], float)

    def prior(self, state: ImpulseState) -> list[tuple[int, float]]:
        """Return the legal actions with equal probabilities."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]
