"""Who sits on the other seats: the policy as it is, its past, and agents that do not learn."""

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
"""Games after which a result counts 1/e of a fresh one: the learner changes meanwhile."""
LEAST: Final = 0.05
"""Weight that even the easiest opponent keeps, as a share of the hardest's."""


@dataclass(eq=False)
class Snapshot:
    """A past policy.

    Attributes:
        name: Its name.
        weights: Of the network.
        games: Decaying number of games against it.
        wins: Those of them that the learner won, decaying likewise.
    """

    name: str
    weights: dict[str, Any]
    games: float = 0.0
    wins: float = 0.0

    @property
    def rate(self) -> float:
        """The learner's share of the games against it lately, 1/2 if unknown."""
        return (self.wins + 1) / (self.games + 2)


class OpponentPool:
    """A pool of opponents, drawn for every seat of every game.

    The learner meets itself, its past, and a fixed set, in given shares; within the past and within
    the fixed set, an opponent is met more often the more it wins against the learner. Many past
    policies are kept, and a few at a time take the seats that are the past's: so that each of them
    decides for many games in one call.

    Attributes:
        agents: The policy as it is, then those who play the past, then the fixed ones. Whoever sits
            in a running game plays on with new weights as they come.
        shares: How often the current policy, its past, and the fixed set are drawn.
        past: The past policies, the oldest first.
        met: How often each agent sat in a finished game since the beginning, shape
            ``(len(agents),)``, int64; all past policies that an agent played count as that agent.

    Args:
        current: Stands for the policy as it is; `SeatVecEnv` never asks it.
        snapshot_players: Play the past policies.
        fixed: The agents that do not learn.
        shares: Of the current policy, of its past and of the fixed ones. Before there is a past its
            share goes to the current policy.
        max_snapshots: How many past policies are kept.
        seed: Of the choice of past policies.

    Raises:
        ConfigError: Nobody would be drawn.
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
                f"the shares of opponents {shares} (current, past, fixed) must not be negative, "
                f"and somebody must be left to play against"
            )
        self.agents: list[Agent] = [current, *snapshot_players, *fixed]
        self.shares = shares
        self.past: list[Snapshot] = []
        self._max_snapshots = max_snapshots
        self._playing: list[Snapshot] = []  # by each of the players of the past
        self._players = range(1, 1 + len(snapshot_players))
        self._fixed = range(1 + len(snapshot_players), len(self.agents))
        self._rng = np.random.default_rng(seed)
        # Decaying sums: of the games, and of those that were the learner's; by agent.
        self._games = np.zeros(len(self.agents))
        self._wins = np.zeros(len(self.agents))
        self.met = np.zeros(len(self.agents), np.int64)

    # --- Drawing ---------------------------------------------------------------------------------

    def probabilities(self) -> NDArray[np.float64]:
        """Return how often each agent is drawn, shape ``(len(agents),)``."""
        current, past, fixed = self.shares
        found = np.zeros(len(self.agents))
        if self._playing:
            found[list(self._players)] = past / len(self._players)
        else:
            current += past
        found[0] = current
        if len(self._fixed):
            indices = list(self._fixed)
            found[indices] = fixed * pfsp_weights(self.win_rates()[indices])
        return found / found.sum()

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw indices of agents."""
        return rng.choice(len(self.agents), size=shape, p=self.probabilities())

    # --- Results ---------------------------------------------------------------------------------

    def record_results(self, opponents: NDArray[np.int64], has_won: NDArray[np.bool_]) -> None:
        """Take note of games that have ended.

        Args:
            opponents: Indices of those who sat against the learner, shape ``(games, k)``; -1 for
                nobody.
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
        """Return the learner's lately against each, shape ``(len(agents),)``; 1/2 if unknown."""
        return (self._wins + 1) / (self._games + 2)

    def win_rates_by_name(self) -> dict[str, float]:
        """Return the learner's share of the games against whom it met, by name."""
        rates = self.win_rates()
        met = [i for i in (0, *self._fixed) if self._games[i] > 0]
        found = {self.agents[i].name: float(rates[i]) for i in met}
        return found | {s.name: s.rate for s in self.past if s.games > 0}

    # --- The past --------------------------------------------------------------------------------

    def add_snapshot(self, weights: dict[str, Any], name: str) -> None:
        """Keep the policy; where there is no room left, the easiest of the past makes place."""
        if self._max_snapshots == 0 or not self._players:
            return
        copied = {key: value.detach().cpu().clone() for key, value in weights.items()}
        if len(self.past) == self._max_snapshots:
            self._forget_easiest()
        self.past.append(Snapshot(name, copied))

    def _forget_easiest(self) -> None:
        self.past.remove(max(self.past, key=lambda snapshot: snapshot.rate))

    def resample_snapshots(self) -> None:
        """Draw anew which past policies play."""
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

    # --- Keeping ---------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return the past and the results; `load_state_dict` goes on from there."""
        # One that plays on may have made place for another.
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
        """Go on from a `state_dict`, also of a pool with other agents.

        Whoever is in both keeps the results; who is new begins without any. If more past policies
        were kept than there is room for, the easiest of them go.

        Returns:
            The index here of each agent there, -1 for those who are gone; shape ``(k,)``.
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
        """Return the index here of each agent of a pool with such agents, see `load_state_dict`."""
        names = [self.agents[i].name for i in self._fixed]
        numbers = [0, *(i if i in self._players else -1 for i in range(1, 1 + players))]
        for name in fixed:
            numbers.append(self._fixed[names.index(name)] if name in names else -1)
            if name in names:
                names[names.index(name)] = ""  # the same one may be there twice
        return np.array(numbers, np.int64)


def pfsp_weights(win_rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how often each of some opponents is drawn, given how often the learner beats it."""
    hard = (1 - win_rates) ** 2
    weights = np.maximum(hard, LEAST * hard.max())
    return weights / weights.sum()
