"""How agents play, in numbers that no result is part of, and whether those numbers form groups.

A style is a vector of shares and means: which actions are used, where points come from, what is
done with Techs and Plans, how long games last. Each is a sum over games divided by another, kept by
deal, so that deals can be drawn again to see what is stable.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist, squareform

from impulse_env import analysis
from impulse_env.outcomes import SOURCE_NAMES
from impulse_env.records.recorded_games import RecordedGame
from impulse_training.statistics.bootstrap import draws

USES: Final = ("use_impulse", "use_plan_card", "use_executed", "activate")
"""Decisions in which the effect of a card may be used."""


@dataclass(frozen=True)
class Styles:
    """The actions of k agents in d deals, as features.

    Attributes:
        agents: Their names.
        features: What is measured, f names.
        sums: Numerators, shape ``(d, k, f)``.
        sizes: Denominators, shape ``(d, k, f)``.
    """

    agents: tuple[str, ...]
    features: tuple[str, ...]
    sums: NDArray[np.float64]
    sizes: NDArray[np.float64]

    def vectors(self, counts: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
        """Return the style of each agent, standardised over the agents, shape ``(k, f)``.

        Args:
            counts: How often each deal counts, shape ``(d,)``; once if not given.
        """
        raw = self.raw(counts)
        spread = raw.std(axis=0)
        found: NDArray[np.float64] = (raw - raw.mean(axis=0)) / np.where(spread > 0, spread, 1)
        return found

    def raw(self, counts: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
        """Return the shares and means themselves, shape ``(k, f)``; see `vectors`."""
        weights = np.ones(len(self.sums)) if counts is None else counts.astype(np.float64)
        sums = np.tensordot(weights, self.sums, axes=1)
        sizes = np.tensordot(weights, self.sizes, axes=1)
        found: NDArray[np.float64] = sums / np.maximum(sizes, 1e-9)
        return found

    def resampled(self, times: int, seed: int = 0) -> list[NDArray[np.float64]]:
        """Return the vectors of deals drawn again, so many times."""
        drawn = draws(len(self.sums), times, seed)
        return [self.vectors(counts) for some in drawn for counts in some]


def styles_of(plays: Iterable[RecordedGame], agents: Sequence[str]) -> Styles:
    """Return the styles of some agents in games with each other.

    Args:
        plays: Games that begin with a deal; those of a deal are drawn together.
        agents: Whose styles.
    """
    found = analysis.tables(plays)
    deal = found.games.set_index("game").seed.astype(np.uint64)
    for rows in (found.games, found.seats, found.turns, found.decisions):
        rows["deal"] = rows.game.map(deal)
    faces = analysis.cards().set_index("card").type
    seats = found.seats.merge(found.games[["game", "rounds"]], on="game")
    parts = [
        _ratio(seats, f"points: {name.replace('_', ' ')}", f"points_{name}", "score")
        for name in SOURCE_NAMES
    ]
    parts.append(_ratio(seats, "rounds of a game", "rounds"))
    turns = found.turns.assign(
        no_tech=found.turns.tech < 0,
        is_race_tech=(found.turns.tech == 1) & (found.turns.tech_card == 0),
        is_researched=found.turns.tech_card > 0,
        has_plan=found.turns.planned > 0,
    )
    parts += [
        _ratio(turns, "Impulse cards used", "impulse_used", "impulse"),
        _ratio(turns, "turns without a Tech", "no_tech"),
        _ratio(turns, "turns with the race's Tech", "is_race_tech"),
        _ratio(turns, "turns with a researched Tech", "is_researched"),
        _ratio(turns, "turns with a Plan", "has_plan"),
        _ratio(turns, "Plan cards used a turn", "plan_used"),
        _ratio(turns, "battles a turn", "battles"),
    ]
    is_used = found.decisions.kind.isin(USES) & (found.decisions.action.astype(str) == "use")
    used = found.decisions[is_used].assign(type=lambda rows: rows.card.map(faces))
    added = turns.assign(type=turns.added.map(faces))
    for word, rows in (("uses", used), ("adds", added)):
        rows = rows[rows.type.notna()]
        parts += [
            _ratio(rows.assign(is_it=rows.type == kind), f"{word} {kind}", "is_it")
            for kind in sorted(rows.type.unique())
        ]
    deals = sorted(found.games.deal.unique())
    shape = pd.MultiIndex.from_product([deals, agents])
    tables = [part[1].reindex(shape, fill_value=0).to_numpy(np.float64) for part in parts]
    grid = np.stack(tables, axis=1).reshape(len(deals), len(agents), len(parts), 2)
    names = tuple(name for name, _ in parts)
    return Styles(tuple(agents), names, grid[..., 0], grid[..., 1])


def _ratio(
    rows: pd.DataFrame, name: str, over: str, under: str | None = None
) -> tuple[str, pd.DataFrame]:
    """Return a feature: its name, and by deal and agent the sums to be divided."""
    values = pd.DataFrame(
        {
            "deal": rows.deal,
            "agent": rows.agent,
            "over": rows[over].astype(float),
            "under": 1.0 if under is None else rows[under].astype(float),
        }
    )
    return name, values.groupby(["deal", "agent"])[["over", "under"]].sum()


def tree(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the hierarchy of styles, as `scipy.cluster.hierarchy` does (Ward's)."""
    found: NDArray[np.float64] = linkage(vectors, "ward")
    return found


