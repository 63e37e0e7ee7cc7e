"""Parts of an observation exchanged for those of other positions, to see what a network uses.

Sections that tell the same thing, as points and points missing, are exchanged together: else the
one would tell what the other hides. What comes out may be no position of any game.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.rng import RngStreams
from impulse_agents.selection import softmax
from impulse_env.observation import section, sections
from lab.sampling import Sampled

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "own hand": ("own_hand", "matching", "matching_icons", "own_laid"),
    "cards not seen, discards": ("unseen", "discard", "deck_size"),
    "sizes of hands, known cards": ("hand_size", "known"),
    "points": ("score", "points_needed"),
    "Impulse": ("impulse",),
    "cards on the map": ("cell_card",),
    "Transports": ("transports",),
    "Cruisers": ("cruisers",),
    "ships left to build": ("ships_left",),
    "Techs": ("tech",),
    "Plans": ("plan_size", "plan", "next_plan_size", "next_plan"),
    "minerals": ("gems", "minerals"),
    "races": ("seat_race",),
    "who began, turns": ("start", "turn", "turns_left"),
    "place in the turn": ("active", "phase", "cursor", "activations_left"),
    "what is asked": (
        *("decider", "decision", "offered", "offered_boost", "depth", "frame_op", "frame_card"),
        *("frame_left", "frame_done", "frame_low", "frame_high", "frame_color"),
        *("frame_ship_type", "frame_chain", "frame_place", "frame_seat", "frame_purpose"),
        *("frame_mode", "frame_number", "waiting", "build_to_come"),
    ),
    "move or battle under way": (
        *("fleet_from", "fleet_ships", "path", "battle_gate", "battle_seat", "battle_ships"),
        *("battle_icons", "laid_size", "table", "table_size"),
    ),
    "which reinforcements fight": ("matched",),
    "always the same": ("home", "ally", "eliminated", "status", "winner", "option"),
}
"""All sections by what they tell a player."""


def columns_of(group: str, players: int) -> NDArray[np.intp]:
    """Return the features of a group of sections."""
    parts = [part for part in sections(players) if part.name in GROUPS[group]]
    return np.concatenate([np.arange(part.start, part.stop) for part in parts])


def permuted(
    observations: NDArray[np.uint8],
    columns: NDArray[np.intp],
    turns: NDArray[np.integer[Any]],
    rng: np.random.Generator,
) -> NDArray[np.uint8]:
    """Return observations with some features exchanged among those of the same turn.

    Args:
        observations: Shape ``(n, features)``; they stay as they are.
        columns: Which features, exchanged together.
        turns: The turn of each, shape ``(n,)``.
        rng: Draws who gets whose.
    """
    order = np.lexsort((rng.random(len(turns)), turns))
    places = np.argsort(turns, kind="stable")
    changed = observations.copy()
    changed[places[:, None], columns] = observations[order[:, None], columns]
    return changed


def chances(
    agent: PolicyAgent, observations: NDArray[np.uint8], players: int
) -> NDArray[np.float64]:
    """Return the chances to win that a calibrated network gives, from observations alone, ``(n,)``.

    Points that count beside its value are those that the observation tells.
    """
    _, values = agent.evaluate(observations)
    return chances_of_values(agent, values, observations, players)


def chances_of_values(
    agent: PolicyAgent,
    values: NDArray[np.floating[Any]],
    observations: NDArray[np.uint8],
    players: int,
) -> NDArray[np.float64]:
    """Return the chances to win that values mean, see `chances`."""
    points = section(observations, "score", players).astype(np.float64)
    target = section(observations, "option", players)[:, 0].astype(np.float64)
    lead = (points[:, 0] - points[:, 1:].mean(axis=1)) / target
    expected = values + lead if agent.has_score_reward else values
    progress = np.sqrt(np.clip(points.max(axis=1) / target, 0, 1))
    calibration = agent.fitted_calibration()
    return calibration.win_probabilities(expected, progress).astype(np.float64)


class Judgement:
    """The outputs of a network for positions, and their change with its observation.

    Args:
        agent: A calibrated network.
        sampled: The positions.
    """

    def __init__(self, agent: PolicyAgent, sampled: Sampled) -> None:
        self.agent, self.sampled = agent, sampled
        self.players = int(sampled.states["players"][0])
        self.chances, self.shares = self._judged(sampled.observations)

    def _judged(self, seen: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        logits, values = self.agent.evaluate(seen)
        found = chances_of_values(self.agent, values, seen, self.players)
        return found, softmax(logits, self.sampled.masks).astype(np.float64)

    def without(
        self, group: str, rng: np.random.Generator, times: int = 1
    ) -> dict[str, NDArray[np.float64]]:
        """Return what a group of sections does at each position when it is exchanged.

        Args:
            group: One of `GROUPS`.
            rng: Draws who gets whose.
            times: How often that is done; the means are returned.

        Returns:
            Of shape ``(n,)`` each: ``log loss`` and ``Brier score``, by how much more the chance is
            off; ``KL``, by how much the policy differs, in nats; ``changed``, whether it would
            choose something else.
        """
        rows = np.arange(len(self.sampled))
        won = self.sampled.has_won
        columns = columns_of(group, self.players)
        best = self.shares.argmax(axis=1)
        sums = {name: np.zeros(len(rows)) for name in ("log loss", "Brier score", "KL", "changed")}
        for _ in range(times):
            turns = self.sampled.states["turn"]
            other = permuted(self.sampled.observations, columns, turns, rng)
            found, shares = self._judged(other)
            sums["log loss"] += log_loss(found, won) - log_loss(self.chances, won)
            sums["Brier score"] += (found - won) ** 2 - (self.chances - won) ** 2
            ratio = np.log(np.maximum(self.shares, 1e-12) / np.maximum(shares, 1e-12))
            sums["KL"] += (self.shares * ratio).sum(axis=1)
            sums["changed"] += shares.argmax(axis=1) != best
        return {name: total / times for name, total in sums.items()}


def log_loss(chance: NDArray[np.floating[Any]], won: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return minus the logarithm of the chance that was given to what happened, shape ``(n,)``."""
    sure = np.clip(chance.astype(np.float64), 1e-6, 1 - 1e-6)
    return -np.log(np.where(won, sure, 1 - sure))


