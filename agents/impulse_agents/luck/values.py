"""Value functions for the sides of a game: a trained network, or the rules of thumb.

A value function must be fixed before the games. Then the luck that it measures is 0 on average,
however wrong it is. It may use all hidden information, because it is called after the game.
"""

from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from impulse_agents import registry
from impulse_agents.base import AgentError, ObservationBatch
from impulse_agents.heuristics.evaluation import COEFFICIENTS, all_position_features
from impulse_agents.luck.chance import results
from impulse_agents.luck.coefficients import Coefficients, of_rules
from impulse_agents.rng import RngStreams
from impulse_env.batch import NOBODY, take_games
from impulse_env.observation import observe_all

RULES: Final = "rules"
"""The name of the rule-based evaluation."""


class Judge(Protocol):
    """The interface of agents that can judge games: they have a calibrated network."""

    name: str
    config: dict[str, Any]

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Choose an action in every game."""

    def check_players(self, players: int) -> None:
        """Raise `AgentError` unless it plays games with this number of players."""

    def weights_digest(self) -> str:
        """Return the SHA-256 of its weights in hexadecimal."""

    def fitted_calibration(self) -> Any:
        """Return its calibration; raises `AgentError` without one."""

    def evaluate(
        self, observations: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return logits and values."""

    def win_probabilities(
        self, values: NDArray[np.float32], states: np.ndarray, seats: NDArray[np.integer]
    ) -> NDArray[np.float32]:
        """Return the chances to win for values."""


class Values(Protocol):
    """A value function: the sides' chances to win in running games."""

    name: str

    def __hash__(self) -> int: ...

    def identity(self) -> str:
        """Return a text that changes whenever its values change."""

    def check_players(self, players: int) -> None:
        """Raise `AgentError` unless it supports games with this number of players."""

    def coefficients(self, players: int, sides: int) -> Coefficients:
        """Return the coefficients of its luck adjustment for a size of game."""

    def shares(self, states: np.ndarray, sides: int) -> NDArray[np.float64]:
        """Return each side's chance in running games, shape ``(n, sides)``, 1 in sum.

        Raises:
            AgentError: It does not support such games.
        """


class NetworkValues:
    """A calibrated network, called with the observation of every seat of a game.

    Args:
        agent: A trained agent.

    Raises:
        AgentError: It is not calibrated.
    """

    def __init__(self, agent: Judge) -> None:
        agent.fitted_calibration()
        self.agent = agent
        self.name = agent.name

    def identity(self) -> str:
        """Return the digest of the weights and the terms of the calibration."""
        calibration = self.agent.fitted_calibration()
        return f"{self.agent.weights_digest()} {calibration.terms}"

    def check_players(self, players: int) -> None:
        """See `Values`."""
        self.agent.check_players(players)

    def coefficients(self, players: int, sides: int) -> Coefficients:
        """Return the coefficients that `impulse agents fit-luck` fitted for these weights."""
        return Coefficients.read(self.agent.config.get("luck"), self.agent.weights_digest())

    def shares(self, states: np.ndarray, sides: int) -> NDArray[np.float64]:
        """See `Values`."""
        players = int(states["players"][0])
        self.check_players(players)
        chances = np.zeros((len(states), sides))
        for seat in range(players):
            seats = np.full(len(states), seat, np.int8)
            values = self.agent.evaluate(observe_all(states, seats))[1]
            chances[:, seat % sides] += self.agent.win_probabilities(values, states, seats)
        return chances / chances.sum(axis=1, keepdims=True)


class RuleValues:
    """The rule-based evaluation, which supports games of every size."""

    name = RULES

    def identity(self) -> str:
        """Return its coefficients."""
        return f"{RULES} {COEFFICIENTS.tolist()}"

    def check_players(self, players: int) -> None:
        """Do nothing: it supports games of every size."""

    def coefficients(self, players: int, sides: int) -> Coefficients:
        """Return the coefficients that were fitted to games of that size."""
        return of_rules(players, sides)

    def shares(self, states: np.ndarray, sides: int) -> NDArray[np.float64]:
        """See `Values`."""
        players = int(states["players"].max(initial=2))  # there may be no games
        strengths = (all_position_features(states, players) @ COEFFICIENTS).astype(np.float64)
        odds = np.exp(strengths - strengths.max(axis=1, keepdims=True, initial=-np.inf))
        odds[states["eliminated"][:, :players] != 0] = 0
        # A team wins with its first member.
        by_side = np.stack([odds[:, side::sides].sum(axis=1) for side in range(sides)], axis=1)
        return by_side / by_side.sum(axis=1, keepdims=True)


def values_of(name: str) -> Values:
    """Return the value function of a name: "rules", or a trained agent such as policy:2p.

    Raises:
        AgentError: The agent does not exist, or has no calibrated network.
    """
    if name == RULES:
        return RuleValues()
    agent = registry.make(name)
    if not hasattr(agent, "fitted_calibration"):
        raise AgentError(
            f"luck is judged by a trained agent, such as policy:2p, or by {RULES!r}; not by {name}"
        )
    return NetworkValues(cast(Judge, agent))


def shares_or_results(
    values: Values, states: np.ndarray, deciding: NDArray[np.int8], sides: int
) -> NDArray[np.float64]:
    """Return the sides' chances, shape ``(n, sides)``; in finished games, 1 for the winner.

    Args:
        values: The value function for running games.
        states: Full states, shape ``(n,)``.
        deciding: The deciding seats, `NOBODY` in finished games; shape ``(n,)``.
        sides: Number of sides: players, or teams.
    """
    chances = results(states, sides)
    running = np.flatnonzero(deciding != NOBODY)
    if len(running):
        chances[running] = values.shares(take_games(states, running), sides)
    return chances
