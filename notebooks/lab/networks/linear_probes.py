"""Linear probes: what can be read off from a layer of a network by a weighted sum.

Concepts are what a player would name in a position: numbers and truths, each computed from the
record. A probe is fitted to some games and tried on others. What it finds is there for the next
layer to use; whether that uses it, a probe does not say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_own
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_env.engine.cards import ACTION_BY_CARD, COPIES_BY_CARD
from impulse_env.engine.constants import CELLS, FACES
from impulse_env.engine.sector_map import CELLS_OF_GATE
from impulse_env.observation import high, section
from impulse_training.statistics.bootstrap import draws, percentile_interval
from lab.sampling import Sampled

GOOD_TURN: Final = 3
"""Points of a turn that a player would notice."""
OFTEN: Final = 0.5
"""Share of the tries in which they have to come."""
TRADE: Final = "Trade in the other hand"
"""The one concept that is hidden from the seat."""
_TOUCHES: Final = np.zeros((len(CELLS_OF_GATE), CELLS), np.bool_)
_TOUCHES[np.arange(len(CELLS_OF_GATE))[:, None], CELLS_OF_GATE] = True


def concepts_of(sampled: Sampled, gains: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
    """Return concepts by name, seen by the seat that decides in games of two players.

    Args:
        sampled: The positions.
        gains: From `gains_of_turn`, shape ``(n, tries)``.

    Returns:
        An array of shape ``(n,)`` for each: numbers, or 0 and 1; NaN where there is nothing to
        say: of a good turn when it is the other seat's.
    """
    is_own_turn = sampled.states["active"] == sampled.seats
    good = (gains >= GOOD_TURN).mean(axis=1) >= OFTEN
    return {
        "lead in points": sampled.lead.astype(np.float64),
        "turns to the end": sampled.turns_to_come.astype(np.float64),
        "who wins": sampled.has_won.astype(np.float64),
        "3 points this turn": np.where(is_own_turn, good, np.nan),
        "size of its largest fleet": largest_fleet(sampled).astype(np.float64),
        "a fleet is in danger": is_in_danger(sampled).astype(np.float64),
        TRADE: holds(sampled, "trade").astype(np.float64),
    }


def largest_fleet(sampled: Sampled) -> NDArray[np.int64]:
    """Return the ships of the largest own fleet, shape ``(n,)``."""
    rows = np.arange(len(sampled))
    transports = sampled.states["transports"][rows, sampled.seats].max(axis=1)
    cruisers = np.where(_own_gates(sampled), sampled.states["gate_ships"], 0).max(axis=1)
    return np.maximum(transports, cruisers).astype(np.int64)


def is_in_danger(sampled: Sampled) -> NDArray[np.bool_]:
    """Return whether an enemy's Cruisers can reach an own fleet or the own home with one move.

    That is where they stand on a gate of a cell on which own Transports are or that own Cruisers
    patrol: crossing it, they destroy the former or fight the latter. Shape ``(n,)``.
    """
    rows = np.arange(len(sampled))
    own = _own_gates(sampled)
    enemies = (sampled.states["gate_ships"] > 0) & ~own
    occupied = sampled.states["transports"][rows, sampled.seats] > 0
    theirs = (enemies @ _TOUCHES) & (occupied | (own @ _TOUCHES))
    return np.asarray(theirs.any(axis=1), np.bool_)


def _own_gates(sampled: Sampled) -> NDArray[np.bool_]:
    owners = np.asarray(sampled.states["gate_owner"] == sampled.seats[:, None], np.bool_)
    return owners & (sampled.states["gate_ships"] > 0)


def holds(sampled: Sampled, action: str) -> NDArray[np.bool_]:
    """Return whether the hidden part of the other hand holds a card of an action, shape ``(n,)``.

    Cards that everybody knows to be there do not count.
    """
    states, others = sampled.states, 1 - sampled.seats
    rows = np.arange(len(sampled))
    counts = counted(states["hand"][rows, others]) - counted(states["known"][rows, others])
    return np.asarray((counts[:, _faces(action)] > 0).any(axis=1), np.bool_)


def chance_by_counting(sampled: Sampled, action: str) -> NDArray[np.float64]:
    """Return how probable `holds` is for one who counts cards and infers nothing, shape ``(n,)``.

    The hidden cards of the hand are as good as drawn from all that this seat has not seen.
    """
    unseen = section(sampled.observations, "unseen", 2).astype(np.int64)
    sought, total = unseen[:, _faces(action)].sum(axis=1), unseen.sum(axis=1)
    rows, others = np.arange(len(sampled)), 1 - sampled.seats
    states = sampled.states
    hidden = states["hand_count"][rows, others] - states["known_count"][rows, others]
    none = np.ones(len(sampled))
    for drawn in range(int(hidden.max(initial=0))):
        left = np.maximum(total - drawn, 1)
        none *= np.where(drawn < hidden, np.clip((total - sought - drawn) / left, 0, 1), 1)
    return 1 - none


def _faces(action: str) -> NDArray[np.bool_]:
    return np.array([name == action for name in ACTION_BY_CARD])


def counted(cards: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return how often each face is in each row, shape ``(n, FACES)``; empty slots do not count."""
    counts = np.zeros((len(cards), FACES), np.int64)
    rows, slots = np.nonzero(cards >= 0)
    np.add.at(counts, (rows, cards[rows, slots]), 1)
    assert (counts <= COPIES_BY_CARD).all()
    return counts