def groups(vectors: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """Return the group of each style if the hierarchy is cut into so many, shape ``(k,)``."""
    found: NDArray[np.int64] = fcluster(tree(vectors), count, "maxclust").astype(np.int64)
    return found


def silhouette(vectors: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """Return how much nearer styles are to their own group than to the next, -1 to 1.

    A style that is alone in its group counts as 0.
    """
    distances = squareform(pdist(vectors))
    values = []
    for row, label in enumerate(labels):
        own = (labels == label) & (np.arange(len(labels)) != row)
        if not own.any():
            values.append(0.0)
            continue
        near = distances[row, own].mean()
        far = min(distances[row, labels == o].mean() for o in np.unique(labels) if o != label)
        values.append((far - near) / max(far, near))
    return float(np.mean(values))


def best_cut(vectors: NDArray[np.float64], counts: Sequence[int]) -> tuple[int, float]:
    """Return into how many groups styles fall best, and how well (see `silhouette`)."""
    found = {count: silhouette(vectors, groups(vectors, count)) for count in counts}
    best = max(found, key=lambda count: found[count])
    return best, found[best]


def without_structure(
    vectors: NDArray[np.float64], counts: Sequence[int], times: int, seed: int = 0
) -> NDArray[np.float64]:
    """Return the quality of groups after features are permuted, shape ``(times,)``.

    Each feature keeps its values, but every agent gets one at random: what is left is what a
    grouping finds where nothing hangs together.
    """
    rng = np.random.default_rng(seed)
    return np.array([best_cut(rng.permuted(vectors, axis=0), counts)[1] for _ in range(times)])


def agreement(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """Return how far two groupings agree, 1 if wholly and 0 as by chance (adjusted Rand index)."""
    table = np.zeros((first.max() + 1, second.max() + 1))
    np.add.at(table, (first, second), 1)

    def pairs(counts: NDArray[np.float64]) -> float:
        return float((counts * (counts - 1) / 2).sum())

    both, rows, columns = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    chance = rows * columns / pairs(np.array([float(len(first))]))
    most = (rows + columns) / 2
    return 1.0 if most == chance else (both - chance) / (most - chance)


def on_a_map(
    vectors: NDArray[np.float64], like: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the two directions in which styles differ most, as places, shape ``(k, 2)``.

    Args:
        vectors: The styles.
        like: The styles whose directions are used; the same if not given.
    """
    basis = vectors if like is None else like
    directions = np.linalg.svd(basis - basis.mean(axis=0), full_matrices=False)[2][:2]
    found: NDArray[np.float64] = (vectors - basis.mean(axis=0)) @ directions.T
    return found