class Blinded(Agent):
    """Plays as another agent does that is shown a part of other positions instead of its own.

    At each decision that part is the one of a position drawn from those of the same turn. So it
    looks as usual, and tells nothing.

    Args:
        agent: Whom it plays as.
        groups: Which parts, of `GROUPS`; with none it plays as the agent.
        others: The positions that the parts are from.

    Raises:
        ValueError: The agent looks at views, from which nothing can be taken away here.
    """

    def __init__(self, agent: Agent, groups: Sequence[str], others: Sampled) -> None:
        if agent.needs_views:
            raise ValueError(f"{agent.name} looks at more than an observation")
        self.agent = agent
        self.name = f"{agent.name} without {', '.join(groups) or 'nothing'}"
        self.players = int(others.states["players"][0])
        columns = [columns_of(group, self.players) for group in groups]
        self._columns = np.concatenate([np.zeros(0, np.intp), *columns])
        turns = section(others.observations, "turn", self.players).reshape(len(others))
        order = np.argsort(turns, kind="stable")
        self._others = others.observations[order]
        self._starts = np.searchsorted(turns[order], np.arange(257))

    def check_players(self, players: int) -> None:
        """Raise `AgentError` unless the agent plays games of so many players."""
        self.agent.check_players(players)

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Choose as the agent would in what it is shown."""
        shown = seen.observations.copy()
        turns = section(shown, "turn", self.players).reshape(len(shown)).astype(np.int64)
        starts, ends = self._starts[turns], self._starts[turns + 1]
        is_unknown = starts == ends  # a turn so late that nobody has seen it: any will do
        starts = np.where(is_unknown, 0, starts)
        ends = np.where(is_unknown, len(self._others), ends)
        rows = starts + (streams.random() * (ends - starts)).astype(np.int64)
        shown[:, self._columns] = self._others[rows[:, None], self._columns]
        return self.agent.act(ObservationBatch(shown, seen.masks, seen.seats), streams)
