"""Trials of records with errors: each is rejected with a sentence, or plays to its end."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import N_ACTIONS
from impulse_env.batch import NOBODY, GameBatch, step_games
from impulse_env.compiled.compilation import call
from impulse_env.engine.cards import COLOR_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import FACES, NO_CARD, RUNNING, Op, State
from impulse_env.engine.state import STATE
from impulse_env.engine.validity.check import find_faults
from impulse_env.engine.validity.faults import FAULT_NUMBERS, FIELD, NO_FAULT
from impulse_env.options import Options
from impulse_env.testing.checked_play import play_checked
from impulse_env.testing.edits import edited
from impulse_env.testing.signature import SETTINGS
from impulse_env.validation import sentence_of

VARIETY: Final[tuple[dict[str, Any], ...]] = (
    *SETTINGS,
    {"players": 2, "hand_limit": 6, "ships": 3, "target_score": 60, "max_turns": 40},
    {"players": 4, "races": "draft", "team_size": 2, "max_activations": 2, "auto_forced": False},
    {"players": 3, "max_activations": 0, "target_score": 100, "max_turns": 100},
    {"players": 5, "ships": 5, "target_score": 5, "auto_forced": False},
    {"players": 6, "hand_limit": 7, "target_score": 40},
)
"""Options of the games with edited records."""
MOST_DECISIONS: Final = 100_000
"""Highest number of decisions in a game, far more than in the longest game."""
_CHUNK: Final = 10_000


@dataclass
class Trials:
    """The results of trials of edited records.

    Attributes:
        edits: Number of edited records.
        refused: Number of these that were rejected.
        played: Number of these that were accepted and played to their end.
        decisions: Number of decisions in the accepted ones.
        failures: A sentence for each accepted record that failed later, with its number.
    """

    edits: int = 0
    refused: int = 0
    played: int = 0
    decisions: int = 0
    failures: list[str] = field(default_factory=list)


def records_by_kind(
    games: int, decisions: int, seed: int, max_turns: int | None = None
) -> list[np.ndarray]:
    """Return records of random games of all settings, grouped by the kind of decision or end.

    Args:
        games: Number of games per setting.
        decisions: Number of decisions per game.
        seed: The seed of the games.
        max_turns: Turn limit of each game instead of its setting's; with a low limit, continued
            games end soon.
    """
    rng = np.random.default_rng(seed)
    batches = []
    for settings in VARIETY:
        limits = {} if max_turns is None else {"max_turns": max_turns}
        options = Options(**{**settings, **limits})
        batch = GameBatch(options, rng.integers(1 << 60, size=games))
        for _ in range(decisions):
            batches.append(batch.states[rng.random(games) < 0.5])
            if (batch.seats == NOBODY).all():
                break
            batch.step((rng.random(batch.masks.shape, np.float32) + batch.masks).argmax(1))
        batches.append(batch.states.copy())
    records = np.concatenate(batches)
    records = np.concatenate([records, *_starved_games(records, decisions, rng)])
    kinds = _kinds(records)
    return [records[kinds == kind] for kind in np.unique(kinds)]


def _starved_games(
    records: np.ndarray, decisions: int, rng: np.random.Generator
) -> Iterator[np.ndarray]:
    """Continue some games after making nearly all cards minerals or Plan cards.

    These games reach situations that random games rarely reach: players discard for a new deck,
    boosts are large, and Plans are long and hold several copies of a face.
    """
    starts = records[(records["phase"] == Op.ADD_IMPULSE) & (records["stack_count"] == 0)]
    games = starts[rng.integers(len(starts), size=max(60, len(starts) // 20))]
    for game in games:
        _starve(game, rng)
    masks = np.zeros((len(games), N_ACTIONS), np.int8)
    seats = np.full(len(games), NOBODY, np.int8)
    actions = np.zeros(len(games), np.int64)
    for _ in range(decisions):
        step_games(games, actions, masks, seats)
        yield games[rng.random(len(games)) < 0.5]
        actions = (rng.random(masks.shape, np.float32) + masks).argmax(1)


def _starve(state: State, rng: np.random.Generator) -> None:
    """Give nearly all cards of deck and discard pile to the players that are not eliminated."""
    left = int(rng.integers(4))
    cards = [*state["deck"][left : state["deck_count"]]]
    cards += [face for face in range(FACES) for _ in range(state["discard"][face])]
    state["deck"][left:] = NO_CARD
    state["deck_count"] = min(left, int(state["deck_count"]))
    state["discard"], state["discard_count"] = 0, 0
    seats = np.flatnonzero(state["ships_on_map"])
    is_planned = rng.random() < 0.5
    for card in cards:
        seat = rng.choice(seats)
        if is_planned and rng.random() < 0.5:
            state["plan"][seat, state["plan_count"][seat]] = card
            state["plan_count"][seat] += 1
        else:
            state["minerals"][seat, card] += 1
            state["gems"][seat, COLOR_BY_CARD[card]] += SIZE_BY_CARD[card]


def _kinds(records: np.ndarray) -> NDArray[np.int64]:
    """Return the next step of each record; for finished games, the kind of end."""
    top = np.maximum(records["stack_count"] - 1, 0)
    op = records["stack"][np.arange(len(records)), top, 0]
    kinds = np.where(records["stack_count"] > 0, op, records["phase"]).astype(np.int64)
    return np.where(records["status"] == RUNNING, kinds, -records["status"].astype(np.int64))


def try_edits(groups: list[np.ndarray], edits: int, seed: int) -> Trials:
    """Edit records, and play those that are accepted.

    Args:
        groups: Valid records; every group is equally likely.
        edits: Number of edited records.
        seed: The seed of the edits and of the continued games.
    """
    rng = np.random.default_rng(seed)
    trials = Trials()
    while trials.edits < edits:
        count = min(_CHUNK, edits - trials.edits)
        _try_some(_pick(groups, count, rng), rng, trials)
    return trials


def _pick(groups: list[np.ndarray], count: int, rng: np.random.Generator) -> np.ndarray:
    numbers = np.bincount(rng.integers(len(groups), size=count), minlength=len(groups))
    picked = [
        group[rng.integers(len(group), size=number)]
        for group, number in zip(groups, numbers, strict=True)
    ]
    return np.concatenate(picked)


def _try_some(records: np.ndarray, rng: np.random.Generator, trials: Trials) -> None:
    made = edited(records, records[rng.permutation(len(records))], rng)
    is_changed = (made.view(np.uint8) != records.view(np.uint8)).reshape(len(made), -1).any(1)
    made, records = made[is_changed], records[is_changed]
    faults = np.zeros((len(made), FAULT_NUMBERS), np.int64)
    call(find_faults, made, True, faults)
    accepted = np.flatnonzero(faults[:, FIELD] == NO_FAULT)
    for fault in faults[faults[:, FIELD] != NO_FAULT][:100]:
        sentence_of(fault)
    games = made[accepted]
    randomness = rng.integers(1, 1 << 63, len(games), np.uint64)
    decisions, later = play_checked(games, randomness, MOST_DECISIONS)
    for game in np.flatnonzero((later[:, FIELD] != NO_FAULT) | (games["status"] == RUNNING)):
        what = "it never ends" if games["status"][game] == RUNNING else ""
        if later[game, FIELD] != NO_FAULT:
            what = sentence_of(later[game])
        changed = _changes(records[accepted[game]], made[accepted[game]])
        trials.failures.append(f"{what} after {decisions[game]} decisions; changed: {changed}")
    trials.edits += len(made)
    trials.refused += len(made) - len(games)
    trials.played += len(games)
    trials.decisions += int(decisions.sum())


def _changes(before: np.void, after: np.void) -> str:
    """Return the changes of an edit, for a search for the cause."""
    parts = []
    for name in STATE.names or ():
        old, new = np.atleast_1d(before[name]).ravel(), np.atleast_1d(after[name]).ravel()
        parts += [f"{name}[{k}] {old[k]} -> {new[k]}" for k in np.flatnonzero(old != new)]
    return ", ".join(parts[:20])
