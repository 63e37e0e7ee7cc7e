"""The opponent pool: the current policy, its past snapshots, and fixed agents."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import inf
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_agents.network.agent import PolicyAgent
from impulse_training.run.common_options import ConfigError

MEMORY: Final = 400.0
"""Games after which the weight of a result falls to 1/e, because the learner changes."""
LEAST: Final = 0.05
"""Minimum weight of an opponent, as a share of the strongest one's."""


@dataclass(eq=False)
class Snapshot:
    """A past policy.

    Attributes:
        name: The snapshot's name.
        weights: The weights of the network.
        games: Decaying number of games against it.
        wins: Decaying number of the learner's wins in these games.
    """

    name: str
    weights: dict[str, Any]
    games: float = 0.0
    wins: float = 0.0

    @property
    def rate(self) -> float:
        """The learner's recent win rate against it, 1/2 if unknown."""
        return (self.wins + 1) / (self.games + 2)


class OpponentPool:
    """A pool of opponents, sampled for every seat of every game.

    The shares of the current policy, its past and the fixed agents are constant. Within the past
    and the fixed agents, opponents that win more against the learner play more often (PFSP). Only a
    few of the past policies play at a time, so that each decides in many games with one call.

    Attributes:
        agents: The current policy, then the players of past policies, then the fixed agents. A
            player in a running game changes its weights with every sampling.
        shares: Shares of the current policy, its past and the fixed agents.
        past: The past policies, oldest first.
        met: Number of finished games of each agent since the start, shape ``(len(agents),)``,
            int64; a player of past policies counts all of its games.

    Args:
        current: Placeholder for the current policy; `SeatGames` never asks it.
        snapshot_players: Agents that play past policies.
        fixed: The fixed agents.
        shares: Shares of the current policy, its past and the fixed agents. Without past policies,
            their share goes to the current policy.
        max_snapshots: Maximum number of past policies.
        seed: Random seed for the sampling of past policies.

    Raises:
        ConfigError: The shares do not define a distribution.
    """

    def __init__(
        self,
        current: Agent,
        snapshot_players: Sequence[PolicyAgent],
        fixed: Sequence[Agent],
        shares: tuple[float, float, float],
        max_snapshots: int = 0,
        seed: int = 0,
    ) -> None:
        met = shares[0] + shares[1] + (shares[2] if fixed else 0)
        if not (all(0 <= share < inf for share in shares) and met > 0):
            raise ConfigError(
                f"the shares of opponents {shares} (current, past, fixed) must be finite and 0 or "
                f"more, and at least one opponent must have a share above 0"
            )
        self.agents: list[Agent] = [current, *snapshot_players, *fixed]
        self.shares = shares
        self.past: list[Snapshot] = []
        self._max_snapshots = max_snapshots
        self._playing: list[Snapshot] = []  # by player of past policies
        self._players = range(1, 1 + len(snapshot_players))
        self._fixed = range(1 + len(snapshot_players), len(self.agents))
        self._rng = np.random.default_rng(seed)
        # Decaying numbers of games and of the learner's wins, by agent.
        self._games = np.zeros(len(self.agents))
        self._wins = np.zeros(len(self.agents))
        self.met = np.zeros(len(self.agents), np.int64)

    # --- Drawing ---------------------------------------------------------------------------------

    def probabilities(self) -> NDArray[np.float64]:
        """Return the probability of each agent, shape ``(len(agents),)``."""
        current, past, fixed = self.shares
        weights = np.zeros(len(self.agents))
        if self._playing:
            weights[list(self._players)] = past / len(self._players)
        else:
            current += past
        weights[0] = current
        if len(self._fixed):
            indices = list(self._fixed)
            weights[indices] = fixed * pfsp_weights(self.win_rates()[indices])
        return weights / weights.sum()

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return sampled indices of agents."""
        return rng.choice(len(self.agents), size=shape, p=self.probabilities())

    # --- Results ---------------------------------------------------------------------------------

    def record_results(self, opponents: NDArray[np.int64], has_won: NDArray[np.bool_]) -> None:
        """Record finished games.

        Args:
            opponents: Indices of the learner's opponents, shape ``(games, k)``; -1 for none.
            has_won: Whether the learner's side won, shape ``(games,)``.
        """
        rows = np.repeat(np.arange(len(has_won)), opponents.shape[1])
        who = opponents.ravel()
        rows, who = rows[who >= 0], who[who >= 0]
        met = np.bincount(who, minlength=len(self.agents))
        won = np.bincount(who, has_won[rows].astype(float), minlength=len(self.agents))
        self.met += met
        fade = np.exp(-met / MEMORY)
        self._games = fade * self._games + met
        self._wins = fade * self._wins + won
        for player, snapshot in zip(self._players, self._playing, strict=False):
            snapshot.games = float(fade[player] * snapshot.games + met[player])
            snapshot.wins = float(fade[player] * snapshot.wins + won[player])

    def win_rates(self) -> NDArray[np.float64]:
        """Return the learner's recent win rates, shape ``(len(agents),)``; 1/2 if unknown."""
        return (self._wins + 1) / (self._games + 2)

    def win_rates_by_name(self) -> dict[str, float]:
        """Return the learner's recent win rates against opponents with games, by name."""
        rates = self.win_rates()
        met = [i for i in (0, *self._fixed) if self._games[i] > 0]
        by_name = {self.agents[i].name: float(rates[i]) for i in met}
        return by_name | {s.name: s.rate for s in self.past if s.games > 0}

    # --- Past policies ---------------------------------------------------------------------------

    def add_snapshot(self, weights: dict[str, Any], name: str) -> None:
        """Add a past policy; if the pool is full, it replaces the weakest one."""
        if self._max_snapshots == 0 or not self._players:
            return
        copied = {key: value.detach().cpu().clone() for key, value in weights.items()}
        if len(self.past) == self._max_snapshots:
            self._forget_easiest()
        self.past.append(Snapshot(name, copied))

    def _forget_easiest(self) -> None:
        self.past.remove(max(self.past, key=lambda snapshot: snapshot.rate))

    def resample_snapshots(self) -> None:
        """Resample the past policies that play."""
        if not self.past or not self._players:
            return
        chances = pfsp_weights(np.array([snapshot.rate for snapshot in self.past]))
        chosen = self._rng.choice(len(self.past), len(self._players), p=chances)
        self._playing = [self.past[i] for i in chosen]
        self._seat_the_past()

    def _seat_the_past(self) -> None:
        for player, snapshot in zip(self._players, self._playing, strict=False):
            agent = self.agents[player]
            assert isinstance(agent, PolicyAgent)
            agent.set_weights(snapshot.weights)
            agent.name = snapshot.name

    # --- State -----------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return the past policies and the results, for `load_state_dict`."""
        # A policy that still plays may already be out of the pool.
        known = [*self.past, *(s for s in self._playing if s not in self.past)]
        return {
            "players": len(self._players),
            "fixed": [self.agents[i].name for i in self._fixed],
            "known": [asdict(snapshot) for snapshot in known],
            "past": len(self.past),
            "playing": [known.index(snapshot) for snapshot in self._playing],
            "games": self._games.copy(),
            "wins": self._wins.copy(),
            "met": self.met.copy(),
            "rng": self._rng.bit_generator.state,
        }

    def load_state_dict(self, state: dict[str, Any]) -> NDArray[np.int64]:
        """Continue from a `state_dict`, even of a pool with other agents.

        Agents in both pools keep their results; new agents start without any. If the state has too
        many past policies, the weakest ones are dropped.

        Returns:
            The index in this pool of each agent in the state, -1 if missing; shape ``(k,)``.
        """
        there = state["players"], state["fixed"]
        numbers = self._numbers_of(*there)
        stayed = numbers >= 0
        for mine, theirs in (
            (self._games, state["games"]),
            (self._wins, state["wins"]),
            (self.met, state["met"]),
        ):
            mine[numbers[stayed]] = theirs[stayed]
        known = [Snapshot(**one) for one in state["known"]]
        self.past = known[: state["past"]]
        self._playing = [known[i] for i in state["playing"]]
        self._rng.bit_generator.state = state["rng"]
        self.past = self.past if self._players else []
        while len(self.past) > self._max_snapshots:
            self._forget_easiest()
        if state["players"] == len(self._players):
            self._seat_the_past()
        else:
            self._playing = []
            self.resample_snapshots()
        return numbers

    def _numbers_of(self, players: int, fixed: Sequence[str]) -> NDArray[np.int64]:
        """Return the index in this pool of each agent of another one, see `load_state_dict`."""
        names = [self.agents[i].name for i in self._fixed]
        numbers = [0, *(i if i in self._players else -1 for i in range(1, 1 + players))]
        for name in fixed:
            numbers.append(self._fixed[names.index(name)] if name in names else -1)
            if name in names:
                names[names.index(name)] = ""  # equal names may occur twice
        return np.array(numbers, np.int64)


def pfsp_weights(win_rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return sampling probabilities of opponents from the learner's win rates against them."""
    hard = (1 - win_rates) ** 2
    weights = np.maximum(hard, LEAST * hard.max())
    return weights / weights.sum()