LAYERS: Final = ("features", "policy", "value")
"""The shared layer, and the last one of either head."""
PENALTIES: Final = (*(10.0**power for power in range(-3, 3)), np.inf)
"""Of squared weights, over the mean variance: that is taken which does best in other games. With
the last a probe says the mean and nothing else."""
RESAMPLES: Final = 500
_ROWS: Final = 2048


def layers_of(network: PolicyNetwork, observations: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    """Return what the layers say to observations, by `LAYERS`, each ``(n, width)``, float32."""
    parts: dict[str, list[NDArray[np.float32]]] = {name: [] for name in LAYERS}
    with torch.inference_mode():
        for start in range(0, len(observations), _ROWS):
            features, _ = network.shared(torch.from_numpy(observations[start : start + _ROWS]))
            layers = features, network.policy(features), network.critic(features)
            for name, layer in zip(LAYERS, layers, strict=True):
                parts[name].append(layer.numpy())
    return {name: np.concatenate(some) for name, some in parts.items()}


def untrained_like(agent: PolicyAgent, seed: int = 0) -> PolicyNetwork:
    """Return a network of the same kind and size whose weights are those before any training."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return build_own(agent.config["players"], agent.config["network"]).eval()


def raw(observations: NDArray[np.uint8], players: int) -> NDArray[np.float32]:
    """Return the bare numbers of observations, each divided by its largest value."""
    limits = np.maximum(high(players), 1).astype(np.float32)
    found: NDArray[np.float32] = observations.astype(np.float32) / limits
    return found


@dataclass(frozen=True)
class Score:
    """The accuracy of a probe for a concept in held-out games.

    Attributes:
        value: R² of a number; of a truth the chance that a position where it holds is told from
            one where it does not (AUC).
        draws: The same with the games drawn again, shape ``(RESAMPLES,)``; those of two scores
            belong together if they are of the same positions.
    """

    value: float
    draws: NDArray[np.float64]

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval; NaN if all draws are equal."""
        low, high = percentile_interval(self.draws)
        return float(low), float(high)

    def less(self, other: "Score") -> "Score":
        """Return the difference of two scores of the same positions."""
        return Score(self.value - other.value, self.draws - other.draws)


class Probes:
    """Probes of any number of layers for the same concepts at the same positions.

    Args:
        sampled: The positions.
        concepts: Each of shape ``(n,)``, NaN where it has no value; truths are 0 and 1.
        seed: Of which games are held out, and of the games drawn again.
    """

    def __init__(
        self, sampled: Sampled, concepts: Mapping[str, NDArray[np.float64]], seed: int = 0
    ) -> None:
        self.concepts = concepts
        rng = np.random.default_rng(seed)
        names, game = np.unique(sampled.games, return_inverse=True)
        parts = rng.permutation(len(names)) % 10
        self._fit, self._choose, self._try = (
            np.isin(parts[game], some) for some in ((0, 1, 2, 3, 4), (5,), (6, 7, 8, 9))
        )
        tried = np.unique(game[self._try])
        self._draws = np.concatenate([*draws(len(tried), RESAMPLES, rng)])
        self._game = np.searchsorted(tried, game[self._try])

    def is_truth(self, concept: str) -> bool:
        """Return whether a concept is true or false, not a number."""
        found = self.concepts[concept]
        return bool(np.isin(found[~np.isnan(found)], (0, 1)).all())

    def scores(self, layer: NDArray[np.floating[Any]]) -> dict[str, Score]:
        """Fit a probe for each concept to a layer, and return how well it does elsewhere.

        Args:
            layer: Shape ``(n, width)``.
        """
        x = self._scaled(layer)
        found, solved = {}, {}
        for name, truth in self.concepts.items():
            known = ~np.isnan(truth)
            rows = known.tobytes()
            if rows not in solved:
                solved[rows] = _Ridge(x[self._fit & known])
            predicted = self._predictions(x, truth, known, solved[rows])
            found[name] = self.score(name, predicted, known[self._try])
        return found

    def _scaled(self, layer: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Return a layer with mean 0 and spread 1 in the games of the fit; 0 where it is alike."""
        x = layer.astype(np.float64)
        mean, spread = x[self._fit].mean(axis=0), x[self._fit].std(axis=0)
        found: NDArray[np.float64] = (x - mean) / np.where(spread > 1e-6, spread, np.inf)
        return found

    def _predictions(
        self,
        x: NDArray[np.float64],
        truth: NDArray[np.float64],
        known: NDArray[np.bool_],
        ridge: "_Ridge",
    ) -> NDArray[np.float64]:
        """Return what the best probe says at the positions held out that have a value."""
        fit, choose, rest = (rows & known for rows in (self._fit, self._choose, self._try))
        mean = truth[fit].mean()
        weights = ridge.weights(truth[fit] - mean)
        missed = ((x[choose] @ weights + mean - truth[choose, None]) ** 2).mean(axis=0)
        found: NDArray[np.float64] = x[rest] @ weights[:, missed.argmin()] + mean
        return found

    def beyond(
        self, layer: NDArray[np.floating[Any]], concept: str, known: NDArray[np.float64]
    ) -> Score:
        """Return the score of a forecast that a probe improves by what the layer says beyond it.

        The probe is fitted to what the forecast misses. Where it finds nothing in other games, the
        forecast stays as it is.

        Args:
            layer: Shape ``(n, width)``.
            concept: Its name; it has a value everywhere.
            known: The forecast, shape ``(n,)``.
        """
        x = self._scaled(layer)
        everywhere = np.ones(len(known), np.bool_)
        missed = self.concepts[concept] - known
        predicted = self._predictions(x, missed, everywhere, _Ridge(x[self._fit]))
        return self.score(concept, known[self._try] + predicted)

    def score(
        self, concept: str, predicted: NDArray[np.float64], rows: NDArray[np.bool_] | None = None
    ) -> Score:
        """Return how good a forecast of a concept is at the positions held out.

        Args:
            concept: Its name.
            predicted: The predictions for the held-out positions that count.
            rows: Which of them count, shape ``(held out,)``; all if not given.
        """
        rows = np.ones(len(self._game), np.bool_) if rows is None else rows
        truth = self.concepts[concept][self._try][rows]
        each = np.vstack([np.ones(len(truth)), self._draws[:, self._game[rows]]])
        found = (
            _areas(predicted, truth, each)
            if self.is_truth(concept)
            else _r2(predicted, truth, each)
        )
        return Score(float(found[0]), found[1:])

    @property
    def held_out(self) -> NDArray[np.bool_]:
        """The positions that probes are tried on, shape ``(n,)``."""
        return self._try


class _Ridge:
    """Least squares with a penalty on the weights, for all of `PENALTIES` at once.

    Args:
        rows: What is weighed, shape ``(n, width)``.
    """

    def __init__(self, rows: NDArray[np.float64]) -> None:
        self._rows = rows
        values, self._vectors = np.linalg.eigh(rows.T @ rows)
        self._values = np.maximum(values, 0)
        self._scale = max(float(values.mean()), 1e-12)

    def weights(self, truth: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weights for each penalty, shape ``(width, penalties)``."""
        turned = self._vectors.T @ (self._rows.T @ truth)
        columns = [turned / (self._values + self._scale * penalty) for penalty in PENALTIES]
        found: NDArray[np.float64] = self._vectors @ np.stack(columns, axis=1)
        return found


def _r2(
    predicted: NDArray[np.float64], truth: NDArray[np.float64], each: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return R² for each row of weights, shape ``(k,)``."""
    total = each.sum(axis=1)
    spread = each @ truth**2 - (each @ truth) ** 2 / total
    with np.errstate(invalid="ignore", divide="ignore"):  # games drawn that are all alike
        found: NDArray[np.float64] = 1 - each @ (predicted - truth) ** 2 / spread
    return found


def _areas(
    predicted: NDArray[np.float64], truth: NDArray[np.float64], each: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the area under the curve for each row of weights, shape ``(k,)``; ties count half."""
    order = np.argsort(predicted, kind="stable")
    starts = np.flatnonzero(np.diff(predicted[order], prepend=-np.inf))
    yes, no = (
        np.add.reduceat(each[:, order] * part[order], starts, axis=1) for part in (truth, 1 - truth)
    )
    below = np.cumsum(no, axis=1) - no / 2
    pairs = yes.sum(axis=1) * no.sum(axis=1)
    with np.errstate(invalid="ignore"):  # games drawn in which it is always so, or never
        found: NDArray[np.float64] = (yes * below).sum(axis=1) / pairs
    return found
