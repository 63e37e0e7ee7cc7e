"""Who sits on the other seats: the policy as it is, its past, and agents that do not learn."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents import Agent
from agents.policy import PolicyAgent

MEMORY: Final = 400.0
"""Games after which a result counts 1/e of a fresh one: the learner changes meanwhile."""
LEAST: Final = 0.05
"""Share of the weight of the hardest opponent that even the easiest keeps."""


class League:
    """A pool of opponents, drawn for every seat of every game.

    The learner meets itself, its past, and a fixed set, in given shares; within the past and within
    the fixed set, an opponent is drawn more often the more it wins against the learner.

    Attributes:
        agents: The policy as it is, then the places for its past, then the fixed ones. Whoever sits
            in a running game plays on with new weights as they come.
        shares: How often the current policy, its past, and the fixed set are drawn.
        past: Indices of the places that hold a past policy, the latest first.

    Args:
        current: Plays with the learner's weights.
        past: Agents for past policies; filled by `remember`.
        fixed: The agents that do not learn.
        shares: Of the current policy, of its past and of the fixed ones. Before there is a past its
            share goes to the current policy.

    Raises:
        ValueError: Nobody would be drawn.
    """

    def __init__(
        self,
        current: Agent,
        past: Sequence[PolicyAgent],
        fixed: Sequence[Agent],
        shares: tuple[float, float, float],
    ) -> None:
        if min(shares) < 0 or shares[0] + shares[1] + (shares[2] if fixed else 0) <= 0:
            raise ValueError(
                f"the shares of opponents {shares} (current, past, fixed) must not be negative, "
                f"and somebody must be left to play against"
            )
        self.agents: list[Agent] = [current, *past, *fixed]
        self.shares = shares
        self._places = range(1, 1 + len(past))
        self._fixed = range(1 + len(past), len(self.agents))
        self.past: list[int] = []
        # Decaying sums: of the games, and of the shares of the win that were the learner's.
        self._games = np.zeros(len(self.agents))
        self._wins = np.zeros(len(self.agents))

    # --- Drawing ---------------------------------------------------------------------------------

    def probabilities(self) -> NDArray[np.float64]:
        """Return how often each agent is drawn, shape ``(len(agents),)``."""
        current, past, fixed = self.shares
        found = np.zeros(len(self.agents))
        if not self.past or not self._places:
            current, past = current + past, 0.0
        found[0] = current
        for share, indices in ((past, self.past), (fixed, list(self._fixed))):
            if indices and share:
                hard = (1 - self.win_rates()[indices]) ** 2
                weights = np.maximum(hard, LEAST * max(hard.max(), 1e-9))
                found[indices] = share * weights / weights.sum()
        return found / found.sum()

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw indices of agents."""
        return rng.choice(len(self.agents), size=shape, p=self.probabilities())

    # --- Results ---------------------------------------------------------------------------------

    def tally(self, opponents: NDArray[np.int64], has_won: NDArray[np.bool_]) -> None:
        """Take note of games that have ended.

        Args:
            opponents: Indices of those who sat against the learner, shape ``(games, k)``; -1 for
                nobody.
            has_won: Whether the learner's side won, shape ``(games,)``.
        """
        games = len(has_won)
        if games == 0:
            return
        rows = np.repeat(np.arange(games), opponents.shape[1])
        who = opponents.ravel()
        rows, who = rows[who >= 0], who[who >= 0]
        met = np.bincount(who, minlength=len(self.agents))
        won = np.bincount(who, has_won[rows].astype(float), minlength=len(self.agents))
        fade = np.exp(-met / MEMORY)
        self._games = fade * self._games + met
        self._wins = fade * self._wins + won

    def win_rates(self) -> NDArray[np.float64]:
        """Return the learner's lately against each, shape ``(len(agents),)``; 1/2 if unknown."""
        return (self._wins + 1) / (self._games + 2)

    def standings(self) -> dict[str, tuple[float, float]]:
        """Return share of the games won against each, and the weight of those games, by name."""
        rates = self.win_rates()
        indices = [0, *self.past, *self._fixed]
        return {
            self.agents[i].name: (float(rates[i]), float(self._games[i]))
            for i in indices
            if self._games[i] > 0
        }

    # --- The past --------------------------------------------------------------------------------

    def remember(self, weights: dict[str, Any], name: str) -> None:
        """Keep the policy; where there is no room left, the easiest of the past makes place."""
        if not self._places:
            return
        free = [place for place in self._places if place not in self.past]
        rates = self.win_rates()
        place = free[0] if free else max(self.past, key=lambda i: rates[i])
        self._put(place, weights, name)
        self.past = [place, *(i for i in self.past if i != place)]
        self._games[place] = self._wins[place] = 0

    def _put(self, place: int, weights: dict[str, Any], name: str) -> None:
        agent = self.agents[place]
        assert isinstance(agent, PolicyAgent)
        agent.set_weights(weights)
        agent.name = name

    # --- Keeping ---------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return the past and the results; `load_state_dict` goes on from there."""
        past = []
        for place in self.past:
            agent = self.agents[place]
            assert isinstance(agent, PolicyAgent)
            weights = {k: v.clone() for k, v in agent.network.state_dict().items()}
            past.append({"place": place, "name": agent.name, "weights": weights})
        return {"past": past, "games": self._games.tolist(), "wins": self._wins.tolist()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a `state_dict` of a league with as many agents."""
        if len(state["games"]) != len(self.agents):
            raise ValueError(
                f"the league had {len(state['games'])} agents, this one has {len(self.agents)}"
            )
        for one in state["past"]:
            self._put(one["place"], one["weights"], one["name"])
        self.past = [one["place"] for one in state["past"]]
        self._games = np.array(state["games"], float)
        self._wins = np.array(state["wins"], float)
